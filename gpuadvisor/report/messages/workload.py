"""Texts of the workload room."""

from __future__ import annotations

EN: dict[str, str] = {
    "workload.unknown": "unknown workload '{name}'; nearest: {nearest}",
    "workload.no_mode": "{workload} is known {known} only, not {mode}",
    "workload.latency": "--latency takes 'low', not '{value}'; give a number with --latency-p99",
    "workload.run_has_no_rate": (
        "{workload} is a run with an end: it takes a budget per run or a deadline, "
        "no --qps or --units-per-month"
    ),
    "workload.service_has_no_end": (
        "{workload} runs all month: give --qps or --units-per-month, no run size or deadline"
    ),
    "workload.rate_and_volume": "give --qps or --units-per-month, not both",
    "workload.not_positive": "{name} must be above 0, not {value}",
    "workload.more_nodes_than_devices": "--nodes {nodes} is more than --gpus {devices} in total",
}
