"""Alibaba's public price list in the form it has, streamed from the local server.

Form: `{currency, version, publicationDate, pricingInfo: {"region::type::vpc::linux::optimized":
{hours, months, years}}, …}`, figures as text. 11.63 CNY an hour is the list price of
ecs.gn6i-c4g1.xlarge in mainland China.
"""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from gpuadvisor.catalog.errors import UsageError
from gpuadvisor.catalog.store import Catalog
from gpuadvisor.refresh import alibaba
from gpuadvisor.refresh.interface import Context, Fetched, Missing, Wanted
from gpuadvisor.refresh.json_stream import Malformed, Member, members
from tests.refresh.feeds import TODAY, fetched
from tests.refresh.server import Server, http, reply

T4 = "ecs.gn6i-c4g1.xlarge"
LIST_PATH = "/aliyun/ecs-price-info/2.0.421/price/download/instancePrice.json"
PAGE = '<script src="//g.alicdn.com/aliyun/ecs-price-info/2.0.421/index.js"></script>'


def span(*pairs: tuple[Any, Any]) -> list[dict[str, Any]]:
    return [{"price": price, "period": period} for price, period in pairs]


ENTRY = {
    "hours": span(("11.63", "1")),
    "months": span(("3348", "1")),
    "years": span(("34149.6", "1"), ("52765.2", "3")),
}


def listing(entries: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "currency": "CNY",
        "version": "2.0.421",
        "publicationDate": "2026-11-12T08:15:52Z",
        "pricingInfo": entries,
        "disclaimer": "for information only",
        "type": "Instance",
        "site": "CN",
        **more,
    }


def key(region: str = "cn-beijing", type: str = T4, rest: str = "vpc::linux::optimized") -> str:
    return f"{region}::{type}::{rest}"


def read(body: Any, catalog: Catalog, tmp_path: Path, page: str = PAGE, **asked: Any) -> Fetched:
    with Server() as server:
        server.on(alibaba.PAGE_PATH, reply(page))
        server.on(LIST_PATH, reply(body, packed=True))
        ends = {"alibaba_page": server.address, "alibaba_list": server.address}
        return fetched(alibaba, catalog, ends, tmp=tmp_path, **asked)


def test_prices_by_the_hour_and_prepaid(catalog: Catalog, tmp_path: Path) -> None:
    found = read(listing({key(): ENTRY}), catalog, tmp_path)
    assert {(p.option, p.term, p.payment): p.price for p in found.prices} == {
        ("on_demand", None, None): Decimal("11.63"),
        ("subscription", "1mo", "all_upfront"): Decimal("4.586301370"),  # 3348 / 730
        ("subscription", "1y", "all_upfront"): Decimal("3.898356164"),  # 34149.6 / 8760
        ("subscription", "3y", "all_upfront"): Decimal("2.007808219"),  # 52765.2 / 26280
    }
    assert {(p.type, p.region, p.currency) for p in found.prices} == {(T4, "cn-beijing", "CNY")}
    assert found.feeds[0].date.isoformat() == "2026-11-12"
    assert {(s.region, s.option) for s in found.scopes} == {
        ("cn-beijing", "on_demand"), ("cn-beijing", "subscription"),
    }  # fmt: skip


def test_the_price_is_the_one_that_the_catalog_knows(catalog: Catalog) -> None:
    known = catalog.offers("alibaba", types=[T4], regions=["cn-beijing"], options=["on_demand"])
    assert [o.price for o in known] == [Decimal("11.63")]


def test_only_linux_in_a_vpc_with_optimized_disks(catalog: Catalog, tmp_path: Path) -> None:
    others = {
        key(rest=rest): {**ENTRY, "hours": span(("1", "1"))}
        for rest in ("vpc::windows::optimized", "classic::linux::optimized", "vpc::linux::none")
    }
    found = read(listing({**others, key(): ENTRY}), catalog, tmp_path)
    assert [p.price for p in found.prices if p.option == "on_demand"] == [Decimal("11.63")]


def test_accelerated_types_that_are_not_known_are_told(catalog: Catalog, tmp_path: Path) -> None:
    strange = (
        "ecs.gn9z-c8g1.2xlarge",
        "ecs.ebmgn9t.48xlarge",
        "ecs.sgn8x-m2.xlarge",
        "ecs.ga9.xlarge",
    )
    entries = {key(type=name): ENTRY for name in (T4, *strange, "ecs.g8i.xlarge", "ecs.gx.large")}
    found = read(listing(entries), catalog, tmp_path)
    assert {p.name for p in found.puzzles} == set(strange)
    assert {p.type for p in found.prices} == {T4}


