"""The arguments of `check`, typed once, whether from flags, a policy file or Python."""

from __future__ import annotations

import datetime
import os
from collections.abc import Mapping, Sequence
from typing import Any

from gpuadvisor.advice.request import own_price, read_count, read_number, read_share
from gpuadvisor.catalog.errors import UsageError
from gpuadvisor.catalog.message import message
from gpuadvisor.check.interface import CheckRequest
from gpuadvisor.check.policy import FAIL, LEVELS, WARN, Nodes, Policy
from gpuadvisor.cost.money import Amount, currency_code, parse_money, read_money
from gpuadvisor.iac.reading import MAX_BYTES

MOST_FILES = 1000
_SUFFIXES = (".json", ".yaml", ".yml")
_AMOUNTS = ("max_increase", "max_decrease", "max_total")


def check_request(
    files: Sequence[str],
    policy: Policy | None = None,
    **fields: Any,
) -> CheckRequest:
    """Type `fields` (flag names, hyphens or underscores, to text or values) over a policy.

    Raises UsageError naming the flag, its value and what is expected.
    """
    given = {
        key.replace("-", "_"): value
        for key, value in fields.items()
        if value is not None and value != [] and value != ()
    }
    currency = currency_code(str(given.pop("currency", "USD")))
    projects = tuple(_pair("project", item) for item in _many(given.pop("project", ())))
    paths = [*files, *(file for _, file in projects)]
    request = CheckRequest(
        files=tuple(expand(paths)),
        policy=_limited(policy or Policy(), given, currency),
        kind=given.pop("kind", None),
        projects=projects,
        bases=tuple(expand(_many(given.pop("base", ())))),
        parameters=dict(_pair("parameters", p) for p in _many(given.pop("parameters", ()))),
        region=given.pop("region", None),
        currency=currency,
        discounts=tuple(_discounts(given.pop("discount", ()))),
        prices=tuple(own_price("price", item) for item in _many(given.pop("price", ()))),
        fx=tuple(_many(given.pop("fx", ()))),
        hours_per_month=read_number("hours_per_month", given.pop("hours_per_month", 730)),
        today=_date(given.pop("today", None)),
        sources=tuple(_many(given.pop("source", ()))),
        skip_others=bool(given.pop("skip_others", False)),
        max_bytes=int(read_number("max_bytes", given.pop("max_bytes", MAX_BYTES))),
    )
    if given:
        raise UsageError(message("check.unknown_field", field=next(iter(given))[:60]))
    if not request.files:
        raise UsageError(message("check.no_files"))
    if len(request.files) > MOST_FILES:
        raise UsageError(message("check.many_files", most=MOST_FILES))
    if request.files.count("-") + request.bases.count("-") > 1:
        raise UsageError(message("check.stdin_twice"))
    if not 0 < request.hours_per_month <= 744:
        raise UsageError(message("check.hours", value=request.hours_per_month))
    return request


def expand(paths: Sequence[str]) -> list[str]:
    """Files as given; a folder stands for its JSON and YAML files, sorted, hidden ones left out."""
    found: dict[str, None] = {}
    for path in paths:
        if path == "-" or not os.path.isdir(path):
            found.setdefault(path)
            continue
        inside: list[str] = []
        for folder, folders, names in os.walk(path):
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            inside.extend(
                os.path.join(folder, name)
                for name in sorted(names)
                if name.lower().endswith(_SUFFIXES) and not name.startswith(".")
            )
            if len(inside) > MOST_FILES:
                raise UsageError(message("check.many_files", most=MOST_FILES))
        if not inside:
            raise UsageError(message("check.empty_folder", folder=path))
        for name in inside:
            found.setdefault(name)
    return list(found)


def limit_money(text: str, currency: str) -> Amount:
    """A limit per month in the money grammar. Unlike a budget it may be 0: no rise at all."""
    if text.strip().startswith(("/", "-")):
        return parse_money(text, currency)
    amount = read_money(text, currency)
    if amount.value < 0:
        return parse_money(text, currency)
    return amount


