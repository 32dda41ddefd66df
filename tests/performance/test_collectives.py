"""Collectives against published nccl-tests runs and formulas worked by hand."""

import pytest

from gpuadvisor.catalog.store import Catalog
from gpuadvisor.performance.collectives import (
    GB,
    Links,
    all_reduce_seconds,
    between_zones,
    gather_seconds,
    hierarchical_seconds,
    links_of,
)
from gpuadvisor.performance.parallel import Layout, pass_seconds

GIB = 2.0**30
# aws-samples/awsome-distributed-training@7217859, micro-benchmarks/nccl-tests: 16 GPUs on two
# nodes, milliseconds. The formula is good above about 1 GiB; below, bandwidth ramps up.
NCCL = [
    ("p4de", 160e-6, 78.33, 2 * GIB, 51.41, 0.01),
    ("p4de", 160e-6, 78.33, GIB, 26.22, 0.02),
    ("p4de", 160e-6, 78.33, GIB / 8, 3.91, 0.15),
    ("p5", 70e-6, 487.0, 16 * GIB, 66.13, 0.01),
    ("p5", 70e-6, 487.0, GIB, 4.61, 0.10),
    ("p5", 70e-6, 487.0, GIB / 8, 0.87, 0.34),
]


@pytest.mark.parametrize(("machine", "alpha", "busbw", "size", "measured", "error"), NCCL)
def test_all_reduce_as_measured(
    machine: str, alpha: float, busbw: float, size: float, measured: float, error: float
) -> None:
    assert all_reduce_seconds(size, 16, busbw * GB, alpha) * 1e3 == pytest.approx(
        measured, rel=error
    )


def test_hierarchical_all_reduce() -> None:
    # 2 x 7/8 x 3/230 = 22.8 ms inside, 2 x 7/8 x .375/6.25 = 105.0 ms between.
    assert hierarchical_seconds(3 * GB, 8, 8, 230 * GB, 6.25 * GB) == pytest.approx(
        0.1278, abs=1e-4
    )


def test_gather_is_half_an_all_reduce() -> None:
    assert gather_seconds(8 * GB, 8, 100 * GB) == pytest.approx(0.07)
    assert all_reduce_seconds(8 * GB, 8, 100 * GB) == pytest.approx(0.14)


def busbw(links: Links, nodes: int) -> float:
    """Bus bandwidth of an all-reduce of 1 GB over whole nodes, as nccl-tests counts it."""
    n = nodes * links.devices
    seconds = 2 * pass_seconds(links, Layout(n), GB / 2, 2)
    return GB / seconds * 2 * (n - 1) / n


def test_bus_over_two_nodes_is_faster_than_the_adapters_and_over_many_as_fast() -> None:
    links = Links(8, 1000 * GB, 50 * GB, None)
    assert busbw(links, 2) == pytest.approx(50 * GB * (15 / 16) / (1 / 2))
    assert busbw(links, 4096) == pytest.approx(50 * GB, rel=1e-3)


@pytest.mark.parametrize(
    ("platform", "device", "network", "measured"),
    [
        ("p4de.24xlarge", "A100-80GB-SXM", 400, 78.3),
        ("p5.48xlarge", "H100-80GB-SXM", 3200, 487.1),
    ],
)
def test_links_reproduce_what_was_measured_over_two_nodes(
    catalog: Catalog, platform: str, device: str, network: float, measured: float
) -> None:
    links = links_of(
        catalog.documents("interconnect"), device, 8, 600, 4, True, network, True, platform
    )
    # Never faster than inside a node: p5's in-switch reduction is measured at 460 there.
    assert busbw(links, 2) == pytest.approx(min(links.inside, measured * GB), rel=1e-6)


def test_links_that_nobody_measured(catalog: Catalog) -> None:
    """By spec: .7 of one direction of NVLink; without any figure, PCIe of the slot."""
    known = catalog.documents("interconnect")
    fast = links_of(known, "nobody's", 8, 900, 5, True, 100, True, "x")
    assert fast.inside == pytest.approx(315 * GB)
    assert fast.adapters == pytest.approx(7.5 * GB)
    assert links_of(known, "nobody's", 8, 0, 5, True, 100, True, "x").inside == 25 * GB


def test_pcie_is_an_order_slower_than_nvlink(catalog: Catalog) -> None:
    known = catalog.documents("interconnect")
    pcie = links_of(known, "A100-80GB-PCIe", 4, 0, 4, False, 80, False, "NC96ads")
    sxm = links_of(known, "A100-80GB-SXM", 4, 600, 4, True, 80, False, "ND96amsr")
    # Azure passes NC96ads at 25 GB/s; four SXM devices measure 216.7 (aiconfigurator).
    assert sxm.inside == 216.7 * GB
    assert pcie.inside <= 25 * GB


def test_zones_are_joined_by_plain_ip(catalog: Catalog) -> None:
    """p5 has 3,200 Gb/s, of which 800 for IP (EC2 user guide), and .3 of that is carried."""
    known = catalog.documents("interconnect")
    links = links_of(known, "H100-80GB-SXM", 8, 900, 5, True, 3200, True, "p5.48xlarge")
    apart = between_zones(links, known, "p5.48xlarge", 3200)
    assert apart.adapters == pytest.approx(0.3 * 100 * GB)
    assert apart.inside == links.inside
    # No type is faster across zones than within one.
    slow = links._replace(adapters=GB)
    assert between_zones(slow, known, "p5.48xlarge", 3200).adapters == GB
