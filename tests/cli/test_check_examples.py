"""The hook file, the GitLab template and the CI examples: flags that exist, scripts that run."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from gpuadvisor.cli import check as check_command
from gpuadvisor.cli.main import run as command
from tests.check.conftest import small_catalogs  # noqa: F401
from tests.check.support import ROOT, plan
from tests.iac.plans import change

EXAMPLES = ROOT / "examples" / "ci"
TEMPLATE = yaml.safe_load((ROOT / "templates" / "gpuadvisor-check.yml").read_text())
JOB = TEMPLATE[".gpuadvisor-check"]
HOOKS = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
FILES = ["gitlab-ci.yml", "azure-pipelines.yml", "pre-commit-config.yaml", "atlantis.yaml"]
FLAG = re.compile(r"(?<![\w-])--[a-z][a-z-]+")


def _flags() -> set[str]:
    source = Path(check_command.__file__).read_text() + (
        Path(check_command.__file__).with_name("check_comment.py").read_text()
    )
    return set(re.findall(r'"(--[a-z-]+)"', source))


def _commands(text: str) -> list[str]:
    """Calls of `gpuadvisor check` with the lines that they go on over."""
    joined = re.sub(r"\\\n\s*", " ", text)
    return [line for line in joined.splitlines() if "gpuadvisor check" in line]


@pytest.mark.parametrize("name", FILES)
def test_examples_are_yaml(name: str) -> None:
    assert isinstance(yaml.safe_load((EXAMPLES / name).read_text()), dict)


@pytest.mark.parametrize(
    "path",
    [EXAMPLES / name for name in FILES]
    + [ROOT / "templates" / "gpuadvisor-check.yml", ROOT / ".pre-commit-hooks.yaml"],
    ids=lambda p: p.name,
)
def test_every_flag_exists(path: Path) -> None:
    for line in _commands(path.read_text()):
        used = set(FLAG.findall(line.partition("gpuadvisor check")[2]))
        assert used <= _flags(), used - _flags()


def test_policies_come_from_the_target_branch() -> None:
    """A request must not be able to grant itself a budget."""
    texts = [(EXAMPLES / n).read_text() for n in ("azure-pipelines.yml", "atlantis.yaml")]
    for text in (*texts, JOB["script"][0]):
        assert "--config" in text and "git:origin/" in text


def test_the_gitlab_example_extends_the_template() -> None:
    example = yaml.safe_load((EXAMPLES / "gitlab-ci.yml").read_text())
    assert example["gpu-cost"]["extends"] in TEMPLATE
    assert example["include"][0]["remote"].endswith("/templates/gpuadvisor-check.yml")
    assert example["gpu-cost"]["stage"] in example["stages"]
    produced = example["plan"]["artifacts"]["paths"]
    assert JOB["variables"]["GPUADVISOR_FILES"] in produced


def test_the_hook_file_has_what_pre_commit_asks_for() -> None:
    (hook,) = HOOKS
    assert {"id", "name", "entry", "language", "files"} <= set(hook)
    assert hook["language"] == "python" and hook["require_serial"] is True
    pattern = re.compile(hook["files"])
    assert all(pattern.search(n) for n in ("a/main.tf", "x.yaml", "x.yml", "m.tofu"))
    assert not any(pattern.search(n) for n in ("plan.json", "a.py", "tf", "x.yaml.bak"))
    example = yaml.safe_load((EXAMPLES / "pre-commit-config.yaml").read_text())
    assert example["repos"][0]["hooks"][0]["id"] == hook["id"]


def _hook(folder: Path, *files: str) -> int:
    """What pre-commit runs, in the repository's root."""
    return command([*shlex.split(HOOKS[0]["entry"])[1:], *files])


