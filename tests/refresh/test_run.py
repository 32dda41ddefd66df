"""`catalog refresh` from end to end: a real server, the command itself, a catalog that is used."""

from __future__ import annotations

import errno
import json
import os
import pty
import random
import re
import select
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from gpuadvisor.catalog.compile import compile_catalogs, load
from gpuadvisor.report.catalog_schema import output_schema
from tests.cli.run import gpuadvisor
from tests.refresh.cloud import DRIVER, NEXT_WEEK, TODAY, Cloud, patience, prepared
from tests.refresh.server import Server, closed_port, reply

API = "acme-api-2026-11-30"


@pytest.fixture
def cloud(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    with Server() as server:
        yield prepared(server, tmp_path, monkeypatch)


def offers(*arguments: str) -> dict[tuple[str, str, str], Any]:
    """What `catalog show` says of t.1, l.q and n.1 now."""
    found = {}
    for name in ("t.1", "l.q", "n.1"):
        shown = gpuadvisor("catalog", "show", f"acme/{name}", "--format", "json", *arguments)
        if shown.code == 0:
            for row in json.loads(shown.out)["prices"]:
                found[name, row["region"], row["option"]] = row
    return found


def test_what_is_seen_unchanged_is_confirmed(cloud: Cloud) -> None:
    done = cloud.refresh()
    assert done.code == 0 and "acme 2026.11 is in use: prices up to 2026-11-30" in done.out
    text = cloud.text("2026.11")
    assert f"south: {{on_demand: [0.6, s, {API}]}}" in text
    assert f"source: s, confirmed_by: {API}" in text
    load(str(cloud.root))  # the strict loader
    row = offers()["t.1", "south", "on_demand"]
    assert (row["price_per_hour"], row["as_of"], row["confirmed_on"]) == (
        "0.6", "2026-01-01", TODAY,
    )  # fmt: skip


def test_the_same_day_again_writes_nothing(cloud: Cloud) -> None:
    cloud.refresh()
    before = cloud.files()
    again = cloud.refresh()
    assert again.code == 0 and "is up to date" in again.out
    assert cloud.files() == before


def test_a_week_later_nothing_but_dates_differs(cloud: Cloud) -> None:
    cloud.refresh()
    cloud.refresh(today=NEXT_WEEK)
    first, second = cloud.text("2026.11"), cloud.text("2026.12")
    dated = first.replace(TODAY, NEXT_WEEK).replace("version: 2026.11", "version: 2026.12")
    assert dated.replace("from version 2026.10", "from version 2026.11") == second


def test_a_change_and_its_origin(cloud: Cloud) -> None:
    cloud.prices["north"]["on_demand"][0]["price"] = 0.55
    cloud.prices["north"]["spot"][0] |= {"price": 0.25, "low": 0.05, "interruption": "5-10%"}
    assert cloud.refresh().code == 0
    text = cloud.text("2026.11")
    assert f"on_demand: [0.55, {API}]" in text
    assert (
        f'spot: {{low: 0.05, typical: 0.25, measure: zones, source: {API}, interruption: "5-10%",'
        f" interruption_source: {API}}}" in text
    )
    diff = gpuadvisor("catalog", "diff", "acme@2026.10", "--format", "json")
    changed = {(c["option"], c["before"], c["after"]) for c in json.loads(diff.out)["changes"]}
    assert changed == {("on_demand", "0.5", "0.55"), ("spot", "0.2", "0.25")}


def test_spot_is_shown_where_it_alone_moved(cloud: Cloud) -> None:
    cloud.prices["north"]["spot"][0]["price"] = 0.25
    done = cloud.refresh()
    (row,) = [line for line in done.out.splitlines() if line.startswith("t.1")]
    # 0.2 -> 0.25 is a quarter more.
    assert row.split() == ["t.1", "spot", "north", "0.2", "0.25", "+25.0", "%"]
    assert "\n\n\n" not in done.out


def test_nothing_is_written_over(cloud: Cloud) -> None:
    cloud.refresh()
    for number, price in ((1, 0.61), (2, 0.62)):
        cloud.prices["south"]["on_demand"][0]["price"] = price
        assert cloud.refresh().code == 0
        assert f"on_demand: [{price}, {API}]" in cloud.text(f"2026.11.{number}")
    assert f"[0.6, s, {API}]" in cloud.text("2026.11")
    assert offers()["t.1", "south", "on_demand"]["price_per_hour"] == "0.62"


def test_what_was_not_asked_for_is_carried_over(cloud: Cloud) -> None:
    for region in cloud.prices.values():
        for items in region.values():
            for item in items:
                item["price"] *= 0.9
    assert cloud.refresh("--region", "north", "--only", "on-demand,shapes").code == 0
    text = cloud.text("2026.11")
    assert f"on_demand: [0.45, {API}]" in text  # 0.5 x 0.9
    assert "typical: 0.2, measure: zones, source: s}" in text and "[0.3, s]" in text
    assert "south: {on_demand: [0.6, s]}" in text
    asked = {r.path + r.query.get("option", "") for r in cloud.server.seen}
    assert asked == {"/regions", "/types", "/prices/northon_demand"}


def test_a_dry_run_writes_nothing_and_keeps_what_it_read(cloud: Cloud) -> None:
    before = cloud.files()
    dry = cloud.refresh("--dry-run")
    assert dry.code == 0 and "acme 2026.11 would be written" in dry.out
    assert cloud.files() == before
    asked = len(cloud.server.seen)
    wet = cloud.refresh()
    assert "7 of 7 part(s) were kept from an earlier run" in wet.out
    assert [r.path for r in cloud.server.seen[asked:]] == ["/regions"]


GATED = {
    "a price that moved 60 %": ("moved", lambda c: c.prices["south"]["on_demand"][0].update(price=0.96)),
    "a price cut by 60 %": ("moved", lambda c: c.prices["south"]["on_demand"][0].update(price=0.24)),
    "a type that vanished": ("vanished", lambda c: c.prices["north"]["on_demand"].pop()),
    "a region that lost most prices of an option": (
        "thinned", lambda c: c.prices["north"]["on_demand"].__delitem__(slice(3, None)),
    ),
    "a count that changed": (
        "shapes",
        lambda c: c.types.append(
            {"name": "t.1", "family": "t", "device": "T4", "devices": 2, "memory_gib": 16}
        ),
    ),
    "a device that changed": (
        "shapes",
        lambda c: c.types.append(
            {"name": "t.1", "family": "t", "device": "L4", "devices": 1, "memory_gib": 22.4}
        ),
    ),
}  # fmt: skip


def _add_types(cloud: Cloud, count: int) -> None:
    shapes = cloud.root / "providers/acme/shapes.yaml"
    row = next(line for line in shapes.read_text("utf-8").splitlines() if "  t.1:" in line)
    names = [f"v.{n}" for n in range(count)]
    more = "".join(row.replace("t.1:", f"{name}:") + "\n" for name in names)
    shapes.write_text(shapes.read_text("utf-8") + more, encoding="utf-8")
    prices = cloud.root / "providers/acme/prices/2026.10.yaml"
    cells = "".join(
        f"  {n}:\n    north: {{on_demand: [1, s]}}\n    south: {{on_demand: [1, s]}}\n"
        for n in names
    )
    prices.write_text(prices.read_text("utf-8") + cells, encoding="utf-8")
    for region in ("north", "south"):
        cloud.prices[region]["on_demand"] += [{"type": name, "price": 1} for name in names]


@pytest.mark.parametrize("case", GATED)
def test_what_needs_consent(cloud: Cloud, case: str) -> None:
    kind, change = GATED[case]
    if kind == "thinned":  # eight types more, and still there in the south
        _add_types(cloud, 8)
    change(cloud)
    before = cloud.files()
    refused = cloud.refresh("--format", "json")
    assert refused.code == 1 and cloud.files() == before
    document = json.loads(refused.out)
    jsonschema.validate(document, output_schema("catalog-refresh"))
    (one,) = document["refreshes"]
    assert one["status"] == "refused"
    assert {name for name, found in one["needs_consent"].items() if found} == {kind}
    told = cloud.refresh()
    assert told.code == 1 and "catalog refresh acme --today 2026-11-30 --accept" in " ".join(
        told.out.split()
    )
    accepted = cloud.refresh("--accept")
    assert accepted.code == 0 and cloud.files() != before
    load(str(cloud.root))


def test_a_price_that_moved_by_half_is_not_stopped(cloud: Cloud) -> None:
    cloud.prices["south"]["on_demand"][0]["price"] = 0.9  # 0.6 + 50 %
    assert cloud.refresh().code == 0


def test_new_types_come_with_their_shape(cloud: Cloud) -> None:
    cloud.types = [
        {"name": "t.2", "family": "t", "device": "T4", "devices": 4, "memory_gib": 15.8, "vcpus": 16,
         "interconnect": "pcie", "sold": ["on_demand"]},
        {"name": "x.1", "family": "x", "device": "X-9000", "devices": 1, "memory_gib": 99},
    ]  # fmt: skip
    cloud.prices["north"]["on_demand"] += [
        {"type": "t.2", "price": 2}, {"type": "x.1", "price": 9}, {"type": "y.1", "price": 9},
    ]  # fmt: skip
    done = cloud.refresh()
    assert done.code == 0
    shapes = (cloud.root / "providers/acme/shapes.yaml").read_text("utf-8")
    rows = [
        line.strip() for line in shapes.splitlines() if line.startswith("  ") and "family" in line
    ]
    assert rows[1] == (
        "t.2: {family: t, device: T4, devices: 4, memory_gib: 16, vcpus: 16, interconnect: pcie,"
        f" arch: x86_64, sold: [on_demand], status: active, source: {API}}}"
    )
    # Neither the device nor the type without a shape is dropped silently.
    puzzles = " ".join(done.out.split())
    assert "Seen but not understood (3)" in puzzles
    assert "device X-9000 (x.1)" in puzzles and "SKU x.1" in puzzles and "SKU y.1" in puzzles


def test_what_breaks_a_rule_of_the_catalog_is_told(cloud: Cloud) -> None:
    cloud.prices["north"]["on_demand"][0]["price"] = 0.26  # below the reserved 0.3
    cloud.prices["north"]["on_demand"][1]["price"] = 0
    cloud.prices["north"]["spot"][0]["price"] = 0.27
    cloud.prices["south"]["on_demand"][0]["currency"] = "EUR"
    cloud.prices["south"]["on_demand"].append({"type": "l.q", "price": "free"})
    done = cloud.refresh("--accept")
    out = " ".join(done.out.split())
    assert done.code == 0
    for said in (
        "t.1 (north): reserved/1y/standard/no_upfront 0.3 > on_demand 0.26",
        "t.1 (north): spot 0.27 > on_demand 0.26",
        "l.q (north): on_demand 0 USD",
        "t.1 (south): on_demand 0.6 EUR",
        "l.q (south): on_demand free USD",
    ):
        assert said in out
    load(str(cloud.root))


def test_one_row_that_is_none_does_not_spoil_the_others(cloud: Cloud) -> None:
    """The rest of an answer with a broken type and a price of 100,000 letters is taken."""
    cloud.types = [
        {"name": "t.2\n", "family": "t", "device": "T4", "devices": 1, "memory_gib": 16},
        {"name": "t.3", "family": "t", "device": "T4", "devices": "1", "memory_gib": 16},
    ]
    cloud.prices["north"]["on_demand"][0]["price"] = "y" * 100_000
    cloud.prices["north"]["on_demand"][1]["price"] = 0.21
    done = cloud.refresh("--accept")
    assert done.code == 0 and len(done.out) < 4000, done.err
    assert "Seen but not understood (3)" in " ".join(done.out.split())
    assert f"l.q:\n    north: {{on_demand: [0.21, {API}]" in cloud.text("2026.11")
    load(str(cloud.root))


# -- what goes wrong ---------------------------------------------------------------------------

FAULTS = {
    "429": ({"status": 429}, "answered with status 429"),
    "500": ({"status": 500}, "answered with status 500"),
    "truncated": ({"body": {"items": [], "next": None}, "cut": 5}, "broke off"),
    "wrong types": ({"body": {"items": "none", "next": None}}, "TypeError"),
    "another form": ({"body": ["x"]}, "TypeError"),
    "reset": ({"reset": True}, "refused or reset"),
}


@pytest.fixture
def _impatient(cloud: Cloud, monkeypatch: pytest.MonkeyPatch) -> None:
    patience(monkeypatch, silence=0.3, backoff=0.01, longest_backoff=0.02, attempts=2, pause=0.0)


@pytest.mark.usefixtures("_impatient")
@pytest.mark.parametrize("fault", FAULTS)
def test_a_region_that_fails_is_missing_and_the_rest_goes_on(cloud: Cloud, fault: str) -> None:
    fields, why = FAULTS[fault]
    cloud.server.on("/prices/south", reply(**fields))
    cloud.prices["north"]["on_demand"][0]["price"] = 0.6
    done = cloud.refresh()
    assert done.code == 0
    assert "Missing, carried over as it was (1)" in done.out
    assert re.search(rf"south on_demand, spot, reserved: .*{why}", " ".join(done.out.split()))
    assert "south: {on_demand: [0.6, s]}" in cloud.text("2026.11")
    assert f"on_demand: [0.6, {API}]" in cloud.text("2026.11")
    assert "acme south: on_demand missing:" in done.err.replace("spot missing", "on_demand missing")


@pytest.mark.usefixtures("_impatient")
def test_silence_marks_a_region_missing(cloud: Cloud) -> None:
    cloud.server.on("/prices/south", reply({"items": [], "next": None}, delay=1))
    assert "0.3 s without a byte" in " ".join(cloud.refresh().out.split())


@pytest.mark.usefixtures("_impatient")
@pytest.mark.parametrize("where", ["/prices/*", "/regions", "nobody"])
def test_no_region_reached_is_exit_4(
    cloud: Cloud, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    before = cloud.files()
    with closed_port() as address:
        if where == "nobody":
            monkeypatch.setenv("GPUADVISOR_ENDPOINT_ACME", address)
        cloud.server.on(where, reply(status=503))
        done = cloud.refresh("--only", "on_demand", "--format", "json")
    assert done.code == 4 and cloud.files() == before
    (failure,) = json.loads(done.out)["failures"]
    assert failure["provider"] == "acme" and "no region was reached" in failure["reason"]
    assert "nothing was written" in done.err


def test_a_page_that_comes_twice_counts_once(cloud: Cloud) -> None:
    page = reply({"items": [{"type": "t.1", "price": 0.6}], "next": 2})
    cloud.server.on("/prices/south", page, query={"option": "on_demand", "page": "1"})
    last = reply({"items": [{"type": "t.1", "price": 0.6}], "next": None})
    cloud.server.on("/prices/south", last, query={"option": "on_demand", "page": "2"})
    done = cloud.refresh()
    assert done.code == 0 and "not understood" not in done.out
    assert f"south: {{on_demand: [0.6, s, {API}]}}" in cloud.text("2026.11")


def test_two_prices_of_one_thing_are_told_and_neither_is_taken(cloud: Cloud) -> None:
    cloud.prices["south"]["on_demand"].append({"type": "t.1", "price": 0.7})
    done = cloud.refresh()
    assert "on_demand: 0.6, 0.7" in done.out
    assert "south: {on_demand: [0.6, s]}" in cloud.text("2026.11")


@pytest.mark.usefixtures("_impatient")
def test_a_page_that_is_lost_leaves_the_region_as_it_was(cloud: Cloud) -> None:
    first = reply({"items": [{"type": "t.1", "price": 0.65}], "next": 2})
    cloud.server.on("/prices/south", first, query={"option": "on_demand", "page": "1"})
    cloud.server.on("/prices/south", reply(status=404), query={"option": "on_demand", "page": "2"})
    done = cloud.refresh()
    assert "south on_demand:" in done.out
    assert "south: {on_demand: [0.6, s]}" in cloud.text("2026.11")


def test_the_deadline_ends_it(cloud: Cloud) -> None:
    cloud.server.on("/prices/south", reply(b"1" * 5000, drip=0.05))
    start = time.monotonic()
    done = cloud.refresh("--deadline", "1.5s")
    assert done.code == 0 and time.monotonic() - start < 6
    assert "the refresh's time was up" in " ".join(done.out.split())


class _SdkError(Exception):
    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.response = {"Error": {"Code": "UnauthorizedOperation", "Message": text}}


def test_an_sdks_exception_is_told_without_its_text(
    cloud: Cloud, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tests.refresh import acme

    real = acme.fetch

    def failing(task: Any, wanted: Any, context: Any) -> Any:
        if task.key == "south/on_demand":
            raise _SdkError("user arn:aws:iam::123456789012:user/me with AKIAABCDEFGHIJKLMNOP")
        if task.key == "south/spot":
            raise RuntimeError("token=abcdef0123456789")
        return real(task, wanted, context)

    monkeypatch.setattr(acme, "fetch", failing)
    done = cloud.refresh()
    assert "_SdkError (UnauthorizedOperation)" in done.out and "RuntimeError" in done.out
    for secret in ("123456789012", "AKIA", "abcdef0123456789"):
        assert secret not in done.out + done.err + cloud.text("2026.11")


def test_an_account_stands_in_no_file(cloud: Cloud, monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.refresh import acme

    real = acme.combine

    def telling(results: Any, context: Any) -> Any:
        found = real(results, context)
        feeds = tuple(
            feed._replace(
                title="of my-project", address="https://x/projects/other-one?key=abcdef01"
            )
            for feed in found.feeds
        )
        return found._replace(feeds=feeds)

    monkeypatch.setattr(acme, "combine", telling)
    assert cloud.refresh("--project", "my-project").code == 0
    for secret in ("my-project", "other-one", "abcdef01"):
        assert secret not in cloud.text("2026.11")


def test_usage(cloud: Cloud) -> None:
    for arguments, said in (
        (("--only", "sport"), "unknown part `sport`"),
        (("--since", "2025.01"), "no version `2025.01`"),
        (("--region", "east"), "east"),
        (("--deadline", "0"), "--deadline"),
        (("--format", "xlsx"), "xlsx"),
    ):
        done = cloud.refresh(*arguments)
        assert done.code == 2 and said in done.err, arguments
    assert gpuadvisor("catalog", "refresh", "acmee").code == 2
    early = cloud.refresh(today="2026-09-30")
    assert early.code == 2 and "lies before the newest version 2026.10" in early.err


def test_permissions_are_printed_and_nothing_is_asked(cloud: Cloud) -> None:
    done = gpuadvisor("catalog", "refresh", "acme", "--show-permissions")
    assert done.code == 0 and '{"Version": "1"}' in done.out and cloud.server.seen == []


def test_since_carries_over_from_that_version(cloud: Cloud) -> None:
    cloud.prices["south"]["on_demand"][0]["price"] = 0.65
    cloud.refresh()
    cloud.prices["south"]["on_demand"][0]["price"] = 0.6
    done = cloud.refresh("--since", "2026.10")
    assert done.code == 0
    assert f"south: {{on_demand: [0.6, s, {API}]}}" in cloud.text("2026.11.1")


# -- where it is written -----------------------------------------------------------------------


def test_an_installed_wheel_reads_its_refreshes_from_the_users_folder(
    cloud: Cloud, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Base: a compiled snapshot, which cannot be written. The overlay stands for it, whole."""
    snapshot = tmp_path / "catalog.sqlite"
    compile_catalogs(str(cloud.root), str(snapshot))
    monkeypatch.setenv("GPUADVISOR_BASE", str(snapshot))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    cloud.types = [
        {"name": "t.2", "family": "t", "device": "T4", "devices": 4, "memory_gib": 16,
         "interconnect": "pcie", "sold": ["on_demand"]}
    ]  # fmt: skip
    cloud.prices["north"]["on_demand"] = [
        {"type": "t.1", "price": 0.5},
        {"type": "t.2", "price": 2},
    ]
    done = cloud.refresh("--accept")
    folder = tmp_path / "data/gpuadvisor/catalogs/providers/acme"
    assert done.code == 0 and "acme 2026.11 is in use" in done.out
    assert sorted(p.name for p in folder.rglob("*.yaml")) == ["2026.11.yaml", "shapes.yaml"]
    assert "complete: true" in (folder / "prices/2026.11.yaml").read_text("utf-8")
    found = offers()
    # l.q is gone in 2026.11: the snapshot's price does not shine through.
    assert ("l.q", "north", "on_demand") not in found
    assert found["t.1", "north", "on_demand"]["confirmed_on"] == TODAY
    shown = gpuadvisor("catalog", "show", "acme/t.2", "--format", "json")
    assert json.loads(shown.out)["devices"] == 4
    assert gpuadvisor("catalog", "validate", str(folder.parents[1])).code == 0
    # Pinned, the shipped version answers; and a second refresh goes on from the overlay.
    pinned = offers("--catalog-version", "acme=2026.10")
    assert pinned["l.q", "north", "on_demand"]["price_per_hour"] == "0.2"
    assert "is up to date" in cloud.refresh().out
    later = cloud.refresh(today=NEXT_WEEK)
    assert later.code == 0 and "acme 2026.12 is in use" in later.out
    assert offers()["t.1", "north", "on_demand"]["confirmed_on"] == NEXT_WEEK


def test_a_discount_in_the_folder_is_not_taken_for_a_version(cloud: Cloud, tmp_path: Path) -> None:
    """A file of an overlay without `complete` holds some prices; a refresh must not carry it on."""
    folder = tmp_path / "mine"
    (folder / "providers/acme/prices").mkdir(parents=True)
    patch = (
        cloud.text("2026.10").partition("  t.1:")[0] + "  t.1:\n    north: {on_demand: [0.4, s]}\n"
    )
    path = folder / "providers/acme/prices/2026.11.yaml"
    path.write_text(patch.replace("2026.10", "2026.11"), encoding="utf-8")
    done = cloud.refresh("--output", str(folder))
    assert done.code == 0 and "acme 2026.11.1 is written" in done.out
    written = (folder / "providers/acme/prices/2026.11.1.yaml").read_text("utf-8")
    assert (
        "from version 2026.10" in written
        and f"l.q:\n    north: {{on_demand: [0.2, s, {API}]}}" in written
    )


def test_of_several_providers_the_others_go_on(
    cloud: Cloud, monkeypatch: pytest.MonkeyPatch
) -> None:
    from gpuadvisor.refresh import providers

    both = {"acme": "tests.refresh.acme", "oci": "gpuadvisor.refresh.oci"}
    monkeypatch.setattr(providers, "PROVIDERS", both)
    done = gpuadvisor("catalog", "refresh", "oci", "acme", "--today", TODAY)
    assert done.code == 2 and "no prices of oci" in done.err
    assert "acme 2026.11 is in use" in done.out


def test_output_is_an_overlay_to_name(cloud: Cloud, tmp_path: Path) -> None:
    before = cloud.files()
    done = cloud.refresh("--output", str(tmp_path / "mine"))
    assert done.code == 0 and cloud.files() == before
    assert f"--catalog {tmp_path / 'mine'}" in " ".join(done.out.split())
    row = offers("--catalog", str(tmp_path / "mine"))["t.1", "south", "on_demand"]
    assert row["confirmed_on"] == TODAY
    assert offers()["t.1", "south", "on_demand"]["confirmed_on"] is None


def _as_file(root: Path) -> Path:
    root.write_text("mine", encoding="utf-8")
    return root


UNWRITABLE: dict[str, tuple[Callable[[Path], Any], str]] = {
    "a file": (_as_file, "Not a directory"),
    "below a file": (lambda root: _as_file(root) / "x", "Not a directory"),
    "nothing": (lambda _: "", "--output cannot be written"),
}


@pytest.mark.parametrize("case", UNWRITABLE)
def test_an_output_that_is_no_folder_is_told_before_anything_is_fetched(
    cloud: Cloud, tmp_path: Path, case: str
) -> None:
    make, said = UNWRITABLE[case]
    done = cloud.refresh("--output", str(make(tmp_path / "out")))
    assert done.code == 2 and said in done.err and cloud.server.seen == []


@pytest.mark.parametrize("place", ["output", "temporary folder"])
def test_a_full_disk_is_told_and_leaves_nothing(
    cloud: Cloud, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    cloud.types = [{"name": "t.2", "family": "t", "device": "T4", "devices": 1, "memory_gib": 16}]
    before = cloud.files()

    def full(*_: Any, **__: Any) -> Any:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    step = "os.fsync" if place == "output" else "tempfile.TemporaryDirectory"
    monkeypatch.setattr(f"gpuadvisor.refresh.place.{step}", full)
    done = cloud.refresh()
    assert done.code == 2 and "cannot be written: No space left on device" in done.err
    assert cloud.files() == before


def test_shapes_changed_meanwhile_are_not_written_over(
    cloud: Cloud, monkeypatch: pytest.MonkeyPatch
) -> None:
    from gpuadvisor.refresh import run

    shapes = cloud.root / "providers/acme/shapes.yaml"
    cloud.types = [{"name": "t.2", "family": "t", "device": "T4", "devices": 1, "memory_gib": 16}]
    real = run.Trial

    def trial(*arguments: Any) -> Any:
        found = real(*arguments)
        shapes.write_text(shapes.read_text("utf-8") + "# mine\n", encoding="utf-8")
        return found

    monkeypatch.setattr(run, "Trial", trial)
    done = cloud.refresh()
    assert done.code == 1 and "was changed while the refresh ran" in done.err
    assert shapes.read_text("utf-8").endswith("# mine\n")
    assert not (cloud.root / "providers/acme/prices/2026.11.yaml").exists()


# -- interrupted -------------------------------------------------------------------------------


def start(cloud: Cloud, *arguments: str, **more: Any) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", DRIVER, "catalog", "refresh", "acme", "--today", TODAY]
    return subprocess.Popen(
        [*command, *arguments],
        env=cloud.environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **more,
    )


def test_ctrl_c_leaves_the_catalog_and_the_next_run_goes_on(cloud: Cloud) -> None:
    import signal

    before = cloud.files()
    cloud.server.on("/prices/south", reply({"items": [], "next": None}, delay=30))
    # Below a shell's `&` the signal is ignored, and a child inherits that.
    kept = signal.signal(signal.SIGINT, signal.default_int_handler)
    running = start(cloud)
    signal.signal(signal.SIGINT, kept)
    assert running.stderr is not None
    for line in running.stderr:
        if "north" in line:
            break
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=10)
    assert running.returncode == 130 and "goes on where this one stopped" in err
    assert out == "" and "Traceback" not in err and cloud.files() == before
    cloud.server.on("/prices/south", reply({"items": [{"type": "t.1", "price": 0.6}], "next": None}),
                    query={"option": "on_demand"})  # fmt: skip
    cloud.server.on("/prices/south", reply({"items": [], "next": None}))
    asked = len(cloud.server.seen)
    assert cloud.refresh().code == 0
    again = {r.path for r in cloud.server.seen[asked:]}
    assert "/prices/north" not in again and "/prices/south" in again


@pytest.mark.slow
def test_killed_at_fifty_random_points(cloud: Cloud) -> None:
    """After each kill -9 the catalog loads, as the old or the new version; the last run ends."""
    cloud.types = [
        {"name": "t.2", "family": "t", "device": "T4", "devices": 4, "memory_gib": 16,
         "interconnect": "pcie", "sold": ["on_demand"]}
    ]  # fmt: skip
    cloud.prices["north"]["on_demand"].append({"type": "t.2", "price": 2})
    before = cloud.files()
    begun = time.monotonic()
    assert start(cloud, "--dry-run", "--accept").wait() == 0
    whole = time.monotonic() - begun
    points = random.Random(7)
    written = 0
    for _ in range(50):
        running = start(cloud)
        time.sleep(points.uniform(0.2, 1.05) * whole)
        running.kill()
        running.communicate()
        load(str(cloud.root))
        if set(cloud.files()) - set(before) - {n for n in cloud.files() if n.endswith(".partial")}:
            written += 1
            for name in set(cloud.files()) - set(before):
                (cloud.root / name).unlink()
            (cloud.root / "providers/acme/shapes.yaml").write_bytes(
                before["providers/acme/shapes.yaml"]
            )
    last = start(cloud)
    _, said = last.communicate()
    assert last.returncode == 0, said
    load(str(cloud.root))
    assert f"[2, {API}]" in cloud.text("2026.11") and written < 50


@pytest.mark.parametrize("between", [True, False])
def test_killed_between_shapes_and_prices(
    cloud: Cloud, monkeypatch: pytest.MonkeyPatch, between: bool
) -> None:
    """The two steps by themselves: whatever is in place at either point loads."""
    cloud.types = [{"name": "t.2", "family": "t", "device": "T4", "devices": 1, "memory_gib": 16}]
    step = "link" if between else "replace"

    def killed(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(f"gpuadvisor.refresh.place.os.{step}", killed)
    assert cloud.refresh().code == 130
    monkeypatch.undo()
    loaded = load(str(cloud.root))
    types = next(f.model.types for f in loaded.files if f.kind == "shapes")
    assert ("t.2" in types) is between
    assert not [n for n in cloud.files() if n.endswith(("2026.11.yaml", ".partial"))]


# -- progress and size -------------------------------------------------------------------------


def test_bars_on_a_terminal(cloud: Cloud) -> None:
    ours, theirs = pty.openpty()
    command = [sys.executable, "-c", DRIVER, "catalog", "refresh", "acme", "--today", TODAY]
    environment = {**cloud.environment(), "TERM": "xterm", "COLUMNS": "80"}
    environment.pop("CI", None)
    running = subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=theirs, text=True
    )
    os.close(theirs)
    shown = b""
    while select.select([ours], [], [], 20)[0]:
        try:
            shown += os.read(ours, 65536)
        except OSError:  # the other end is closed
            break
    out, _ = running.communicate(timeout=20)
    os.close(ours)
    assert running.returncode == 0 and "acme 2026.11 is in use" in out and "\x1b[" not in out
    text = shown.decode()
    assert "7/7" in text and "north" in text and "\x1b[" in text


def test_plain_lines_when_piped(cloud: Cloud) -> None:
    done = cloud.refresh()
    lines = done.err.splitlines()
    assert lines[0] == "acme: 7 part(s) in 2 region(s)"
    pattern = r"acme (all regions|north|south): (shapes|on_demand, reserved, spot) \(\d+\.\d s\)"
    assert len({m[1] for m in map(re.compile(pattern).fullmatch, lines[1:]) if m}) == 3
    assert len(lines) == 4 and "\x1b" not in done.err


def test_the_document_follows_its_schema(cloud: Cloud) -> None:
    schema = output_schema("catalog-refresh")
    cloud.types = [{"name": "x.1", "family": "x", "device": "X9", "devices": 1, "memory_gib": 9}]
    for status in ("written", "same"):
        document = json.loads(cloud.refresh("--format", "json").out)
        jsonschema.validate(document, schema)
        assert [r["status"] for r in document["refreshes"]] == [status]
    assert document["refreshes"][0]["not_understood"][0]["kind"] == "device"
