"""Every overlay of `examples/overlays` works as its README says, through the command line."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from gpuadvisor.cli.main import run

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples/overlays"
FOLDERS = sorted(path.name for path in EXAMPLES.iterdir() if path.is_dir())
README = (EXAMPLES / "README.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"\| `((?:cd [^`]*)?gpuadvisor [^`]*)` \|$", README, re.M)


@pytest.fixture(autouse=True)
def _at_the_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    for name in ("GPUADVISOR_BASE", "GPUADVISOR_CATALOGS", "GPUADVISOR_CONFIG"):
        monkeypatch.delenv(name, raising=False)


def answer(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert run([*arguments, "--format", "json", "--today", "2026-11-30"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_the_readme_has_a_line_for_each() -> None:
    assert len(COMMANDS) == len(FOLDERS) + 1
    assert all(f"| `{name}/` |" in README for name in FOLDERS)


@pytest.mark.parametrize("name", FOLDERS)
def test_each_is_sound(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["catalog", "validate", str(EXAMPLES / name)]) == 0
    assert "no fault" in capsys.readouterr().out


@pytest.mark.parametrize("command", COMMANDS)
def test_the_commands_of_the_readme_answer(
    command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = shlex.split(command)
    if words[0] == "cd":
        monkeypatch.chdir(ROOT / words[1])
        words = words[3:]
    assert words[0] == "gpuadvisor"
    assert run(words[1:]) == 0
    assert capsys.readouterr().out


def test_the_negotiated_price_hides_the_list_price(capsys: pytest.CaptureFixture[str]) -> None:
    show = ("catalog", "show", "aws/p5.48xlarge", "--region", "us-east-1")
    listed = answer(capsys, *show)["prices"]
    own = answer(capsys, *show, "--catalog", str(EXAMPLES / "negotiated-discount"))["prices"]
    on_demand = [p for p in own if p["option"] == "on_demand"]
    assert [p["price_per_hour"] for p in on_demand] == ["44"]
    assert on_demand[0]["as_of"] == "2026-11-01"
    hidden = [p for p in listed if p not in own]
    assert [p["option"] for p in hidden] == ["on_demand"]
    assert [p["option"] for p in own if p not in listed] == ["on_demand", "reserved"]


def test_the_own_node_is_ranked_beside_the_clouds(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(
        capsys, "recommend", "--workload", "llm-chat", "--device", "L40S", "--top", "20",
        "--provider", "datacentre,aws", "--catalog", str(EXAMPLES / "own-node"),
    )  # fmt: skip
    options = {o["instance_type"]: o for o in found["options"]}
    assert {o["provider"] for o in options.values()} == {"aws", "datacentre"}
    price = options["node-l40s-1"]["price"]
    assert (price["native_per_hour"], price["native_currency"]) == ("0.62", "EUR")
    assert price["source"] == "own-node/prices#controlling"


def test_the_own_workload_is_recommended_for(capsys: pytest.CaptureFixture[str]) -> None:
    """On the device that it was measured on, the speed is the measured one."""
    found = answer(
        capsys, "recommend", "--workload", "发票识别", "--device", "L4", "--provider", "aws",
        "--purchase", "on_demand", "--catalog", str(EXAMPLES / "own-workload"),
    )  # fmt: skip
    assert found["request"]["workload"] in ("invoices", "发票识别")
    single = next(o for o in found["options"] if o["instance_type"] == "g6.xlarge")
    assert single["performance"]["basis"] == "measured"
    assert single["performance"]["unit"].startswith("invoice")


def test_the_own_rule_removes_what_it_says(capsys: pytest.CaptureFixture[str]) -> None:
    ask = (
        "recommend",
        "--workload",
        "ocr",
        "--device",
        "V100,T4",
        "--provider",
        "aws",
        "--top",
        "20",
    )

    def devices(*more: str) -> set[str]:
        return {o["device"]["model"] for o in answer(capsys, *ask, *more)["options"]}

    assert {name.partition("-")[0] for name in devices()} == {"T4", "V100"}
    assert devices("--catalog", str(EXAMPLES / "own-rule")) == {"T4"}
    assert run(["rules", "test", str(EXAMPLES / "own-rule/rules.yaml")]) == 0


def test_the_config_file_lays_all_of_them(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(EXAMPLES / "own-node")
    rows = answer(capsys, "catalog", "list")["catalogs"]
    assert {"datacentre"} <= {row["name"] for row in rows}
    assert {"2026.11"} <= {row["version"] for row in rows if row["name"] == "aws"}
