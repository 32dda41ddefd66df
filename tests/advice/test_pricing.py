"""The best offer of a type: what can be bought, in one currency, fresh before stale."""

from __future__ import annotations

import datetime
from decimal import Decimal

import pytest

from gpuadvisor.advice.pricing import Pricing, cheapest
from gpuadvisor.catalog.model import ON_DEMAND, SPOT, InstanceType, Offer
from gpuadvisor.catalog.store import Catalog, load_catalog
from gpuadvisor.cost.exchange import Exchange

TODAY = datetime.date(2026, 11, 30)
# ECB, 2026-10-30: 1.1172 USD and 7.4326 CNY per EUR, hence 6.6529 CNY per USD.
RATES = {"2026-10-30": {"USD": Decimal("1.1172"), "CNY": Decimal("7.4326")}}


def pricing(max_age: int | None = None) -> Pricing:
    tiers = {"acme": "hyperscaler"}
    return Pricing(Exchange(RATES, TODAY), "USD", TODAY, tiers, (), {}, max_age)


def offer(region: str, price: str, currency: str = "USD", as_of: str = "2026-11-01",
          option: str = ON_DEMAND) -> Offer:  # fmt: skip
    return Offer(
        "acme", "one", region, option, None, None, None, Decimal(price), None, None, None,
        currency, as_of, None, "official", "acme#list",
    )  # fmt: skip


def kind(sold: tuple[str, ...] = (ON_DEMAND, SPOT)) -> InstanceType:
    return InstanceType(
        "acme", "one", "f", "T4", 1.0, None, 16.0, 4, 16.0, None, None, "none", None, "x86_64",
        sold, "active", None, "instance", None, "acme#shapes", None,
    )  # fmt: skip


def best(offers: list[Offer], max_age: int | None = None, **sold: tuple[str, ...]) -> str | None:
    found, _ = cheapest(pricing(max_age), offers, {"one": kind(**sold)}, (ON_DEMAND, SPOT))
    return found["one"].offer.region if found else None


@pytest.mark.parametrize("turn", [1, -1])
@pytest.mark.parametrize(
    ("offers", "region"),
    [
        ([offer("east", "2"), offer("west", "1.5")], "west"),
        # 10 CNY are 1.50 USD: less than 2 USD, more than 1.40 USD.
        ([offer("east", "2"), offer("cn", "10", "CNY")], "cn"),
        ([offer("east", "1.40"), offer("cn", "10", "CNY")], "east"),
        # Of equal prices the fresh one, then the first by name. A list price is stale after 180 days.
        ([offer("a", "1", as_of="2026-01-01"), offer("b", "1")], "b"),
        ([offer("a", "1"), offer("b", "1")], "a"),
    ],
)
def test_the_cheapest_offer_wins_in_any_order(offers: list[Offer], region: str, turn: int) -> None:
    assert best(offers[::turn]) == region


def test_what_is_not_sold_is_no_offer() -> None:
    spot = offer("east", "0.3", option=SPOT)
    assert best([spot], sold=(ON_DEMAND,)) is None
    assert best([spot, offer("west", "1")], sold=(ON_DEMAND,)) == "west"


def test_an_old_price_gives_way_to_a_dearer_young_one() -> None:
    offers = [offer("old", "1", as_of="2026-01-01"), offer("new", "2")]
    assert best(offers, max_age=100) == "new"
    found, dropped = cheapest(pricing(100), offers[:1], {"one": kind()}, (ON_DEMAND,))
    assert (found, dropped) == ({}, {"one"})


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return load_catalog()


def test_many_types_at_once_are_the_offers_of_each(catalog: Catalog) -> None:
    names = [name for provider, name in catalog.instance_types() if provider == "aws"]
    regions, options = ["us-east-1", "eu-central-1"], [ON_DEMAND, SPOT]
    together = catalog.offers("aws", options=options, regions=regions, types=names)
    apart = [
        o for name in names
        for o in catalog.offers("aws", options=options, regions=regions, types=[name])
    ]  # fmt: skip
    assert len(names) > 100
    assert sorted(together, key=str) == sorted(apart, key=str)
