"""Composed prices, through the real transport from a server with the Billing Catalog's shape.

Expected totals are Google's own (Cyclenerd pricing.yml of 2026-07-30, Google's price pages of
2026-09, SKUs quoted in public notes), or their sums by hand.
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest

from gpuadvisor.catalog.errors import UsageError
from gpuadvisor.refresh import gcp, gcp_account
from gpuadvisor.refresh.gcp_account import KEY_NAMES
from gpuadvisor.refresh.interface import Fetched, Missing, Scope
from tests.refresh.gcp_rest import SKUS, Google, host, machine, price_of, sku, wanting
from tests.refresh.server import Server, reply

A2 = [
    *host("A2", "0.031611", "0.004237"),
    sku("Nvidia Tesla A100 GPU running in Americas", "2.933908"),
    sku("Nvidia Tesla A100 80GB GPU running in Americas", "3.92808"),
    sku("SSD backed Local Storage", "0.08", unit="GiBy.mo", group="LocalSSD"),
]
A2_1G = machine("a2-highgpu-1g", 12, 85, {"nvidia-tesla-a100": 1})


@pytest.fixture(autouse=True)
def _no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in KEY_NAMES:
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def google() -> Iterator[Google]:
    with Server() as server:
        yield Google(server)


def prices(google: Google, *machines: dict[str, Any], skus: list[Any], **zones: Any) -> Fetched:
    """A refresh with these machines in us-central1-a."""
    google.zones({"us-central1-a": machines}, zones)
    google.skus(skus)
    return google.refresh()


# -- sums ---------------------------------------------------------------------------------------


def test_a_machine_is_core_memory_and_gpu(google: Google) -> None:
    """12 x 0.031611 + 85 x 0.004237 + 2.933908 = 3.673385, as Google's page prints it."""
    found = prices(google, A2_1G, skus=A2)
    assert price_of(found, "a2-highgpu-1g", "on_demand") == Decimal("3.673385")


def test_bundled_local_ssd_is_part_of_the_price(google: Google) -> None:
    """dstack#1355: without the 375 GiB the price is 1 % low. Google prints 5.06879789."""
    ultra = machine("a2-ultragpu-1g", 12, 170, {"nvidia-a100-80gb": 1}, partitions=1)
    found = prices(google, ultra, skus=A2)
    assert price_of(found, "a2-ultragpu-1g", "on_demand") == Decimal("5.068798")


def test_the_80_gb_card_is_not_the_40_gb_one(google: Google) -> None:
    """ "Nvidia Tesla A100 GPU" begins as "Nvidia Tesla A100 80GB GPU" does."""
    for order in (1, -1):
        found = prices(google, A2_1G, skus=A2[::order])
        assert price_of(found, "a2-highgpu-1g", "on_demand") == Decimal("3.673385")


def test_flex_start_is_its_own_option_though_its_usage_type_is_on_demand(google: Google) -> None:
    """skypilot-catalog v8 took DWS for on demand and showed H100 at 4.20 in place of 9.80.
    Flex of a2-highgpu-1g: 1.61365 + 12 x 0.01739 + 85 x 0.00233 = 2.02038."""
    flex = [
        sku("Nvidia Tesla A100 GPU attached to DWS Defined Duration VMs running in Americas",
            "1.61365"),
        sku("DWS Defined Duration A2 Core running in Americas", "0.01739", group="CPU"),
        sku("DWS Defined Duration A2 Ram running in Americas", "0.00233", unit="GiBy.h"),
    ]  # fmt: skip
    for skus in ([*flex, *A2], [*A2, *flex]):
        found = prices(google, A2_1G, skus=skus)
        assert price_of(found, "a2-highgpu-1g", "flex_start") == Decimal("2.02038")
        assert price_of(found, "a2-highgpu-1g", "on_demand") == Decimal("3.673385")


