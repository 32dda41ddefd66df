"""`check --format` and `--output` for code hosts, through the command line."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import jsonschema
import pytest

from gpuadvisor.cli.main import run as command
from tests.check.conftest import _small_base, small_catalogs  # noqa: F401
from tests.check.support import plan
from tests.iac.plans import change

SCHEMAS = Path(__file__).parents[1] / "report" / "schemas"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with one plan of one T4 machine: 0.50 USD an hour, 365 a month."""
    monkeypatch.chdir(tmp_path)
    for name in ("AGENT_TEMPDIRECTORY", "GITHUB_STEP_SUMMARY", "GITHUB_OUTPUT"):
        monkeypatch.delenv(name, raising=False)
    data = plan(
        change("aws_instance.a", {"instance_type": "g4dn.xlarge"}),
    )
    (tmp_path / "plan.json").write_text(json.dumps(data))
    return tmp_path


def check(*arguments: str) -> int:
    return command(["check", "plan.json", "--today", "2026-11-30", *arguments])


def test_files_in_every_form_are_written_before_the_exit_code(folder: Path) -> None:
    forms = {"sarif": "a.sarif", "junit": "a.xml", "gitlab": "a.json", "markdown": "a.md"}
    outputs = [word for form, name in forms.items() for word in ("--output", f"{form}={name}")]
    assert check("--max-increase", "1", *outputs) == 1
    log = json.loads((folder / "a.sarif").read_text())
    jsonschema.validate(log, json.loads((SCHEMAS / "sarif-2.1.0.json").read_text()))
    (result,) = log["runs"][0]["results"]
    assert (result["ruleId"], result["level"]) == ("GA001", "error")
    suite = ElementTree.parse(folder / "a.xml").getroot()[0]  # noqa: S314
    assert suite.get("failures") == "1"
    (issue,) = json.loads((folder / "a.json").read_text())
    assert (issue["check_name"], issue["location"]["path"]) == ("GA001", "plan.json")
    assert "+$365 planned" in (folder / "a.md").read_text()


@pytest.mark.parametrize("form", ["sarif", "gitlab", "junit"])
def test_stdout_holds_the_form_alone(
    folder: Path, form: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert check("--format", form) == 0
    out = capsys.readouterr().out
    if form == "junit":
        assert ElementTree.fromstring(out.encode()).tag == "testsuites"  # noqa: S314
    else:
        json.loads(out)


def test_azure_log_and_summary(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AGENT_TEMPDIRECTORY", str(folder))
    assert check("--format", "azure", "--max-increase", "1") == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("##vso[task.logissue type=error;code=GA001;]")
    assert "##vso[task.setvariable variable=gpuadvisor_result;isOutput=true;]failed" in lines
    assert lines[-1] == f"##vso[task.uploadsummary]{folder / 'gpuadvisor-check.md'}"
    assert "+$365 planned" in (folder / "gpuadvisor-check.md").read_text()


def test_a_source_gives_its_line_to_the_hosts(folder: Path) -> None:
    pytest.importorskip("hcl2")
    (folder / "main.tf").write_text(
        'provider "aws" { region = "us-east-1" }\n\n'
        'resource "aws_instance" "a" {\n  instance_type = "g4dn.xlarge"\n}\n'
    )
    (folder / ".gpuadvisor.yaml").write_text("check: {types: {deny: [g4dn.*]}}\n")
    arguments = ["check", "main.tf", "--output", "sarif=a.sarif", "--output", "gitlab=a.json"]
    assert command([*arguments, "--format", "github"]) == 1
    (result,) = json.loads((folder / "a.sarif").read_text())["runs"][0]["results"]
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "main.tf"
    assert place["region"] == {"startLine": 3}
    (issue,) = json.loads((folder / "a.json").read_text())
    assert issue["location"] == {"path": "main.tf", "lines": {"begin": 3}}


def test_github_marks_the_line_of_a_source(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("hcl2")
    (folder / "main.tf").write_text(
        'resource "aws_instance" "a" {\n  instance_type = "p2.xlarge"\n}\n'
    )
    (folder / ".gpuadvisor.yaml").write_text("check: {types: {deny: [p2.*]}}\n")
    command(["check", "main.tf", "--format", "github"])
    assert "::error file=main.tf,line=1,title=gpuadvisor GA007::" in capsys.readouterr().out


@pytest.mark.parametrize("word", ["sarif", "sarif=", "pdf=a.pdf", "github=a.log"])
def test_unknown_outputs_are_refused(
    folder: Path, word: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert check("--output", word) == 2
    assert "sarif" in capsys.readouterr().err


def test_a_plan_is_marked_where_it_is_written(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "infra").mkdir()
    (folder / "infra" / "main.tf").write_text('\n\nresource "aws_instance" "a" {\n}\n')
    (folder / ".gpuadvisor.yaml").write_text("check: {types: {deny: [g4dn.*]}}\n")
    assert check("--source", "infra", "--format", "github", "--output", "gitlab=a.json") == 1
    assert "::error file=infra/main.tf,line=3,title=gpuadvisor GA007::" in capsys.readouterr().out
    (issue,) = json.loads((folder / "a.json").read_text())
    assert issue["location"] == {"path": "infra/main.tf", "lines": {"begin": 3}}
