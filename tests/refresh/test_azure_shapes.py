"""Azure sizes, through Microsoft's own client from a server with the Resource SKUs API's shape."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import Any

import pytest

from gpuadvisor.refresh import azure, azure_account
from gpuadvisor.refresh.interface import Fetched, Missing, SeenType
from tests.refresh.azure_rest import SKUS, SUBSCRIPTION, Azure, row, size, terms_of, wanting
from tests.refresh.server import Server, reply

pytest.importorskip("azure.mgmt.compute")
AccessToken = pytest.importorskip("azure.core.credentials").AccessToken
pytest.importorskip("azure.identity")

A100 = "Standard_NC24ads_A100_v4"


@pytest.fixture
def cloud(monkeypatch: pytest.MonkeyPatch) -> Iterator[Azure]:
    monkeypatch.setattr(azure_account, "FIRST_PAUSE", 0.01)
    with Server() as server:
        yield Azure(server)


def shapes(cloud: Azure, *items: dict[str, Any], **request: Any) -> Fetched:
    cloud.sizes(items)
    return cloud.refresh(wanting("shapes", account=True, **request))


def one(cloud: Azure, item: dict[str, Any]) -> SeenType:
    types = shapes(cloud, item).types
    assert len(types) == 1
    return types[0]


def test_the_client_asks_for_one_region_without_a_token(cloud: Azure) -> None:
    shapes(cloud, size(A100))
    (asked,) = cloud.server.seen
    assert asked.path == SKUS
    assert asked.query == {"$filter": "location eq 'westeurope'", "api-version": "2021-07-01"}
    assert "Authorization" not in asked.headers


def test_capabilities_are_strings(cloud: Azure) -> None:
    seen = one(cloud, size(A100, NvmeDiskSizeInMiB=915527))
    assert (seen.vcpus, seen.host_memory_gib, seen.devices, seen.arch) == (24, 220, 1, "x86_64")
    assert seen.local_disk_gb == 960  # 915527 MiB


def test_a_known_size_keeps_what_the_api_does_not_state(cloud: Azure) -> None:
    seen = one(cloud, size(A100))
    known = cloud.catalog.instance_types()["azure", A100]
    assert (seen.network_gbps, seen.rdma, seen.sold) == (known.network_gbps, None, known.sold)
    assert (seen.device, seen.memory_gib, seen.family) == ("A100-80GB-PCIe", 80, known.family)


@pytest.mark.parametrize("where", ["WestEurope", "WESTEUROPE", "westeurope"])
def test_locations_come_in_any_case(cloud: Azure, where: str) -> None:
    assert one(cloud, size(A100, location=where)).name == A100


def test_a_size_of_elsewhere_is_not_here(cloud: Azure) -> None:
    assert shapes(cloud, size(A100, location="westus3")).types == ()


def test_a_restriction_is_no_absence(cloud: Azure) -> None:
    restricted = {
        "type": "Location",
        "values": ["westeurope"],
        "restrictionInfo": {"locations": ["westeurope"], "zones": []},
        "reasonCode": "NotAvailableForSubscription",
    }
    assert one(cloud, size(A100, restrictions=[restricted])).name == A100


@pytest.mark.parametrize(
    ("name", "fraction", "memory"),
    [
        ("Standard_NV6ads_A10_v5", "1/6", 4),
        ("Standard_NV12ads_A10_v5", "1/3", 8),
        ("Standard_NV4ads_V710_v5", "1/6", 4),
        ("Standard_NC8ads_A10_v4", "1/2", 12),
        ("Standard_NC36ds_xl_RTXPRO6000BSE_v6", "1/4", 24),
    ],
)
def test_a_slice_stays_one_though_the_api_counts_a_gpu(
    cloud: Azure, name: str, fraction: str, memory: float
) -> None:
    seen = one(cloud, size(name, "StandardNVADSA10v5Family", GPUs=1))
    assert (seen.devices, seen.fraction, seen.memory_gib) == (None, fraction, memory)


def test_counts_that_the_api_has_wrong_stay(cloud: Azure) -> None:
    """It says 1 for NC32ads_A10_v4, which is sold at the price of two."""
    assert one(cloud, size("Standard_NC32ads_A10_v4", GPUs=1)).devices == 2


def test_a_count_that_differs_elsewhere_is_seen(cloud: Azure) -> None:
    assert one(cloud, size(A100, GPUs=2)).devices == 2


def test_a_new_size_takes_its_device_from_its_family(cloud: Azure) -> None:
    seen = one(
        cloud,
        size(
            "Standard_NC192ads_A100_v4",
            "StandardNCADSA100v4Family",
            vCPUs=192,
            MemoryGB=1760,
            GPUs=8,
        ),
    )
    assert (seen.family, seen.device, seen.devices) == ("NC_A100_v4", "A100-80GB-PCIe", 8)
    assert (seen.memory_gib, seen.vcpus, seen.sold, seen.network_gbps) == (80, 192, None, None)


@pytest.mark.parametrize(
    ("family", "device"),
    [
        ("Standard NCASv3_T4 Family", "T4"),
        ("standardNDISRGB200V6NDRFamily", "GB200-186GB"),
        ("STANDARD NDASv4_A100 FAMILY", "A100-40GB-SXM"),
    ],
)
def test_families_are_spelled_in_many_ways(cloud: Azure, family: str, device: str) -> None:
    assert one(cloud, size("Standard_NX1_new", family, GPUs=1)).device == device


def test_rdma_and_architecture_of_a_new_size(cloud: Azure) -> None:
    seen = one(
        cloud,
        size(
            "Standard_ND1isr_GB200_v6",
            "standardNDISRGB200V6NDRFamily",
            RdmaEnabled=True,
            CpuArchitectureType="Arm64",
        ),
    )
    assert (seen.rdma, seen.arch) == ("infiniband", "arm64")


def test_what_is_not_understood_is_asked_about(cloud: Azure) -> None:
    found = shapes(
        cloud,
        size("Standard_ND96_B300_v7", "StandardNDB300v7Family", GPUs=8),
        size("Standard_QX8", "StandardQXFamily", GPUs=2),
        size("Standard_NV9ads_A10_v5", "StandardNVADSA10v5Family", GPUs=1),
        size("Standard_NC9ads_A100_v4", GPUs="many"),
    )
    assert found.types == ()
    assert {(p.kind, p.name, p.where, p.detail) for p in found.puzzles} == {
        ("family", "StandardNDB300v7Family", "westeurope", "Standard_ND96_B300_v7"),
        ("family", "StandardQXFamily", "westeurope", "Standard_QX8"),
        ("device", "A10", "westeurope", "Standard_NV9ads_A10_v5: GPUs 1"),
        ("device", "A100-80GB-PCIe", "westeurope", "Standard_NC9ads_A100_v4: GPUs many"),
    }


@pytest.mark.parametrize(
    "item",
    [
        size("Standard_D2s_v3", "standardDSv3Family", GPUs=None),
        size("Standard_D2s_v3", "standardDSv3Family", GPUs=0),
        size("Standard_NP10s", "standardNPSFamily", GPUs=None),
        size("Premium_LRS", kind="disks"),
        size(A100, kind="hostGroups/hosts"),
        size("Standard_NC6_Promo", "standardNCPromoFamily", GPUs=None),
    ],
)
def test_what_has_no_gpu_is_left_out(cloud: Azure, item: dict[str, Any]) -> None:
    found = shapes(cloud, item)
    assert found.types == () and found.puzzles == ()


def test_fields_that_are_missing(cloud: Azure) -> None:
    bare = {"resourceType": "virtualMachines", "name": A100, "locations": ["westeurope"]}
    seen = one(cloud, bare)
    assert (seen.vcpus, seen.devices, seen.host_memory_gib) == (24, 1, 220)


@pytest.mark.parametrize(
    "fields", [{"locations": 7}, {"locations": None}, {"capabilities": "many"}, {"name": None}]
)
def test_fields_of_another_type_are_asked_about(cloud: Azure, fields: dict[str, Any]) -> None:
    found = shapes(cloud, {**size(A100), **fields}, size("Standard_NC48ads_A100_v4", GPUs=2))
    assert [t.name for t in found.types] == ["Standard_NC48ads_A100_v4"]
    assert len(found.puzzles) == 1


def test_what_is_no_size_is_left_out(cloud: Azure) -> None:
    cloud.server.on(SKUS, reply({"value": [7, size(A100), "x", None]}))
    assert [t.name for t in cloud.refresh(wanting("shapes", account=True)).types] == [A100]
    odd = {**size(A100), "capabilities": [{"name": "vCPUs"}, {"value": "3"}]}
    assert one(cloud, odd).vcpus == 24


def test_a_price_of_a_size_that_the_subscription_shows(cloud: Azure) -> None:
    """Neither list has all: a new size is priced in the same refresh."""
    name = "Standard_NC192ads_A100_v4"
    cloud.sizes([size(name, vCPUs=192, GPUs=8)])
    cloud.prices([row(name, "40")])
    fetched = cloud.refresh(wanting(account=True))
    assert terms_of(fetched, name)["on_demand"] == 40
    assert fetched.notes == () and not [p for p in fetched.puzzles if p.kind == "sku"]


# -- the way there ------------------------------------------------------------------------------


def reason(cloud: Azure, *answers: Any) -> str:
    cloud.server.on(SKUS, *answers)
    wanted, context = wanting("shapes", account=True), cloud.context()
    with pytest.raises(Missing) as caught:
        azure.fetch(azure.plan(wanted, context)[0], wanted, context)
    assert SUBSCRIPTION not in str(caught.value.reason)
    return caught.value.reason.id.removeprefix("refresh_azure.")


@pytest.mark.parametrize(
    ("fault", "expected"),
    [
        (reply({"error": {"code": "AuthorizationFailed", "message": SUBSCRIPTION}}, 403), "status"),
        (reply({"error": {"code": "x", "message": "x"}}, 401), "status"),
        (reply(status=429, headers={"Retry-After": "0"}), "status"),
        (reply(status=500), "status"),
        (reply(b'{"value": [{"name"'), "failed"),
        (reply({"value": 7}), "failed"),
        (reply([]), "failed"),
    ],
)
def test_faults_have_a_reason_without_the_subscription(
    cloud: Azure, fault: Any, expected: str
) -> None:
    assert reason(cloud, fault) == expected


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_fault_that_passes(cloud: Azure, status: int) -> None:
    fault = reply(status=status, headers={"Retry-After": "0"})
    cloud.server.on(SKUS, fault, reply({"value": [size(A100)]}))
    assert len(cloud.refresh(wanting("shapes", account=True)).types) == 1


def test_pages_are_followed(cloud: Azure) -> None:
    link = f"{cloud.server.address}{SKUS}?page=2"
    cloud.server.on(SKUS, reply({"value": [size(A100)], "nextLink": link}))
    cloud.server.on(
        SKUS, reply({"value": [size("Standard_NC48ads_A100_v4", GPUs=2)]}), query={"page": "2"}
    )
    assert len(cloud.refresh(wanting("shapes", account=True)).types) == 2


def test_a_link_to_another_place_gets_no_call(cloud: Azure) -> None:
    """The client would follow it, token and all."""
    with Server() as other:
        link = f"{other.address}{SKUS}?page=2"
        assert reason(cloud, reply({"value": [], "nextLink": link})) == "odd_link"
        assert other.seen == []


def test_a_page_that_points_at_itself_ends(cloud: Azure) -> None:
    link = f"{cloud.server.address}{SKUS}?page=2"
    assert reason(cloud, reply({"value": [], "nextLink": link})) == "page_twice"


def test_one_token_is_enough_for_all_regions() -> None:
    class Chain:
        asked = 0

        def get_token(self, *_: str, **__: Any) -> Any:
            self.asked += 1
            return AccessToken(f"token {self.asked}", int(time.time()) + lives)

    lives = 3600
    chain = Chain()
    shared = azure_account.SharedToken(chain)
    assert [shared.get_token("a").token for _ in range(3)] == ["token 1"] * 3
    assert shared.get_token("b").token == "token 2"
    assert shared.get_token("a", claims="again").token == "token 3"
    lives = 200  # it ends within five minutes
    assert shared.get_token("c").token == "token 4"
    assert shared.get_token("c").token == "token 5"


def test_the_chain_is_used_where_the_cloud_is_meant(monkeypatch: pytest.MonkeyPatch) -> None:
    """No token over plain http; the shared one, by the client's own policy, over TLS."""
    monkeypatch.setattr(azure_account, "_shared", lambda: azure_account.SharedToken(None))
    client = azure_account._client(SUBSCRIPTION, azure_account.PUBLIC)
    assert isinstance(client._config.credential, azure_account.SharedToken)
    assert type(client._config.authentication_policy).__name__ == "ARMChallengeAuthenticationPolicy"


def test_without_the_client_it_says_how_to_get_it(
    cloud: Azure, monkeypatch: pytest.MonkeyPatch
) -> None:
    from gpuadvisor.catalog.errors import UsageError

    monkeypatch.setattr(azure, "has_client", lambda: False)
    with pytest.raises(UsageError) as caught:
        azure.plan(wanting(account=True), cloud.context())
    assert caught.value.message.id == "refresh_azure.no_extra"
    assert len(azure.plan(wanting(), cloud.context())) == 1


def test_the_role_reads_sizes_and_nothing_else() -> None:
    (role,) = azure.permissions()
    body = json.loads(role.body)
    assert body["Actions"] == ["Microsoft.Compute/skus/read"]
    assert body["DataActions"] == [] and body["AssignableScopes"] == ["/subscriptions/SUBSCRIPTION"]