def test_a4_is_eight_slices_that_hold_the_machine(google: Google) -> None:
    slice_ = "A4 Nvidia B200 (1 gpu slice)"
    a4 = machine("a4-highgpu-8g", 224, 3968, {"nvidia-b200": 8}, partitions=32)
    found = prices(
        google,
        a4,
        skus=[
            sku(f"{slice_} running in Americas", "16.11"),
            sku(f"Spot Preemptible {slice_} running in Americas", "4.9542"),
            sku(f"DWS Calendar Mode {slice_} in Americas", "11.277"),
            sku(f"DWS Defined Duration {slice_} running in Americas", "8.055"),
            sku(f"Commitment v1: {slice_} in Americas for 1 Year", "11.1159", usage="Commit1Yr"),
            sku(f"Commitment v1: {slice_} in Americas for 3 Years", "7.0884", usage="Commit3Yr"),
        ],
    )
    terms = [("on_demand", None), ("spot", None), ("calendar", None), ("flex_start", None),
             ("committed_use", "1y"), ("committed_use", "3y")]  # fmt: skip
    got = [price_of(found, "a4-highgpu-8g", option, term=term) for option, term in terms]
    assert got == [Decimal(p) for p in
                   ("128.88", "39.6336", "90.216", "64.44", "88.9272", "56.7072")]  # fmt: skip


def test_a_slice_of_g4_has_its_own_sku(google: Google) -> None:
    """Google prints 0.64688 for g4-standard-6; an eighth of the whole G4 would be 0.5625."""
    rtx = {"nvidia-rtx-pro-6000": 1}
    found = prices(
        google,
        machine("g4-standard-6", 6, 22, rtx, description="1/8 NVIDIA RTX PRO 6000 GPU"),
        machine("g4-standard-24", 24, 90, rtx, description="1/2 NVIDIA RTX PRO 6000 GPU"),
        machine("g4-standard-48", 48, 180, rtx),
        skus=[
            *host("G4", "0.04891", "0.00587"),
            sku("RTX 6000 96GB running in Iowa", "1.09565"),
            sku("1/8 vGPU no lssd running in Iowa", "0.64688"),
        ],
    )
    assert price_of(found, "g4-standard-6", "on_demand") == Decimal("0.64688")
    assert price_of(found, "g4-standard-24", "on_demand") == Decimal("2.58752")
    assert price_of(found, "g4-standard-48", "on_demand") == Decimal("4.49993")


def test_a_tpu_machine_is_its_chips(google: Google) -> None:
    """us-east5, SKUs of 2026-08-07: 2.70 list, 1.35 flex, 1.89 calendar, 1.4033 spot a chip."""
    google.zones({"us-east5-a": [machine("ct6e-standard-4t", 180, 720, {"ct6e": 4})]})
    place = {"regions": ["us-east5"], "group": "TPU"}
    google.skus([
        sku("TpuV6e running in Columbus", "2.70", **place),
        sku("DWS Defined Duration V6e running in Columbus", "1.35", **place),
        sku("TpuV6e attached to Spot Preemptible VMs running in Columbus", "1.4033",
            usage="Preemptible", **place),
        sku("Capacity Optimized TpuV6e running in Columbus", "2.90", **place),
        sku("Reserved V6e TPU in Columbus in Calendar Mode", "1.89", **place),
    ])  # fmt: skip
    found = google.refresh()
    options = ("on_demand", "flex_start", "calendar", "spot")
    got = [price_of(found, "ct6e-standard-4t", o, "us-east5") for o in options]
    assert got == [Decimal(p) for p in ("10.80", "5.40", "7.56", "5.6132")]


