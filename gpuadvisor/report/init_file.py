"""The commented config file that `init` writes: every key with its meaning and an example.

A key that the user chose stands as a value, any other as an example right behind `#` (prose has a
space), so that a reader sees what there is and an unchanged file changes no answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from gpuadvisor.catalog.errors import UsageError
from gpuadvisor.catalog.message import message
from gpuadvisor.report.messages import render
from gpuadvisor.report.text import pad, wrap

WIDTH = 96
NOTES_AT = 40
"""Columns: where prose ends, and where the notes of the limits start."""

Chosen = Mapping[str, str | Sequence[str]]


class Key(NamedTuple):
    """A key of the file and an example of its value as YAML."""

    name: str
    example: str


DEFAULTS = (
    Key("provider", "[aws, gcp, azure]"),
    Key("region", "[eu]"),
    Key("tier", "[hyperscaler]"),
    Key("currency", "EUR"),
    Key("fx", "{CNY: 6.65}"),
    Key("discount", "{aws: 12%}"),
    Key("hours_per_month", "730"),
    Key("lang", "en"),
    Key("catalog", "[./prices]"),
    Key("catalog_version", "{aws: 2026.10}"),
)
"""Defaults of flags, in the order in which people set them."""

LIMITS = (
    Key("max_increase", "2000"),
    Key("max_increase_pct", "25%"),
    Key("max_total", "20000EUR"),
    Key("max_hourly_per_resource", "40"),
    Key("max_devices", "64"),
    Key("types", '{deny: ["p5*", "p6*"]}'),
    Key("regions", '{allow: ["eu-*"]}'),
    Key("require_spot_for", '["*.dev_*"]'),
    Key("on_unknown", "fail"),
    Key("max_catalog_age", "180"),
    Key("rules", "{GA014: fail}"),
    Key("ignore", '[{address: "aws_instance.legacy", reason: "moves in May", until: 2027-05-31}]'),
    Key("note", '"Over budget? Ask #ml-platform."'),
)
"""Limits of `check`: keys of its section."""


def text(defaults: Chosen, limits: Chosen) -> str:
    """The whole file; `defaults` and `limits` are the values the user chose, empty ones none."""
    lines = [*_comment("head"), ""]
    for key in DEFAULTS:
        lines += [*_comment(key.name), _entry(key, defaults), ""]
    lines += _comment("check")
    behind = "" if any(limits.values()) else "#"
    lines.append(f"{behind}check:")
    for key in LIMITS:
        entry = _entry(key, limits).removeprefix(behind)
        mark = behind or entry[: len(entry) - len(entry.lstrip("#"))]
        lines.append(
            pad(f"{mark}  {entry.lstrip('#')}", NOTES_AT) + f" # {_t(f'check_{key.name}')}"
        )
    return "\n".join(lines) + "\n"


def _t(id: str, /, **params: object) -> str:
    return render(message(f"init.{id}", **params))


def _comment(id: str) -> list[str]:
    return wrap(_t(id), WIDTH, "# ")


def _entry(key: Key, chosen: Chosen) -> str:
    """`key: value` as chosen, else the example behind `#`."""
    value = chosen.get(key.name)
    if not value:
        return f"#{key.name}: {key.example}"
    import yaml

    if key.example.startswith("{"):
        value = dict(_pair(item) for item in value)  # type: ignore[assignment]
    flow = yaml.safe_dump(
        {key.name: value}, default_flow_style=True, allow_unicode=True, width=10_000
    )
    return str(flow).strip()[1:-1]


def _pair(item: str) -> tuple[str, str]:
    name, separator, value = item.partition("=")
    if not separator:
        raise UsageError(message("init.pair", value=item))
    return name.strip(), value.strip()


def done(path: str) -> str:
    """What was written and what to do next."""
    return _t("done", path=path)
