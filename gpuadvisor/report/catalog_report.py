"""`catalog list` and `catalog show` in every format."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from gpuadvisor.catalog.errors import UsageError
from gpuadvisor.catalog.message import message
from gpuadvisor.catalog.model import Device, InstanceType, Offer, Partition
from gpuadvisor.catalog.names import nearest, unknown_name
from gpuadvisor.catalog.store import Catalog
from gpuadvisor.cost.money import price_text
from gpuadvisor.report.diff_report import terms
from gpuadvisor.report.document import envelope
from gpuadvisor.report.messages import aside, field, heading, listed, note, render
from gpuadvisor.report.table import as_columns, render_table
from gpuadvisor.report.text import pad, printable, wrap


def listing(catalog: Catalog, format: str, today: str | None, columns: int) -> str:
    """One row per catalog version; JSON as the design's `catalog list`."""
    versions = catalog.versions()
    if format == "json":
        document = envelope("catalog-list", "USD", today, ())
        document["catalogs"] = [v._asdict() for v in versions]
        return json.dumps(document, ensure_ascii=False, indent=2)
    headers = [
        heading(f"catalog_report.col_{k}", format)
        for k in ("name", "kind", "version", "as_of", "types", "offers", "regions")
    ]
    rows = [
        [
            v.name,
            v.kind,
            v.version,
            v.as_of,
            *(str(n or "") for n in (v.instance_types, v.offers, v.regions)),
        ]
        for v in versions
    ]
    return render_table(format, headers, rows, (4, 5, 6), columns)


def validated(target: str, files: int | None) -> str:
    """The one line of a sound catalog."""
    if files is None:
        return render(message("catalog_report.snapshot_sound", path=target))
    return render(message("catalog_report.sound", path=target, files=files))


def entry(
    catalog: Catalog,
    name: str,
    regions: Sequence[str],
    format: str,
    today: str | None,
    columns: int,
) -> str:
    """A device or partition with its rates, or an instance type with its prices.

    A name that both bear (`T4` is also a type of one provider) is the device's; `modal/t4` is the
    type. Raises UsageError with the nearest names.
    """
    device, _, profile = name.partition(":")
    types = () if device in catalog.devices() else catalog.find_types(name)
    versions = catalog.in_use(dict.fromkeys(t.provider for t in types))
    document = envelope("catalog-show", "USD", today, versions)
    if types:
        offers = [(t, _offers(catalog, t, regions)) for t in types]
        if format == "json":
            return _json(document, [_type_document(t, o) for t, o in offers])
        if format in ("csv", "markdown"):
            rows = [[t.provider, t.name, *_price_row(o)] for t, found in offers for o in found]
            return render_table(format, ["provider", "type", *_PRICE_COLUMNS], rows, (6,))
        day = today or document["today"]
        return "\n\n".join(_type_text(catalog, t, o, day, columns) for t, o in offers)
    resolved = catalog.device_name(device)
    if resolved is None:
        if name.lower() in catalog.providers():
            raise UsageError(message("catalog_report.provider", name=name.lower()))
        known = [t.name for t in catalog.instance_types().values()]
        raise UsageError(unknown_name("name", name, (*known, *catalog.devices())))
    devices = catalog.resolve_device(device)
    slices = [p for d in devices for p in catalog.partitions(d.name) if profile in ("", p.profile)]
    if profile and not slices:
        known = [p.profile for d in devices for p in catalog.partitions(d.name)]
        shown = ", ".join(nearest(profile, known) or dict.fromkeys(known)) or "-"
        raise UsageError(
            message(
                "catalog.unknown_name",
                kind=message("catalog.kind_partition"),
                name=name,
                nearest=shown,
            )
        )
    if format == "json":
        if profile:
            return _json(document, [_partition_document(catalog, p) for p in slices])
        return _json(document, [_device_document(catalog, d) for d in devices])
    if format in ("csv", "markdown"):
        rows = [[_shown(v) for v in d] for d in devices]
        return render_table(format, list(Device._fields), rows)
    if profile:
        return "\n".join(_partition_text(p) for p in slices)
    return "\n\n".join(_device_text(catalog, d, columns) for d in devices)


