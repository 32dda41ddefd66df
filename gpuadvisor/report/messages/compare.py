"""Texts of `compare`."""

from __future__ import annotations

EN: dict[str, str] = {
    # why there is no speed
    "compare.no_speed": "no speed of {device} is known for this work",
    "compare.no_reference": "no measured speed: {reason}",
    "compare.other_software": "the code must be ported to {software}; its speed is unknown",
    "compare.unsuited": "cannot do this work: {reason}",
    "compare.no_memory": "one replica needs {memory} GiB: it does not fit",
    # assumptions and warnings
    "compare.busy": "unit costs are at 100 % busy",
    "compare.normalised": "all devices that are paid work, also where fewer were asked for",
    "compare.other_option": "{type} is not sold on demand; shown is {option}",
    "compare.old_prices": "old prices: {types}",
    # line 1
    "compare.one": "{what} costs least a device-hour at {place}: {amount} ({type}, {option}).",
    "compare.spread": " The dearest shown is {place}, {amount}.",
    "compare.several": "Per device-hour {parts}.",
    "compare.part": "{what} costs {amount} at {place}",
    "compare.unpriced": "No price is known at which {what} can be bought.",
    # header
    "compare.label_workload": "Workload",
    "compare.label_hours": "Hours",
    "compare.label_assumed": "Assumed",
    "compare.label_prices": "Prices",
    "compare.label_exchange": "Exchange",
    "compare.workload": "{name} ({title}), {mode}",
    "compare.reference": "; speed carried from {device}: {measured}",
    # verdicts
    "compare.wins": (
        "{mode}: {winner} beats {loser}, which costs {factor} times as much per {unit}"
        " ({votes}); with the speed model's error {low}-{high}, so the order is right in"
        " {confidence} of cases."
    ),
    "compare.parity": (
        "{mode}: {winner} and {loser} are near parity: the second costs {factor} times as much"
        " per {unit} ({votes}), but the speed model's error allows {low}-{high}."
    ),
    "compare.wins_for_sure": (
        "{mode}: {winner} beats {loser}, which costs {factor} times as much per {unit} ({votes})."
    ),
    "compare.overall": "Over all providers, {mode}: {parts}.",
    "compare.overall_part": "{what} {cost} {currency} per {unit} ({type}, {place})",
    "compare.flip": (
        "The order flips where one {second} does more than {needed} times the work of one"
        " {first}; taken is {has} ({low}-{high}){packed}."
    ),
    "compare.flip_below": (
        "The order flips where one {second} does less than {needed} times the work of one"
        " {first}; taken is {has} ({low}-{high}){packed}."
    ),
    "compare.packed": ", with {streams} processes sharing each {device} ({solo} with one)",
    "compare.vote": "{provider} {ratio}",
    "compare.packing_single": "{what} on single machines",
    "compare.packing_box": "{what} in one box",
    "compare.packing_any": "{what}",
    "compare.relative_unit": "{device}-hour of work",
    # rows
    "compare.group": "{what} ({shown} of {all}):",
    "compare.group_all": "{what}:",
    "compare.each": "{amount} {currency}/device-hour",
    "compare.no_price": "no price",
    "compare.unit_cost": "{mode} {cost} {currency} per {unit}",
    "compare.unit_cost_range": "{mode} {cost} {currency} per {unit} ({low}-{high})",
    "compare.no_unit_cost": "{mode}: {reason}",
    "compare.regions": "over {count} regions {low} ({low_region}) to {high} ({high_region})",
    "compare.region": "one region has it",
    "compare.regions_same": "the same in {count} regions",
    "compare.terms": "{term} {amount}",
    "compare.paid_used": "{paid} paid, {used} used",
    "compare.fact_device": "{value}",
    "compare.fact_memory_gib": "{value} GiB",
    "compare.fact_devices_per_instance": "{value} to a machine",
    "compare.unjoined": "a single device",
    "compare.fact_interconnect": "joined by {value}",
    "compare.fact_rdma": "RDMA: {value}",
    "compare.fact_network_gbps": "{value} Gbit/s",
    "compare.fact_vcpus_per_device": "{value} vCPU a device",
    "compare.fact_host_memory_gib_per_device": "{value} GiB host a device",
    "compare.fact_local_disk_gb": "disk {value} GB",
    "compare.fact_mig_max": "MIG: {value}",
    "compare.fact_arch": "{value}",
    "compare.fact_bandwidth_gbs": "{value} GB/s",
    "compare.fact_fp16_tflops": "{value} TFLOPS",
    "compare.fact_terms": "sold as {value}",
    "compare.mig_yes": "up to {count}",
    "compare.mig_no": "no",
    "compare.same": "The same in all: {facts}.",
    "compare.next": "Next: {command}",
}