@pytest.mark.parametrize("price", ["0", "-1", "", None, "NaN", "free", {}, "1e400"])
def test_what_is_no_price_is_told_and_the_old_one_stays(
    catalog: Catalog, tmp_path: Path, price: Any
) -> None:
    bad = {**ENTRY, "years": span((price, "3"))}
    found = read(listing({key(): bad, key("cn-shanghai"): ENTRY}), catalog, tmp_path)
    assert [(p.kind, p.name, p.detail) for p in found.puzzles] == [("price", T4, "subscription 3y")]
    bad = {**ENTRY, "hours": span((price, "1"))}
    found = read(listing({key(): bad, key("cn-shanghai"): ENTRY}), catalog, tmp_path)
    assert [(p.kind, p.name, p.where) for p in found.puzzles] == [("price", T4, "cn-beijing")]
    assert all(T4 in scope.besides for scope in found.scopes)


@pytest.mark.parametrize(
    "entry", [[], "x", {"hours": "x"}, {"hours": [1]}, {"hours": span(("1", "2"))}]
)
def test_wrong_types(catalog: Catalog, tmp_path: Path, entry: Any) -> None:
    found = read(listing({key(): entry, key("cn-shanghai"): ENTRY}), catalog, tmp_path)
    assert {p.region for p in found.prices} == {"cn-shanghai"}


def test_another_currency_is_left_to_composing(catalog: Catalog, tmp_path: Path) -> None:
    found = read(listing({key(): ENTRY}, currency="USD"), catalog, tmp_path)
    assert {p.currency for p in found.prices} == {"USD"}


def test_regions_and_parts(catalog: Catalog, tmp_path: Path) -> None:
    body = listing({key(): ENTRY, key("cn-shanghai"): ENTRY})
    found = read(body, catalog, tmp_path, regions=("cn-shanghai",), parts=("on_demand",))
    assert {(p.region, p.option) for p in found.prices} == {("cn-shanghai", "on_demand")}
    assert {(s.region, s.option) for s in found.scopes} == {("cn-shanghai", "on_demand")}


def test_a_list_without_prices_takes_none_away(catalog: Catalog, tmp_path: Path) -> None:
    assert read(listing({}), catalog, tmp_path).scopes == ()


@pytest.mark.parametrize(
    ("page", "body", "why"),
    [
        ("<html>moved</html>", listing({}), "no_version"),
        (PAGE, json.dumps(listing({key(): ENTRY}))[:-40], "not_json"),
        (PAGE, "[1, 2]", "not_json"),
        (PAGE, "<html>", "not_json"),
        (PAGE, b"", "not_json"),
    ],
)
def test_missing(catalog: Catalog, tmp_path: Path, page: str, body: Any, why: str) -> None:
    with pytest.raises(Missing) as caught:
        read(body, catalog, tmp_path, page)
    assert caught.value.reason.id == f"refresh.{why}"


@pytest.mark.parametrize(
    "wanted", [Wanted(("us-east5",), frozenset()), Wanted((), frozenset({"spot"}))]
)
def test_usage(catalog: Catalog, wanted: Wanted) -> None:
    with pytest.raises(UsageError):
        alibaba.plan(wanted, Context(TODAY, catalog, http(), {}, lambda _: None))


# -- the stream --------------------------------------------------------------------------------

STREAMED = '{"a": 1, "in": {"k": {"x": [1.50, "}"]}, "é\\"": null}, "z": [{"in": {}}]} '


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
def test_members_come_whatever_the_pieces(size: int) -> None:
    raw = STREAMED.encode()
    pieces = [raw[i : i + size] for i in range(0, len(raw), size)]
    assert list(members(pieces, "in")) == [
        Member(False, "a", 1),
        Member(True, "k", {"x": [Decimal("1.50"), "}"]}),
        Member(True, 'é"', None),
        Member(False, "z", [{"in": {}}]),
    ]


@pytest.mark.parametrize("cut", range(len(STREAMED.rstrip())))
def test_a_cut_anywhere_is_seen(cut: int) -> None:
    with pytest.raises(Malformed):
        list(members([STREAMED.encode()[: len(STREAMED[:cut].encode())]], "in"))


@pytest.mark.parametrize(
    "text", ["[]", '{"a": 1,}', '{"a" 1}', '{"a": 1} x', "{1: 2}", '{"a": nan}']
)
def test_no_json(text: str) -> None:
    with pytest.raises(Malformed):
        list(members([text.encode()], "in"))


def test_a_long_list_is_read_in_little_memory() -> None:
    import tracemalloc

    entry = json.dumps(ENTRY)

    def pieces() -> Any:
        yield b'{"pricingInfo": {'
        for n in range(4_000):  # some 800 kB
            yield f'{"," if n else ""}"r::{n}": {entry}'.encode()
        yield b"}}"

    tracemalloc.start()
    count = sum(1 for _ in members(pieces(), "pricingInfo"))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count == 4_000 and peak < 2**18
