"""A provider of its own over the shipped catalogs, with terms that no shipped price has."""

from __future__ import annotations

from pathlib import Path

from gpuadvisor import load_catalog
from gpuadvisor.catalog.store import Catalog

_SOURCES = (
    "sources:\n  s: {title: test sheet, address: https://example.org, date: 2026-11-01,"
    " confidence: official}\n"
)

FILES = {
    "regions/acme.yaml": f"""schema: gpuadvisor/regions/1
provider: acme
{_SOURCES}regions:
  north: {{title: North, country: NO, geo: europe}}
  south: {{title: South, country: IT, geo: europe, eu: true}}
""",
    "providers/acme/shapes.yaml": f"""schema: gpuadvisor/shapes/1
provider: acme
title: Acme Cloud
tier: specialist
reference_region: north
{_SOURCES}types:
  t.1: {{family: t, device: T4, devices: 1, memory_gib: 16, vcpus: 4, interconnect: none, arch: x86_64, sold: [on_demand, spot, subscription], status: active, source: s}}
  t.2: {{family: t, device: T4, devices: 2, memory_gib: 16, vcpus: 8, interconnect: pcie, arch: x86_64, sold: [on_demand], status: active, source: s}}
  soon.1: {{family: s, device: L4, devices: 1, memory_gib: 24, vcpus: 4, interconnect: none, arch: x86_64, sold: [on_demand], status: active, retired_on: 2027-01-01, source: s}}
""",
    "providers/acme/prices/2026.11.yaml": f"""schema: gpuadvisor/prices/1
provider: acme
version: 2026.11
currency: CNY
{_SOURCES}prices:
  t.1:
    north: {{on_demand: [10, s], spot: {{low: 2, typical: 4, measure: zones, source: s}}, subscription/1y/-/all_upfront: [6, s], subscription/3mo/-/partial_upfront: [8, s]}}
    south: {{on_demand: [9, s]}}
  t.2:
    north: {{on_demand: [15, s]}}
  soon.1:
    north: {{on_demand: [12, s]}}
""",
    "billing/acme.yaml": f"""schema: gpuadvisor/billing/1
{_SOURCES}billing:
  acme:
    increment_seconds: 600
    minimum_seconds: 3600
    commitments:
      - {{option: subscription, terms: [3mo, 1y], payments: [all_upfront], binds: instance_type, scope: region, reserves_capacity: true, source: s}}
    source: s
""",
}


def catalog_with_acme(folder: Path) -> Catalog:
    """The shipped catalogs with Acme laid over them."""
    for name, text in FILES.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return load_catalog([str(folder)])
