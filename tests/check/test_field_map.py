"""Every resource of the iac room's fixtures goes through the whole check, with the shipped catalog.

The findings themselves are tested there; here each must end as a figure, a named lack of one, or a
sure zero, and the sums must hold.
"""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from gpuadvisor.catalog.store import Catalog, load_catalog
from gpuadvisor.check.interface import COVERED, PRICED, Report
from gpuadvisor.check.run import check
from gpuadvisor.report.check_json import document
from gpuadvisor.report.check_markdown import markdown
from gpuadvisor.report.check_text import text
from tests.check.support import TODAY
from tests.iac.support import FIXTURES
from tests.iac.test_resource_types import _cases, _plan


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return load_catalog()


@pytest.fixture(autouse=True)
def _shipped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GPUADVISOR_BASE")


def assert_sound(report: Report) -> None:
    """What holds of every report."""
    totals = report.summary.totals
    assert sum((r.monthly_after or 0 for r in report.rows), Decimal(0)) == totals.after
    assert sum((r.monthly_max or 0 for r in report.rows), Decimal(0)) == totals.maximum
    for row in report.rows:
        if row.status in (PRICED, COVERED) and not row.ends:
            assert row.monthly_after is not None
        elif row.counts.planned != 0 and not row.ends:
            assert row.monthly_after is None
            assert row.reasons or row.after.issues
        if row.after.low is not None and row.after.hourly is not None:
            assert row.after.low <= row.after.hourly <= (row.after.high or row.after.low)
    doc = document(report)
    assert text(doc)
    assert markdown(doc)


@pytest.mark.parametrize(("provider", "case"), _cases())
def test_every_resource_type_ends_in_an_answer(
    provider: str, case: dict[str, Any], tmp_path: Path, catalog: Catalog
) -> None:
    path = tmp_path / "plan.json"
    path.write_text(json.dumps(_plan(provider, case)))
    report = check(str(path), catalog, today=TODAY)
    assert_sound(report)
    wanted = case["expect"]
    assert bool(report.rows) == (wanted is not None)


MANIFESTS = sorted(FIXTURES.glob("kubernetes/*.yaml"))


@pytest.mark.parametrize("path", MANIFESTS, ids=lambda p: p.name)
def test_every_manifest_ends_in_an_answer(path: Path, catalog: Catalog) -> None:
    for fields in ({}, {"assume_node": ["aws/p4d.24xlarge@us-east-1"]}):
        report = check(str(path), catalog, today=TODAY, **fields)
        assert report.rows
        assert_sound(report)
