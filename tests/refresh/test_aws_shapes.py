"""AWS instance types: the quirks of DescribeInstanceTypes one by one, and moto's record of it."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Iterator
from typing import Any

import pytest

from gpuadvisor.refresh import aws, aws_account
from gpuadvisor.refresh.aws_devices import Held, held
from gpuadvisor.refresh.aws_shapes import network_gbps, seen_type
from gpuadvisor.refresh.interface import Puzzle, SeenType, Task, Wanted
from gpuadvisor.refresh.shapes import shape_changes

from .aws_rest import CATALOG, context, signed_in, xml
from .aws_rest import aws as answering

moto = pytest.importorskip("moto")
server = pytest.importorskip("moto.server")


def gpu(name: str, mib: int, count: int, **said: Any) -> dict[str, Any]:
    """A `GpuInfo` of one device. Total memory is 0, as it sometimes comes."""
    entry = {"Name": name, "Manufacturer": "NVIDIA", "Count": count, **said}
    if mib:
        entry["MemoryInfo"] = {"SizeInMiB": mib}
    return {"GpuInfo": {"Gpus": [entry], "TotalGpuMemoryInMiB": 0}}


def chips(block: str, entries: str, name: str, mib: int, count: int) -> dict[str, Any]:
    return {block: {entries: [{"Name": name, "Count": count, "MemoryInfo": {"SizeInMiB": mib}}]}}


NEURON = ("NeuronInfo", "NeuronDevices")
INFERENCE = ("InferenceAcceleratorInfo", "Accelerators")
MEDIA = ("MediaAcceleratorInfo", "Accelerators")


@pytest.mark.parametrize(
    ("name", "info", "expected"),
    [
        # Siblings of one name are told apart by memory.
        ("p3.16xlarge", gpu("V100", 16384, 8), Held("V100-16GB-SXM", 8, None, 16)),
        ("p3dn.24xlarge", gpu("V100", 32768, 8), Held("V100-32GB-SXM", 8, None, 32)),
        ("p4d.24xlarge", gpu("A100", 40960, 8), Held("A100-40GB-SXM", 8, None, 40)),
        ("p4de.24xlarge", gpu("A100", 81920, 8), Held("A100-80GB-SXM", 8, None, 80)),
        # What the driver shows of 24, 48, 180, 270 and 141 GB; A10G was 24576 once (aws-cli#8970).
        ("g6.xlarge", gpu("L4", 22888, 1), Held("L4", 1, None, 24)),
        ("g5.xlarge", gpu("A10G", 22888, 1), Held("A10G", 1, None, 24)),
        ("g5.xlarge", gpu("A10G", 24576, 1), Held("A10G", 1, None, 24)),
        ("g6e.xlarge", gpu("L40S", 45776, 1), Held("L40S", 1, None, 48)),
        ("p6-b200.48xlarge", gpu("B200", 183359, 8), Held("B200-180GB", 8, None, 180)),
        ("p6-b300.48xlarge", gpu("B300", 275040, 8), Held("B300-270GB", 8, None, 270)),
        ("p5e.48xlarge", gpu("H200", 144384, 8), Held("H200-141GB", 8, None, 141)),
        # A vendor for a name (skypilot#4652).
        ("p5e.48xlarge", gpu("NVIDIA", 144384, 8), Held("H200-141GB", 8, None, 141)),
        ("p5en.48xlarge", gpu("NVIDIA", 144384, 8), Held("H200-141GB", 8, None, 141)),
        # A new size of a known family, as little named.
        ("p5en.24xlarge", gpu("NVIDIA", 144384, 4), Held("H200-141GB", 4, None, 141)),
        # Memory as a total alone: of all eight.
        (
            "p3dn.24xlarge",
            {"GpuInfo": {"Gpus": [{"Name": "V100", "Count": 8}], "TotalGpuMemoryInMiB": 262144}},
            Held("V100-32GB-SXM", 8, None, 32),
        ),
        # Spelled another way than in the catalog.
        ("g7e.2xlarge", gpu("RTX PRO Server 6000", 98304, 1), Held("RTX-PRO-6000", 1, None, 96)),
        ("g7.2xlarge", gpu("RTX PRO 4500", 32768, 1), Held("RTX-PRO-4500", 1, None, 32)),
        ("g5g.metal", gpu("T4g", 16384, 2), Held("T4G", 2, None, 16)),
        # Fractions count 0 on purpose (aws-cli#9659).
        (
            "g6f.large",
            gpu("L4", 2861, 0, LogicalGpuCount=1, GpuPartitionSize=0.125),
            Held("L4", None, "1/8", 2.79),
        ),
        (
            "g6f.2xlarge",
            gpu("L4", 5722, 0, LogicalGpuCount=1, GpuPartitionSize=0.25),
            Held("L4", None, "1/4", 5.59),
        ),
        # An older SDK knows no partition size: memory tells.
        ("gr6f.4xlarge", gpu("L4", 11444, 0), Held("L4", None, "1/2", 11.18)),
        # Whole, and counted 0 all the same (skypilot#6722).
        ("p5.4xlarge", gpu("H100", 81920, 0), Held("H100-80GB-SXM", 1, None, 80)),
        (
            "g5.xlarge",
            gpu("A10G", 22888, 1, LogicalGpuCount=1, GpuPartitionSize=1.0),
            Held("A10G", 1, None, 24),
        ),
        # No memory at all: a name of one device is enough.
        ("g6.12xlarge", gpu("L4", 0, 4), Held("L4", 4, None, 24)),
        # Parts without GpuInfo (gpuhunt#169).
        ("trn1.32xlarge", chips(*NEURON, "Trainium", 32768, 16), Held("Trainium1", 16, None, 32)),
        ("trn2.3xlarge", chips(*NEURON, "Trainium2", 524288, 1), Held("Trainium2", 1, None, 96)),
        (
            "inf2.24xlarge",
            # The same chips twice: they count once.
            chips(*NEURON, "Inferentia2", 32768, 6) | chips(*INFERENCE, "Inferentia2", 32768, 6),
            Held("Inferentia2", 6, None, 32),
        ),
        (
            "dl2q.24xlarge",
            chips(*INFERENCE, "Qualcomm AI100", 16000, 8),
            Held("Cloud-AI-100-Standard", 8, None, 16),
        ),
        ("dl1.24xlarge", gpu("Gaudi HL-205", 32768, 8), Held("Gaudi-1", 8, None, 32)),
        ("vt1.3xlarge", chips(*MEDIA, "U30", 24576, 1), Held("U30", 1, None, 8)),
        # No accelerator of ours.
        ("m7i.large", {}, None),
        ("f2.6xlarge", chips("FpgaInfo", "Fpgas", "VU47P", 81920, 1), None),
    ],
)
def test_devices_by_name_and_memory(name: str, info: dict[str, Any], expected: Held | None) -> None:
    assert held({"InstanceType": name, **info}, "us-east-1", CATALOG) == expected


@pytest.mark.parametrize(
    ("name", "info", "says"),
    [
        ("p7.48xlarge", gpu("R200", 294912, 8), "R200, 294912 MiB"),  # unknown name
        ("p7.48xlarge", gpu("NVIDIA", 294912, 8), "NVIDIA, 294912 MiB"),  # no family to ask
        ("p5.48xlarge", gpu("H100", 98304, 8), "H100, 98304 MiB"),  # a variant nobody described
        ("g6.xlarge", gpu("L4", 49152, 1), "L4, 49152 MiB"),  # memory of another card
        ("p4d.24xlarge", gpu("A100", 0, 8), "A100, ? MiB"),  # which of the two?
        (
            "g9f.xlarge",
            gpu("L4", 5722, 0, LogicalGpuCount=2, GpuPartitionSize=0.25),
            "L4: LogicalGpuCount 2, GpuPartitionSize 1/4",
        ),
    ],
)
def test_what_is_not_understood_is_told(name: str, info: dict[str, Any], says: str) -> None:
    assert held({"InstanceType": name, **info}, "eu-west-1", CATALOG) == Puzzle(
        "device", name, "eu-west-1", says
    )


def test_two_devices_in_one_type_are_told() -> None:
    info = gpu("L4", 22888, 1)
    info["GpuInfo"]["Gpus"].append({"Name": "T4", "Count": 1, "MemoryInfo": {"SizeInMiB": 16384}})
    assert isinstance(held({"InstanceType": "g8.xlarge", **info}, "us-east-1", CATALOG), Puzzle)


@pytest.mark.parametrize(
    ("advertised", "peaks", "gbps"),
    [
        ("3200 Gigabit", [100.0] * 32, 3200),  # p5: one card is no answer (ec2instances.info)
        ("4x 100 Gigabit", [100.0] * 4, 400),  # p4d
        ("16x 100 Gigabit", [100.0] * 16, 1600),  # trn1n
        ("3200 Gigabit", [200.0] * 8, 3200),  # p6-b200: the cards give half
        ("6400 Gigabit", [350.0, *[400.0] * 16], 6400),  # p6-b300: the first card has no EFA
        ("3.12 Gigabit", [3.125], 3.125),  # vt1.3xlarge: rounded down
        ("Up to 25 Gigabit", [25.0], 25),
        ("High", [None], None),  # p2.xlarge: a word
        ("High", [10.0, 10.0], 20),
        (None, [], None),
    ],
)
def test_network_is_all_cards(
    advertised: str | None, peaks: list[float | None], gbps: float | None
) -> None:
    cards = [{"PeakBandwidthInGbps": peak} if peak else {} for peak in peaks]
    assert network_gbps({"NetworkPerformance": advertised, "NetworkCards": cards}) == gbps


# -- against moto, whose data is a dump of the API ----------------------------------------------


@pytest.fixture(scope="module")
def ec2() -> Iterator[None]:
    found = server.ThreadedMotoServer(ip_address="127.0.0.1", port=0)
    found.start()
    host, port = found.get_host_and_port()
    patch = pytest.MonkeyPatch()
    patch.setenv("AWS_ENDPOINT_URL", f"http://{host}:{port}")
    patch.setenv("AWS_ACCESS_KEY_ID", "testing")
    patch.setenv("AWS_SECRET_ACCESS_KEY", "testing")
    patch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    patch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    aws_account.forget()
    yield
    found.stop()
    patch.undo()
    aws_account.forget()


def test_shapes_over_the_wire_are_those_of_the_catalog(ec2: None) -> None:
    wanted = Wanted(("us-east-1",), frozenset({"shapes"}))
    tasks = aws.plan(wanted, context())
    assert tasks == (Task("us-east-1/shapes", "us-east-1", "shapes"),)
    found = aws.combine({t.key: aws.fetch(t, wanted, context()) for t in tasks}, context())
    assert len(found.types) > 60
    assert {t.feed for t in found.types} == {"aws-instance-types-2026-11-30"}
    assert found.puzzles == ()
    known = {n: t for (p, n), t in CATALOG.instance_types().items() if p == "aws"}
    changes, puzzles = shape_changes("aws", found.types, {}, known, CATALOG.devices())
    assert puzzles == []
    # News, each: no maximum was published for g6f, sources disagreed on g7, trn2.3xlarge is young.
    news = {c.after.name: [field for field, _, _ in c.fields] for c in changes}
    for name in [n for n in news if n.startswith(("g6f.", "gr6f.", "g7."))]:
        assert news.pop(name) == ["network_gbps"]
    news.pop("trn2.3xlarge", None)
    assert news == {}


def test_regions_are_those_that_the_account_has(ec2: None) -> None:
    tasks = aws.plan(Wanted((), frozenset({"shapes", "spot"})), context())
    regions = {t.region for t in tasks if t.part == "shapes"}
    assert {"us-east-1", "eu-central-1", "me-south-1"} <= regions
    keys = [t.key for t in tasks]
    assert len(keys) == len(set(keys))
    assert keys.count("spot-advisor") == 1
    # moto knows regions that the catalog does not: they are told.
    new = [t for t in tasks if t.key.endswith("/new-region")]
    assert all(
        aws.fetch(t, Wanted((), frozenset()), context()).puzzles[0].kind == "region" for t in new
    )


def test_types_that_a_region_offers(ec2: None) -> None:
    from gpuadvisor.refresh.aws_launchable import offered_types

    offered = offered_types("us-east-1")
    assert "g5.xlarge" in offered
    assert "g2.2xlarge" not in offered


def _moto_dump() -> dict[str, dict[str, Any]]:
    path = os.path.join(os.path.dirname(moto.__file__), "ec2/resources/instance_types.json.gz")
    if not os.path.exists(path):
        pytest.skip("this moto keeps its dump elsewhere")
    with gzip.open(path) as file:
        found: dict[str, dict[str, Any]] = json.load(file)
    return found


def test_sold_follows_usage_classes_and_prices() -> None:
    dump = _moto_dump()
    from gpuadvisor.refresh.interface import Fetched

    def sold(*names: str) -> list[tuple[str, ...] | None]:
        types = [seen_type(dump[name], "us-east-1", CATALOG) for name in names]
        seen = tuple(t for t in types if isinstance(t, SeenType))
        return [t.sold for t in aws.combine({"x": Fetched(types=seen)}, context()).types]

    assert sold("p4d.24xlarge", "p5e.48xlarge", "p6-b200.48xlarge", "g6f.large") == [
        ("on_demand", "spot", "reserved", "savings_plan", "capacity_block"),
        # The API says on-demand too, and no price of it exists anywhere.
        ("spot", "capacity_block"),
        ("on_demand", "spot", "savings_plan", "capacity_block"),
        ("on_demand", "spot", "savings_plan"),
    ]


def test_the_link_is_the_family_s_and_never_guessed() -> None:
    dump = _moto_dump()
    new = {**dump["p5en.48xlarge"], "InstanceType": "p5en.96xlarge"}
    seen = seen_type(new, "us-east-1", CATALOG)
    assert isinstance(seen, SeenType)
    assert seen.interconnect == "nvlink"
    other = seen_type({**new, "InstanceType": "p9.48xlarge"}, "us-east-1", CATALOG)
    assert isinstance(other, SeenType)
    assert other.interconnect is None


def test_every_page_is_read_and_fractions_come_over_the_wire() -> None:
    def described(name: str, *gpus: dict[str, Any], **said: Any) -> dict[str, Any]:
        return {
            "instanceType": name,
            "supportedUsageClasses": ["on-demand", "spot"],
            "processorInfo": {"supportedArchitectures": ["i386", "x86_64"]},
            "vCpuInfo": {"defaultVCpus": 4},
            "memoryInfo": {"sizeInMiB": 16384},
            "instanceStorageSupported": False,
            "networkInfo": {"networkPerformance": "Up to 10 Gigabit", "efaSupported": False},
            "gpuInfo": {"gpus": list(gpus), "totalGpuMemoryInMiB": 0},
            **said,
        }

    slice_of_l4 = {
        "name": "L4",
        "count": 0,
        "logicalGpuCount": 1,
        "gpuPartitionSize": 0.125,
        "memoryInfo": {"sizeInMiB": 2861},
    }
    unknown = {"name": "R200", "count": 8, "memoryInfo": {"sizeInMiB": 294912}}
    pages = {
        None: {"instanceTypeSet": [described("g6f.xlarge", slice_of_l4)], "nextToken": "two"},
        "two": {
            "instanceTypeSet": [
                described("p9.48xlarge", unknown),
                described("m7i.large", gpuInfo={}),
            ]
        },
    }
    with signed_in() as account:
        answers = {"DescribeInstanceTypes": lambda a: xml("D", **pages[a.get("NextToken")])}
        account.on("/*", answering(answers))
        wanted = Wanted((), frozenset({"shapes"}))
        found = aws.fetch(Task("us-east-1/shapes", "us-east-1", "shapes"), wanted, context())
        assert "MaxResults=100" in account.seen[0].body.decode()
    (seen,) = found.types
    assert (seen.name, seen.devices, seen.fraction, seen.memory_gib) == (
        "g6f.xlarge",
        None,
        "1/8",
        2.79,
    )
    assert (seen.vcpus, seen.host_memory_gib, seen.network_gbps) == (4, 16, 10)
    assert (seen.rdma, seen.interconnect, seen.local_disk_gb) == (None, "none", 0)
    assert (seen.arch, seen.sold) == ("x86_64", ("on_demand", "spot"))
    assert found.puzzles == (Puzzle("device", "p9.48xlarge", "us-east-1", "R200, 294912 MiB"),)
