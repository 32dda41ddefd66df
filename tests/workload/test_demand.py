"""Demand and needs: what a user may ask of which workload, and what follows."""

from typing import Any

import pytest

from gpuadvisor.catalog.errors import UsageError
from gpuadvisor.workload.demand import derive_needs, make_demand, required_rate
from gpuadvisor.workload.interface import Demand, Needs
from gpuadvisor.workload.profile import choose_mode, find_profile
from tests.workload.conftest import Documents


def _needs(
    catalog: Documents, name: str, demand: dict[str, Any] | None = None, **own: Any
) -> Needs:
    found = find_profile(catalog, name)
    asked = make_demand(found, **(demand or {}))
    return derive_needs(found, choose_mode(found), asked, **own)


def test_a_budget_alone_is_no_demand(catalog: Documents) -> None:
    demand = make_demand(find_profile(catalog, "ocr"))
    assert demand == Demand("none", None, None, None, None, None, False)
    assert required_rate(demand, 730) is None


@pytest.mark.parametrize(
    ("name", "asked", "kind", "rate"),
    [
        ("ocr", {"per_second": 5.0}, "rate", 5.0),
        ("ocr", {"per_month": 2_628_000.0}, "volume", 1.0),  # 730 x 3,600 s
        ("llm-pretrain", {"deadline_hours": 100.0}, "run", 260e9 / 360_000),
        ("train-cnn", {"units": 3_600_000.0, "deadline_hours": 1.0}, "run", 1000.0),
        ("train-cnn", {}, "run", None),
    ],
)
def test_required_rate(
    catalog: Documents, name: str, asked: dict[str, Any], kind: str, rate: float | None
) -> None:
    demand = make_demand(find_profile(catalog, name), **asked)
    assert demand.kind == kind
    assert required_rate(demand, 730) == (None if rate is None else pytest.approx(rate))


def test_half_the_hours_need_twice_the_rate(catalog: Documents) -> None:
    demand = make_demand(find_profile(catalog, "ocr"), per_month=1e6)
    whole, half = required_rate(demand, 730), required_rate(demand, 365)
    assert whole is not None and half == pytest.approx(2 * whole)


@pytest.mark.parametrize(
    ("name", "asked", "expected"),
    [
        ("train-cnn", {"per_second": 1.0}, "workload.run_has_no_rate"),
        ("ocr", {"units": 1.0}, "workload.service_has_no_end"),
        ("ocr", {"deadline_hours": 1.0}, "workload.service_has_no_end"),
        ("ocr", {"per_second": 1.0, "per_month": 1.0}, "workload.rate_and_volume"),
        ("ocr", {"latency": "high"}, "workload.latency"),
    ],
)
def test_contradictions(
    catalog: Documents, name: str, asked: dict[str, Any], expected: str
) -> None:
    with pytest.raises(UsageError) as caught:
        make_demand(find_profile(catalog, name), **asked)
    assert caught.value.message.id == expected


@pytest.mark.parametrize(
    ("asked", "low"),
    [
        ({"latency": "low"}, True),
        ({"latency_p99_ms": 100.0}, True),
        ({"latency_p99_ms": 101.0}, False),
        ({}, False),
    ],
)
def test_low_latency_is_the_flag_or_a_p99_of_100_ms(
    catalog: Documents, asked: dict[str, Any], low: bool
) -> None:
    needs = _needs(catalog, "ocr", asked)
    assert needs.low_latency is low
    # OCR is interruptible: spot stands in the running unless a latency is asked for.
    assert needs.spot_allowed is (asked == {})


@pytest.mark.parametrize(
    ("own", "large"),
    [
        ({"devices": 8}, False),
        ({"devices": 9}, True),
        ({"nodes": 2}, True),
        ({"devices": 64}, True),
    ],
)
def test_large_distributed_is_more_than_eight_devices_or_one_node(
    catalog: Documents, own: dict[str, Any], large: bool
) -> None:
    assert _needs(catalog, "llm-pretrain", **own).large_distributed is large


def test_what_the_profile_says_and_what_the_user_says(catalog: Documents) -> None:
    own = _needs(catalog, "llm-pretrain", devices=64)
    assert (own.devices, own.linked, own.rdma, own.precision) == (64, True, True, "bf16")
    assert (own.memory_gib, own.memory_basis, own.sharded_over) == (30, "computed", 8)
    given = _needs(catalog, "llm-pretrain", model_memory_gib=70.0, precision="fp8")
    assert (given.memory_gib, given.memory_basis, given.sharded_over) == (70, "given", 1)
    assert given.precision == "fp8"
    assert given.devices == 8  # the profile's least
    assert _needs(catalog, "ocr", interruptible=False).spot_allowed is False


@pytest.mark.parametrize(
    "own",
    [
        {"devices": 0},
        {"nodes": -1},
        {"model_memory_gib": 0.0},
        {"min_device_memory_gib": float("nan")},
        {"min_host_memory_gib": float("inf")},
        {"nodes": 4, "devices": 2},
    ],
)
def test_impossible_needs(catalog: Documents, own: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        _needs(catalog, "ocr", **own)
