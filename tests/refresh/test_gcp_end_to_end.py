"""`catalog refresh gcp` and `azure` from the command line: a price that moved is written, told and
recommended with, and no account's id or key stands in an answer or a file."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from gpuadvisor.refresh.gcp_account import KEY_NAMES
from tests.cli.run import gpuadvisor
from tests.refresh import azure_rest
from tests.refresh.azure_rest import SUBSCRIPTION, Azure, plans, row, size
from tests.refresh.gcp_rest import Google, machine
from tests.refresh.server import Server
from tests.refresh.test_gcp_prices import A2

pytest.importorskip("google.cloud.compute_v1")
pytest.importorskip("azure.mgmt.compute")

TODAY = ("--today", "2026-11-30")
KEY = "AIzaSyNotAKeyButOfItsShape0123456789abc"


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Work folders and snapshots of these tests."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def server(cache: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """A server in the place of every Google and Azure address."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache))
    for name in KEY_NAMES:
        monkeypatch.delenv(name, raising=False)
    with Server() as running:
        for name in ("GCP_COMPUTE", "GCP_BILLING", "AZURE_RETAIL", "AZURE_MANAGEMENT"):
            monkeypatch.setenv(f"GPUADVISOR_ENDPOINT_{name}", running.address)
        yield running


def test_google(
    server: Server, cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The A100 is 0.20 dearer: a2-highgpu-1g goes from 3.673385 to 3.873385."""
    monkeypatch.setenv("GPUADVISOR_GCP_API_KEY", KEY)
    google = Google(server)
    google.zones({"us-central1-a": [machine("a2-highgpu-1g", 12, 85, {"nvidia-tesla-a100": 1})]})
    gpu = A2[2]["pricingInfo"][0]["pricingExpression"]["tieredRates"][0]["unitPrice"]
    monkeypatch.setitem(gpu, "units", "3")
    monkeypatch.setitem(gpu, "nanos", 133908000)
    google.skus(A2)
    out = tmp_path / "overlay"
    words = ("catalog", "refresh", "gcp", "--project", "p-1", "--region", "us-central1")
    done = gpuadvisor(*words, "--output", str(out), *TODAY)
    assert done.code == 0, done.err
    changes = differences("gcp@2026.10", out)
    assert changes["a2-highgpu-1g", "on_demand"] == ("3.673385", "3.873385")
    again = gpuadvisor(*words, "--output", str(out), *TODAY, "--format", "json")
    assert json.loads(again.out)["refreshes"][0]["status"] == "same", again.out
    written = all_bytes(out, cache)
    for secret in (KEY, "p-1"):
        assert secret.encode() not in written
        assert secret not in done.out + done.err
    best = recommended(out, "gcp", "us-central1", "A100-40GB-SXM")
    assert (best["instance_type"], best["price"]["per_hour"]) == ("a2-highgpu-1g", "3.873385")


def test_azure(server: Server, cache: Path, tmp_path: Path) -> None:
    """A new size and a price that moved from 3.673 to 3.9."""
    name, new = "Standard_NC24ads_A100_v4", "Standard_NC192ads_A100_v4"
    cloud = Azure(server)
    place = {"region": "eastus"}
    cloud.prices([row(name, "3.9", savingsPlan=plans(y1="3.1"), **place), row(new, "30", **place)])
    cloud.sizes([size(name, location="eastus"), size(new, location="eastus", vCPUs=192, GPUs=8)])
    out = tmp_path / "overlay"
    words = ("catalog", "refresh", "azure", "--subscription", SUBSCRIPTION, "--region", "eastus")
    done = gpuadvisor(*words, "--output", str(out), *TODAY)
    assert done.code == 0, done.err
    assert [r.path for r in server.seen if r.path == azure_rest.SKUS]
    changes = differences("azure@2026.08", out)
    assert changes[name, "on_demand"] == ("3.673", "3.9")
    assert changes[name, "savings_plan"] == ("3.057405", "3.1")
    shown = gpuadvisor("catalog", "show", f"azure/{new}", "--catalog", str(out), "--format", "json")
    assert json.loads(shown.out)["device"] == "A100-80GB-PCIe"
    written = all_bytes(out, cache)
    assert SUBSCRIPTION.encode() not in written
    assert SUBSCRIPTION not in done.out + done.err
    best = recommended(out, "azure", "eastus", "A100-80GB-PCIe")
    assert (best["instance_type"], best["price"]["per_hour"]) == (name, "3.9")


def all_bytes(*folders: Path) -> bytes:
    """Everything that was written."""
    files = (p for folder in folders for p in folder.rglob("*") if p.is_file())
    return b"".join(p.read_bytes() for p in files)


def differences(old: str, out: Path) -> dict[tuple[str, str], tuple[str, str]]:
    """Prices before and after by type and option."""
    found = gpuadvisor("catalog", "diff", old, "--catalog", str(out), "--format", "json")
    assert found.code == 0, found.err
    changes = json.loads(found.out)["changes"]
    return {(c["instance_type"], c["option"]): (c["before"], c["after"]) for c in changes}


def recommended(out: Path, provider: str, region: str, device: str) -> dict[str, dict[str, str]]:
    """The first option on demand."""
    found = gpuadvisor(
        "recommend", "--workload", "llm-chat", "--budget", "50000", "--purchase", "on-demand",
        "--provider", provider, "--region", region, "--device", device, "--gpus", "1",
        "--catalog", str(out), "--format", "json", *TODAY,
    )  # fmt: skip
    assert found.code == 0, found.err
    best: dict[str, dict[str, str]] = json.loads(found.out)["options"][0]
    return best
