"""`doctor` for people and as JSON. It is given plain values; it knows no environment."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from gpuadvisor.catalog.errors import AdvisorError, InputError
from gpuadvisor.catalog.message import message
from gpuadvisor.cost.staleness import FRESH
from gpuadvisor.report.messages import listed, render
from gpuadvisor.report.text import pad, printable, wrap

LABEL = 13
"""Columns of the labels on the left."""


def report(health: Any, format: str, today: str, columns: int) -> str:
    """The whole answer; `health` is what the command looked at (`cli.health.Health`)."""
    if format == "json":
        return json.dumps(document(health, today), ensure_ascii=False, indent=2)
    return _text(health, today, columns)


def _t(id: str, /, **params: object) -> str:
    return render(message(f"doctor.{id}", **params))


def document(health: Any, today: str) -> dict[str, Any]:
    """Everything by name; of a credential only the place where it was found."""
    return {
        "schema": "gpuadvisor/doctor/1",
        "today": today,
        "version": health.version,
        "python": health.python,
        "platform": health.platform,
        "packages": dict(health.packages),
        "catalogs": [age._asdict() for age in health.ages],
        "base": health.base,
        "checkout": health.checkout,
        "cache": {
            "path": health.cache,
            "bytes": health.cache_bytes,
            "writable": health.cache_writable,
        },
        "config": {
            "path": health.config.path,
            "catalogs": list(health.config.catalogs),
            "versions": dict(health.config.versions),
            "defaults": sorted(health.config.defaults),
            "check": bool(health.config.check),
        },
        "variables": list(health.variables),
        "extras": dict(health.extras),
        "credentials": {
            cloud: [place.name for place in places] for cloud, places in health.credentials.items()
        },
        "faults": [
            {"code": fault.message.id, "text": "\n".join(_fault(fault))}
            for fault in _faults(health)
        ],
    }


def _faults(health: Any) -> list[AdvisorError]:
    return [f for f in (health.catalog_fault, health.config_fault) if f is not None]


def _fault(error: AdvisorError) -> list[str]:
    lines = [render(error.message)]
    if isinstance(error, InputError):
        for problem in error.problems:
            place = ":".join(str(part) for part in problem[:3] if part)
            lines.append(f"  {place}: {render(problem.message)}")
    return lines


def _text(health: Any, today: str, columns: int) -> str:
    lines = wrap(_headline(health, today), columns)
    lines.append("")
    rows: list[tuple[str, str]] = [
        ("program", _t("program", version=health.version, python=health.python,
                       platform=health.platform)),
        ("packages", listed([f"{name} {found or _t('absent')}"
                             for name, found in health.packages.items()])),
        ("base", _t("checkout" if health.checkout else "wheel", path=health.base)),
        ("cache", _cache(health)),
        ("config", _config(health)),
        ("variables", listed(list(health.variables)) or _t("none")),
        ("extras", _extras(health)),
    ]  # fmt: skip
    rows += [("credentials", line) for line in _credentials(health)]
    label = ""
    for name, body in rows:
        shown = _t(f"label_{name}") if name != label else ""
        label = name
        wrapped = wrap(printable(body), columns, " " * LABEL)
        lines.append(pad(shown, LABEL) + wrapped[0][LABEL:])
        lines += wrapped[1:]
    lines += _ages(health, columns)
    for fault in _faults(health):
        lines += ["", *(printable(line) for line in _fault(fault))]
    return "\n".join(line.rstrip() for line in lines)


def _headline(health: Any, today: str) -> str:
    faults = _faults(health)
    if faults:
        return _t("broken", count=len(faults))
    old = [age for age in health.ages if age.state != FRESH]
    return _t("sound", today=today, providers=len(health.ages), old=len(old))


def _cache(health: Any) -> str:
    if health.cache is None:
        return _t("cache_none")
    mib = f"{health.cache_bytes / 2**20:.1f}"
    return _t("cache" if health.cache_writable else "cache_readonly", path=health.cache, mib=mib)


def _config(health: Any) -> str:
    config = health.config
    if config.path is None:
        return _t("config_fault" if health.config_fault else "config_none")
    keys = [*sorted(config.defaults)]
    keys += ["catalog"] if config.catalogs else []
    keys += ["catalog_version"] if config.versions else []
    keys += ["check"] if config.check else []
    return _t("config", path=config.path, keys=listed(keys) or _t("none"))


def _extras(health: Any) -> str:
    there = [name for name, found in health.extras.items() if found]
    absent = [name for name, found in health.extras.items() if not found]
    if not absent:
        return _t("extras_all", there=listed(there))
    return _t(
        "extras", there=listed(there) or _t("none"), absent=listed(absent), names=",".join(absent)
    )


def _credentials(health: Any) -> Iterable[str]:
    for cloud, places in health.credentials.items():
        found = listed([place.name for place in places])
        if found:
            yield _t("found", cloud=cloud, places=found)
        else:
            yield _t("not_found_gcp" if cloud == "gcp" else "not_found", cloud=cloud)


def _ages(health: Any, columns: int) -> list[str]:
    """Fresh providers in a line, the others with what their age does."""
    lines: list[str] = []
    for state in ("fresh", "warn", "widen"):
        ages = sorted((a for a in health.ages if a.state == state), key=lambda a: a.days)
        if ages:
            body = listed(
                [_t("age", provider=a.provider, as_of=a.as_of, days=a.days) for a in ages]
            )
            lines += ["", *wrap(_t(f"ages_{state}", body=body), columns)]
    return lines
