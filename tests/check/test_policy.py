"""Each rule as a table: request, policy, what does not pass, exit code."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from gpuadvisor.catalog.errors import UsageError
from gpuadvisor.catalog.store import load_catalog
from gpuadvisor.check.policy import Ignore, NameList, Policy
from gpuadvisor.check.request import check_request
from gpuadvisor.check.run import run as run_check
from tests.check.support import TODAY, broken, plan, run
from tests.iac.plans import change

G4DN = {"instance_type": "g4dn.xlarge"}  # 0.5 USD an hour, 365 USD a month
G5 = {"instance_type": "g5.xlarge"}  # 1.0 USD an hour, 730 USD a month
P5 = {"instance_type": "p5.48xlarge"}  # 55.04 USD an hour, 40,179.20 USD a month
SPOT = {**G4DN, "instance_market_options": [{"market_type": "spot"}]}


def group(low: int, desired: int, high: int, kind: str = "g4dn.xlarge") -> dict[str, Any]:
    return {
        "min_size": low,
        "desired_capacity": desired,
        "max_size": high,
        "mixed_instances_policy": [{"launch_template": [{"override": [{"instance_type": kind}]}]}],
    }


CREATE = plan(change("aws_instance.a", G4DN))
RESIZE = plan(change("aws_instance.a", G5, G4DN))
REMOVE = plan(change("aws_instance.a", None, G5))
STAY = plan(change("aws_instance.a", P5, P5, ["no-op"]))
GROUP = plan(change("aws_autoscaling_group.g", group(0, 1, 10)))
NO_REGION = plan(change("aws_instance.a", G4DN), region=None)
RETIRED = plan(change("aws_instance.a", {"instance_type": "p2.xlarge"}))

LIMITS = [
    # A rise exactly at the limit passes.
    (CREATE, {"max_increase": "365"}, [], 0),
    (CREATE, {"max_increase": "364.99"}, [("GA001", "fail")], 1),
    (CREATE, {"max_increase": "0"}, [("GA001", "fail")], 1),
    (STAY, {"max_increase": "0"}, [], 0),
    (REMOVE, {"max_increase": "0"}, [], 0),
    # 365 USD are 331.82 EUR at 1.1
    (CREATE, {"max_increase": "332EUR/month"}, [], 0),
    (CREATE, {"max_increase": "331EUR"}, [("GA001", "fail")], 1),
    # 12 USD a day are 365 a month (12 x 730 / 24).
    (CREATE, {"max_increase": "12USD/day"}, [], 0),
    (CREATE, {"max_increase": "11.99USD/day"}, [("GA001", "fail")], 1),
    # Planned 365, at most 3,650.
    (GROUP, {"max_increase": "365"}, [("GA001", "warn")], 0),
    (GROUP, {"max_increase": "365", "on_max": "fail"}, [("GA001", "fail")], 1),
    (GROUP, {"max_increase": "365", "on_max": "ignore"}, [], 0),
    (GROUP, {"max_increase": "3650"}, [], 0),
    (GROUP, {"max_increase": "365", "fail_on": "warn"}, [("GA001", "warn")], 1),
    # 365 -> 730 is 100 %.
    (RESIZE, {"max_increase_pct": "100"}, [], 0),
    (RESIZE, {"max_increase_pct": "99.9%"}, [("GA002", "fail")], 1),
    # Of nothing there is no percentage.
    (CREATE, {"max_increase_pct": "0"}, [], 0),
    (REMOVE, {"max_decrease": "730"}, [], 0),
    (REMOVE, {"max_decrease": "729"}, [("GA003", "fail")], 1),
    (RESIZE, {"max_total": "730"}, [], 0),
    (RESIZE, {"max_total": "729"}, [("GA004", "fail")], 1),
    # Over the budget before: crossing is not this change's doing.
    (RESIZE, {"max_total": "300"}, [], 0),
    (CREATE, {"max_hourly": "0.5"}, [], 0),
    (CREATE, {"max_hourly": "0.49"}, [("GA005", "fail")], 1),
    (GROUP, {"max_hourly": "1"}, [("GA005", "warn")], 0),
    (STAY, {"max_hourly": "1"}, [], 0),
    (plan(change("aws_instance.a", P5)), {"max_gpus": "8"}, [], 0),
    (plan(change("aws_instance.a", P5)), {"max_gpus": "7"}, [("GA006", "fail")], 1),
    (GROUP, {"max_gpus": "1"}, [("GA006", "warn")], 0),
    # What could not be told or priced.
    (NO_REGION, {}, [("GA012", "warn")], 0),
    (NO_REGION, {"on_unknown": "ignore"}, [], 0),
    (NO_REGION, {"on_unknown": "fail"}, [("GA012", "fail")], 4),
    (NO_REGION, {"fail_on": "warn"}, [("GA012", "warn")], 1),
    (NO_REGION, {"on_unknown": "fail", "exit_zero": True}, [("GA012", "fail")], 0),
    # An autoscaler that the change does not touch is no warning.
    (
        plan(change("aws_autoscaling_group.g", group(0, 1, 10), group(0, 1, 10), ["no-op"])),
        {"max_increase": "0", "max_total": "400", "max_gpus": "1"},
        [],
        0,
    ),
    # What stands unchanged moves nothing, whatever it costs.
    (
        plan(change("aws_instance.a", G4DN, G4DN, ["no-op"]), region=None),
        {"on_unknown": "fail", "max_increase": "0"},
        [],
        0,
    ),
    (RETIRED, {"on_unknown": "fail"}, [("GA012", "fail"), ("GA016", "warn")], 4),
    (CREATE, {"max_increase": "1", "exit_zero": True}, [("GA001", "fail")], 0),
    # A policy that fails outweighs what is missing.
    (
        plan(change("aws_instance.a", G4DN), change("aws_instance.b", {"instance_type": "g9.x"})),
        {"max_increase": "1", "on_unknown": "fail"},
        [("GA001", "fail"), ("GA012", "fail")],
        1,
    ),
    # The catalog of support.py is 29 days old.
    (CREATE, {"max_catalog_age": "29"}, [], 0),
    (CREATE, {"max_catalog_age": "28"}, [("GA013", "fail")], 1),
]


@pytest.mark.parametrize(("document", "fields", "expected", "code"), LIMITS)
def test_limits(
    tmp_path: Path, document: Any, fields: dict[str, Any], expected: Any, code: int
) -> None:
    report = run(tmp_path, document, **fields)
    assert (broken(report), report.exit_code) == (expected, code)


def judged(folder: Path, document: Any, policy: Policy) -> Any:
    """With a policy that no flag can say."""
    path = folder / "plan.json"
    path.write_text(json.dumps(document))
    return run_check(check_request([str(path)], policy, today=TODAY), load_catalog())


SPOT_AND_NOT = plan(change("aws_instance.dev", G4DN), change("aws_instance.dev_spot", SPOT))

LISTS = [
    (CREATE, Policy(types=NameList(deny=("g4dn.*",))), ["GA007"]),
    (CREATE, Policy(types=NameList(allow=("G4DN.*",))), []),
    (CREATE, Policy(types=NameList(allow=("g5.*", "g6.*"))), ["GA007"]),
    (STAY, Policy(types=NameList(deny=("p5.*",))), []),
    (REMOVE, Policy(types=NameList(deny=("g5.*",))), []),
    (CREATE, Policy(devices=NameList(deny=("T4",))), ["GA008"]),
    # A family covers its devices and no other's.
    (plan(change("aws_instance.a", P5)), Policy(devices=NameList(deny=("H100",))), ["GA008"]),
    (plan(change("aws_instance.a", G5)), Policy(devices=NameList(deny=("A10",))), []),
    (CREATE, Policy(regions=NameList(allow=("eu-*",))), ["GA009"]),
    (CREATE, Policy(regions=NameList(allow=("us-*",))), []),
    (CREATE, Policy(options=NameList(allow=("spot",))), ["GA010"]),
    (CREATE, Policy(options=NameList(deny=("on-demand",))), ["GA010"]),
    (SPOT_AND_NOT, Policy(require_spot_for=("aws_instance.dev*",)), ["GA011"]),
    (SPOT_AND_NOT, Policy(require_spot_for=("aws_instance.prod*",)), []),
]


@pytest.mark.parametrize(("document", "policy", "expected"), LISTS)
def test_lists(tmp_path: Path, document: Any, policy: Policy, expected: list[str]) -> None:
    report = judged(tmp_path, document, policy)
    assert [rule for rule, _ in broken(report)] == expected
    assert report.exit_code == (1 if expected else 0)


def test_levels_can_be_set(tmp_path: Path) -> None:
    fails = judged(tmp_path, RETIRED, Policy(levels=(("GA016", "fail"),)))
    assert ("GA016", "fail") in broken(fails)
    assert fails.exit_code == 1
    silent = judged(tmp_path, RETIRED, Policy(levels=(("GA016", "ignore"),)))
    assert [rule for rule, _ in broken(silent)] == ["GA012"]


def two(first: Any, second: Any) -> Any:
    return plan(change("aws_instance.a[0]", first), change("aws_instance.b", second))


IGNORED = [
    # (address, until, rules) -> what does not pass of a limit of 365 on 365 + 365
    (("aws_instance.b", None, ()), []),
    (("aws_instance.*", "2026-11-30", ()), []),
    (("aws_instance.*", "2026-11-29", ()), ["GA001", "GA018"]),
    (("aws_instance.b", None, ("GA002",)), ["GA001"]),
    (("aws_instance.b", None, ("GA001",)), []),
    # `[0]` is an index, not a set of characters.
    (("aws_instance.a[0]", None, ()), []),
    (("aws_instance.c", None, ()), ["GA001"]),
]


@pytest.mark.parametrize(("entry", "expected"), IGNORED)
def test_exceptions_end(tmp_path: Path, entry: Any, expected: list[str]) -> None:
    address, until, rules = entry
    policy = Policy(ignore=(Ignore(address, "agreed", until, rules),))
    path = tmp_path / "plan.json"
    path.write_text(json.dumps(two(G4DN, G4DN)))
    request = check_request([str(path)], policy, today=TODAY, max_increase="365")
    report = run_check(request, load_catalog())
    assert [rule for rule, _ in broken(report)] == expected
    # An exception is one from the policy, not from the bill.
    assert str(report.summary.totals.after) == "730.00"


BAD_FIELDS = [
    {"max_increase": "lots"},
    {"max_increase": "-5"},
    {"max_increase": "/month"},
    {"max_increase_pct": "-1"},
    {"max_increase_pct": "nan"},
    {"max_gpus": "1.5"},
    {"on_unknown": "shrug"},
    {"fail_on": "ignore"},
    {"hours_per_month": "745"},
    {"hours_per_month": "0"},
    {"currency": "XXX"},
    {"today": "2026-13-01"},
    {"discount": ["aws"]},
    {"discount": ["aws=150%"]},
    {"project": ["no-file"]},
    {"max_increase": "5USD/run"},
    {"colour": "red"},
    {"max_catalog_age": "0"},
]


@pytest.mark.parametrize("fields", BAD_FIELDS)
def test_bad_fields_are_usage_errors(tmp_path: Path, fields: dict[str, Any]) -> None:
    path = tmp_path / "plan.json"
    path.write_text(json.dumps(CREATE))
    with pytest.raises(UsageError):
        request = check_request([str(path)], **{"today": TODAY, **fields})
        run_check(request, load_catalog())