def test_an_n1_host_with_an_attached_gpu(google: Google) -> None:
    """us-central1: n1-standard-4 at 0.19 with a T4 at 0.35 is 0.54 (Google's pages)."""
    google.zones(
        {"us-central1-a": [machine("n1-standard-4", 4, 15)]},
        {"us-central1-a": [{"name": "nvidia-tesla-t4", "maximumCardsPerInstance": 4}]},
    )
    google.skus(
        [
            sku("N1 Predefined Instance Core running in Americas", "0.031611", group="N1Standard"),
            sku("N1 Predefined Instance Ram running in Americas", "0.004237", group="N1Standard",
                unit="GiBy.h"),
            sku("Nvidia Tesla T4 GPU running in Americas", "0.35"),
            sku("Nvidia Tesla T4 GPU attached to Sole Tenancy VMs running in Americas", "0.30"),
        ]
    )  # fmt: skip
    assert price_of(google.refresh(), "n1-standard-4+t4x1", "on_demand") == Decimal("0.54")


def test_spot_is_a_posted_list_price(google: Google) -> None:
    skus = [
        *A2,
        *host("A2", "0.01659", "0.00222", spot=True),
        sku("Nvidia Tesla A100 GPU attached to Spot Preemptible VMs running in Americas",
            "1.5399", usage="Preemptible"),
    ]  # fmt: skip
    found = prices(google, A2_1G, skus=skus)
    spot = next(p for p in found.prices if p.option == "spot")
    # 12 x 0.01659 + 85 x 0.00222 + 1.5399
    assert (spot.price, spot.low, spot.measure) == (Decimal("1.92768"),) * 2 + ("list",)


# -- what is no price ---------------------------------------------------------------------------


def test_a_sum_without_one_of_its_parts_is_no_price(google: Google) -> None:
    """skypilot-catalog#31: a host or a GPU alone was read as the full price."""
    for part in range(3):
        skus = [s for i, s in enumerate(A2) if i != part]
        found = prices(google, A2_1G, skus=skus)
        assert price_of(found, "a2-highgpu-1g", "on_demand") is None
    # the GPU is not sold so: no question; the core is missing: one
    gaps = [
        [(p.name, p.detail) for p in prices(google, A2_1G, skus=skus).puzzles if "a2-" in p.name]
        for skus in (A2[:2], A2[1:])
    ]
    assert gaps == [[], [("a2-highgpu on_demand", "core:A2")]]


def test_zero_is_never_a_price(google: Google) -> None:
    """infracost#1626, opencost and skypilot#3615 showed machines at $0."""
    skus = [sku("Nvidia Tesla A100 GPU running in Americas", "0"), *A2[:2]]
    found = prices(google, A2_1G, skus=skus)
    assert found.prices == ()
    assert any(p.kind == "price" and p.detail == "on_demand 0" for p in found.puzzles)


def test_only_where_the_machine_stands(google: Google) -> None:
    """SKUs name 40 regions for A2, which stands in ten of them."""
    everywhere = [{**s, "serviceRegions": ["us-central1", "us-east1", "us-west2"]} for s in A2]
    google.zones({"us-central1-a": [A2_1G], "us-west2-a": []})
    google.skus(everywhere)
    assert {p.region for p in google.refresh().prices} == {"us-central1"}


def test_only_the_regions_and_options_that_were_asked_for(google: Google) -> None:
    google.zones({"us-central1-a": [A2_1G], "us-east1-b": [A2_1G]})
    google.skus([{**s, "serviceRegions": ["us-central1", "us-east1"]} for s in A2])
    found = google.refresh(wanting("on_demand", regions=["us-east1"]))
    assert {(p.region, p.option) for p in found.prices} == {("us-east1", "on_demand")}
    assert {s.region for s in found.scopes} <= {"us-east1"} and found.types == ()


def test_without_zones_prices_stand_where_the_catalog_has_one(google: Google) -> None:
    google.skus([{**s, "serviceRegions": ["us-central1", "us-west2"]} for s in A2])
    found = google.refresh(without=["zones"])
    assert price_of(found, "a2-highgpu-1g", "on_demand") == Decimal("3.673385")
    assert {p.region for p in found.prices} == {"us-central1"}
    assert [note.id for note in found.notes] == ["refresh_gcp.no_zones"]


