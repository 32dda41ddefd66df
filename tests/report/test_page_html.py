"""Pages as HTML: structure, nothing loaded, hostile names, contrast."""

from __future__ import annotations

import base64
import hashlib
import re
import sys
from decimal import Decimal
from itertools import pairwise
from pathlib import Path

import pytest

import gpuadvisor.report
from gpuadvisor.catalog.errors import UsageError
from gpuadvisor.report.page import (
    Bar,
    BarChart,
    Card,
    Cards,
    CatalogVersion,
    Column,
    Command,
    Fact,
    Items,
    Money,
    Page,
    Paragraph,
    Row,
    Section,
    Source,
    Table,
    Text,
    Unknown,
)
from gpuadvisor.report.page_html import html
from gpuadvisor.report.page_markdown import markdown
from tests.report.pages import COMMANDS, page_of, read_html

STYLE = Path(gpuadvisor.report.__file__).parent / "templates" / "page.css"
HOSTILE = "<script>alert(1)</script>\"'&`|\n# x=\x1b[31m\u202egnp"


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("name", COMMANDS)
def test_structure(name: str, language: str) -> None:
    page = page_of(name, language)
    elements = read_html(html(page))
    tags = [element.tag for element in elements]
    assert elements[0].attributes["lang"] == {"en": "en", "zh": "zh-Hans"}[language]
    titles = [e for e in elements if e.tag == "title" and "svg" not in e.inside]
    assert tags.count("h1") == tags.count("main") == len(titles) == 1
    # Headings do not skip a level.
    levels = [int(tag[1]) for tag in tags if re.fullmatch(r"h[1-6]", tag)]
    assert all(after - before <= 1 for before, after in pairwise(levels))
    for element in elements:
        if element.tag == "th":
            assert element.attributes["scope"] in ("col", "row")
        if element.tag in ("section", "div") and "aria-labelledby" in element.attributes:
            wanted = element.attributes["aria-labelledby"]
            assert [e for e in elements if e.attributes.get("id") == wanted]
    assert tags.count("table") == tags.count("caption")
    ids = [element.attributes["id"] for element in elements if "id" in element.attributes]
    assert len(ids) == len(set(ids))
    for drawing in (element for element in elements if element.tag == "svg"):
        assert drawing.attributes["role"] == "img"
        named = drawing.attributes["aria-labelledby"].split()
        told = [e for e in elements if e.attributes.get("id") in named]
        assert [e.tag for e in told] == ["title", "desc"]
        assert all(e.text.strip() for e in told)
    # What scrolls can be reached with the keyboard.
    scrolling = [e for e in elements if e.attributes.get("class") == "scroll" or e.tag == "pre"]
    assert scrolling
    assert all(e.attributes["tabindex"] == "0" for e in scrolling)


@pytest.mark.parametrize("name", COMMANDS)
def test_nothing_is_loaded_and_nothing_runs(name: str) -> None:
    text = html(page_of(name))
    elements = read_html(text)
    assert not {"script", "img", "iframe", "object", "embed", "form", "base"} & {
        element.tag for element in elements
    }
    for element in elements:
        for attribute, value in element.attributes.items():
            assert not attribute.startswith("on"), (element.tag, attribute)
            assert attribute not in ("src", "style", "srcset", "action"), element.tag
            if attribute == "href":
                assert element.tag == "a" or value == "data:,"
    style = next(element for element in elements if element.tag == "style").text
    assert "url(" not in style
    assert "@import" not in style
    policy = next(e.attributes["content"] for e in elements
                  if e.attributes.get("http-equiv") == "Content-Security-Policy")  # fmt: skip
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert policy.startswith("default-src 'none'")
    assert f"style-src 'sha256-{digest}'" in policy


