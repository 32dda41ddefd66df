"""The multiplied snapshots are sound, and as large as they say."""

from __future__ import annotations

from pathlib import Path

import pytest

from gpuadvisor.catalog.compile import compile_catalogs
from gpuadvisor.catalog.store import load_catalog
from tests.benchmarks.synthetic import Growth, grow, mixed, offers_in
from tests.catalog import small


@pytest.mark.parametrize(
    ("growth", "types", "regions", "providers", "versions"),
    [
        (Growth(), 2, 2, 1, 1),
        (Growth(versions=3), 2, 2, 1, 3),
        (Growth(regions=3), 2, 6, 1, 1),
        (Growth(types=3), 6, 2, 1, 1),
        (Growth(providers=3), 6, 6, 3, 3),
        (Growth(2, 2, 2, 2), 8, 8, 2, 4),
    ],
)
def test_growth_multiplies_and_answers(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    growth: Growth,
    types: int,
    regions: int,
    providers: int,
    versions: int,
) -> None:
    base, target = str(tmp_path / "base.sqlite"), str(tmp_path / "grown.sqlite")
    compile_catalogs(str(small.write(tmp_path / "c")), base)
    factor = growth.versions * growth.regions * growth.types * growth.providers
    assert grow(base, target, growth) == offers_in(target) == offers_in(base) * factor
    monkeypatch.setenv("GPUADVISOR_BASE", target)
    catalog = load_catalog()
    assert len(catalog.instance_types()) == types
    assert len(catalog.regions()) == regions
    assert len(catalog.providers()) == providers
    assert sum(v.kind == "prices" for v in catalog.versions()) == versions
    assert catalog.price_versions["acme"][0].version == "2026.10"
    assert len(catalog.offers("acme")) == 5 * growth.types * growth.regions


@pytest.mark.parametrize("times", [10, 62, 75])
def test_a_mix_reaches_its_factor(times: int) -> None:
    growth = mixed(times)
    reached = growth.versions * growth.regions * growth.types * growth.providers
    assert times <= reached < times * 1.3
