"""The policy from a file or from a git reference, typed, with located errors."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from typing import Any, NamedTuple

from gpuadvisor.catalog.errors import InputError, UsageError
from gpuadvisor.catalog.message import Message, message
from gpuadvisor.check.policy import Ignore, NameList, Nodes, Policy

MAX_BYTES = 1024 * 1024
_GIT_SECONDS = 30


class PolicyText(NamedTuple):
    """A policy file as found: its name for errors and reports, its bytes (None: absent), what is
    said where it differs from the working tree, and the path it has there."""

    origin: str
    raw: bytes | None
    changed: Message | None = None
    path: str = ""


class Loaded(NamedTuple):
    """A typed policy and the other fields of `check` that the file sets (as flags are named)."""

    policy: Policy
    fields: dict[str, Any]


def policy_text(where: str) -> PolicyText:
    """What `--config` names: a file, or `git:REF:PATH`.

    Raises InputError where it cannot be read, UsageError for a malformed `git:` name.
    """
    if where.startswith("git:"):
        return _from_git(where)
    from gpuadvisor.catalog.reader import read_bytes

    return PolicyText(where, read_bytes(where, MAX_BYTES), None, where)


def load_policy(found: PolicyText, required: bool = True) -> Loaded:
    """Type the `check:` section of a file; without one it is an error only where `required`.

    Raises InputError with located problems.
    """
    if found.raw is None:
        return Loaded(Policy(origin=found.origin, changed=found.changed), {})
    from gpuadvisor.catalog.reader import read

    located = read(found.origin, found.raw)
    has_section = isinstance(located.data, dict) and "check" in located.data
    if not has_section and not required:
        return Loaded(Policy(), {})
    return _typed(located, found)


def load_section(origin: str, section: Mapping[str, Any]) -> Loaded:
    """Type a section that was read from elsewhere than YAML, so without lines."""
    from gpuadvisor.catalog.reader import Located

    return _typed(Located(origin, {"check": section}, {}), PolicyText(origin, b""))


def _typed(located: Any, found: PolicyText) -> Loaded:
    from pydantic import ValidationError

    from gpuadvisor.catalog.schema import problems_of
    from gpuadvisor.check.policy_schema import PolicyFile

    try:
        section = PolicyFile.model_validate(located.data).check
    except ValidationError as error:
        problems = tuple(problems_of(located, error))
        raise InputError(message("check.policy_invalid", file=found.origin), problems) from error
    policy = _policy(section)._replace(origin=found.origin, changed=found.changed)
    fields: dict[str, Any] = {
        "max_increase": section.max_increase,
        "max_decrease": section.max_decrease,
        "max_total": section.max_total,
        "max_hourly": section.max_hourly_per_resource,
        "hours_per_month": section.hours_per_month,
        "currency": section.currency,
        "region": section.region,
        "discount": [f"{name}={share}" for name, share in section.discounts.items()],
        "price": [f"{target}={number}" for target, number in section.prices.items()],
        "catalog_version": [f"{n}={v}" for n, v in section.catalog_version.items()],
    }
    return Loaded(policy, {key: value for key, value in fields.items() if value})


def _policy(section: Any) -> Policy:
    """The section without its amounts, which need the report's currency to be read."""
    lists = {
        name: NameList(getattr(section, name).allow, getattr(section, name).deny)
        for name in ("types", "devices", "regions", "options")
    }
    return Policy(
        max_increase_pct=section.max_increase_pct,
        max_devices=section.max_devices,
        types=lists["types"],
        devices=lists["devices"],
        regions=lists["regions"],
        options=lists["options"],
        require_spot_for=section.require_spot_for,
        on_unknown=section.on_unknown,
        on_max=section.on_max,
        fail_on=section.fail_on,
        max_catalog_age=section.max_catalog_age,
        levels=tuple(section.rules.items()),
        ignore=tuple(Ignore(e.address, e.reason, e.until, e.rules) for e in section.ignore),
        nodes=tuple(
            Nodes(e.type, tuple(sorted(e.labels.items())), e.region, e.purchase)
            for e in section.nodes
        ),
        note=section.note,
    )


def _from_git(where: str) -> PolicyText:
    """The file as it stands at a reference, so that a change cannot grant itself a budget."""
    ref, colon, path = where.removeprefix("git:").partition(":")
    if not colon or not ref or not path or ref.startswith("-"):
        raise UsageError(message("check.git_name", value=where[:100]))
    origin = f"{ref}:{path}"
    if _git("cat-file", "-e", f"{ref}^{{commit}}") is None:
        raise InputError(message("check.git_ref", ref=ref))
    here = _working_copy(path)
    if _git("cat-file", "-e", origin) is None:
        if here is None:
            # Neither there nor here: a wrong name must not pass as "no policy".
            raise InputError(message("check.git_file", file=origin))
        return PolicyText(origin, None, message("check.policy_added", file=path, ref=ref), path)
    size = _git("cat-file", "-s", origin)
    if size is None or not size.strip().isdigit() or int(size) > MAX_BYTES:
        raise InputError(message("check.git_file", file=origin))
    raw = _git("cat-file", "blob", origin)
    if raw is None:
        raise InputError(message("check.git_file", file=origin))
    if here is None:
        return PolicyText(origin, raw, message("check.policy_removed", file=path, ref=ref), path)
    if here.replace(b"\r\n", b"\n") != raw.replace(b"\r\n", b"\n"):
        return PolicyText(origin, raw, message("check.policy_changed", file=path, ref=ref), path)
    return PolicyText(origin, raw, None, path)


def _working_copy(path: str) -> bytes | None:
    """The same file in the working tree; git reads paths from the top, `./` from here."""
    top = b"." if path.startswith("./") else _git("rev-parse", "--show-toplevel")
    folder = os.fsdecode((top or b".").strip())
    try:
        with open(os.path.join(folder, path), "rb") as handle:
            return handle.read(MAX_BYTES + 1)
    except (OSError, ValueError):
        return None


def _git(*arguments: str) -> bytes | None:
    """Output of a git command that only reads; None where it fails."""
    try:
        done = subprocess.run(  # noqa: S603 - a fixed program, arguments as a list, no shell
            ["git", *arguments],  # noqa: S607 - git is found on PATH, as for every CI step
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=_GIT_SECONDS,
            check=False,
        )
    except FileNotFoundError as error:
        raise InputError(message("check.git_missing")) from error
    except (subprocess.TimeoutExpired, ValueError, OSError):
        return None
    return done.stdout if done.returncode == 0 else None
