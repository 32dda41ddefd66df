"""Time and memory of `check` on large plans beside `json.load` of the same file.

Whole processes, measured in turn: (check - `--version`) / (json.load - bare Python), and the
peak resident sizes. Budgets: 2x in time and 3x in memory at 10,000 resources, linear to 100,000.
Run by hand: `python -m tests.benchmarks.check_plans`.
"""

from __future__ import annotations

import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.check.support import plan
from tests.iac.plans import change

LOAD = "import json, sys; json.load(open(sys.argv[1], encoding='utf-8'))"
_RULES = [
    {"from_port": port, "to_port": port, "protocol": "tcp", "cidr_blocks": ["10.0.0.0/8"]}
    for port in range(8000, 8009)
]
_COMMON = {
    "tags": {"Name": "worker", "team": "platform", "cost-center": "4711", "env": "prod"},
    "timeouts": None,
}
_ACCELERATED = ("g4dn.xlarge", "g5.xlarge", "p4d.24xlarge", "g4dn.2xlarge")


def large_plan(resources: int) -> dict[str, Any]:
    """A plan with all that Terraform writes: changes, planned and prior values, expressions.

    One resource in twenty is an accelerator machine, one in five another machine; half of all
    are unchanged.
    """
    changes = []
    for number in range(resources):
        if number % 20 == 0:
            kind, own = "aws_instance", {"instance_type": _ACCELERATED[number // 20 % 4]}
        elif number % 5 == 1:
            kind, own = "aws_instance", {"instance_type": "m5.large"}
        else:
            kind, own = "aws_security_group", {"name": f"s{number}", "ingress": _RULES}
        after = {**_COMMON, **own}
        before = after if number % 2 else None
        unknown = dict.fromkeys(("id", "arn", "tags_all", "vpc_id", "private_ip"), True)
        actions = ["no-op"] if before else ["create"]
        changes.append(change(f"{kind}.r{number}", after, before, actions, unknown))
    document = plan(*changes)
    values = [
        {"address": c["address"], "type": c["type"], "values": c["change"]["after"]}
        for c in changes
    ]
    document["planned_values"] = {"root_module": {"resources": values}}
    document["prior_state"] = {"values": {"root_module": {"resources": values[1::2]}}}
    for resource in document["configuration"]["root_module"]["resources"]:
        resource["expressions"] = {"tags": {"constant_value": _COMMON["tags"]}}
    return document


def measure(command: list[str]) -> tuple[float, int]:
    """(seconds, peak KiB) of one process; its output is thrown away."""
    started = time.perf_counter()
    pid = os.fork()
    if pid == 0:
        null = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(null, stream)
        os.execv(command[0], command)  # noqa: S606 - a fixed program without a shell
    _, status, used = os.wait4(pid, 0)
    seconds = time.perf_counter() - started
    if os.waitstatus_to_exitcode(status) != 0:
        raise SystemExit(f"{command} failed")
    return seconds, used.ru_maxrss


def compare(
    path: str, rounds: int, python: str = sys.executable, program: Sequence[str] = ()
) -> tuple[float, float, float, float]:
    """(time ratio, memory ratio, seconds of check, seconds of json.load), medians of rounds.

    `program` starts gpuadvisor; by default it is that of `python`.
    """
    tool = program or (python, "-m", "gpuadvisor")
    commands = {
        "check": [*tool, "check", path, "--format", "json", "--on-unknown", "ignore"],
        "version": [*tool, "--version"],
        "load": [python, "-c", LOAD, path],
        "bare": [python, "-c", "pass"],
    }
    for command in commands.values():
        measure(command)
    runs = [{name: measure(c) for name, c in commands.items()} for _ in range(rounds)]
    ratios = [
        (r["check"][0] - r["version"][0]) / max(r["load"][0] - r["bare"][0], 1e-9) for r in runs
    ]
    memory = [r["check"][1] / r["load"][1] for r in runs]
    return (
        statistics.median(ratios),
        statistics.median(memory),
        statistics.median(r["check"][0] for r in runs),
        statistics.median(r["load"][0] for r in runs),
    )


def main() -> None:
    """Print one line a size."""
    with tempfile.TemporaryDirectory() as folder:
        for resources, rounds in ((1_000, 7), (10_000, 7), (100_000, 3)):
            path = Path(folder) / f"plan{resources}.json"
            path.write_text(json.dumps(large_plan(resources)), encoding="utf-8")
            size = path.stat().st_size / 1e6
            ratio, memory, check, load = compare(str(path), rounds)
            print(
                f"{resources:>7} resources, {size:5.1f} MB: time {ratio:4.2f}x, memory"
                f" {memory:4.2f}x  (check {check:.2f} s, json.load {load:.2f} s)"
            )


if __name__ == "__main__":
    main()
