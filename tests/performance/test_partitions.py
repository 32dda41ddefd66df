"""Valid MIG layouts: the User Guide's table for seven-slice cards, and packing by brute force."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest

from gpuadvisor.catalog.model import Partition
from gpuadvisor.catalog.store import Catalog
from gpuadvisor.performance.partitions import (
    cards_for,
    maximal_layouts,
    most_of,
    place,
    slices,
)

BASIC = ("1g.10gb", "2g.20gb", "3g.40gb", "4g.40gb", "7g.80gb")
SEVEN_SLICE = ("A100-40GB-SXM", "A100-80GB-SXM", "H100-80GB-SXM", "H200-141GB", "B200-180GB")


def basic(catalog: Catalog) -> list[Partition]:
    return [p for p in catalog.partitions("H100-80GB-SXM") if p.profile in BASIC]


def test_layouts_of_a_seven_slice_card(catalog: Catalog) -> None:
    """19 maximal placements, 14 distinct sets (MIG User Guide, "MIG device names" figure)."""
    layouts = maximal_layouts(basic(catalog))
    assert len(layouts) == 19
    short = {
        "+".join(sorted((name.split(".")[0] for name in layout.profiles), reverse=True))
        for layout in layouts
    }
    assert short == {
        "7g", "4g+3g", "4g+2g+1g", "4g+1g+1g+1g", "3g+3g", "3g+2g+2g", "3g+2g+1g+1g",
        "3g+1g+1g+1g+1g", "2g+2g+2g+1g", "2g+2g+1g+1g+1g", "2g+1g+1g+1g+1g+1g",
        "1g+1g+1g+1g+1g+1g+1g", "3g+2g+1g", "3g+1g+1g+1g",
    }  # fmt: skip


def test_layouts_with_the_double_memory_slice(catalog: Catalog) -> None:
    """78 placements, 38 sets with 1g.20gb beside the five basic profiles."""
    wanted = (*BASIC, "1g.20gb")
    chosen = [p for p in catalog.partitions("H100-80GB-SXM") if p.profile in wanted]
    layouts = maximal_layouts(chosen)
    assert (len(layouts), len({layout.profiles for layout in layouts})) == (78, 38)


def test_layouts_of_an_a30(catalog: Catalog) -> None:
    """Five placements: 4g, 2g+2g, 2g+1g+1g twice, 1g x 4."""
    chosen = [p for p in catalog.partitions("A30") if "+" not in p.profile]
    assert len(maximal_layouts(chosen)) == 5


def test_most_is_what_the_catalog_says(catalog: Catalog) -> None:
    """The published maximum of every profile of every card follows from its placements."""
    seen = 0
    for partition in catalog.partitions():
        assert most_of(partition) == partition.max_per_device, partition
        seen += 1
    assert seen > 150


def test_what_a_card_holds_is_not_what_memory_divides(catalog: Catalog) -> None:
    """8 memory slices, but 7 x 1g; 2 x 3g leave a compute slice that nothing can use."""
    by_name = {p.profile: p for p in catalog.partitions("A100-40GB-SXM")}
    assert [most_of(by_name[name]) for name in ("1g.5gb", "2g.10gb", "3g.20gb")] == [7, 3, 2]
    two = next(
        layout
        for layout in maximal_layouts(list(by_name.values()))
        if layout.profiles == ("3g.20gb", "3g.20gb")
    )
    assert two.memory_share == 1.0
    assert two.compute_share == pytest.approx(84 / 108, abs=0.001)  # SMs of 108


PLACES = [
    ({"3g.40gb": 1, "1g.10gb": 4}, True),  # the 3g must stand at 4
    ({"3g.40gb": 1, "1g.10gb": 5}, False),
    ({"4g.40gb": 1, "3g.40gb": 1}, True),
    ({"4g.40gb": 1, "3g.40gb": 1, "1g.10gb": 1}, False),
    ({"4g.40gb": 2}, False),
    ({"1g.10gb": 2, "2g.20gb": 1, "3g.40gb": 1}, True),  # all-balanced of the GPU operator
    ({"1g.10gb": 8}, False),
    ({"1g.10gb+me": 1, "1g.10gb": 6}, True),
    ({"1g.10gb+me": 2}, False),
    ({}, True),
]


@pytest.mark.parametrize(("wanted", "fits"), PLACES)
def test_place(catalog: Catalog, wanted: dict[str, int], fits: bool) -> None:
    found = place(catalog.partitions("H100-80GB-SXM"), wanted)
    assert (found is not None) == fits
    if found is not None:
        assert Counter(p.profile for p in found) == Counter(wanted)
        units = [unit for p in found for unit in range(p.start, p.start + p.size)]
        assert len(units) == len(set(units))


def test_unknown_profile_is_an_error(catalog: Catalog) -> None:
    with pytest.raises(KeyError):
        place(catalog.partitions("A30"), {"1g.5gb": 1})
    assert cards_for(catalog.partitions("A30"), {"1g.5gb": 1}) is None


def test_slices_say_what_is_paid_unused(catalog: Catalog) -> None:
    """Two of seven slices: one card, and three quarters of its memory paid and unused."""
    partition = catalog.partition("A100-40GB-SXM", "1g.5gb")
    assert partition is not None
    found = slices(partition, 2)
    assert (found.per_card, found.cards, found.held) == (7, 1, 7)
    assert found.leftover == pytest.approx(0.75)
    assert slices(partition, 15).cards == 3


@pytest.mark.parametrize("wanted", list(product(range(4), range(3), range(2))))
def test_fewest_cards_by_brute_force(catalog: Catalog, wanted: tuple[int, int, int]) -> None:
    """One card iff they can be placed, else the best split over two (all splits tried)."""
    partitions = basic(catalog)
    names = ("1g.10gb", "2g.20gb", "3g.40gb")
    asked = dict(zip(names, wanted, strict=True))

    def one(counts: tuple[int, ...]) -> bool:
        return place(partitions, dict(zip(names, counts, strict=True))) is not None

    if not any(wanted):
        expected = 0
    elif one(wanted):
        expected = 1
    else:
        splits = product(*(range(count + 1) for count in wanted))
        rest = ((part, tuple(c - p for c, p in zip(wanted, part, strict=True))) for part in splits)
        assert any(one(part) and one(other) for part, other in rest)
        expected = 2
    assert cards_for(partitions, asked) == expected


@pytest.mark.parametrize("device", SEVEN_SLICE)
def test_every_seven_slice_card_cuts_alike(catalog: Catalog, device: str) -> None:
    """The same sets of compute sizes on every such card, whatever their memory is called."""

    def sizes(name: str) -> set[tuple[int, ...]]:
        chosen = [
            p
            for p in catalog.partitions(name)
            if "+" not in p.profile
            and (p.compute_slices, p.size) in {(1, 1), (2, 2), (3, 4), (4, 4), (7, 8)}
        ]
        compute = {p.profile: p.compute_slices or 0 for p in chosen}
        layouts = maximal_layouts(chosen)
        return {tuple(sorted(compute[name] for name in layout.profiles)) for layout in layouts}

    assert sizes(device) == sizes("A100-40GB-SXM")
    assert len(sizes(device)) == 14
