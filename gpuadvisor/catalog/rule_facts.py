"""The closed list of facts a rule may look at, with kinds and allowed values, and the operators.

One place for the schema, the engine, the selftest and the documentation. No pydantic: the hot
path reads it too. `need.*` describes a request and is the same for all candidates; `type.*`
describes one instance type. A fact that is absent or None is unknown.
"""

from collections.abc import Mapping
from typing import NamedTuple

TEXT = "text"
NUMBER = "number"
FLAG = "flag"
LIST = "list"

POLICIES = ("default", "seed")

OPERATORS: Mapping[str, tuple[str, ...]] = {
    TEXT: ("eq", "ne", "in", "not_in", "prefix", "exists"),
    NUMBER: ("eq", "ne", "lt", "le", "gt", "ge", "in", "not_in", "exists"),
    FLAG: ("eq", "ne", "exists"),
    LIST: ("in", "not_in", "exists"),
}
"""Kind of fact -> operators that make sense on it.

On a list `in` means that any item is wanted and `not_in` that none is. `prefix` compares whole
name segments between hyphens: `A100` is a prefix of `A100-40GB-SXM`, `A10` is not. `exists` takes
true or false and is never unknown.
"""

ALL_OPERATORS = ("eq", "ne", "lt", "le", "gt", "ge", "in", "not_in", "prefix", "exists")
MANY = frozenset({"in", "not_in", "prefix"})
"""Operators whose value is a list; a single value is taken as a list of one."""


class Fact(NamedTuple):
    """A fact's kind, its meaning in one line, and its values where they are a closed set."""

    kind: str
    meaning: str
    values: tuple[str, ...] = ()


FACTS: Mapping[str, Fact] = {
    "need.workload": Fact(TEXT, "workload profile, such as ocr or llm-chat"),
    "need.class": Fact(TEXT, "workload class that selects the speed index, such as train-cnn"),
    "need.kind": Fact(TEXT, "monthly service or a run with an end", ("monthly", "run")),
    "need.unit": Fact(TEXT, "unit of work, such as page"),
    "need.budget_monthly_cny": Fact(NUMBER, "budget in CNY a month"),
    "need.latency": Fact(TEXT, "low when asked for or when p99 is at most 100 ms", ("low",)),
    "need.latency_p99_ms": Fact(NUMBER, "99th percentile of latency in milliseconds"),
    "need.distributed": Fact(TEXT, "large: over 8 devices or over one node", ("large",)),
    "need.devices": Fact(NUMBER, "devices in total"),
    "need.nodes": Fact(NUMBER, "instances in total"),
    "need.precision": Fact(
        TEXT,
        "number format of the arithmetic",
        ("fp64", "fp32", "tf32", "fp16", "bf16", "int8", "fp8", "int4", "fp4"),
    ),
    "need.model_memory_gib": Fact(NUMBER, "device memory of one replica in GiB"),
    "need.min_device_memory_gib": Fact(NUMBER, "least nominal memory of a device in GiB"),
    "need.model_params_billions": Fact(NUMBER, "model size in billions of parameters"),
    "need.generative": Fact(FLAG, "the workload generates tokens (LLM decoding)"),
    "need.interruptible": Fact(FLAG, "the workload may be interrupted"),
    "need.batched": Fact(FLAG, "requests are batched on the device"),
    "need.host_vcpus_per_device": Fact(NUMBER, "vCPU each device needs beside it"),
    "need.min_host_memory_gib": Fact(NUMBER, "least host memory of an instance in GiB"),
    "need.compliance": Fact(LIST, "compliance regimes that bind", ("gdpr", "hipaa")),
    "need.software": Fact(TEXT, "software stack asked for, such as cuda"),
    "type.provider": Fact(TEXT, "provider, such as aws"),
    "type.tier": Fact(TEXT, "kind of provider", ("hyperscaler", "specialist", "marketplace")),
    "type.name": Fact(TEXT, "instance type, such as g5.xlarge"),
    "type.family": Fact(TEXT, "family of the instance type, such as p4d"),
    "type.device": Fact(TEXT, "canonical device, such as A100-40GB-SXM"),
    "type.device_family": Fact(TEXT, "family of the device, such as A100"),
    "type.device_year": Fact(NUMBER, "year the device came out"),
    "type.devices": Fact(NUMBER, "devices in one instance; a fraction for a slice"),
    "type.sliced": Fact(FLAG, "the instance holds a fraction of a device"),
    "type.memory_gib": Fact(NUMBER, "memory of one device, or of the slice, in GiB"),
    "type.memory_total_gib": Fact(NUMBER, "device memory of the instance in GiB"),
    "type.vcpus": Fact(NUMBER, "vCPU of the instance"),
    "type.vcpus_per_device": Fact(NUMBER, "vCPU for each device"),
    "type.host_memory_gib": Fact(NUMBER, "host memory of the instance in GiB"),
    "type.interconnect": Fact(
        TEXT, "link between its devices", ("none", "pcie", "nvlink-bridge", "nvlink", "other")
    ),
    "type.nvlink": Fact(FLAG, "every pair of its devices is joined by NVLink"),
    "type.rdma": Fact(FLAG, "the network lets a device reach another node's memory"),
    "type.arch": Fact(TEXT, "processor architecture", ("x86_64", "arm64")),
    "type.software": Fact(
        TEXT,
        "software stack of the device",
        ("cuda", "rocm", "neuron", "tpu", "gaudi", "cann", "qaic", "xilinx", "other"),
    ),
    "type.compute_capability": Fact(NUMBER, "NVIDIA compute capability, such as 8.0"),
    "type.mig_max": Fact(NUMBER, "most MIG instances of the device; 0 without MIG"),
    "type.status": Fact(
        TEXT,
        "whether it can be had",
        ("active", "frozen", "retired", "preview", "price_only", "unclear"),
    ),
    "type.retired_on": Fact(TEXT, "retirement date (ISO)"),
    "type.retires_in_days": Fact(NUMBER, "days from today to retirement; negative when past"),
    "type.spot_interruption": Fact(TEXT, "spot interruption band, such as >20%"),
    "type.quota": Fact(TEXT, "quota the purchase draws on, such as L-DB2E81BA"),
}


