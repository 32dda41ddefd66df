"""`catalog refresh aws --keyless` from the command line: with credentials there, AWS is not asked."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.run import gpuadvisor

from .aws_rest import SECRET, signed_in
from .server import Server, reply

WORDS = ("catalog", "refresh", "aws", "--region", "us-east-1", "--only", "spot", "--keyless")
SPOT_JSON = {
    "config": {
        "regions": [
            {
                "region": "us-east",
                "instanceTypes": [
                    {
                        "type": "gpuInstances",
                        "sizes": [
                            {
                                "size": name,
                                "valueColumns": [{"name": "linux", "prices": {"USD": price}}],
                            }
                            for name, price in (("g5.xlarge", "0.4011"), ("g6.xlarge", "0.2999"))
                        ],
                    }
                ],
            }
        ]
    }
}
ADVISOR = {
    "ranges": [{"index": 4, "max": 100}],
    "spot_advisor": {"us-east-1": {"Linux": {"g5.xlarge": {"s": 60, "r": 4}}}},
}


@pytest.fixture
def account(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setenv("GPUADVISOR_CACHE", str(tmp_path / "cache"))
    with signed_in() as server:
        monkeypatch.setenv("GPUADVISOR_ENDPOINT_AWS_SPOT", server.address)
        monkeypatch.setenv("GPUADVISOR_ENDPOINT_AWS_SPOT_ADVISOR", server.address)
        server.on("/spot.json", reply(SPOT_JSON))
        server.on("/spot-advisor-data.json", reply(ADVISOR))
        yield server


def refreshed(folder: Path, *words: str) -> Any:
    out = ("--output", str(folder), "--accept", "--today", "2026-11-30")
    return gpuadvisor(*WORDS, *out, *words)


def test_the_public_files_alone_are_read(account: Server, tmp_path: Path) -> None:
    done = refreshed(tmp_path / "out")
    assert done.code == 0, done.err
    assert sorted(r.path for r in account.seen) == ["/spot-advisor-data.json", "/spot.json"]
    assert not any("Authorization" in r.headers for r in account.seen)
    (file,) = (tmp_path / "out/providers/aws/prices").iterdir()
    text = file.read_text("utf-8")
    # 56 days after the mean over zones of 2026-10-05, a lowest price stands in its place.
    assert (
        "spot: {low: 0.4011, typical: 0.4011, measure: region_lowest,"
        ' source: aws-spot-lowest-2026-11-30, interruption: ">20%"'
    ) in text
    assert SECRET not in text + done.out + done.err


def test_soon_after_a_reading_of_zones_the_lowest_is_its_low(
    account: Server, tmp_path: Path
) -> None:
    """On 2026-11-03, 29 days after the mean of 2026-10-05 in the shipped 2026.10, it still holds."""
    done = refreshed(tmp_path / "out", "--today", "2026-11-03")
    assert done.code == 0, done.err
    (file,) = (tmp_path / "out/providers/aws/prices").iterdir()
    text = file.read_text("utf-8")
    key = "aws-spot-lowest-2026-11-03-typical-2026-10-05"
    # 0.47994 is the mean that 2026.10 prints for g5.xlarge in us-east-1.
    cell = f"spot: {{low: 0.4011, typical: 0.47994, measure: zone_mean, source: {key},"
    assert cell in text
    assert f'{key}: {{title: "Typical: mean over zones, ' in text
    checked = gpuadvisor("catalog", "validate", str(tmp_path / "out"))
    assert checked.code == 0, checked.err


def test_the_next_command_repeats_the_flag(account: Server, tmp_path: Path) -> None:
    done = refreshed(tmp_path / "out", "--dry-run")
    assert "--keyless" in done.out