def _t(id: str, /, **params: object) -> str:
    return render(message(f"catalog_report.{id}", **params))


def _json(document: dict[str, Any], entries: list[dict[str, Any]]) -> str:
    """One entry stands at the top level, as the design has it; several under `entries`."""
    document.update(entries[0] if len(entries) == 1 else {"entries": entries})
    return json.dumps(document, ensure_ascii=False, indent=2)


def _offers(catalog: Catalog, t: InstanceType, regions: Sequence[str]) -> list[Offer]:
    found = catalog.offers(t.provider, types=[t.name], regions=regions or None)
    return sorted(found, key=lambda o: (o.region, o.option, o.term or "", o.cls or ""))


def _type_document(t: InstanceType, offers: Sequence[Offer]) -> dict[str, Any]:
    return {
        "kind": "instance_type",
        "provider": t.provider,
        "name": t.name,
        "device": t.device,
        "devices": t.devices,
        "fraction": t.fraction,
        "memory_gib": t.memory_gib,
        "memory_gib_total": t.memory_gib if t.fraction else t.memory_gib * t.devices,
        "vcpus": t.vcpus,
        "host_memory_gib": t.host_memory_gib,
        "network_gbps": t.network_gbps,
        "rdma": t.rdma,
        "interconnect": t.interconnect,
        "local_disk_gb": t.local_disk_gb,
        "arch": t.arch,
        "status": t.status,
        "retired_on": t.retired_on,
        "purchase_options": list(t.sold),
        "source": t.source,
        "notes": t.notes,
        "prices": [_price_document(o, o.option in t.sold) for o in offers],
    }


def _price_document(o: Offer, sold: bool) -> dict[str, Any]:
    return {
        "region": o.region,
        "option": o.option,
        "term": o.term,
        "class": o.cls,
        "payment": o.payment,
        "price_per_hour": price_text(o.price),
        "low_per_hour": None if o.low is None else price_text(o.low),
        "currency": o.currency,
        "sold": sold,
        "as_of": o.as_of,
        "confirmed_on": o.confirmed_on,
        "confidence": o.confidence,
        "source": o.source,
    }


_PRICE_COLUMNS = (
    "region",
    "option",
    "term",
    "class",
    "price_per_hour",
    "currency",
    "as_of",
    "confirmed_on",
    "source",
)


def _price_row(o: Offer) -> list[str]:
    return [
        o.region, o.option, o.term or "", o.cls or "", price_text(o.price), o.currency, o.as_of,
        o.confirmed_on or "", o.source.rpartition("#")[2],
    ]  # fmt: skip


def _type_text(
    catalog: Catalog, t: InstanceType, offers: Sequence[Offer], today: str, columns: int
) -> str:
    head = _t(
        "type_slice" if t.fraction else "type_head", provider=t.provider, name=t.name,
        count=t.fraction or f"{t.devices:g}", device=t.device, memory=f"{t.memory_gib:g}",
    )  # fmt: skip
    facts = [
        _t("type_host", vcpus=_quantity(t.vcpus, "vCPU"),
           memory=_quantity(t.host_memory_gib, "GiB"), arch=t.arch),
        _t("type_net", network=_quantity(t.network_gbps, "Gbit/s"), rdma=t.rdma or _t("unknown"),
           link=t.interconnect, disk=_quantity(t.local_disk_gb, "GB")),
        _t("type_sold", sold=", ".join(t.sold) or _t("nothing"), status=t.status),
    ]  # fmt: skip
    if t.fraction:
        facts.insert(0, _t("type_fraction", share=f"{t.devices:.4g}", device=t.device))
    if t.retired_on:
        past = t.retired_on <= today
        facts.append(_t("retired" if past else "retires", date=t.retired_on))
    if t.notes:
        facts.append(note(t.notes))
    source = catalog.source(t.source)
    facts.append(_t("shape_source", title=source.title, date=source.date))
    if not offers:
        facts.append(_t("no_price"))
    lines = [head, *(line for f in facts for line in wrap(printable(f), columns, "  "))]
    return "\n".join(lines) + ("\n\n" + _price_table(t, offers, columns) if offers else "")