def hostile_page() -> Page:
    """Every text of a page taken from a stranger."""
    table = Table(
        "t",
        HOSTILE,
        (Column("a", HOSTILE), Column("b", HOSTILE, figures=True)),
        (Row((Text(HOSTILE, detail=HOSTILE), Unknown(HOSTILE)), note=HOSTILE),),
        HOSTILE,
    )
    blocks = (
        Paragraph(HOSTILE, "warning"),
        Items((HOSTILE,)),
        Command(HOSTILE),
        table,
        Cards((Card(HOSTILE, HOSTILE, Unknown(HOSTILE), HOSTILE, (HOSTILE,)),)),
        BarChart(HOSTILE, HOSTILE, HOSTILE, (Bar(HOSTILE, 1, 2, 3), Bar("b", 0, 0, 0))),
    )
    return Page(
        HOSTILE,
        HOSTILE,
        "2026-11-30",
        (Section("s", HOSTILE, blocks),),
        facts=(Fact(HOSTILE, Text(HOSTILE)), Fact("m", Money(Decimal(1), "USD"))),
        warnings=(HOSTILE,),
        assumptions=(HOSTILE,),
        sources=(
            Source(HOSTILE, HOSTILE, "javascript:alert(1)", HOSTILE, HOSTILE),
            Source("b", "b", 'https://x.test/"onmouseover="alert(1)', "", ""),
        ),
        catalogs=(CatalogVersion(HOSTILE, HOSTILE, HOSTILE),),
        footer=(HOSTILE,),
    )


def test_hostile_names_stay_text() -> None:
    text = html(hostile_page())
    elements = read_html(text)
    assert "script" not in {element.tag for element in elements}
    names = {name for element in elements for name in element.attributes}
    assert "onmouseover" not in names
    links = [element.attributes["href"] for element in elements if element.tag == "a"]
    assert links == ['https://x.test/"onmouseover="alert(1)']
    # Control characters and those that turn the direction of reading are written out.
    assert "\x1b" not in text
    assert "\u202e" not in text
    heading = next(element for element in elements if element.tag == "h1").text
    assert heading == HOSTILE.replace("\x1b", "\\x1b").replace("\u202e", "\\x202e")


def test_hostile_names_stay_text_in_markdown() -> None:
    text = re.sub(r"\n(`{3,})\n.*?\n\1\n", "\n", markdown(hostile_page()), flags=re.DOTALL)
    assert "<script" not in text
    assert "\x1b" not in text
    headings = [line for line in text.splitlines() if line.startswith("#")]
    assert len(headings) == len([h for h in headings if h.startswith(("# ", "## "))]) == 5
    table = [line for line in text.splitlines() if line.startswith("|")]
    assert [len(re.findall(r"(?<!\\)\|", line)) for line in table] == [4, 4, 4]


def luminance(colour: str) -> float:
    """Relative luminance (WCAG 2.2)."""
    parts = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    """Contrast ratio (WCAG 2.2), 1 to 21."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_contrast_is_as_defined() -> None:
    # WCAG 2.2: black on white is 21:1; #767676 on white is the classic 4.54:1.
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.01)


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_colours_have_contrast(theme: int) -> None:
    """4.5:1 for text on every ground (WCAG 1.4.3), 3:1 for lines and areas (1.4.11)."""
    blocks = re.findall(r":root \{(.*?)\}", STYLE.read_text(encoding="utf-8"), re.DOTALL)
    colours = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", blocks[theme]))
    for ground in ("paper", "sheet", "chosen", "warn"):
        for ink in ("ink", "soft", "accent"):
            assert contrast(colours[ink], colours[ground]) >= 4.5, (ink, ground)
    for shape in ("bar", "c1", "c2", "c3", "c4", "c5", "c6"):
        assert contrast(colours[shape], colours["paper"]) >= (2.8 if shape == "bar" else 3), shape


def test_without_the_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jinja2", None)
    with pytest.raises(UsageError) as caught:
        html(hostile_page())
    assert caught.value.exit_code == 2
    assert caught.value.message.id == "page.no_extra"
    assert caught.value.message.params["extra"] == "report"
