"""Machine types, through Google's own client from a server with the Compute Engine API's shape."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from gpuadvisor.refresh import gcp, gcp_account
from gpuadvisor.refresh.gcp_names import DEVICES, FAMILIES, UNPRICED, attachment, family_of
from gpuadvisor.refresh.interface import Fetched, Missing, SeenType
from tests.refresh.gcp_rest import (
    ACCELERATORS,
    MACHINES,
    Google,
    machine,
    scoped,
    wanting,
)
from tests.refresh.server import Server, reply

pytest.importorskip("google.cloud.compute_v1")

A100 = {"nvidia-tesla-a100": 1}
T4 = {"name": "nvidia-tesla-t4", "maximumCardsPerInstance": 4}


@pytest.fixture
def google() -> Iterator[Google]:
    with Server() as server:
        yield Google(server)


def zones_of(google: Google, machines: Any, accelerators: Any = None) -> Fetched:
    google.zones(machines, accelerators)
    return google.refresh(wanting("shapes"))


def one(google: Google, item: dict[str, Any]) -> SeenType:
    found = zones_of(google, {"us-central1-a": [item]}).types
    assert len(found) == 1
    return found[0]


def test_the_client_asks_for_accelerator_families_and_hosts(google: Google) -> None:
    zones_of(google, {"us-central1-a": [machine("a2-highgpu-1g", 12, 85, A100)]})
    asked = next(r for r in google.server.seen if r.path == MACHINES)
    assert asked.query["filter"].startswith('name eq "(a|g|ct|tpu)[0-9]')
    assert "Authorization" not in asked.headers


def test_a_known_type_keeps_what_the_api_does_not_state(google: Google) -> None:
    """The API has no GPU memory, no network, no way of selling."""
    seen = one(google, machine("a2-highgpu-1g", 12, 85, A100))
    known = google.catalog.instance_types()["gcp", "a2-highgpu-1g"]
    assert (seen.device, seen.devices, seen.memory_gib) == ("A100-40GB-SXM", 1, 40)
    assert (seen.vcpus, seen.host_memory_gib, seen.local_disk_gb) == (12, 85, 0)
    assert (seen.network_gbps, seen.sold) == (known.network_gbps, known.sold)


def test_a_new_size_of_a_known_family(google: Google) -> None:
    item = machine("a3-highgpu-3g", 78, 702, {"nvidia-h100-80gb": 3}, partitions=6)
    seen = one(google, item)
    assert (seen.family, seen.device, seen.devices) == ("a3-highgpu", "H100-80GB-SXM", 3)
    assert seen.local_disk_gb == 2416  # 6 x 375 GiB
    assert (seen.network_gbps, seen.interconnect) == (None, None)


def test_a_new_size_is_sold_as_all_its_sisters_are(google: Google) -> None:
    """A3 High of 1, 2 and 4 GPUs and A4 have an on-demand price and are not sold on demand."""
    sold = {
        "a3-highgpu-3g": ("nvidia-h100-80gb", ("spot", "flex_start")),
        "a4-highgpu-4g": ("nvidia-b200", ("spot", "committed_use", "flex_start", "calendar")),
        "a9-highgpu-4g": ("nvidia-b200", None),
    }
    for name, (kind, expected) in sold.items():
        assert one(google, machine(name, 78, 702, {kind: 3})).sold == expected


def test_high_and_mega_are_two_families_of_one_device(google: Google) -> None:
    found = zones_of(
        google,
        {
            "us-central1-a": [
                machine("a3-highgpu-8g", 208, 1872, {"nvidia-h100-80gb": 8}, partitions=16),
                machine("a3-edgegpu-8g", 208, 1872, {"nvidia-h100-80gb": 8}, partitions=16),
                machine("a3-megagpu-8g", 208, 1872, {"nvidia-h100-mega-80gb": 8}, partitions=16),
            ]
        },
    )
    assert {(t.family, t.device) for t in found.types} == {
        (f"a3-{size}gpu", "H100-80GB-SXM") for size in ("high", "edge", "mega")
    }


def test_a_g4_slice_is_a_fraction_though_the_api_counts_one_gpu(google: Google) -> None:
    words = "Graphics Optimized: 1/8 NVIDIA RTX PRO 6000 GPU, 6 vCPUs, 22GB RAM"
    rtx = {"nvidia-rtx-pro-6000": 1}
    for name in ("g4-standard-6", "g4-newsize-6"):
        seen = one(google, machine(name, 6, 22, rtx, description=words))
        assert (seen.devices, seen.fraction, seen.memory_gib) == (None, "1/8", 12)
    assert one(google, machine("g4-standard-6", 6, 22, rtx)).fraction == "1/8"


def test_a4x_disks_have_3000_gib_a_partition(google: Google) -> None:
    """4 x 3000 GiB are 12885 GB; at 375 GiB it would be 1611."""
    for name in ("a4x-highgpu-4g", "a4x-newgpu-4g"):
        item = machine(name, 140, 884, {"nvidia-gb200": 4}, partitions=4, architecture="ARM64")
        seen = one(google, item)
        assert (seen.local_disk_gb, seen.arch) == (12885, "arm64")


def test_a_partition_of_unknown_size_is_not_guessed(google: Google) -> None:
    seen = one(google, machine("a5-ultra-4g", 140, 884, {"nvidia-gb300": 4}, partitions=4))
    assert seen.local_disk_gb is None


@pytest.mark.parametrize("state", ["DEPRECATED", "OBSOLETE", "DELETED"])
def test_types_on_their_way_out_are_dropped(google: Google, state: str) -> None:
    old = machine("a2-highgpu-1g", 12, 85, A100, deprecated={"state": state})
    assert zones_of(google, {"us-central1-a": [old]}).types == ()


def test_n1_with_a_gpu_stands_where_both_do(google: Google) -> None:
    """The two lists are apart: one zone must have host and accelerator."""
    host = machine("n1-standard-4", 4, 15)
    google.zones(
        {"us-central1-a": [host], "us-east1-b": [host], "us-east1-c": []},
        {"us-central1-a": [T4], "us-east1-c": [T4], "us-west1-a": [T4]},
    )
    context = google.context()
    fetched = gcp.fetch(gcp.plan(wanting(), context)[0], wanting(), context)
    assert fetched.raw["offered"]["n1-standard-4+t4x1"] == ["us-central1"]
    seen = next(t for t in fetched.types if t.name == "n1-standard-4+t4x1")
    assert (seen.device, seen.devices, seen.vcpus, seen.host_memory_gib) == ("T4", 1, 4, 15)
    assert "n1-standard-4" not in {t.name for t in fetched.types}


def test_the_workstation_twin_does_not_make_a_place(google: Google) -> None:
    """`nvidia-tesla-t4-vws` carries a licence and is no T4 of ours."""
    google.zones(
        {"us-central1-a": [machine("n1-standard-4", 4, 15)]},
        {"us-central1-a": [{**T4, "name": "nvidia-tesla-t4-vws"}]},
    )
    assert google.refresh(wanting("shapes")).types == ()


def test_deprecated_accelerators_make_no_place(google: Google) -> None:
    google.zones(
        {"us-central1-a": [machine("n1-standard-4", 4, 15)]},
        {"us-central1-a": [{**T4, "deprecated": {"state": "DEPRECATED"}}]},
    )
    assert google.refresh(wanting("shapes")).types == ()


def test_unknown_accelerators_and_families_are_asked_about(google: Google) -> None:
    found = zones_of(
        google,
        {
            "us-central1-a": [
                machine("a5-highgpu-8g", 224, 4000, {"nvidia-b300": 8}),
                machine("a9-highgpu-8g", 224, 4000, {"nvidia-b200": 8}),
                machine("a2-odd-2g", 24, 170, {"nvidia-tesla-a100": 1, "nvidia-l4": 1}),
            ],
            "us-east1-b": [machine("a5-highgpu-8g", 224, 4000, {"nvidia-b300": 8})],
        },
    )
    assert {(p.kind, p.name, p.where, p.detail) for p in found.puzzles} == {
        ("device", "nvidia-b300", "us-central1, us-east1", "a5-highgpu-8g"),
        ("family", "a5-highgpu", "us-central1, us-east1", "a5-highgpu-8g"),
        ("family", "a9-highgpu", "us-central1", "a9-highgpu-8g"),
        ("device", "nvidia-tesla-a100, nvidia-l4", "us-central1", "a2-odd-2g"),
        ("family", "a2-odd", "us-central1", "a2-odd-2g"),
    }
    assert [t.name for t in found.types] == ["a9-highgpu-8g"]


def test_a_new_type_without_an_architecture_is_asked_about(google: Google) -> None:
    item = machine("a2-highgpu-3g", 36, 255, {"nvidia-tesla-a100": 3}, architecture="")
    found = zones_of(google, {"us-central1-a": [item]})
    assert found.types == () and [p.name for p in found.puzzles] == ["a2-highgpu-3g"]


def test_a_zone_that_does_not_answer_is_told_and_claims_nothing(google: Google) -> None:
    body = scoped("machineTypes", {"us-central1-a": [machine("a2-highgpu-1g", 12, 85, A100)]})
    body["items"]["zones/europe-west4-b"] = {"warning": {"code": "UNREACHABLE"}}
    google.server.on(MACHINES, reply({**body, "unreachables": ["zones/me-west1-a"]}))
    google.skus([{"skuId": "x", "description": "Network Egress"}])
    found = google.refresh()
    assert [note.params["zones"] for note in found.notes] == ["europe-west4-b, me-west1-a"]
    assert {"europe-west4", "me-west1"}.isdisjoint({s.region for s in found.scopes})


def failing(google: Google, path: str, *answers: Any) -> str:
    google.server.on(path, *answers)
    context = google.context()
    with pytest.raises(Missing) as caught:
        gcp.fetch(gcp.plan(wanting(), context)[0], wanting(), context)
    reason = caught.value.reason
    assert "p-1" not in str(reason)
    return reason.id.removeprefix("refresh_gcp.")


@pytest.mark.parametrize("path", [MACHINES, ACCELERATORS])
@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        (reply({"error": {"code": 403, "message": "project p-1 has no access"}}, 403), "status"),
        (reply({"error": {"code": 404, "message": "p-1"}}, 404), "status"),
        (reply(b'{"items": {"zones/us-', 200), "failed"),
        (reply({"items": ["zones"]}), "failed"),
        (reply({"items": {"zones/a-b": {"machineTypes": 7, "acceleratorTypes": 7}}}), "failed"),
    ],
)
def test_faults_have_a_reason_without_the_project(
    google: Google, path: str, fault: Any, reason: str
) -> None:
    assert failing(google, path, fault) == reason


def test_faults_that_stay_come_to_an_end(google: Google, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gcp_account, "FIRST_PAUSE", 0.01)
    monkeypatch.setattr(gcp_account, "RETRY_SECONDS", 0.1)
    assert failing(google, MACHINES, reply({"error": {"code": 500}}, 500)) == "status"


@pytest.mark.parametrize("status", [429, 500, 502, 503])
def test_a_fault_that_passes(google: Google, status: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gcp_account, "FIRST_PAUSE", 0.01)
    good = scoped("machineTypes", {"us-central1-a": [machine("a2-highgpu-1g", 12, 85, A100)]})
    google.server.on(MACHINES, reply({"error": {"code": status}}, status), reply(good))
    assert [t.name for t in google.refresh(wanting("shapes")).types] == ["a2-highgpu-1g"]


def test_pages_of_a_list_are_followed(google: Google) -> None:
    pages = [
        {**scoped("machineTypes", {zone: [machine("a2-highgpu-1g", 12, 85, A100)]}), **more}
        for zone, more in (("us-central1-a", {"nextPageToken": "t"}), ("us-east1-b", {}))
    ]
    google.server.on(MACHINES, reply(pages[0]))
    google.server.on(MACHINES, reply(pages[1]), query={"pageToken": "t"})
    context = google.context()
    fetched = gcp.fetch(gcp.plan(wanting(), context)[0], wanting(), context)
    assert fetched.raw["offered"]["a2-highgpu-1g"] == ["us-central1", "us-east1"]


def test_a_page_that_points_at_itself_ends(google: Google) -> None:
    page = {**scoped("machineTypes", {"us-central1-a": []}), "nextPageToken": "t"}
    assert failing(google, MACHINES, reply(page)) == "page_circle"


def test_a_project_is_needed(google: Google) -> None:
    wanted = wanting()._replace(account={})
    context = google.context()
    with pytest.raises(Missing) as caught:
        gcp.fetch(gcp.plan(wanted, context)[0], wanted, context)
    assert caught.value.reason.id == "refresh_gcp.no_project"


# -- names --------------------------------------------------------------------------------------


def test_tables_and_catalog_agree(google: Google) -> None:
    assert set(DEVICES.values()) <= set(google.catalog.devices())
    for (provider, name), known in google.catalog.instance_types().items():
        if provider != "gcp":
            continue
        family = FAMILIES.get(family_of(name))
        assert family is not None or family_of(name) in UNPRICED, name
        assert family_of(name) == known.family
        attached = attachment(name)
        accelerator = attached.accelerator if attached else family and family.accelerator
        if accelerator:
            assert DEVICES[accelerator] == known.device, name
        if attached:
            assert attached.number == known.devices


def test_the_module_imports_no_client() -> None:
    code = (
        "import sys, gpuadvisor.refresh.gcp;"
        "print([m for m in sys.modules if m.split('.')[0] in ('google', 'grpc', 'urllib3')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_permissions_hold_lists_alone() -> None:
    import yaml

    role, key = gcp.permissions()
    assert yaml.safe_load(role.body)["includedPermissions"] == [
        "compute.acceleratorTypes.list",
        "compute.machineTypes.list",
    ]
    assert yaml.safe_load(key.body)["restrictions"] == {
        "apiTargets": [{"service": "cloudbilling.googleapis.com"}]
    }
