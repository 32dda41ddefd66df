"""Plans of many resources: beside `json.load` of the same file, in one run, linear, within memory."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.iac.plans import change, constant, plan, resource
from tests.iac.support import ROOT

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="reads Linux's /proc"),
]

CODE = """
import json, sys, time
def peak():
    # The high-water mark of this process alone; getrusage counts what was there before exec.
    lines = open("/proc/self/status").read().split("VmHWM:")
    return int(lines[1].split()[0])
path, way = sys.argv[1:]
bare = peak()
began = time.process_time()
if way == "json":
    with open(path, encoding="utf-8") as handle:
        data = json.load(handle)
    found = 0
else:
    sys.path.insert(0, {root!r})
    from tests.iac.support import documents, is_accelerator
    from gpuadvisor.iac.interface import Context
    entries = documents()
    from gpuadvisor.iac import detect
    bare, began = peak(), time.process_time()
    found = len(detect.read(path, Context(entries, is_accelerator)).findings)
print(json.dumps([time.process_time() - began, peak() - bare, found]))
"""


def _plan(path: Path, count: int) -> None:
    """A plan as large teams have them: one resource in twenty is a GPU machine."""
    rules = [
        {"from_port": p, "to_port": p, "protocol": "tcp", "cidr": "10.0.0.0/8"} for p in range(9)
    ]
    changes: list[dict[str, Any]] = []
    written: list[dict[str, Any]] = []
    own: dict[str, Any]
    for i in range(count):
        if i % 20 == 0:
            address, own = f"aws_instance.g{i}", {"instance_type": "g5.xlarge"}
        elif i % 4 == 1:
            address, own = f"aws_instance.c{i}", {"instance_type": "m5.large"}
        else:
            address, own = f"aws_security_group.s{i}", {"name": f"s{i}", "ingress": rules}
        values = {**own, "tags": {"team": f"t{i}", "env": "prod", "owner": "platform"}}
        unknown = dict.fromkeys(("id", "arn", "tags_all", "vpc_id", "private_ip", "subnet"), True)
        changes.append(change(address, values, unknown=unknown))
        written.append(resource(address, tags=constant(values["tags"])))
    region = {"aws": {"expressions": {"region": constant("us-east-1")}}}
    data = plan(*changes, resources=written, providers=region)
    planned = [{"address": c["address"], "values": c["change"]["after"]} for c in changes]
    data["planned_values"] = {"root_module": {"resources": planned}}
    path.write_text(json.dumps(data))


def _measure(path: Path, way: str) -> tuple[float, float, int]:
    """Best of three: processor seconds, KiB beyond the bare process, findings."""
    runs = []
    for _ in range(3):
        code = CODE.format(root=str(ROOT))
        done = subprocess.run(
            [sys.executable, "-c", code, str(path), way], capture_output=True, text=True, check=True
        )
        runs.append(json.loads(done.stdout))
    seconds, kib, found = min(runs)
    return seconds, kib, found


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[int, str], Any]:
    found = {}
    for count in (10_000, 40_000):
        path = tmp_path_factory.mktemp("plans") / f"{count}.json"
        _plan(path, count)
        for way in ("json", "check"):
            found[count, way] = _measure(path, way)
    return found


def test_reading_and_parsing_take_at_most_twice_json_load(measured: Any) -> None:
    for count in (10_000, 40_000):
        seconds, _, found = measured[count, "check"]
        assert found == count // 20
        assert seconds <= 2 * measured[count, "json"][0]


def test_memory_is_at_most_three_times_that_of_json_load(measured: Any) -> None:
    for count in (10_000, 40_000):
        assert measured[count, "check"][1] <= 3 * measured[count, "json"][1]


def test_time_grows_with_the_size_of_the_plan(measured: Any) -> None:
    ratio = measured[40_000, "check"][0] / measured[10_000, "check"][0]
    assert ratio < 4 * 1.5
