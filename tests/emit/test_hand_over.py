"""`recommend --emit` as a user's shell sees it."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from gpuadvisor.cli.hand_over import FORMS
from tests.cli.run import gpuadvisor
from tests.cli.test_start_up import modules_of

ASK = ("recommend", "--workload", "ocr", "--provider", "aws", "--today", "2026-11-30")


def test_the_file_goes_to_stdout_and_the_choice_to_stderr() -> None:
    shown = gpuadvisor(*ASK, "--emit", "terraform", "--pick", "2")
    options = json.loads(gpuadvisor(*ASK, "--format", "json").out)["options"]
    assert shown.code == 0 and shown.out.startswith("# ") and shown.out.endswith("}\n")
    second = next(o for o in options if o["rank"] == 2)
    assert f"{second['instances']} x {second['instance_type']}" in shown.err
    assert shown.err.count("\n") == 1


def test_the_room_is_entered_only_for_a_hand_over() -> None:
    _, names = modules_of("recommend", "--workload", "ocr", "--budget", "5000")
    assert not [n for n in names if n.startswith("gpuadvisor.emit") or n.endswith(".hand_over")]


def test_the_command_in_the_head_makes_the_same_file() -> None:
    first = gpuadvisor(
        *ASK, "--emit", "kubernetes", "--discount", "aws=12%", "--no-batched", "--purchase", "spot",
        "--purchase", "on_demand", "--budget", "5000元",
    )  # fmt: skip
    line = next(x for x in first.out.splitlines() if x.startswith("#   gpuadvisor recommend "))
    words = shlex.split(line.removeprefix("#   gpuadvisor "))
    assert gpuadvisor(*words).out == first.out


def test_the_check_in_the_head_prices_it_alike(tmp_path: Path) -> None:
    file = tmp_path / "gpu.tf"
    said = gpuadvisor(
        *ASK, "--purchase", "on_demand", "--discount", "aws=12%", "--hours-per-month", "100",
        "--emit", "terraform", "--output", str(file),
    )  # fmt: skip
    assert (said.code, said.out) == (0, "") and str(file) in said.err
    line = next(x for x in file.read_text().splitlines() if x.startswith("#   gpuadvisor check "))
    words = shlex.split(line.removeprefix("#   gpuadvisor "))
    assert words[1] == "gpu.tf"
    report = json.loads(gpuadvisor("check", str(file), *words[2:], "--format", "json").out)
    options = json.loads(
        gpuadvisor(
            *ASK, "--purchase", "on_demand", "--discount", "aws=12%", "--hours-per-month", "100",
            "--format", "json",
        ).out
    )["options"]  # fmt: skip
    assert report["summary"]["total_after"] == options[0]["cost"]["monthly"]["expected"]


@pytest.mark.parametrize("form", FORMS)
def test_a_folder_gets_the_forms_own_file(form: str, tmp_path: Path) -> None:
    done = gpuadvisor(*ASK, "--emit", form, "--output", f"{tmp_path}/new/")
    assert done.code == 0
    (made,) = (tmp_path / "new").iterdir()
    assert made.suffix in (".tf", ".yaml") and made.read_text().startswith("# ")


def test_a_file_that_exists_is_not_written_over(tmp_path: Path) -> None:
    file = tmp_path / "main.tf"
    file.write_text("mine")
    done = gpuadvisor(*ASK, "--emit", "terraform", "--output", str(tmp_path))
    assert done.code == 2 and "move it away" in done.err
    assert file.read_text() == "mine"


@pytest.mark.parametrize(
    ("more", "code", "said"),
    [
        (("--emit", "helm"), 2, "terraform, launch-template"),
        (("--emit", "terraform", "--pick", "99"), 2, "--pick 99"),
        (("--emit", "terraform", "--pick", "0"), 2, "--pick"),
        (("--emit", "terraform", "--pick", "one"), 2, "--pick"),
        (("--pick", "1"), 2, "add --emit"),
        (("--emit", "terraform", "--format", "json"), 2, "--format"),
        (("--emit", "terraform", "--budget", "1"), 1, "nothing to write"),
        (("--emit", "karpenter", "--provider", "gcp"), 1, "only for aws"),
    ],
)
def test_refusals_say_what_to_do(more: tuple[str, ...], code: int, said: str) -> None:
    ask = [word for word in ASK if "--provider" not in more or word not in ("--provider", "aws")]
    done = gpuadvisor(*ask, *more)
    assert (done.code, done.out) == (code, "") and said in done.err
    assert "Traceback" not in done.err


def test_a_request_file_is_written_out_in_the_head(tmp_path: Path) -> None:
    request = tmp_path / "request.yaml"
    request.write_text("workload: ocr\nprovider: [aws]\ndiscount: {aws: 12%}\n")
    done = gpuadvisor("recommend", "--request", str(request), "--emit", "terraform")
    assert done.code == 0
    assert "--workload ocr --provider aws --discount aws=12%" in done.out
