"""Texts of `catalog list`, `catalog show` and `catalog validate`."""

from __future__ import annotations

EN: dict[str, str] = {
    "catalog_report.col_name": "name",
    "catalog_report.col_kind": "kind",
    "catalog_report.col_version": "version",
    "catalog_report.col_as_of": "as of",
    "catalog_report.col_types": "types",
    "catalog_report.col_offers": "offers",
    "catalog_report.col_regions": "regions",
    "catalog_report.sound": "{path}: {files} files, no fault",
    "catalog_report.snapshot_sound": "{path}: compiled when the package was built, reads well",
    "catalog_report.type_head": "{provider} {name}: {count} x {device}, {memory} GiB each",
    "catalog_report.type_slice": "{provider} {name}: {count} of one {device}, {memory} GiB",
    "catalog_report.provider": (
        "`{name}` is a provider: `gpuadvisor catalog list` counts what is known of it; show takes"
        " an instance type, device or partition"
    ),
    "catalog_report.type_fraction": "holds {share} of one {device}; the rest serves other tenants",
    "catalog_report.type_host": "{vcpus}, host memory {memory}, {arch}",
    "catalog_report.type_net": (
        "network {network} (RDMA: {rdma}), devices joined by: {link}, local disk: {disk}"
    ),
    "catalog_report.type_sold": "can be bought: {sold} (status {status})",
    "catalog_report.nothing": "nothing any more",
    "catalog_report.retired": "retired on {date}: never recommended",
    "catalog_report.retires": "will be retired on {date}",
    "catalog_report.shape_source": "shape from {title}, {date}",
    "catalog_report.no_price": "no price is known",
    "catalog_report.unknown": "unknown",
    "catalog_report.price_in": "{currency} an hour",
    "catalog_report.not_sold_so": "not sold so",
    "catalog_report.device_types": "Instance types: {types}",
    "catalog_report.partition": (
        "{name}: {memory} GiB usable, {sm} of the SMs, at most {most} a device"
    ),
}