@pytest.fixture
def repository(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> Path:
    monkeypatch.setenv("GPUADVISOR_BASE", str(request.getfixturevalue("small_catalogs")))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_hook_passes_over_other_yaml_and_what_only_a_plan_knows(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("hcl2")
    (repository / "ci.yml").write_text("on: push\njobs: {a: {steps: []}}\n")
    (repository / "values.yaml").write_text("replicaCount: 1\nimage: {tag: x}\n")
    (repository / "chart.yaml").write_text("{{- if .Values.x }}\nkind: Pod\n{{ end }}\n")
    (repository / "empty.yaml").write_text("")
    (repository / "main.tf").write_text(
        'resource "aws_instance" "a" {\n  count = var.n\n  instance_type = var.t\n}\n'
    )
    names = ("ci.yml", "values.yaml", "chart.yaml", "empty.yaml", "main.tf")
    assert _hook(repository, *names) == 0
    assert "4 files are none of the known formats" in capsys.readouterr().out


def test_the_hook_does_not_hide_broken_files(repository: Path) -> None:
    (repository / "pod.yaml").write_text("apiVersion: v1\nkind: Pod\n  spec: [\n")
    assert _hook(repository, "pod.yaml") == 3


def test_the_hook_objects_to_what_the_policy_denies(repository: Path) -> None:
    pytest.importorskip("hcl2")
    (repository / ".gpuadvisor.yaml").write_text("check: {types: {deny: [g4dn.*]}}\n")
    (repository / "main.tf").write_text(
        'resource "aws_instance" "a" {\n  instance_type = "g4dn.xlarge"\n}\n'
    )
    assert _hook(repository, "main.tf", ".gpuadvisor.yaml") == 1


def test_without_the_flag_another_file_is_an_error(repository: Path) -> None:
    (repository / "ci.yml").write_text("on: push\njobs: {}\n")
    assert command(["check", "ci.yml"]) == 3


@pytest.mark.parametrize(
    ("arguments", "code"),
    [("", 0), ("--max-increase=1", 1), ("--no-such-flag", 2), ("$(touch pwned)", 3)],
)
def test_the_gitlab_script(
    tmp_path: Path, request: pytest.FixtureRequest, arguments: str, code: int
) -> None:
    """The script of the template, run as the runner runs it."""
    if shutil.which("bash") is None or shutil.which("git") is None:
        pytest.skip("needs bash and git")
    tool = tmp_path / "bin" / "gpuadvisor"
    tool.parent.mkdir()
    tool.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m gpuadvisor "$@"\n')
    tool.chmod(0o755)
    work = tmp_path / "work"
    work.mkdir()
    quiet: dict[str, Any] = {"cwd": work, "check": True, "capture_output": True}
    subprocess.run(["git", "init", "--quiet"], **quiet)
    (work / ".gpuadvisor.yaml").write_text("check: {on_unknown: warn}\n")
    subprocess.run(["git", "add", "."], **quiet)
    who = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
    subprocess.run(["git", *who, "commit", "--quiet", "-m", "x"], **quiet)
    subprocess.run(["git", "update-ref", "refs/remotes/origin/main", "HEAD"], **quiet)
    data = plan(change("aws_instance.a", {"instance_type": "g4dn.xlarge"}))
    (work / "plan.json").write_text(json.dumps(data))
    variables = {
        **{k: v for k, v in os.environ.items() if k != "GITLAB_TOKEN"},
        **JOB["variables"],
        "PATH": f"{tool.parent}:{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "GPUADVISOR_BASE": str(request.getfixturevalue("small_catalogs")),
        "CI_MERGE_REQUEST_TARGET_BRANCH_NAME": "main",
        "GPUADVISOR_ARGS": arguments,
    }
    done = subprocess.run(
        ["bash", "-eo", "pipefail", "-c", "\n".join(JOB["script"])],
        cwd=work,
        env=variables,
        capture_output=True,
        text=True,
    )
    assert done.returncode == code, done.stderr
    assert not (work / "pwned").exists()
    for name in JOB["artifacts"]["reports"].values():
        assert (work / name).exists() == (code in (0, 1))
