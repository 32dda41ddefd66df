"""A page as one HTML file: no script, nothing loaded, fit for a mail, a phone and paper.

The template escapes every text (Jinja's autoescape); only the style sheet and the charts, which
escape for themselves, are taken as they are. The content security policy allows the style sheet
by its hash and nothing else.
"""

from __future__ import annotations

import base64
import hashlib
import os
from collections.abc import Iterator
from itertools import groupby
from typing import Any

from gpuadvisor.report import page_cells
from gpuadvisor.report.charts import NARROW, WIDE, svg
from gpuadvisor.report.extra import needed
from gpuadvisor.report.page import (
    BarChart,
    Block,
    Cards,
    Command,
    Items,
    LineChart,
    Page,
    Paragraph,
    Section,
    StepChart,
    Table,
)
from gpuadvisor.report.text import printable

_FOLDER = os.path.join(os.path.dirname(__file__), "templates")
_CHARTS = (BarChart, LineChart, StepChart)
_KINDS = {Paragraph: "paragraph", Items: "items", Command: "command", Table: "table",
          Cards: "cards"}  # fmt: skip


def html(page: Page) -> str:
    """The whole document. UsageError without the extra `report`."""
    with needed("report"):
        from jinja2 import Environment, FileSystemLoader, StrictUndefined
        from markupsafe import Markup
    with open(os.path.join(_FOLDER, "page.css"), encoding="utf-8") as stream:
        style = stream.read()
    environment = Environment(
        loader=FileSystemLoader(_FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_shown,
    )
    return environment.get_template("page.html").render(
        page=page,
        sections=[(section, list(_groups(section, Markup))) for section in page.sections],
        style=Markup(style),  # noqa: S704 - our own file
        style_hash=base64.b64encode(hashlib.sha256(style.encode()).digest()).decode(),
        cells=page_cells,
        words=page_cells.words,
    )


def _shown(value: Any) -> Any:
    """Control characters would hide or turn around what a hostile name says."""
    return printable(value) if type(value) is str else value


def _groups(section: Section, markup: Any) -> Iterator[tuple[str, Any]]:
    """The blocks by the name of their part of the template; charts in a row stand together."""
    number = 0
    for charts, blocks in groupby(section.blocks, key=lambda block: isinstance(block, _CHARTS)):
        if not charts:
            yield from ((_KINDS[type(block)], block) for block in blocks)
            continue
        drawn = []
        for block in blocks:
            number += 1
            drawn.append(_drawn(block, f"{section.id}-{number}", markup))
        yield "charts", drawn


def _drawn(block: Block, id: str, markup: Any) -> tuple[str, str, Any]:
    """Title, description and both drawings of a chart; only one of them is ever displayed."""
    assert isinstance(block, _CHARTS)
    wide, narrow = svg(block, f"{id}-wide", WIDE), svg(block, f"{id}-narrow", NARROW)
    return block.title, block.description, markup(wide + narrow)