def _price_table(t: InstanceType, offers: Sequence[Offer], columns: int) -> str:
    """The prices for people: terms in words, the latest day on which each was seen."""
    currencies = listed(list(dict.fromkeys(o.currency for o in offers)))
    headers = [field(n) for n in ("region", "option", "price_per_hour", "as_of", "source")]
    headers[2] = _t("price_in", currency=currencies)
    rows = [
        [o.region, _terms(t, o), price_text(o.price), o.confirmed_on or o.as_of,
         o.source.rpartition("#")[2]]
        for o in offers
    ]  # fmt: skip
    return as_columns(headers, rows, (2,), columns)


def _terms(t: InstanceType, o: Offer) -> str:
    return terms(o) + ("" if o.option in t.sold else aside(_t("not_sold_so")))


def _device_document(catalog: Catalog, d: Device) -> dict[str, Any]:
    slices = [_slice_document(p) for p in catalog.partitions(d.name)]
    return {
        "kind": "device", "provider": None, "name": d.name, "device": d.name, "devices": 1,
        "memory_gib": d.memory_gib, "memory_gib_total": d.memory_gib, "vcpus": None,
        "host_memory_gib": None, "retired_on": None, "purchase_options": [], "prices": [],
        **{k: v for k, v in d._asdict().items() if k not in ("name", "memory_gib")},
        "partitions": slices,
        "instance_types": _types_with(catalog, d),
    }  # fmt: skip


def _types_with(catalog: Catalog, d: Device) -> list[str]:
    types = catalog.instance_types().values()
    return [f"{t.provider}/{t.name}" for t in types if t.device == d.name]


def _slice_document(p: Partition) -> dict[str, Any]:
    return {**p._asdict(), "placements": list(p.placements)}


def _partition_document(catalog: Catalog, p: Partition) -> dict[str, Any]:
    return {
        "kind": "partition", "provider": None, "name": f"{p.device}:{p.profile}",
        "device": p.device, "devices": p.memory_share, "memory_gib_total": p.memory_gib,
        "vcpus": None, "host_memory_gib": None, "retired_on": None, "purchase_options": [],
        "prices": [], **_slice_document(p),
    }  # fmt: skip


def _device_text(catalog: Catalog, d: Device, columns: int) -> str:
    shown = {k: v for k, v in d._asdict().items() if v is not None and k not in ("name", "notes")}
    lines = [d.name, *(f"  {pad(field(k), 20)} {_shown(v)}" for k, v in shown.items())]
    if d.notes:
        lines.extend(wrap(printable(d.notes), columns - 2, "  "))
    lines.extend("  " + _partition_text(p) for p in catalog.partitions(d.name))
    types = _types_with(catalog, d)
    if types:
        lines.extend(wrap(_t("device_types", types=listed(types)), columns - 2, "  "))
    return "\n".join(lines)


def _partition_text(p: Partition) -> str:
    return _t(
        "partition", name=f"{p.device}:{p.profile}", memory=_shown(p.memory_gib),
        sm="?" if p.sm_share is None else f"{p.sm_share:.1%}", most=p.max_per_device,
    )  # fmt: skip


def _shown(value: object) -> str:
    if value is None:
        return "?"
    return f"{value:g}" if isinstance(value, float) else str(value)


def _quantity(value: float | None, unit: str) -> str:
    return _t("unknown") if value is None else f"{value:g} {unit}"
