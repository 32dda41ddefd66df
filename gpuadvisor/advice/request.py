"""What a person asks for, typed once, whether it came from flags, a file or Python."""

import datetime
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any, NamedTuple

from gpuadvisor.catalog.errors import UsageError
from gpuadvisor.catalog.message import Message, message
from gpuadvisor.catalog.model import PURCHASE_OPTIONS
from gpuadvisor.catalog.names import nearest
from gpuadvisor.cost.money import Amount, currency_code, parse_money

TIERS = ("hyperscaler", "specialist", "marketplace")
SOFTWARE = ("cuda", "rocm", "neuron", "tpu", "gaudi", "any")
ARCHITECTURES = ("x86_64", "arm64", "any")
OBJECTIVES = ("cost", "unit_cost", "time")
POLICIES = ("default", "seed")
PRECISIONS = ("fp32", "tf32", "fp16", "bf16", "fp8", "int8", "int4", "fp4")
COMPLIANCE = ("gdpr", "hipaa")
METHODS = ("full", "lora", "qlora")
_DURATIONS = {"ms": 1.0, "s": 1e3, "m": 6e4, "min": 6e4, "h": 3.6e6, "d": 8.64e7}
_MULTIPLES = {"k": 1e3, "m": 1e6, "b": 1e9, "g": 1e9, "t": 1e12, "万": 1e4, "亿": 1e8}


class OwnPrice(NamedTuple):
    """`--price [provider/]type[@region]:option=44.0`, or `--price spot=0.90` for all types."""

    provider: str | None
    instance_type: str | None
    region: str | None
    option: str
    price: Decimal


class Request(NamedTuple):
    """The arguments of `recommend`, typed. None means "not said"; memory is in GiB.

    `latency_p99_ms` is in milliseconds, `deadline_h` and hours in hours, `gpus` counts devices
    in total. `prices` are the user's own, `discounts` shares per provider. Of a language model,
    `concurrency` counts users at all times, `api_price` is money per million tokens in and out.
    """

    workload: str | None = None
    budget: Amount | None = None
    currency: str = "USD"
    latency: str | None = None
    latency_p99_ms: float | None = None
    qps: float | None = None
    units_per_month: float | None = None
    deadline_h: float | None = None
    gpus: int | None = None
    nodes: int | None = None
    device: tuple[str, ...] = ()
    min_gpu_memory: float | None = None
    model_memory: float | None = None
    model: str | None = None
    method: str | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    concurrency: int | None = None
    ttft_p99_ms: float | None = None
    tpot_p99_ms: float | None = None
    tokens_per_month: float | None = None
    api_price: tuple[float, float] | None = None
    min_vcpus: int | None = None
    min_host_memory: float | None = None
    precision: str | None = None
    provider: tuple[str, ...] = ()
    tier: tuple[str, ...] = ()
    region: tuple[str, ...] = ()
    software: str | None = None
    arch: str | None = None
    compliance: tuple[str, ...] = ()
    purchase: tuple[str, ...] = ()
    interruptible: bool | None = None
    batched: bool | None = None
    hours_per_month: float | None = None
    hours_per_day: float | None = None
    objective: str | None = None
    policy: str = "default"
    top: int = 5
    max_age: int | None = None
    prices: tuple[OwnPrice, ...] = ()
    discounts: tuple[tuple[str, float], ...] = ()
    fx: tuple[str, ...] = ()
    today: str | None = None
    job: tuple[tuple[str, Any], ...] = ()
    storage: str | None = None
    train: tuple[tuple[str, Any], ...] = ()
    sample_kb: float | None = None
    data_on: str | None = None


JOB_FIELDS = (
    "checkpoint_every", "no_checkpoint", "state_gb", "checkpoint_minutes", "restart_minutes",
    "interruptions_per_hour",
)  # fmt: skip
"""How a run copes with interruptions; `job_request` types them where a run is on spot."""

TRAIN_FIELDS = (
    "params", "tokens", "samples", "seq_len", "epochs", "sharding", "compression",
    "accumulation", "batch_tokens", "tensor_parallel", "pipeline_parallel", "zones",
)  # fmt: skip
"""What a training from scratch is made of; `pretrain` types them."""


def request_from(fields: Mapping[str, Any]) -> Request:
    """Type a mapping of flag names (`latency_p99` or `latency-p99`) to text or plain values.

    Raises UsageError naming each flag that is wrong, its value and what is expected. Keys that no
    flag has are refused with the nearest ones.
    """
    known: dict[str, Any] = {}
    job: list[tuple[str, Any]] = []
    train: list[tuple[str, Any]] = []
    faults: list[Message] = []
    for key, value in fields.items():
        name = key.replace("-", "_")
        if name in JOB_FIELDS:
            if value is not None and value is not False:
                job.append((name, value))
        elif name in TRAIN_FIELDS:
            if value is not None:
                train.append((name, value))
        elif name not in _READERS:
            near = ", ".join(_flag(n) for n in nearest(name, (*_READERS, *TRAIN_FIELDS))) or "-"
            faults.append(message("advice.unknown_field", field=key, nearest=near))
        elif value is not None and value != () and value != []:
            known[name] = value
    typed = _typed(known, faults)
    if faults:
        raise UsageError(together(faults))
    return Request(**typed, job=tuple(job), train=tuple(train))


