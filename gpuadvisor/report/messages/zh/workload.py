"""Texts of the workload room."""

from __future__ import annotations

ZH: dict[str, str] = {
    "workload.unknown": "未知的负载 '{name}'；最接近的是 {nearest}",
    "workload.no_mode": "{workload} 只有 {known}，没有 {mode}",
    "workload.latency": "--latency 只接受 'low'，而不是 '{value}'；如需数值请用 --latency-p99",
    "workload.run_has_no_rate": (
        "{workload} 是有终点的运行：可给出每次运行的预算或截止时间，"
        "不能给 --qps 或 --units-per-month"
    ),
    "workload.service_has_no_end": (
        "{workload} 全月运行：请给出 --qps 或 --units-per-month，不能给运行规模或截止时间"
    ),
    "workload.rate_and_volume": "--qps 与 --units-per-month 只能给出一个",
    "workload.not_positive": "{name} 必须大于 0，而不是 {value}",
    "workload.more_nodes_than_devices": "--nodes {nodes} 多于 --gpus 的总数 {devices}",
}
