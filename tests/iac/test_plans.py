"""Real plans with their right answers, where the corpus is at hand (skipped elsewhere).

Most are true plans of public repositories; `INDEX.csv` beside them names each origin.
"""

from __future__ import annotations

import csv
import json
import re
from typing import Any

import pytest

from gpuadvisor.iac.detect import read
from gpuadvisor.iac.interface import Finding, Resource
from tests.iac.support import PLANS, context

INDEX = PLANS.parent / "INDEX.csv"


def _rows() -> list[Any]:
    if not INDEX.exists():
        return []
    with INDEX.open(newline="") as handle:
        rows = [row for row in csv.DictReader(handle) if row["file"].startswith("plans/")]
    return [pytest.param(row["file"], json.loads(row["expect"]), id=row["file"]) for row in rows]


def _type(resource: Resource) -> str:
    if resource.type is None and resource.candidates:
        return "any of " + "|".join(str(c.type) for c in resource.candidates)
    if resource.attached:
        return f"{resource.type} + {resource.device} x{resource.devices_per_node}"
    return str(resource.type)


def _count(finding: Finding) -> list[int | None]:
    return list(finding.after.counts[:3]) if finding.after else [0, 0, 0]


def _purchase(text: str) -> str:
    return {"low_priority": "spot", "demand": "unknown"}.get(
        found := re.split(r"[^a-z_]", text)[0], found
    )


def _wanted_type(row: dict[str, Any]) -> str:
    return re.sub(r" \(.*\)$", "", row["type"])


@pytest.mark.skipif(not INDEX.exists(), reason="the plan corpus is not here")
@pytest.mark.parametrize(("file", "expected"), _rows())
def test_plan_is_answered_as_the_index_says(file: str, expected: list[dict[str, Any]]) -> None:
    findings = read(str(PLANS.parent / file), context())
    by_address = {finding.address: finding for finding in findings.findings}
    assert sorted(by_address) == sorted(row["resource"] for row in expected)
    assert findings.skipped == findings.examined - len(by_address)
    for row in expected:
        finding = by_address[row["resource"]]
        resource = finding.resource
        assert finding.action == row["action"]
        assert _count(finding) == row["count"]
        assert (resource.region or "unknown") == row["region"]
        assert resource.purchase == _purchase(row["price"])
        if row.get("unit") == "pods":
            assert finding.side == "demand"
            assert (resource.device, resource.devices_per_node) == ("nvidia-l4", 1)
        elif finding.action == "update":
            assert finding.before is not None
            assert f"{_type(finding.before)} -> {_type(resource)}" == row["type"]
        else:
            assert _type(resource) == _wanted_type(row)


@pytest.mark.skipif(not INDEX.exists(), reason="the plan corpus is not here")
def test_mixed_group_is_one_on_demand_and_three_spot_at_most() -> None:
    findings = read(str(PLANS / "asg_mixed_g4dn_bluegreen_create.json"), context())
    groups = [f.after for f in findings.findings if f.kind == "aws_autoscaling_group"]
    assert [tuple(g.split) for g in groups if g and g.split] == [(1, 0), (1, 0)]
    # The template's own type is a note: it costs nothing by itself.
    assert [n.message.params["type"] for n in findings.notes] == ["g4dn.xlarge"]
