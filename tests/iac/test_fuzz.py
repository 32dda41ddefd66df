"""Whatever comes in, the answer is findings or an error for people, never a traceback."""

from __future__ import annotations

import copy
import json
import random
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gpuadvisor.catalog.errors import AdvisorError
from gpuadvisor.iac.detect import parse
from gpuadvisor.iac.reading import document_of
from gpuadvisor.report.messages.iac import EN
from tests.iac.support import FIXTURES, context, documents

QUICK = settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True
)

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-5, 10**20)
    | st.floats()
    | st.sampled_from(
        ["", "g5.xlarge", "${X}", "{{ .x }}", "spot", "us-east-1a", "\ud800", "1" * 50]
    )
    | st.text(max_size=8)
)
TREES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3)
    ),
    max_leaves=8,
)


def _answer(body: bytes, kind: str | None = None) -> None:
    try:
        findings = parse(document_of(body, "f", 1_000_000), context("us-east-1"), kind)
    except AdvisorError as error:
        for text in (error.message, *(p.message for p in getattr(error, "problems", ()))):
            EN[text.id].format(**text.params)
        return
    for finding in findings.findings:
        assert finding.address.encode("utf-8")
        assert finding.resource.provider
        for reason in finding.reasons:
            EN[reason.id].format(**reason.params)
        for number in finding.resource.counts[:3]:
            assert number is None or number >= 0
    for note in findings.notes:
        EN[note.message.id].format(**note.message.params)


@QUICK
@given(st.binary(max_size=300))
def test_bytes(body: bytes) -> None:
    _answer(body)


@QUICK
@given(st.text(max_size=300))
def test_text(body: str) -> None:
    _answer(body.encode("utf-8", "replace"))


RESOURCES = [name for name, entry in documents().items() if entry["entry"] == "resource"]


@QUICK
@given(st.sampled_from(RESOURCES), TREES, TREES, TREES, TREES)
def test_any_values_in_any_resource_of_a_plan(
    kind: str, before: Any, after: Any, unknown: Any, sensitive: Any
) -> None:
    change = {
        "actions": ["update"],
        "before": before,
        "after": after,
        "after_unknown": unknown,
        "after_sensitive": sensitive,
    }
    data = {
        "format_version": "1.2",
        "resource_changes": [
            {"address": f"{kind}.a", "type": kind, "name": "a", "mode": "managed", "change": change}
        ],
    }
    _answer(json.dumps(data).encode())


def _cases() -> list[dict[str, Any]]:
    found = []
    for name in ("aws", "google", "azure"):
        found += yaml.safe_load((FIXTURES / "terraform" / f"{name}.yaml").read_text())
    return found


CASES = _cases()


def _mutate(value: Any, chance: random.Random) -> Any:
    """Replace, drop or wrap a branch somewhere in a tree."""
    if chance.random() < 0.08:
        return chance.choice([None, True, [], {}, "", "x", -1, 1e400, [[value]], {"a": value}])
    if isinstance(value, dict):
        return {k: _mutate(v, chance) for k, v in value.items() if chance.random() > 0.05}
    if isinstance(value, list):
        return [_mutate(item, chance) for item in value]
    return value


def _marks(value: Any, chance: random.Random) -> Any:
    """An `after_unknown` or `after_sensitive` tree of the same shape."""
    if chance.random() < 0.1:
        return True
    if isinstance(value, dict):
        return {k: _marks(v, chance) for k, v in value.items()}
    if isinstance(value, list):
        return [_marks(item, chance) for item in value]
    return False


@pytest.mark.parametrize("seed", range(60))
def test_mutated_plans(seed: int) -> None:
    chance = random.Random(seed)
    changes = []
    for case in chance.sample(CASES, 20):
        after = _mutate(copy.deepcopy(case["after"]), chance)
        changes.append(
            {
                "address": f"{case['type']}.x",
                "type": case["type"],
                "name": "x",
                "change": {
                    "actions": chance.choice([["create"], ["no-op"], ["delete", "create"], [], 3]),
                    "before": chance.choice([None, case["after"], after]),
                    "after": after,
                    "after_unknown": _marks(after, chance),
                    "after_sensitive": _marks(after, chance),
                },
            }
        )
    data = _mutate({"format_version": "1.2", "resource_changes": changes}, chance)
    data = data if isinstance(data, dict) else {}
    _answer(json.dumps({**data, "format_version": "1.2"}).encode())


MANIFEST = yaml.safe_load((FIXTURES / "kubernetes" / "all.yaml").read_text())
TEMPLATES = yaml.safe_load((FIXTURES / "cloudformation" / "resources.yaml").read_text())


@pytest.mark.parametrize("seed", range(60))
def test_mutated_manifests_and_templates(seed: int) -> None:
    chance = random.Random(seed)
    objects = {"apiVersion": "v1", "kind": "List", "items": _mutate(MANIFEST["items"], chance)}
    _answer(json.dumps(objects).encode(), "kubernetes" if chance.random() < 0.5 else None)
    resources = {
        f"R{i}": {"Type": case["type"], "Properties": _mutate(case["properties"], chance)}
        for i, case in enumerate(TEMPLATES)
    }
    functions = ["Ref", "Fn::If", "Fn::Sub", "Fn::Select", "Fn::Join", "Fn::FindInMap", "Fn::Split"]
    body = {
        "Resources": resources,
        "Conditions": {"C": {chance.choice(functions): _mutate(["C", {"Ref": "P"}], chance)}},
        "Parameters": _mutate({"P": {"Type": "Number", "Default": 1}}, chance),
    }
    for resource in resources.values():
        if isinstance(resource["Properties"], dict) and chance.random() < 0.5:
            argument = _mutate(["C", "P", {"Ref": "P"}], chance)
            resource["Properties"]["InstanceType"] = {chance.choice(functions): argument}
    _answer(json.dumps(body).encode())


@pytest.mark.parametrize("cut", range(0, 400, 7))
def test_cut_files(cut: int) -> None:
    text = (FIXTURES / "kubernetes" / "all.yaml").read_text()
    _answer(text[:cut].encode())
    _answer(json.dumps(MANIFEST)[:cut].encode())
