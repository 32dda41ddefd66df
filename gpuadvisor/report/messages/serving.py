"""Texts of serving over a day and of storage beside the machines."""

from __future__ import annotations

EN: dict[str, str] = {
    "serving.head": (
        "Serving with {what}: {hours} hours, {peak} units at the peak, {mean} on average (load"
        " factor {load})"
    ),
    "serving.static": "always for the peak: {peak} units",
    "serving.autoscaled": "autoscaled, up to {peak} units",
    "serving.to_zero": "scaled to zero, up to {peak} units",
    "serving.spot_spread": (
        "on spot for the peak: {peak} units over 3 regions, each there {up} % of the time"
    ),
    "serving.saving": ", saves {percent} %",
    "serving.cold": "{percent} % of the demand meets a starting instance",
    "serving.cold_p99": "the 99th percentile is a cold start: keep one warm for a latency target",
    "serving.unmet": "{percent} % of the demand finds no unit",
    "serving.assumed": (
        "all with {warm} % spare; scaled with {cooldown} min of cool-down and {boot} min to boot,"
        " in which demand grows by up to {headroom} units"
    ),
    "serving.storage_head": "Storage and traffic beside {what} ({currency} a month)",
    "serving.storage_line": "{word} {size}",
    "serving.word_hot": "hot",
    "serving.word_cool": "cool",
    "serving.word_cold": "cold",
    "serving.word_archive": "archive",
    "serving.word_disk": "disk",
    "serving.word_shared": "shared file system",
    "serving.word_snapshot": "snapshots",
    "serving.word_egress": "internet egress",
    "serving.word_retrieve": "reading cold data",
    "serving.storage_total": "Storage and traffic",
    "serving.all_hot": (
        "all kept hot: {amount}; the tiers keep it for {percent} % less before reads"
    ),
    "serving.whole": "Whole bill with the machines",
    "serving.unknown": "unknown",
}