def test_an_unknown_region_is_asked_about(google: Google) -> None:
    item = sku("Nvidia L4 GPU running in Mars", "1", regions=["mars-north1"])
    found = prices(google, A2_1G, skus=[*A2, item])
    assert [(p.name, p.detail) for p in found.puzzles if p.kind == "region"] == [
        ("mars-north1", "nvidia-l4")
    ]


# -- what may be called gone --------------------------------------------------------------------


def test_what_was_read_to_its_end(google: Google) -> None:
    """The catalog has no price in africa-south1: nothing can be lost there."""
    found = prices(google, A2_1G, skus=A2)
    claimed = {(s.region, s.option) for s in found.scopes}
    assert ("africa-south1", "on_demand") in claimed
    # the catalog has dozens of types in us-central1 and one was seen: a hole, not the truth
    assert ("us-central1", "on_demand") not in claimed
    hole = next(p for p in found.puzzles if p.name == "on_demand")
    assert "us-central1" in hole.where.split(", ")


def test_what_this_feed_never_holds_is_kept(google: Google) -> None:
    """TPU v2 and v3 are billed by another service."""
    scope = next(iter(prices(google, A2_1G, skus=A2).scopes))
    assert isinstance(scope, Scope)
    assert {"v2-8", "v3-8"} <= set(scope.besides)


# -- the way there ------------------------------------------------------------------------------


def test_the_key_is_a_header_and_stands_in_no_address(
    google: Google, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GOOGLE_API_KEY", "AIzaFromGoogle")
    monkeypatch.setenv("GPUADVISOR_GCP_API_KEY", "AIzaOurs")
    prices(google, A2_1G, skus=A2)
    asked = [r for r in google.server.seen if r.path == SKUS]
    assert [r.headers["X-Goog-Api-Key"] for r in asked] == ["AIzaOurs"]
    assert asked[0].query == {"pageSize": "5000", "currencyCode": "USD"}


def test_pages_are_followed_to_the_last(google: Google) -> None:
    google.zones({"us-central1-a": [A2_1G]})
    google.skus(A2, size=2)
    assert price_of(google.refresh(), "a2-highgpu-1g", "on_demand") == Decimal("3.673385")
    tokens = [r.query.get("pageToken") for r in google.server.seen if r.path == SKUS]
    assert tokens == [None, "page-2", "page-4"]


def broken(google: Google, *answers: Any) -> str:
    """The reason why prices are missing."""
    google.server.on(SKUS, *answers)
    asked, context = wanting(), google.context(attempts=2)
    task = next(t for t in gcp.plan(asked, context) if t.key == "prices")
    with pytest.raises(Missing) as caught:
        gcp.fetch(task, asked, context)
    from gpuadvisor.report.messages import render

    assert render(caught.value.reason)
    return caught.value.reason.id


def test_a_page_that_comes_twice(google: Google) -> None:
    page = {"skus": A2, "nextPageToken": "b"}
    assert broken(google, reply(page), reply({"skus": A2})) == "refresh_gcp.page_twice"


def test_tokens_that_go_in_a_circle(google: Google) -> None:
    first = {"skus": A2[:1], "nextPageToken": "a"}
    second = {"skus": A2[1:2], "nextPageToken": "a"}
    assert broken(google, reply(first), reply(second)) == "refresh_gcp.page_circle"


@pytest.mark.parametrize(
    "lost",
    [{}, {"skus": []}, {"error": {"code": 500}}, [], {"skus": {}}, {"skus": [3]},
     {"skus": [{"description": "x"}]}],
)  # fmt: skip
def test_a_page_that_is_lost_or_no_page(google: Google, lost: Any) -> None:
    first = {"skus": A2, "nextPageToken": "b"}
    assert broken(google, reply(first), reply(lost)) == "refresh_gcp.not_skus"


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        (reply(status=429), "refresh.status"),
        (reply(status=500), "refresh.status"),
        (reply(status=403), "refresh.status"),
        (reply({"skus": A2}, cut=200), "refresh.cut_short"),
        (reply(b"<html>"), "refresh.not_json"),
        (reply(reset=True), "refresh.refused"),
    ],
)
def test_a_fault_that_stays(google: Google, fault: Any, reason: str) -> None:
    assert broken(google, fault) == reason