def _typed(known: dict[str, Any], faults: list[Message]) -> dict[str, Any]:
    """The fields that can be read; what is wrong with the others goes to `faults`."""
    currency = "USD"
    try:
        currency = currency_code(str(known.pop("currency", currency)))
    except UsageError as error:
        faults.append(error.message)
    typed: dict[str, Any] = {"currency": currency}
    for name, value in known.items():
        target, reader = _READERS[name]
        try:
            typed[target] = reader(name, value, currency)
        except UsageError as error:
            faults.append(error.message)
    return typed


def together(faults: Sequence[Message]) -> Message:
    """One message of all, in the order in which they were given."""
    first, *rest = faults
    return message("advice.faults", first=first, rest=together(rest)) if rest else first


def _flag(name: str) -> str:
    return "--" + name.replace("_", "-")


def _bad(name: str, value: object, expected: str | Message) -> UsageError:
    return UsageError(
        message("advice.bad_field", flag=_flag(name), value=str(value)[:60], expected=expected)
    )


def _text(name: str, value: object, _: str) -> str:
    text = str(value).strip()
    if not text or not text.isprintable():
        raise _bad(name, value, message("advice.expect_name"))
    return text


def read_number(name: str, value: object, _: str = "") -> float:
    """A finite number above zero; `2M`, `1.5e6` and `200万` are read too."""
    text = str(value).strip().replace(",", "").replace("_", "").lower()
    factor = _MULTIPLES.get(text[-1:], 1.0)
    try:
        number = float(text[:-1] if factor != 1.0 else text) * factor
    except ValueError:
        number = float("nan")
    if isinstance(value, bool) or not 0 < number < 1e18:
        raise _bad(name, value, message("advice.expect_number"))
    return number


def read_count(name: str, value: object, _: str = "") -> int:
    """A whole number above zero, at most a million."""
    number = read_number(name, value)
    if number != int(number) or number > 1_000_000:
        raise _bad(name, value, message("advice.expect_count"))
    return int(number)


def read_share(name: str, text: str) -> float:
    """A share of one, at least 0 and below 1, from `12%` or `0.12`."""
    number = text[:-1] if text.endswith("%") else text
    try:
        share = float(number) / (100.0 if text.endswith("%") else 1.0)
    except ValueError:
        share = float("nan")
    if not 0 <= share < 1:
        raise _bad(name, text, message("advice.expect_share"))
    return share


def duration_ms(name: str, value: object, unit: str = "ms") -> float:
    """`100ms`, `1.5s`, `20min`, `30d` in milliseconds; a bare number counts in `unit`."""
    text = str(value).strip().lower()
    digits = text.rstrip("abcdefghijklmnopqrstuvwxyz ")
    suffix = text[len(digits) :].strip() or unit
    if suffix not in _DURATIONS:
        raise _bad(name, value, message("advice.expect_duration"))
    return read_number(name, digits) * _DURATIONS[suffix]


def _flagged(name: str, value: object, _: str) -> bool:
    if isinstance(value, bool):
        return value
    text = str(value).strip().lower()
    if text in ("true", "yes", "on", "1"):
        return True
    if text in ("false", "no", "off", "0"):
        return False
    raise _bad(name, value, message("advice.expect_flag"))


def _items(value: object) -> list[str]:
    parts = value if isinstance(value, (list, tuple)) else [value]
    return [word.strip() for part in parts for word in str(part).split(",") if word.strip()]


def _one_of(choices: Iterable[str]) -> Callable[[str, object, str], str]:
    allowed = tuple(choices)

    def read(name: str, value: object, _: str) -> str:
        word = str(value).strip().lower().replace("-", "_")
        word = {"amd64": "x86_64", "x86": "x86_64", "aarch64": "arm64", "arm": "arm64"}.get(
            word, word
        )
        if word not in allowed:
            raise _bad(name, value, ", ".join(allowed))
        return word

    return read


def _many_of(choices: Iterable[str]) -> Callable[[str, object, str], tuple[str, ...]]:
    read = _one_of(choices)
    return lambda name, value, _: tuple(
        dict.fromkeys(read(name, item, _) for item in _items(value))
    )


def _tiers(name: str, value: object, _: str) -> tuple[str, ...]:
    if "any" in _items(value):
        return TIERS
    return _many_of(TIERS)(name, value, _)


def _names(name: str, value: object, _: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_text(name, item, _) for item in _items(value)))


def _deadline(name: str, value: object, _: str) -> float:
    return duration_ms(name, value, "h") / _DURATIONS["h"]


