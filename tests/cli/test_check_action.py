"""The composite action and the CI examples: the scripts run as the runner runs them."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from gpuadvisor.check.policy_file import load_policy, policy_text
from gpuadvisor.cli.main import run as command
from tests.check.conftest import small_catalogs  # noqa: F401
from tests.check.support import ROOT, plan
from tests.iac.plans import change

ACTION = yaml.safe_load((ROOT / "action.yml").read_text())
EXAMPLES = ROOT / "examples" / "ci"
WORKFLOW = yaml.safe_load((EXAMPLES / "github-workflow.yml").read_text())
STEPS = {step["name"]: step for step in ACTION["runs"]["steps"]}


def test_inputs_never_become_script() -> None:
    """A title or a path pasted into `run` would be executed."""
    for step in ACTION["runs"]["steps"]:
        assert "${{" not in step["run"]


def test_the_example_uses_inputs_that_exist() -> None:
    uses = next(s for s in WORKFLOW["jobs"]["check"]["steps"] if "gpuadvisor" in s.get("uses", ""))
    assert set(uses["with"]) <= set(ACTION["inputs"])
    assert uses["with"]["config"].startswith("git:origin/")
    # pull_request_target would run a stranger's code with a token that can write.
    assert True in WORKFLOW or "on" in WORKFLOW
    assert "pull_request_target" not in (EXAMPLES / "github-workflow.yml").read_text()


class Job:
    """Runs a step of the action the way the runner does: variables, files, bash."""

    def __init__(self, folder: Path, base: str) -> None:
        self.folder = folder
        tool = folder / "gpuadvisor"
        tool.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m gpuadvisor "$@"\n')
        tool.chmod(0o755)
        self.variables = {
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "GPUADVISOR_BASE": base,
            "GPUADVISOR_BIN": str(tool),
            "RUNNER_TEMP": str(folder),
            "GITHUB_OUTPUT": str(folder / "output"),
            "GITHUB_STEP_SUMMARY": str(folder / "summary"),
        }

    def step(self, name: str, **variables: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", STEPS[name]["run"]],
            cwd=self.folder,
            env={**self.variables, **variables},
            capture_output=True,
            text=True,
        )

    def outputs(self) -> dict[str, str]:
        lines = (self.folder / "output").read_text().splitlines()
        return dict(line.split("=", 1) for line in lines)


@pytest.fixture
def job(tmp_path: Path, request: pytest.FixtureRequest) -> Job:
    if shutil.which("bash") is None:
        pytest.skip("needs bash")
    return Job(tmp_path, str(request.getfixturevalue("small_catalogs")))


CASES = [
    ("", "0", "passed"),
    ("--max-increase=1", "1", "failed"),
    ("--max-increase\n1\n\n--exit-zero", "0", "passed"),
    ("--no-such-flag", "2", None),
    # A line is one argument, whatever stands in it.
    ("--max-increase=1; touch pwned", "2", None),
    ("$(touch pwned)", "3", None),
]


@pytest.mark.parametrize(("arguments", "code", "result"), CASES)
def test_the_check_step(job: Job, arguments: str, code: str, result: str | None) -> None:
    document = plan(change("aws_instance.a", {"instance_type": "g4dn.xlarge"}))
    (job.folder / "my plan.json").write_text(json.dumps(document))
    done = job.step("Check", FILES="my plan.json\n", CONFIG="", ARGS=arguments)
    assert done.returncode == 0, done.stderr
    outputs = job.outputs()
    assert outputs["code"] == code
    assert outputs.get("result") == result
    assert not (job.folder / "pwned").exists()
    assert job.step("Result", CODE=code).returncode == int(code)
    if result:
        assert json.loads(Path(outputs["report"]).read_text())["exit_code"] in (0, 1)
        assert "+$365 planned" in (job.folder / "summary").read_text()


def test_outputs_of_the_action_are_outputs_of_the_check() -> None:
    from gpuadvisor.report.check_github import outputs

    named = {
        match
        for output in ACTION["outputs"].values()
        for match in re.findall(r"steps\.check\.outputs\.(\w+)", output["value"])
    }
    figures: dict[str, Any] = dict.fromkeys(
        ["total_before", "total_after", "total_max", "delta", "delta_max"], "0.00"
    )
    counts = dict.fromkeys(["changed", "unpriced", "unknown"], 0)
    doc = {"summary": {**figures, **counts}, "currency": "USD", "exit_code": 0}
    assert named <= {*dict(outputs(doc)), "report"}


def test_the_example_policy_is_valid() -> None:
    loaded = load_policy(policy_text(str(EXAMPLES / "policy.yaml")))
    assert loaded.policy.level("GA017") == "fail"


def test_the_example_comment_is_what_the_example_plan_gives(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(EXAMPLES)
    monkeypatch.delenv("GITHUB_RUN_ID", raising=False)
    report = tmp_path / "report.json"
    code = command(
        [
            *("check", "plan.json", "--config", "policy.yaml", "--today", "2026-11-30"),
            *("--output", f"json={report}"),
        ]
    )
    assert code == 1
    capsys.readouterr()
    assert command(["check", "comment", str(report), "--dry-run"]) == 0
    assert capsys.readouterr().out == (EXAMPLES / "comment.md").read_text(encoding="utf-8")


def test_the_rules_are_documented_with_their_levels() -> None:
    from gpuadvisor.check.policy import DEFAULT_LEVELS

    text = (EXAMPLES / "README.md").read_text()
    assert dict(re.findall(r"^\| (GA\d{3}) \|.*\| (\w+) \|$", text, re.M)) == DEFAULT_LEVELS
