"""The message catalogue: every id that the code names exists, and every text can be filled."""

from __future__ import annotations

import ast
import pkgutil
import string
from importlib import import_module
from pathlib import Path

import pytest

import gpuadvisor
from gpuadvisor.report import messages

ROOT = Path(gpuadvisor.__file__).parent
AREAS = [m.name for m in pkgutil.iter_modules(messages.__path__) if not m.ispkg]


def texts() -> dict[str, str]:
    found: dict[str, str] = {}
    for area in AREAS:
        found.update(import_module(f"gpuadvisor.report.messages.{area}").EN)
    return found


def named_ids() -> set[str]:
    """String literals given to `message(...)` or `Message(...)` anywhere in the package."""
    found = set()
    for path in ROOT.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and node.args:
                name = getattr(node.func, "id", getattr(node.func, "attr", ""))
                first = node.args[0]
                if (
                    name in ("message", "Message")
                    and isinstance(first, ast.Constant)
                    and isinstance(first.value, str)
                ):
                    found.add(first.value)
    return found


def test_every_named_id_has_a_text() -> None:
    ids = named_ids()
    assert len(ids) > 100
    assert sorted(ids - set(texts())) == []


@pytest.mark.parametrize("area", AREAS)
def test_ids_stand_in_the_module_of_their_area(area: str) -> None:
    own = import_module(f"gpuadvisor.report.messages.{area}").EN
    assert own
    assert [id for id in own if not id.startswith(f"{area}.")] == []


def test_fields_are_plain_names() -> None:
    for id, text in texts().items():
        for _, field, spec, _ in string.Formatter().parse(text):
            assert field is None or field.isidentifier(), id
            assert not spec, id


def test_ids_built_from_closed_words_exist() -> None:
    """Ids such as `estimate.measure_zones` are joined from a word of the catalog's schema."""
    from typing import get_args

    from gpuadvisor.catalog.model import PURCHASE_OPTIONS
    from gpuadvisor.catalog.schema_prices import SpotCell

    known = texts()
    measures = get_args(SpotCell.model_fields["measure"].annotation)
    assert "market_median" in measures
    assert [m for m in measures if f"estimate.measure_{m}" not in known] == []
    assert [o for o in PURCHASE_OPTIONS if f"recommend.terms_{o}" not in known] == []