@pytest.mark.parametrize("fault", [reply(status=429), reply(status=500), reply({}, cut=1)])
def test_a_fault_that_passes(google: Google, fault: Any) -> None:
    google.zones({"us-central1-a": [A2_1G]})
    google.server.on(SKUS, fault, reply({"skus": A2}))
    assert price_of(google.refresh(), "a2-highgpu-1g", "on_demand") == Decimal("3.673385")


def test_one_broken_sku_does_not_spoil_the_others(google: Google) -> None:
    bad = {**sku("Nvidia L4 GPU running in Americas", "1"), "pricingInfo": 7}
    found = prices(google, A2_1G, skus=[bad, *A2])
    assert price_of(found, "a2-highgpu-1g", "on_demand") == Decimal("3.673385")
    assert any(p.name == "Nvidia L4 GPU" for p in found.puzzles)


# -- the plan -----------------------------------------------------------------------------------


def test_an_unknown_region_or_part_is_refused(google: Google) -> None:
    for wanted in (wanting(regions=["us-centrall1"]), wanting("reserved")):
        with pytest.raises(UsageError):
            gcp.plan(wanted, google.context())


def test_shapes_alone_ask_for_no_price(google: Google) -> None:
    assert [t.key for t in gcp.plan(wanting("shapes"), google.context())] == ["zones"]


def test_plain_http_is_for_this_machine(google: Google) -> None:
    context = google.context()._replace(endpoints={"gcp-billing": "http://mirror.example"})
    with pytest.raises(UsageError):
        gcp.plan(wanting(), context)


def test_without_client_and_key_it_says_how_to_get_them(
    google: Google, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gcp, "has_client", lambda: False)
    with pytest.raises(UsageError) as caught:
        gcp.plan(wanting(), google.context())
    assert caught.value.message.id == "refresh_gcp.no_key"
    monkeypatch.setenv("GPUADVISOR_GCP_API_KEY", "k")
    assert [t.key for t in gcp.plan(wanting(), google.context())] == ["zones", "prices"]
    with pytest.raises(UsageError):
        gcp.plan(wanting("shapes"), google.context())


class Login:
    """Google's default credentials, as far as they are used here."""

    token = None
    quota_project_id = None

    def refresh(self, _: object) -> None:
        """Google gives a token."""
        self.token = "ya29.token"  # type: ignore[assignment]


def test_without_a_key_the_login_gives_a_token(
    google: Google, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("google.auth.transport.requests")
    monkeypatch.setattr(gcp_account, "_defaults", lambda: (Login(), "p-9"))
    context = google.context()._replace(endpoints={})
    assert gcp_account.billing_headers(context) == {
        "Authorization": "Bearer ya29.token",
        "X-Goog-User-Project": "p-9",
    }
    # a server on this machine gets none
    assert gcp_account.billing_headers(google.context()) == {}


def test_a_login_that_fails_is_told_without_its_words(
    google: Google, monkeypatch: pytest.MonkeyPatch
) -> None:
    auth = pytest.importorskip("google.auth")

    def none(**_: object) -> None:
        raise auth.exceptions.DefaultCredentialsError("no file of p-9")

    monkeypatch.setattr(auth, "default", none)
    with pytest.raises(Missing) as caught:
        gcp_account.billing_headers(google.context()._replace(endpoints={}))
    assert caught.value.reason.id == "refresh_gcp.no_credentials"
    assert "p-9" not in str(caught.value.reason)
