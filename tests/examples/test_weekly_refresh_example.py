"""The scheduled workflow: what it may do, and its two scripts run as they stand."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.cli.run import gpuadvisor
from tests.refresh.cloud import DRIVER, Cloud, prepared
from tests.refresh.server import Server, reply

FOLDER = Path(__file__).parents[2] / "examples/weekly-refresh"
WORKFLOW = yaml.load(
    (FOLDER / "refresh-prices.yml").read_text("utf-8"),
    Loader=yaml.BaseLoader,  # noqa: S506 - every scalar as text, `on` too
)
JOB = WORKFLOW["jobs"]["refresh"]


def git(folder: Path, *arguments: str) -> str:
    done = subprocess.run(
        ["git", "-C", str(folder), *arguments], capture_output=True, text=True, check=True
    )
    return done.stdout


def script(name: str) -> str:
    return str(next(step["run"] for step in JOB["steps"] if step.get("name") == name))


def test_the_difference_is_what_the_command_prints() -> None:
    done = gpuadvisor(
        "catalog", "diff", "aws@2025.04", "aws@2026.10", "--purchase", "on_demand", "--format",
        "markdown",
    )  # fmt: skip
    assert done.out == (FOLDER / "difference.md").read_text("utf-8")


def test_the_run_may_do_little() -> None:
    assert WORKFLOW["permissions"] == {}
    assert JOB["permissions"] == {
        "contents": "write", "pull-requests": "write", "id-token": "write",
    }  # fmt: skip
    assert "on" in WORKFLOW and "pull_request" not in str(WORKFLOW["on"])
    for step in JOB["steps"]:
        if "uses" in step:
            assert re.fullmatch(r"[\w-]+/[\w-]+@v\d+", step["uses"])
        # An expression inside a script would run what a name holds.
        assert "${{" not in step.get("run", "")


def test_flags_of_the_script_exist() -> None:
    page = gpuadvisor("catalog", "refresh", "--help").out
    assert set(re.findall(r"--[a-z-]+", script("Refresh"))) <= set(re.findall(r"--[a-z-]+", page))


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Both scripts in a repository of one's own, with `gh` and `git push` recorded."""
    for tool in ("git", "bash"):
        if shutil.which(tool) is None:
            pytest.skip(f"no {tool}")
    with Server() as server:
        cloud = prepared(server, tmp_path, monkeypatch)
        tools, work = tmp_path / "bin", tmp_path / "repository"
        tools.mkdir()
        work.mkdir()
        shims = {
            "gpuadvisor": f'exec {sys.executable} -c "{DRIVER}" "$@"',
            "gh": f'echo "gh $*" >> {tmp_path}/told',
        }
        for name, line in shims.items():
            (tools / name).write_text(f"#!/bin/sh\n{line}\n")
            (tools / name).chmod(0o755)
        git(tmp_path, "init", "-q", "--bare", "origin")
        git(work, "init", "-q")
        git(work, "remote", "add", "origin", str(tmp_path / "origin"))
        environment = {
            **cloud.environment(), **JOB["env"], "PROVIDERS": "acme", "RUNNER_TEMP": str(tmp_path),
            "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}", "PROJECT": "", "SUBSCRIPTION": "",
        }  # fmt: skip

        def both() -> None:
            for name in ("Refresh", "Open a pull request"):
                subprocess.run(
                    ["bash", "-e", "-o", "pipefail", "-c", script(name)], cwd=work,
                    env=environment, check=True, capture_output=True,
                )  # fmt: skip

        yield cloud, both, tmp_path


def test_the_scripts_open_a_pull_request_with_the_difference(run: Any) -> None:
    cloud: Cloud
    cloud, both, tmp_path = run
    cloud.prices["south"]["on_demand"][0]["price"] = 1.2  # + 100 %
    both()
    told = (tmp_path / "told").read_text("utf-8")
    assert told.startswith("gh pr create --title Refresh GPU prices --body-file")
    body = (tmp_path / "body.md").read_text("utf-8")
    assert "Needs a look before it is merged" in body
    assert "- t.1 on_demand south: 0.6 -&gt; 1.2 (+100.0 %)" in body
    assert "| t.1 | on demand | south | 0.6 | 1.2 | +100.0 % |" in body
    branch = git(tmp_path / "origin", "for-each-ref", "--format=%(refname)").strip()
    listed = git(tmp_path / "origin", "ls-tree", "-r", "--name-only", branch)
    assert re.fullmatch(r"gpu-catalogs/providers/acme/prices/\d{4}\.\d{2}\.yaml\n", listed)


def test_a_provider_that_is_not_reached_opens_none(run: Any) -> None:
    cloud, both, tmp_path = run
    cloud.server.on("/regions", reply(status=404))
    both()
    assert not (tmp_path / "told").exists()
