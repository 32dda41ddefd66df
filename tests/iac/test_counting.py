"""Counts, weights, vCPUs and the split into on demand and spot, by the providers' formulas."""

from __future__ import annotations

import pytest

from gpuadvisor.iac.counting import instances, shares
from gpuadvisor.iac.interface import Candidate, Count, Split
from gpuadvisor.iac.view import clean, whole


@pytest.mark.parametrize(
    ("machines", "base", "percent", "expected"),
    [
        # AWS Auto Scaling user guide, "Allocation strategies for multiple instance types":
        # on-demand percentage above base is rounded up.
        (4, 1, 0, (1, 3)),
        (10, 2, 50, (6, 4)),
        (5, 2, 25, (3, 2)),
        (1, 2, 50, (1, 0)),
        (0, 1, 0, (0, 0)),
        (10, 0, 30, (3, 7)),
        (3, 0, 100, (3, 0)),
        (7, 0, 0, (0, 7)),
    ],
)
def test_shares(machines: int, base: int, percent: float, expected: tuple[int, int]) -> None:
    assert shares(machines, Split(base, percent)) == expected


@pytest.mark.parametrize(
    ("count", "candidate", "vcpus", "expected"),
    [
        (Count(1, 2, 3), Candidate("g5.xlarge"), None, (1, 2, 3)),
        # Capacity units: ceil(units / weight).
        (Count(1, 5, 9, "capacity"), Candidate("g5.12xlarge", 4), None, (1, 2, 3)),
        # Batch vCPUs on p5.48xlarge (192): 100,000 / 192 = 520.8, and no 521st is started.
        (Count(0, 0, 100_000, "vcpus"), Candidate("p5.48xlarge"), 192, (0, 0, 520)),
        (Count(1, 8, 16, "vcpus"), Candidate("g5.xlarge"), 4, (1, 2, 4)),
        # A ceiling below one machine still starts the one that is wanted.
        (Count(0, 1, 2, "vcpus"), Candidate("g5.xlarge"), 4, (0, 1, 1)),
        (Count(0, 1, 2, "vcpus"), Candidate("new"), None, (None, None, None)),
        (Count(None, None, 6, "capacity"), Candidate("a", 4), None, (None, None, 2)),
    ],
)
def test_instances(
    count: Count, candidate: Candidate, vcpus: int | None, expected: tuple[int | None, ...]
) -> None:
    assert tuple(instances(count, candidate, vcpus)[:3]) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (3, 3),
        ("3", 3),
        (3.0, 3),
        (0, 0),
        (True, None),
        (-1, None),
        (2.5, None),
        ("2.5", None),
        ("", None),
        ("three", None),
        (float("nan"), None),
        (float("inf"), None),
        (10**18, None),
        ("9" * 5000, None),
        ("²", None),
        (None, None),
        ([], None),
    ],
)
def test_whole(value: object, expected: int | None) -> None:
    assert whole(value) == expected


def test_clean_replaces_what_cannot_be_encoded() -> None:
    assert clean("a\ud800b").encode() == b"a?b"
