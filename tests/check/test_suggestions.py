"""At most three cheaper ways, each with a catch, none that is not sold."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.check.support import plan, run
from tests.iac.plans import change


def one(kind: str, region: str = "us-east-1", **more: Any) -> Any:
    return plan(change("aws_instance.a", {"instance_type": kind, **more}), region=region)


CASES = [
    # g4dn.2xlarge 0.75 us-east-1: spot 0.4 saves 0.35, g4dn.xlarge 0.5 saves 0.25 an hour
    (one("g4dn.2xlarge"), [("check.use_spot", "255.50")]),
    # Spot 0.2 against 0.5.
    (one("g4dn.xlarge"), [("check.use_spot", "219.00")]),
    # p4d is sold on demand only, and nothing else has eight A100.
    (one("p4d.24xlarge"), []),
    # No spot price is listed for g5.
    (one("g5.xlarge"), []),
    # 0.6 in Ireland: us-east-1 is another part of the world.
    (one("g4dn.xlarge", "eu-west-1"), []),
    # Spot already.
    (one("g4dn.xlarge", instance_market_options=[{"market_type": "spot"}]), []),
    # What stands unchanged is not this change's business.
    (
        plan(
            change(
                "aws_instance.a",
                {"instance_type": "g4dn.xlarge"},
                {"instance_type": "g4dn.xlarge"},
                ["no-op"],
            )
        ),
        [],
    ),
]


@pytest.mark.parametrize(("document", "expected"), CASES)
def test_the_best_way_of_a_row(tmp_path: Path, document: Any, expected: Any) -> None:
    found = run(tmp_path, document).suggestions
    assert [(s.change.id, str(s.saving)) for s in found] == expected
    assert all(s.catch.id.startswith("check.catch_") for s in found)


def test_three_in_all_the_largest_first(tmp_path: Path) -> None:
    groups = [
        change(f"aws_instance.a{n}", {"instance_type": kind})
        for n, kind in enumerate(["g4dn.xlarge", "g4dn.2xlarge"] * 3)
    ]
    found = run(tmp_path, plan(*groups)).suggestions
    assert [str(s.saving) for s in found] == ["255.50"] * 3


def test_a_reservation_is_not_told_to_be_spot(tmp_path: Path) -> None:
    after = {"instance_type": "g4dn.xlarge", "instance_count": 2}
    assert run(tmp_path, plan(change("aws_ec2_capacity_reservation.r", after))).suggestions == ()
