"""What changed between two price versions of one provider."""

from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

from gpuadvisor.catalog.errors import UsageError
from gpuadvisor.catalog.message import message
from gpuadvisor.catalog.model import Offer
from gpuadvisor.catalog.store import Catalog, PriceVersion


class Change(NamedTuple):
    """One price in both versions, per instance-hour in the version's currency.

    `pct` is how much it rose, in percent of what it was. `comparable` is False where spot was
    measured in another way (the cheapest zone then, the mean of zones now): no change of price.
    """

    before: Offer
    after: Offer
    pct: float
    comparable: bool


class Tally(NamedTuple):
    """Counts of prices with one option, under one family or in one region.

    `least` and `most` are the extreme changes in percent, None where none is comparable.
    """

    name: str
    option: str
    changed: int
    same: int
    added: int
    removed: int
    least: float | None
    most: float | None


class Diff(NamedTuple):
    """All that differs. `changes` come largest first, then by name; `unchanged` counts prices.

    `reference` is the provider's reference region.
    """

    provider: str
    reference: str | None
    currency: str
    before: PriceVersion
    after: PriceVersion
    changes: tuple[Change, ...]
    unchanged: int
    added: tuple[Offer, ...]
    removed: tuple[Offer, ...]
    added_types: tuple[str, ...]
    removed_types: tuple[str, ...]
    by_family: tuple[Tally, ...]
    by_region: tuple[Tally, ...]


def read_version(text: str) -> tuple[str, str]:
    """`aws@2025.04` is provider and version; a provider alone means its latest. UsageError."""
    provider, at, version = text.strip().partition("@")
    if not provider or (at and not version):
        raise UsageError(message("catalog.bad_version_name", text=text[:60]))
    return provider.strip().lower(), version.strip() or "latest"


def diff(
    before: Catalog,
    after: Catalog,
    provider: str,
    *,
    options: Sequence[str] | None = None,
    regions: Sequence[str] | None = None,
    types: Sequence[str] | None = None,
) -> Diff:
    """Compare the prices that two catalogs hold for a provider, each pinned to a version.

    A price is the same one when type, region, option, term, class and payment are. The filters
    keep to those options, regions and types. Raises UsageError where a side has no prices of
    the provider, or the currencies differ.
    """
    old_version, new_version = _version(before, provider), _version(after, provider)
    if old_version.currency != new_version.currency:
        raise UsageError(
            message(
                "catalog.other_currency",
                before=old_version.currency,
                after=new_version.currency,
            )
        )
    old = _by_key(before.offers(provider, options=options, regions=regions, types=types))
    new = _by_key(after.offers(provider, options=options, regions=regions, types=types))
    both = [(old[key], new[key]) for key in old if key in new]
    changes = [_change(a, b) for a, b in both if a.price != b.price]
    changes.sort(key=lambda c: (not c.comparable, -abs(c.pct), _key(c.after)))
    added = sorted((new[key] for key in new if key not in old), key=_key)
    removed = sorted((old[key] for key in old if key not in new), key=_key)
    old_types = {o.instance_type for o in old.values()}
    new_types = {o.instance_type for o in new.values()}
    known = {**before.instance_types(), **after.instance_types()}

    def family(offer: Offer) -> str:
        return known[provider, offer.instance_type].family

    same = [b for a, b in both if a.price == b.price]
    return Diff(
        provider,
        after.provider(provider).reference_region,
        new_version.currency,
        old_version,
        new_version,
        tuple(changes),
        len(same),
        tuple(added),
        tuple(removed),
        tuple(sorted(new_types - old_types)),
        tuple(sorted(old_types - new_types)),
        _tallies(family, changes, same, added, removed),
        _tallies(lambda offer: offer.region, changes, same, added, removed),
    )


def _version(catalog: Catalog, provider: str) -> PriceVersion:
    name = catalog.provider(provider).name
    found = catalog.price_versions.get(name, ())
    if not found:
        raise UsageError(message("catalog.no_prices", provider=name))
    return found[0]


def _key(offer: Offer) -> tuple[str, str, str, str, str, str]:
    return (
        offer.instance_type, offer.region, offer.option, offer.term or "", offer.cls or "",
        offer.payment or "",
    )  # fmt: skip


def _by_key(offers: Iterable[Offer]) -> dict[tuple[str, ...], Offer]:
    return {_key(offer): offer for offer in offers}


def _change(before: Offer, after: Offer) -> Change:
    pct = float((after.price / before.price - 1) * Decimal(100))
    return Change(before, after, pct, before.measure == after.measure)


def _tallies(
    name: Callable[[Offer], str],
    changes: Sequence[Change],
    same: Sequence[Offer],
    added: Sequence[Offer],
    removed: Sequence[Offer],
) -> tuple[Tally, ...]:
    """Counts by (name, option), in the order of the names."""
    counts: dict[tuple[str, str], list[int]] = {}  # changed, same, added, removed
    moves: dict[tuple[str, str], list[float]] = {}
    columns: tuple[Iterable[Any], ...] = ((c.after for c in changes), same, added, removed)
    for column, offers in enumerate(columns):
        for offer in offers:
            counts.setdefault((name(offer), offer.option), [0, 0, 0, 0])[column] += 1
    for change in changes:
        if change.comparable:
            moves.setdefault((name(change.after), change.after.option), []).append(change.pct)
    found = []
    for key, (changed, stayed, new, gone) in sorted(counts.items()):
        moved = moves.get(key)
        least, most = (min(moved), max(moved)) if moved else (None, None)
        found.append(Tally(*key, changed, stayed, new, gone, least, most))
    return tuple(found)
