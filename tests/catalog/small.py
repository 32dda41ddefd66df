"""A whole catalog in a few lines, for tests that break one thing at a time."""

from __future__ import annotations

from pathlib import Path

SOURCES = "sources:\n  s: {title: test sheet, address: https://example.org, date: 2026-01-01, confidence: official}\n"

DEVICES = f"""schema: gpuadvisor/devices/1
{SOURCES}devices:
  T4: {{family: T4, vendor: nvidia, software: cuda, architecture: Turing, memory_gib: 16, bandwidth_gbs: 320, fp16_tflops: 65, confidence: high, source: s, aliases: [tesla t4]}}
  L4: {{family: L4, vendor: nvidia, software: cuda, architecture: Ada, memory_gib: 24, bandwidth_gbs: 300, fp16_tflops: 121, confidence: high, source: s}}
"""

SHAPES = f"""schema: gpuadvisor/shapes/1
provider: acme
title: Acme Cloud
tier: specialist
reference_region: north
{SOURCES}types:
  t.1: {{family: t, device: T4, devices: 1, memory_gib: 16, vcpus: 4, interconnect: none, arch: x86_64, sold: [on_demand, spot], status: active, source: s}}
  l.q: {{family: l, device: L4, fraction: 1/4, memory_gib: 5.6, vcpus: 2, interconnect: none, arch: x86_64, sold: [on_demand], status: active, source: s}}
"""

REGIONS = f"""schema: gpuadvisor/regions/1
provider: acme
{SOURCES}regions:
  north: {{title: North, country: NO, geo: europe}}
  south: {{title: South, country: IT, geo: europe, eu: true}}
"""

PRICES = f"""schema: gpuadvisor/prices/1
provider: acme
version: 2026.10
currency: USD
{SOURCES}prices:
  t.1:
    north: {{on_demand: [0.5, s], spot: {{low: 0.1, typical: 0.2, measure: zones, source: s}}, reserved/1y/standard/no_upfront: [0.3, s]}}
    south: {{on_demand: [0.6, s]}}
  l.q:
    north: {{on_demand: [0.2, s, s]}}
"""

FX = f"""schema: gpuadvisor/fx/1
{SOURCES}base: EUR
source: s
rates:
  2026-01-01: {{USD: 1.1, CNY: 7.7}}
"""

FILES = {
    "devices/all.yaml": DEVICES,
    "providers/acme/shapes.yaml": SHAPES,
    "providers/acme/prices/2026.10.yaml": PRICES,
    "regions/acme.yaml": REGIONS,
    "fx/ecb.yaml": FX,
}


def write(folder: Path, **changed: str) -> Path:
    """Write the small catalog under `folder`; keyword `devices_all` replaces `devices/all.yaml`."""
    by_key = {name.replace("/", "_").replace(".yaml", "").replace(".", "_"): name for name in FILES}
    texts = {**FILES, **{by_key[key]: text for key, text in changed.items()}}
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder
