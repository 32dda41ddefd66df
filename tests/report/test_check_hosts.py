"""SARIF, JUnit, GitLab and Azure forms of a check: their schemas, their escapes, their limits."""

from __future__ import annotations

import copy
import json
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from gpuadvisor.check import policy as rules
from gpuadvisor.report import check_azure, check_github, check_issues
from gpuadvisor.report.check_gitlab import gitlab
from gpuadvisor.report.check_issues import issues, repository_path
from gpuadvisor.report.check_json import document
from gpuadvisor.report.check_junit import junit
from gpuadvisor.report.check_markdown import markdown
from gpuadvisor.report.check_sarif import sarif
from gpuadvisor.report.check_text import text
from gpuadvisor.report.messages.hosts import EN
from tests.check.conftest import _small_base, small_catalogs  # noqa: F401
from tests.check.support import plan, run
from tests.iac.plans import change

SCHEMAS = Path(__file__).parent / "schemas"


def schema(name: str) -> Any:
    return json.loads((SCHEMAS / name).read_text())


def verdict(rule: str, level: str, text: str = "x", **more: Any) -> dict[str, Any]:
    found = {"rule": rule, "level": level, "passed": False, "message": text}
    return {**found, "address": None, "file": None, "line": None, **more}


def with_verdicts(doc: dict[str, Any], *verdicts: dict[str, Any], code: int = 0) -> dict[str, Any]:
    return {**copy.deepcopy(doc), "policy": list(verdicts), "exit_code": code}


@pytest.fixture
def doc(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Two instances, of which one has no price; a limit that both break."""
    monkeypatch.chdir(tmp_path)
    changes = (
        change("aws_instance.a", {"instance_type": "g4dn.xlarge"}),
        change("aws_instance.b", {"instance_type": "p2.xlarge"}),
    )
    return document(run(tmp_path, plan(*changes), max_increase="1"))


@pytest.fixture
def quiet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    monkeypatch.chdir(tmp_path)
    return document(run(tmp_path, plan(change("aws_instance.a", {"instance_type": "m5.large"}))))


PLACED = verdict("GA007", "fail", "no p5", address="Deployment/x", file="k8s/a b.yaml", line=12)


def test_sarif_is_valid_and_says_where(doc: dict[str, Any]) -> None:
    log = json.loads(sarif(with_verdicts(doc, PLACED, verdict("GA012", "warn"), code=1)))
    jsonschema.validate(log, schema("sarif-2.1.0.json"))
    (run_,) = log["runs"]
    assert [r["id"] for r in run_["tool"]["driver"]["rules"]] == ["GA007", "GA012"]
    assert run_["invocations"] == [{"executionSuccessful": True, "exitCode": 1}]
    first, second = run_["results"]
    assert (first["ruleId"], first["ruleIndex"], first["level"]) == ("GA007", 0, "error")
    assert (second["ruleIndex"], second["level"]) == (1, "warning")
    assert first["message"]["text"] == "Deployment/x: no p5"
    place = first["locations"][0]["physicalLocation"]
    # A URI, relative to the root of the sources.
    assert place["artifactLocation"] == {"uri": "k8s/a%20b.yaml", "uriBaseId": "%SRCROOT%"}
    assert place["region"] == {"startLine": 12}


def test_the_reduced_sarif_schema_refuses_what_the_whole_one_refuses() -> None:
    good = {"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "x"}}}]}
    jsonschema.validate(good, schema("sarif-2.1.0.json"))
    for bad in (
        {**good, "version": "2.0.0"},
        {"version": "2.1.0"},
        {**good, "runs": [{}]},
        {**good, "runs": [{**good["runs"][0], "results": [{"ruleId": "a"}]}]},  # type: ignore[index,dict-item]
        {**good, "runs": [{**good["runs"][0], "result": []}]},  # type: ignore[index,dict-item]
    ):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(bad, schema("sarif-2.1.0.json"))


def test_a_fingerprint_stays_when_a_price_or_a_line_moves(doc: dict[str, Any]) -> None:
    (one,) = issues(with_verdicts(doc, PLACED))
    (other,) = issues(with_verdicts(doc, {**PLACED, "line": 99, "message": "no p5e"}))
    (elsewhere,) = issues(with_verdicts(doc, {**PLACED, "address": "Deployment/y"}))
    assert one.fingerprint == other.fingerprint != elsewhere.fingerprint


def test_two_objections_to_one_resource_have_two_fingerprints(doc: dict[str, Any]) -> None:
    """GitLab shows only the first of two with the same fingerprint."""
    found = json.loads(
        gitlab(with_verdicts(doc, PLACED, {**PLACED, "message": "nor in that place"}))
    )
    assert len({item["fingerprint"] for item in found}) == 2


def test_gitlab(doc: dict[str, Any]) -> None:
    found = json.loads(gitlab(with_verdicts(doc, verdict("GA012", "warn"), PLACED)))
    jsonschema.validate(found, schema("gitlab-code-quality.json"))
    assert [(i["check_name"], i["severity"]) for i in found] == [
        ("GA007", "critical"),
        ("GA012", "minor"),
    ]
    assert found[0]["location"] == {"path": "k8s/a b.yaml", "lines": {"begin": 12}}
    # What holds for the whole is shown at the first file, whose lines nobody knows.
    assert found[1]["location"] == {"path": "file0.json", "lines": {"begin": 1}}


def test_nothing_to_say_is_an_empty_report(quiet: dict[str, Any]) -> None:
    assert json.loads(gitlab(quiet)) == []
    assert json.loads(sarif(quiet))["runs"][0]["results"] == []
    assert ElementTree.fromstring(junit(quiet)).find("testsuite/testcase") is None  # noqa: S314


PATHS = [
    ("plan.json", "plan.json"),
    ("./infra/../k8s/a.yaml", "k8s/a.yaml"),
    ("../other/plan.json", ""),
    ("/somewhere/else/plan.json", ""),
    ("<stdin>", ""),
    ("", ""),
]


@pytest.mark.parametrize(("file", "path"), PATHS)
def test_paths_are_those_of_the_repository(
    file: str, path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert repository_path(file) == path
    assert repository_path(str(tmp_path / "a" / "b.yaml")) == "a/b.yaml"


def test_junit_is_valid_and_counts_right(doc: dict[str, Any]) -> None:
    xmlschema = pytest.importorskip("xmlschema")
    warning = verdict("GA014", "warn", "cannot attach")
    passed = {**verdict("GA004", "fail"), "passed": True}
    body = junit(with_verdicts(doc, PLACED, warning, passed, code=1))
    xmlschema.XMLSchema(str(SCHEMAS / "junit-10.xsd")).validate(body)
    (suite,) = ElementTree.fromstring(body)  # noqa: S314
    cases = {case.get("name"): case for case in suite.iter("testcase")}
    assert suite.get("tests") == str(len(cases)) == "5"
    assert (suite.get("failures"), suite.get("skipped"), suite.get("errors")) == ("1", "1", "0")
    failure = cases["GA007 Deployment/x"].find("failure")
    assert failure is not None and failure.get("message") == "no p5"
    assert cases["GA007 Deployment/x"].get("classname") == "k8s/a b.yaml"
    assert cases["GA014"].findtext("system-out") == "cannot attach"
    assert list(cases["GA004"]) == []
    # 0.50 USD an hour, 730 hours
    assert cases["cost of aws_instance.a"].findtext("system-out") == "+$365 a month"
    skipped = cases["cost of aws_instance.b"].find("skipped")
    assert skipped is not None and "p2.xlarge" in str(skipped.get("message"))
    assert {p.get("name"): p.get("value") for p in suite.iter("property")}["delta"] == "365.00"


def test_a_warning_fails_in_junit_where_the_policy_fails_on_warnings(doc: dict[str, Any]) -> None:
    body = junit(with_verdicts(doc, verdict("GA014", "warn", "no"), code=1))
    (suite,) = ElementTree.fromstring(body)  # noqa: S314
    assert suite.get("failures") == "1"


def test_azure_commands(doc: dict[str, Any]) -> None:
    broken = {**PLACED, "file": "k8s/a;b].yaml", "message": "50 %\r\nof it"}
    lines = list(check_azure.commands(with_verdicts(doc, broken, code=1)))
    assert lines[0] == (
        "##vso[task.logissue type=error;code=GA007;sourcepath=k8s/a%3Bb%5D.yaml;linenumber=12;]"
        "Deployment/x: 50 %AZP25\\x0d of it"
    )
    assert "##vso[task.setvariable variable=gpuadvisor_delta;isOutput=true;]365.00" in lines
    assert "##vso[task.setvariable variable=gpuadvisor_result;isOutput=true;]failed" in lines


def test_azure_is_amber_on_warnings_alone(doc: dict[str, Any]) -> None:
    amber = "##vso[task.complete result=SucceededWithIssues;]"
    assert check_azure.log(with_verdicts(doc, verdict("GA014", "warn"))).endswith(amber)
    failed = with_verdicts(doc, verdict("GA014", "warn"), PLACED, code=1)
    assert amber not in check_azure.log(failed)
    assert amber not in check_azure.log(with_verdicts(doc))


def test_azure_shows_the_report_in_its_summary(
    doc: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("AGENT_TEMPDIRECTORY", raising=False)
    assert check_azure.write_summary(doc) is None
    monkeypatch.setenv("AGENT_TEMPDIRECTORY", str(tmp_path))
    path = tmp_path / check_azure.SUMMARY
    assert check_azure.write_summary(doc) == f"##vso[task.uploadsummary]{path}"
    assert path.read_text().startswith("### GPU cost")
    monkeypatch.setenv("AGENT_TEMPDIRECTORY", str(tmp_path / "missing"))
    assert check_azure.write_summary(doc) is None


def test_every_rule_has_a_title() -> None:
    ids = {v.casefold() for k, v in vars(rules).items() if k.isupper() and str(v).startswith("GA")}
    assert {f"hosts.{id}" for id in ids} <= set(EN)
    assert check_issues.rule_title("GA999") == EN["hosts.other"]


HOSTILE = [
    "##vso[task.setvariable variable=PATH]x",
    "###vso[task.complete result=Failed;]",
    "::error::pwned",
    "%0A::set-output name=a::b",
    "x\n##vso[build.addbuildtag]y",
    "a\r\n::stop-commands::t",
    "<script>alert(1)</script>",
    "</system-out></testcase><testcase name='x'>",
    "]]><!ENTITY a SYSTEM 'file:///etc/passwd'>&a;",
    "[click](https://evil.example)",
    "![x](https://evil.example/a.png)",
    "@everyone #1 !2",
    "| a | b |\n|---|---|",
    "`code` **bold** <!-- hidden -->",
    "\x1b[2J\x07\x00\x9b31m",
    "\u202egnp.exe\u2066",
    "\ud800 lone \udfff",
    "\ufffe\uffff",
    "=cmd|' /C calc'!A0",
    "/close\n/merge",
    "x" * 5000,
    "../../etc/passwd",
    "{0} {name} %s %(x)s",
]


def hostile(folder: Path, name: str) -> dict[str, Any]:
    """A report in which a stranger chose the address, the type and the region."""
    after = {"instance_type": "g4dn.xlarge", "availability_zone": name, "tags": {"x": name}}
    one = change("aws_instance.a", after) | {"address": f"aws_instance.{name}"}
    two = change("aws_spot_instance_request.b", {"instance_type": f"p9.{name}", "spot_price": name})
    found = document(run(folder, plan(one, two), max_increase="1"))
    return with_verdicts(
        found,
        *found["policy"],
        verdict("GA007", "fail", f"the type {name}", address=name, file=name, line=3),
        code=1,
    )


@pytest.mark.parametrize("name", HOSTILE)
def test_names_of_strangers_in_every_form(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    doc = hostile(tmp_path, name)
    # SARIF: valid, no link, no control characters.
    log = json.loads(sarif(doc))
    jsonschema.validate(log, schema("sarif-2.1.0.json"))
    for result in log["runs"][0]["results"]:
        assert "](" not in result["message"]["text"].replace("\\](", "")
        assert result["message"]["text"].isprintable()
    # GitLab: valid, printable.
    found = json.loads(gitlab(doc))
    jsonschema.validate(found, schema("gitlab-code-quality.json"))
    assert all(item["description"].isprintable() for item in found)
    # JUnit: well-formed, and as many cases as were written.
    (suite,) = ElementTree.fromstring(junit(doc).encode())  # noqa: S314
    assert len(suite.findall("testcase")) == len(doc["findings"]) + len(doc["policy"])
    # Azure: a command only at the start of a line that we wrote, nothing behind it.
    for line in check_azure.log(doc).splitlines():
        assert "##" not in line.removeprefix("##vso[task."), line
        assert line.isprintable() or line == ""
    # GitHub: commands only before the report is printed between the switches.
    lines = check_github.log(doc).splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("::stop-commands::"))
    assert all(line.startswith(("::error ", "::warning ")) for line in lines[:start])
    assert [line for line in lines[start + 1 :] if line.startswith("::")] == [lines[-1]]
    # Markdown: no tag, no comment, no link, no mention of anybody.
    body = markdown(doc)
    assert "<script" not in body and "<!--" not in body
    assert not re.search(r"(?<!\\)\]\(http", body)
    assert "@everyone" not in body.replace("@\u200b", "")
    # Text: nothing that drives a terminal.
    assert all(line.isprintable() for line in text(doc, 100).splitlines())
    # Names never format a message: braces stand as they were written.
    assert "KeyError" not in body


def test_thousands_of_rows_stay_within_bounds(tmp_path: Path) -> None:
    changes = [change(f"aws_instance.n{n}", {"instance_type": "p2.xlarge"}) for n in range(2_000)]
    doc = document(run(tmp_path, plan(*changes), max_increase="1"))
    for write in (sarif, junit, gitlab, check_azure.log):
        assert len(write(doc)) < 3_000_000