def level(name: str, value: object, choices: Sequence[str] = LEVELS) -> str:
    """`warn`, `fail` or `ignore`; raises UsageError."""
    word = str(value).strip().lower()
    if word not in choices:
        raise UsageError(
            message(
                "advice.bad_field",
                flag="--" + name.replace("_", "-"),
                value=str(value)[:60],
                expected=", ".join(choices),
            )
        )
    return word


def _limited(policy: Policy, given: dict[str, Any], currency: str) -> Policy:
    """The policy with the flags laid over it."""
    amounts = {
        name: limit_money(str(given.pop(name)), currency) for name in _AMOUNTS if name in given
    }
    policy = policy._replace(
        max_increase=amounts.get("max_increase", policy.max_increase),
        max_decrease=amounts.get("max_decrease", policy.max_decrease),
        max_total=amounts.get("max_total", policy.max_total),
    )
    if "max_hourly" in given:
        amount = limit_money(str(given.pop("max_hourly")), currency)
        policy = policy._replace(max_hourly_per_resource=amount)
    if "max_increase_pct" in given:
        policy = policy._replace(max_increase_pct=percentage(given.pop("max_increase_pct")))
    if "max_gpus" in given:
        policy = policy._replace(max_devices=whole_limit("max_gpus", given.pop("max_gpus")))
    if "on_unknown" in given:
        policy = policy._replace(on_unknown=level("on_unknown", given.pop("on_unknown")))
    if "on_max" in given:
        policy = policy._replace(on_max=level("on_max", given.pop("on_max")))
    if "fail_on" in given:
        policy = policy._replace(fail_on=level("fail_on", given.pop("fail_on"), (FAIL, WARN)))
    if given.pop("exit_zero", False):
        policy = policy._replace(exit_zero=True)
    if "max_catalog_age" in given:
        days = read_count("max_catalog_age", given.pop("max_catalog_age"))
        policy = policy._replace(max_catalog_age=days)
    if "assume_node" in given:
        assumed = tuple(_node(str(item)) for item in _many(given.pop("assume_node")))
        policy = policy._replace(nodes=(*policy.nodes, *assumed))
    return policy


def percentage(value: object) -> float:
    """A share of the cost before in per cent: 25 or 25%; zero is allowed."""
    text = str(value).strip().removesuffix("%").strip()
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 <= number < 1e6:
        raise UsageError(
            message(
                "advice.bad_field",
                flag="--max-increase-pct",
                value=str(value)[:60],
                expected=message("advice.expect_percentage"),
            )
        )
    return number


def whole_limit(name: str, value: object) -> int:
    """A whole number, zero allowed."""
    text = str(value).strip()
    return 0 if text == "0" else read_count(name, text)


def _many(value: Any) -> list[str]:
    if isinstance(value, Mapping):
        return [f"{key}={item}" for key, item in value.items()]
    return [str(item) for item in value] if isinstance(value, (list, tuple)) else [str(value)]


def _pair(name: str, text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals or not key.strip() or not value.strip():
        raise UsageError(
            message(
                "advice.bad_field",
                flag=f"--{name}",
                value=text[:60],
                expected="NAME=VALUE",
            )
        )
    return key.strip(), value.strip()


def _discounts(value: Any) -> list[tuple[str, float]]:
    found = []
    for item in (word for part in _many(value) for word in part.split(",")):
        provider, share = _pair("discount", item)
        found.append((provider.lower(), read_share("discount", share)))
    return found


def _date(value: object) -> datetime.date:
    if value is None:
        return datetime.datetime.now(datetime.UTC).date()
    try:
        return datetime.date.fromisoformat(str(value).strip())
    except ValueError:
        raise UsageError(
            message(
                "advice.bad_field",
                flag="--today",
                value=str(value)[:60],
                expected=message("advice.expect_date"),
            )
        ) from None


def _node(text: str) -> Nodes:
    """`aws/g5.xlarge@us-east-1:spot`; place and terms may be left out."""
    target, _, purchase = text.partition(":")
    kind, _, region = target.partition("@")
    if not kind.strip():
        _pair("assume-node", "")
    option = purchase.strip().lower().replace("-", "_") or "on_demand"
    return Nodes(kind.strip(), (), region.strip() or None, option)
