"""`shapes.yaml` edited line by line: comments and every other row stay as they were.

In an overlay the file is begun anew and holds only the types that differ from what lies beneath.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from gpuadvisor.catalog.model import InstanceType, Provider
from gpuadvisor.refresh.order import place
from gpuadvisor.refresh.price_file import flow, scalar, source_text
from gpuadvisor.refresh.shape_row import row_fields
from gpuadvisor.refresh.shapes import ShapeChange

_ROW = re.compile(
    r"  (?P<name>\"(?:[^\"\\]|\\.)*\"|[^\s#:][^:]*?): (?P<body>\{.*\})(?P<rest>\s+#.*)?"
)
_KEY = re.compile(r"^(?P<key>[a-z_]+):")
_KEYS = (
    "family", "device", "devices", "fraction", "memory_gib", "vcpus", "host_memory_gib",
    "network_gbps", "rdma", "interconnect", "local_disk_gb", "arch", "sold", "status",
    "retired_on", "price_scope", "quota", "source", "notes",
)  # fmt: skip
_QUOTA_KEYS = ("code", "title", "unit", "spot_code", "spot_title")


class Edit(NamedTuple):
    """A row to be written: `source` is its key in this file, `changed` the fields that differ."""

    after: InstanceType
    source: str
    changed: tuple[str, ...]
    is_new: bool


def edits_of(changes: Sequence[ShapeChange], keys: Mapping[str, str]) -> list[Edit]:
    """Changes as edits; `keys` is feed id -> source key."""
    return [
        Edit(c.after, keys[c.feed], tuple(name for name, _, _ in c.fields), c.before is None)
        for c in changes
    ]


def edited(
    text: str,
    edits: Sequence[Edit],
    sources: Mapping[str, Mapping[str, str]],
    families: Mapping[str, str],
) -> str:
    """The file with those rows changed or inserted, and the sources that they need.

    `families` is type -> family of all rows, the new ones included. A row that has a source of its
    own keeps its notes and whatever stands behind it.
    """
    lines = text.splitlines()
    for key in sorted(sources):
        _insert_source(lines, key, sources[key])
    for edit in edits:
        _write_row(lines, edit, families)
    return "\n".join(lines) + "\n"


def begun(provider: Provider, comment: str, used: Sequence[str] = ()) -> str:
    """A new `shapes.yaml` of an overlay, without types; `used` are the quotas that rows name."""
    lines = [
        f"# {comment}",
        "schema: gpuadvisor/shapes/1",
        f"provider: {scalar(provider.name)}",
        f"title: {scalar(provider.title)}",
        f"tier: {provider.tier}",
    ]
    if provider.reference_region:
        lines.append(f"reference_region: {scalar(provider.reference_region)}")
    quotas = {name: provider.quotas[name] for name in used if name in provider.quotas}
    if quotas:
        lines.append("quotas:")
        # Their sources stay beneath: an overlay cannot point at the shipped file's.
        lines += [f"  {scalar(n)}: {flow(q, _QUOTA_KEYS)}" for n, q in sorted(quotas.items())]
    return "\n".join([*lines, "sources:", "types:"]) + "\n"


def _block(lines: Sequence[str], key: str) -> range:
    """The lines beneath a root key."""
    start = next((i for i, line in enumerate(lines) if line.startswith(f"{key}:")), None)
    if start is None:
        return range(0)
    end = next((i for i in range(start + 1, len(lines)) if _KEY.match(lines[i])), len(lines))
    return range(start + 1, end)


def _rows(lines: Sequence[str], block: range) -> dict[str, int]:
    found = {}
    for index in block:
        match = _ROW.fullmatch(lines[index])
        if match:
            found[_unquoted(match["name"])] = index
    return found


def _unquoted(name: str) -> str:
    return name[1:-1].replace('\\"', '"') if name.startswith('"') else name


def _insert_source(lines: list[str], key: str, entry: Mapping[str, str]) -> None:
    block = _block(lines, "sources")
    rows = _rows(lines, block)
    if key in rows:
        return
    after = [index for name, index in rows.items() if name < key]
    at = (max(after) + 1) if after else block.start
    lines.insert(at, f"  {scalar(key)}: {source_text(entry)}")


def _write_row(lines: list[str], edit: Edit, families: Mapping[str, str]) -> None:
    block = _block(lines, "types")
    rows = _rows(lines, block)
    name = edit.after.name
    if name in rows:
        match = _ROW.fullmatch(lines[rows[name]])
        assert match is not None
        body = _patched(match["body"], edit)
        lines[rows[name]] = f"  {scalar(name)}: {body}{match['rest'] or ''}"
        return
    names = list(rows)
    index = place(names, name, families)
    at = (
        rows[names[index]]
        if index < len(names)
        else (max(rows.values(), default=block.start - 1) + 1)
    )
    lines.insert(at, f"  {scalar(name)}: {flow(row_fields(edit.after, edit.source), _KEYS)}")


def _patched(body: str, edit: Edit) -> str:
    """The row with the changed fields and their source; all its other values as they stand."""
    fresh = row_fields(edit.after, edit.source)
    fields = _flow_fields(body)
    names = set(edit.changed)
    if "devices" in names:
        names.add("fraction")
    for name in names:
        if name in fresh:
            fields[name] = flow({name: fresh[name]}, (name,))[1:-1].partition(": ")[2]
        else:
            fields.pop(name, None)
    fields["source"] = scalar(edit.source)
    parts = [f"{key}: {fields[key]}" for key in (*_KEYS, *fields) if key in fields]
    return f"{{{', '.join(dict.fromkeys(parts))}}}"


def _flow_fields(body: str) -> dict[str, str]:
    """The raw text of each value of a flow mapping of one line."""
    found: dict[str, str] = {}
    depth, start, quote, key = 0, 1, "", ""
    index = 1
    while index < len(body):
        char = body[index]
        if quote:
            if char == "\\" and quote == '"':
                index += 1
            elif char == quote:
                quote = ""
        elif char in "\"'" and body[index - 1] in " [{":
            quote = char
        elif char in "[{":
            depth += 1
        elif depth and char in "]}":
            depth -= 1
        elif not depth and char == ":" and not key and body[index + 1] == " ":
            key, start = body[start:index].strip(), index + 1
        elif not depth and char in ",}" and key:
            found[key] = body[start:index].strip()
            key, start = "", index + 1
        index += 1
    return found
