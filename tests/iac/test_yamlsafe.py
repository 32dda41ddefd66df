"""YAML: what values become, and the bounds that hold."""

from __future__ import annotations

import time
from typing import Any

import pytest

from gpuadvisor.catalog.errors import InputError
from gpuadvisor.iac.yamlsafe import MAX_NODES, load_all


def _load(text: str) -> Any:
    documents = load_all(text, "f").documents
    assert len(documents) == 1
    return documents[0]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1", 1),
        ("-7", -7),
        ("1.5", 1.5),
        ("1e3", 1000.0),
        ("true", True),
        ("False", False),
        ("null", None),
        ("~", None),
        ("'1'", "1"),
        ('"true"', "true"),
        # YAML 1.1 would read these as booleans, octal, or a date.
        ("no", "no"),
        ("on", "on"),
        ("0755", "0755"),
        ("012345678901", "012345678901"),
        ("2026-11-30", "2026-11-30"),
        ("1.2.3", "1.2.3"),
        ("9" * 60, "9" * 60),
        ("!!str 5", "5"),
        ("!!python/object/apply:os.system [ls]", ["ls"]),
        ("!Custom x", "x"),
        ("{1: a, true: b}", {"1": "a", "true": "b"}),
        ("a: &x {b: 1}\nc: {<<: *x, d: 2}", {"a": {"b": 1}, "c": {"b": 1, "d": 2}}),
        ("a: &x {b: 1}\nc: {<<: [*x, {b: 3, e: 4}], b: 2}", {"a": {"b": 1}, "c": {"b": 2, "e": 4}}),
        ("a: &x [1]\nb: *x", {"a": [1], "b": [1]}),
        ("<<: text", {"<<": "text"}),
    ],
)
def test_values(text: str, value: Any) -> None:
    assert _load(text) == value


def test_documents_and_lines() -> None:
    loaded = load_all("---\na:\n  b: 1\n---\n- c\n---\n", "f")
    first, second, third = loaded.documents
    assert (first, second, third) == ({"a": {"b": 1}}, ["c"], None)
    assert [loaded.lines[id(x)] for x in (first, first["a"], second)] == [2, 3, 5]


def test_alias_bomb_is_refused_at_once() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    for i in range(1, 30):
        lines.append(f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]")
    began = time.monotonic()
    with pytest.raises(InputError) as caught:
        load_all("\n".join(lines), "f")
    assert caught.value.problems[0].message.id == "iac.yaml_bomb"
    assert time.monotonic() - began < 2


def test_merge_bomb_is_refused() -> None:
    lines = ["a0: &a0 {k: [x, x, x, x, x, x, x, x, x, x]}"]
    for i in range(1, 30):
        keys = ", ".join(f"k{i}{j}: *a{i - 1}" for j in range(9))
        lines.append(f"a{i}: &a{i} {{{keys}}}")
    with pytest.raises(InputError) as caught:
        load_all("\n".join(lines), "f")
    assert caught.value.problems[0].message.id == "iac.yaml_bomb"
    assert MAX_NODES <= 10_000_000


def test_moderate_reuse_is_fine() -> None:
    text = "x: &x {a: 1}\ny:\n" + "  - *x\n" * 10_000
    assert len(_load(text)["y"]) == 10_000