def names_in(text: str) -> tuple[str, ...]:
    """The placeholders of a rule's text: `{type.vcpus}` gives `type.vcpus`, in order.

    An unclosed brace yields the rest of the text, which is no known fact.
    """
    names = []
    for piece in text.split("{")[1:]:
        names.append(piece.split("}", 1)[0])
    return tuple(names)


def typed(name: str, raw: object) -> object:
    """One value of fact `name`, typed by its kind; a text is read as written in YAML.

    Raises ValueError with what was expected.
    """
    fact = FACTS[name]
    if fact.kind == FLAG:
        return _flag(raw)
    if fact.kind == NUMBER:
        return _number(raw)
    if not isinstance(raw, str) or not raw:
        raise ValueError("a text")
    if fact.values and raw not in fact.values:
        raise ValueError(f"one of {', '.join(fact.values)}")
    return raw


def _flag(raw: object) -> bool:
    if isinstance(raw, bool):
        return raw
    if raw in ("true", "false"):
        return raw == "true"
    raise ValueError("true or false")


def _number(raw: object) -> int | float:
    if isinstance(raw, (int, float)) and not isinstance(raw, bool):
        return raw
    if isinstance(raw, str):
        try:
            value = float(raw)
        except ValueError:
            value = float("nan")
        if abs(value) < 1e300:
            return int(value) if raw.lstrip("+-").isdigit() else value
    raise ValueError("a number")


def typed_fact(name: str, raw: object) -> object:
    """A whole fact as a request or a type holds it: `typed`, and a tuple for a list fact."""
    if FACTS[name].kind != LIST:
        return typed(name, raw)
    if not isinstance(raw, (list, tuple)):
        raise ValueError("a list")
    return tuple(typed(name, item) for item in raw)