def _discounts(name: str, value: object, _: str) -> tuple[tuple[str, float], ...]:
    found = []
    if isinstance(value, Mapping):
        value = [f"{key}={share}" for key, share in value.items()]
    for item in _items(value):
        provider, equals, share = item.partition("=")
        if not equals:
            raise _bad(name, item, message("advice.expect_discount"))
        found.append((provider.strip().lower(), read_share(name, share.strip())))
    return tuple(found)


def _prices(name: str, value: object, _: str) -> tuple[OwnPrice, ...]:
    if isinstance(value, Mapping):
        value = [f"{key}={price}" for key, price in value.items()]
    return tuple(own_price(name, item) for item in _items(value))


def own_price(name: str, text: str) -> OwnPrice:
    """Read `aws/p5.48xlarge@us-east-1:on_demand=44.0`; every part before `:` may be left out."""
    expected = message("advice.expect_price")
    target, equals, number = text.rpartition("=")
    where, _, option = target.rpartition(":")
    option = option.strip().lower().replace("-", "_")
    try:
        price = Decimal(number.strip())
    except InvalidOperation:
        price = Decimal(0)
    if not equals or option not in PURCHASE_OPTIONS or not price.is_finite() or price <= 0:
        raise _bad(name, text, expected)
    place, _, region = where.partition("@")
    provider, _, instance_type = place.rpartition("/")
    return OwnPrice(provider.lower() or None, instance_type or None, region or None, option, price)


def _today(name: str, value: object, _: str) -> str:
    try:
        return datetime.date.fromisoformat(str(value).strip()).isoformat()
    except ValueError:
        raise _bad(name, value, message("advice.expect_date")) from None


def _budget(_: str, value: object, currency: str) -> Amount:
    return parse_money(str(value), currency)


def _api_price(name: str, value: object, _: str) -> tuple[float, float]:
    """`0.15/0.60`: the request's currency per million tokens in and out; one figure is both."""
    parts = str(value).split("/")
    if len(parts) > 2:
        raise _bad(name, value, message("advice.expect_api_price"))
    prices = [read_number(name, part) for part in parts]
    return prices[0], prices[-1]


def _data_on(name: str, value: object, _: str) -> str:
    from gpuadvisor.performance.feeding import PLACES

    word = str(value).strip().lower()
    if word not in PLACES:
        raise _bad(name, value, ", ".join(PLACES))
    return word


def _ms(name: str, value: object, _: str) -> float:
    return duration_ms(name, value)


_READERS: dict[str, tuple[str, Callable[[str, Any, str], Any]]] = {
    "workload": ("workload", _text),
    "budget": ("budget", _budget),
    "currency": ("currency", _text),
    "latency": ("latency", _one_of(("low",))),
    "latency_p99": ("latency_p99_ms", _ms),
    "qps": ("qps", read_number),
    "units_per_month": ("units_per_month", read_number),
    "deadline": ("deadline_h", _deadline),
    "gpus": ("gpus", read_count),
    "nodes": ("nodes", read_count),
    "device": ("device", _names),
    "min_gpu_memory": ("min_gpu_memory", read_number),
    "model_memory": ("model_memory", read_number),
    "model": ("model", _text),
    "method": ("method", _one_of(METHODS)),
    "input_tokens": ("input_tokens", read_count),
    "output_tokens": ("output_tokens", read_count),
    "concurrency": ("concurrency", read_count),
    "ttft_p99": ("ttft_p99_ms", _ms),
    "tpot_p99": ("tpot_p99_ms", _ms),
    "tokens_per_month": ("tokens_per_month", read_number),
    "api_price": ("api_price", _api_price),
    "min_vcpus": ("min_vcpus", read_count),
    "min_host_memory": ("min_host_memory", read_number),
    "precision": ("precision", _one_of(PRECISIONS)),
    "provider": ("provider", _names),
    "tier": ("tier", _tiers),
    "region": ("region", _names),
    "software": ("software", _one_of(SOFTWARE)),
    "arch": ("arch", _one_of(ARCHITECTURES)),
    "compliance": ("compliance", _many_of(COMPLIANCE)),
    "purchase": ("purchase", _many_of(PURCHASE_OPTIONS)),
    "interruptible": ("interruptible", _flagged),
    "batched": ("batched", _flagged),
    "hours_per_month": ("hours_per_month", read_number),
    "hours_per_day": ("hours_per_day", read_number),
    "objective": ("objective", _one_of(OBJECTIVES)),
    "policy": ("policy", _one_of(POLICIES)),
    "top": ("top", read_count),
    "max_age": ("max_age", read_count),
    "price": ("prices", _prices),
    "discount": ("discounts", _discounts),
    "fx": ("fx", _names),
    "today": ("today", _today),
    "storage": ("storage", _text),
    "sample_kb": ("sample_kb", read_number),
    "data_on": ("data_on", _data_on),
}
