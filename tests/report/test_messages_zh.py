"""The Chinese catalogue: complete, with the same fields, and Chinese."""

from __future__ import annotations

import pkgutil
import string
from importlib import import_module

import pytest

from gpuadvisor.report import messages
from gpuadvisor.report.messages import zh

AREAS = [m.name for m in pkgutil.iter_modules(messages.__path__) if not m.ispkg]
CHINESE = [m.name for m in pkgutil.iter_modules(zh.__path__)]


def english(area: str) -> dict[str, str]:
    found: dict[str, str] = import_module(f"gpuadvisor.report.messages.{area}").EN
    return found


def chinese(area: str) -> dict[str, str]:
    if area not in CHINESE:
        return {}
    found: dict[str, str] = import_module(f"gpuadvisor.report.messages.zh.{area}").ZH
    return found


def fields(text: str) -> set[str]:
    """Names of the fields; `title_zh` stands for `title` where both are given."""
    found = {field for _, field, _, _ in string.Formatter().parse(text) if field is not None}
    return {field.removesuffix("_zh") for field in found}


@pytest.mark.xfail(reason="being translated", strict=False)
@pytest.mark.parametrize("area", AREAS)
def test_no_id_is_missing(area: str) -> None:
    assert [id for id in english(area) if id not in chinese(area)] == []


@pytest.mark.parametrize("area", AREAS)
def test_no_id_is_left_over(area: str) -> None:
    assert [id for id in chinese(area) if id not in english(area)] == []


@pytest.mark.parametrize("area", AREAS)
def test_both_languages_take_the_same_fields(area: str) -> None:
    texts = english(area)
    assert {
        id: text for id, text in chinese(area).items() if fields(text) != fields(texts[id])
    } == {}
