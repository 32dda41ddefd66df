"""`gpuadvisor check` as a process sees it: streams, exit codes, formats, bad input."""

from __future__ import annotations

import gzip
import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gpuadvisor.cli.main import run
from tests.check.conftest import _small_base, small_catalogs  # noqa: F401
from tests.check.support import ROOT, TODAY, deployment, joined, plan
from tests.iac.plans import change

Check = Callable[..., tuple[int, str, str]]
G4DN = {"instance_type": "g4dn.xlarge"}
CREATE = plan(change("aws_instance.a", G4DN))


@pytest.fixture
def check(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Check:
    """Run the command in an empty folder; returns (exit code, stdout, stderr)."""
    monkeypatch.chdir(tmp_path)
    for name in ("GITHUB_STEP_SUMMARY", "GITHUB_OUTPUT", "GPUADVISOR_CATALOGS"):
        monkeypatch.delenv(name, raising=False)

    def call(*arguments: str) -> tuple[int, str, str]:
        code = run(["check", *arguments, "--today", TODAY])
        out, err = capsys.readouterr()
        return code, out, err

    return call


def write(name: str, content: Any) -> str:
    """A file in the current folder."""
    if isinstance(content, bytes):
        Path(name).write_bytes(content)
    else:
        text = content if isinstance(content, str) else json.dumps(content)
        Path(name).write_text(text, encoding="utf-8")
    return name


def test_the_answer_is_the_first_line(check: Check) -> None:
    code, out, err = check(write("plan.json", CREATE))
    assert code == 0
    assert out.startswith("GPU cost: +$365 planned … +$365 max a month · 1 changed")
    assert err == ""


EXITS = [
    (["--max-increase", "364"], 1),
    (["--max-increase", "364", "--exit-zero"], 0),
    (["--max-increase", "lots"], 2),
    (["--format", "xml"], 2),
    (["--output", "report.pdf"], 2),
    (["--config", "absent.yaml"], 3),
    (["--catalog-version", "aws=1999.01"], 2),
]


@pytest.mark.parametrize(("arguments", "code"), EXITS)
def test_exit_codes(check: Check, arguments: list[str], code: int) -> None:
    assert check(write("plan.json", CREATE), *arguments)[0] == code


def test_incomplete_is_exit_4(check: Check) -> None:
    file = write("plan.json", plan(change("aws_instance.a", G4DN), region=None))
    assert check(file)[0] == 0
    code, out, _ = check(file, "--on-unknown", "fail")
    assert code == 4
    assert "Could not price" in out


def test_the_report_is_written_before_the_exit_code(check: Check) -> None:
    code, out, _ = check(
        write("plan.json", CREATE),
        *("--max-increase", "1", "--format", "json"),
        *("--output", "json=report.json", "--output", "markdown=report.md"),
    )
    assert code == 1
    assert json.loads(out) == json.loads(Path("report.json").read_text())
    assert json.loads(out)["exit_code"] == 1
    assert Path("report.md").read_text().startswith("### GPU cost: +$365")


def test_nothing_about_accelerators(check: Check) -> None:
    code, out, _ = check(
        write("plan.json", plan(change("aws_instance.a", {"instance_type": "m5.large"})))
    )
    assert code == 0
    assert out.splitlines()[0] == "GPU cost: no accelerators in 1 resources"


def test_planned_zero_is_not_no_cost(check: Check) -> None:
    group = {
        "min_size": 0,
        "max_size": 50,
        "mixed_instances_policy": [
            {"launch_template": [{"override": [{"instance_type": "p5.48xlarge"}]}]}
        ],
    }
    _, out, _ = check(write("plan.json", plan(change("aws_autoscaling_group.g", group))))
    # 50 x 55.04 x 730
    assert out.startswith("GPU cost: +$0 planned … +$2,008,960 max a month")


def test_projects_have_subtotals(check: Check) -> None:
    first = write("a.json", CREATE)
    second = write("b.json", plan(change("aws_instance.b", {"instance_type": "g5.xlarge"})))
    _, out, _ = check("--project", f"blue={first}", "--project", f"green={second}")
    assert "blue: +$365 a month" in out
    assert "green: +$730 a month" in out
    assert "GPU cost: +$1,095 planned" in out


def test_a_folder_stands_for_its_files(check: Check) -> None:
    Path("deep/er").mkdir(parents=True)
    write("deep/a.json", CREATE)
    write("deep/er/b.yaml", deployment())
    write("deep/readme.txt", "no")
    code, out, _ = check("deep", "--format", "json")
    assert code == 0
    assert [f["file"] for f in json.loads(out)["files"]] == ["deep/a.json", "deep/er/b.yaml"]


def test_standard_input(check: Check, monkeypatch: pytest.MonkeyPatch) -> None:
    body = joined([deployment("a"), deployment("b", 2)]).encode()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(body)))
    code, out, _ = check("-", "--assume-node", "aws/g4dn.xlarge@us-east-1")
    assert code == 0
    assert "GPU cost: +$1,095 planned" in out


def test_the_policy_file_of_the_folder_is_used(check: Check) -> None:
    write(".gpuadvisor.yaml", "check: {max_increase: 100, note: Ask the platform team.}\n")
    code, out, _ = check(write("plan.json", CREATE))
    assert code == 1
    assert "Ask the platform team." in out
    assert "edit the policy: .gpuadvisor.yaml" in out
    assert check("plan.json", "--max-increase", "400")[0] == 0


def test_project_defaults_hold_too(check: Check) -> None:
    write(".gpuadvisor.yaml", "discount: {aws: 10%}\ncheck: {max_increase: 329}\n")
    assert check(write("plan.json", CREATE))[0] == 0
    write("strict.yaml", "check: {max_increase: 329}\n")
    assert check("plan.json", "--config", "strict.yaml")[0] == 1
    Path(".gpuadvisor.yaml").unlink()
    write("pyproject.toml", "[tool.gpuadvisor.check]\nmax_increase = 1\n")
    assert check("plan.json")[0] == 1


def test_a_pinned_catalog_version_must_exist(check: Check) -> None:
    write(".gpuadvisor.yaml", "check: {catalog_version: {aws: 2026.10}}\n")
    _, out, _ = check(write("plan.json", CREATE), "--format", "json")
    assert json.loads(out)["catalogs"] == [
        {"name": "aws", "version": "2026.10", "as_of": "2026-11-01"}
    ]
    write(".gpuadvisor.yaml", "check: {catalog_version: {aws: 2020.01}}\n")
    assert check("plan.json")[0] == 2


PLAN_TEXT = json.dumps(CREATE)
WRAPPED = f"[command]/usr/bin/terraform show -json tfplan\n{PLAN_TEXT}\n::set-output name=x::y\n"
GOOD = [
    ("bom.json", b"\xef\xbb\xbf" + PLAN_TEXT.encode()),
    ("utf16.json", b"\xff\xfe" + PLAN_TEXT.encode("utf-16-le")),
    ("packed.json", gzip.compress(PLAN_TEXT.encode(), mtime=0)),
    ("wrapped.json", WRAPPED.encode()),
]


@pytest.mark.parametrize(("name", "body"), GOOD)
def test_input_that_is_only_unusual(check: Check, name: str, body: bytes) -> None:
    code, out, _ = check(write(name, body))
    assert code == 0
    assert "+$365 planned" in out


BOMB = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{chr(98 + n)}: &{chr(98 + n)} [{', '.join(['*' + chr(97 + n)] * 9)}]\n" for n in range(8)
)
BAD = [
    # (name, bytes, what the message says)
    ("empty.json", b"", "is empty"),
    ("plan.bin", b"PK\x03\x04rest", "terraform show -json"),
    ("state.json", b'{"format_version": "1.0", "values": {}}', "a state, not a plan"),
    ("tfstate", b'{"version": 4, "lineage": "x", "serial": 1}', "a state, not a plan"),
    ("lines.json", b'{"@level": "info"}\n{"@level": "info"}\n', "plan -json"),
    ("cut.json", PLAN_TEXT[:200].encode(), "ends too early"),
    ("cut.gz", gzip.compress(PLAN_TEXT.encode(), mtime=0)[:40], "gzip"),
    ("latin1.yaml", b"apiVersion: v1\nkind: Pod\nname: caf\xe9\n", "not UTF-8"),
    ("bomb.yaml", BOMB.encode(), "aliases expand"),
    ("twice.yaml", b"apiVersion: v1\napiVersion: v1\nkind: Pod\n", "stands twice"),
    ("deep.json", b"[" * 100_000, "deep"),
    ("deep.yaml", b"a: " + b"[" * 5_000, "nested deeper"),
    ("tags.yaml", b"a: !!python/object/apply:os.system [id]\n", "none of the formats"),
    ("chart.yaml", b"apiVersion: v1\nkind: Pod\n{{ if .x }}\n", "placeholder"),
    ("values.yaml", b"image: x\nreplicaCount: 1\n", "Helm values"),
    ("odd.yaml", b"hello: world\n", "none of the formats"),
    ("version.json", b'{"format_version": "2.0", "resource_changes": []}', "plan format 2.0"),
    ("nan.json", b'{"format_version": NaN}', "invalid JSON"),
    ("binary.json", b"\x00\x01\x02", "binary"),
]


@pytest.mark.parametrize(("name", "body", "said"), BAD)
def test_bad_input_is_exit_3_with_a_way_out(
    check: Check, name: str, body: bytes, said: str
) -> None:
    code, out, err = check(write(name, body))
    assert code == 3
    assert out == ""
    assert said in " ".join(err.split())
    assert "Traceback" not in err


def test_a_file_over_the_limit(check: Check) -> None:
    code, _, err = check(write("plan.json", CREATE), "--max-bytes", "100")
    assert code == 3
    assert "larger than" in err


def test_a_missing_file_and_a_bad_base(check: Check) -> None:
    assert check("absent.json")[0] == 3
    assert check(write("now.yaml", deployment()), "--base", "absent.yaml")[0] == 3


HOSTILE = 'x["\x1b[31m\x07 [bold]red[/] ::error::oops %0A | <script> @team #12"]'


def hostile() -> Any:
    return plan(change("aws_instance.a", G4DN) | {"address": f"aws_instance.{HOSTILE}"})


def test_names_cannot_drive_the_terminal(check: Check) -> None:
    _, out, _ = check(write("plan.json", hostile()))
    assert "\x1b" not in out
    assert "\x07" not in out
    assert "[bold]red[/]" in out.replace("\n", "")


def test_names_cannot_break_out_of_markdown(check: Check) -> None:
    _, out, _ = check(write("plan.json", hostile()), "--format", "markdown")
    row = next(line for line in out.splitlines() if line.startswith("| + |"))
    assert row.count("|") - row.count("\\|") == 11
    assert "<script>" not in out
    assert "@team" not in out
    assert "#12" not in out


def test_names_cannot_give_commands_to_the_runner(check: Check) -> None:
    lines = check(write("plan.json", hostile()), "--format", "github", "--max-increase", "1")[
        1
    ].splitlines()
    stop = next(n for n, line in enumerate(lines) if line.startswith("::stop-commands::"))
    token = lines[stop].removeprefix("::stop-commands::")
    assert lines[-1] == f"::{token}::"
    commands = [line for line in lines[:stop] if line.startswith("::")]
    assert len(commands) == stop
    assert not any("::oops" in line or "\x1b" in line for line in commands)


def test_secrets_are_not_shown(check: Check) -> None:
    after = {**G4DN, "user_data": "hunter2"}
    file = write("plan.json", plan(change("aws_instance.a", after)))
    secret_type = plan(change("aws_instance.a", G4DN, sensitive={"instance_type": True}))
    for format in ("table", "json", "markdown", "github"):
        assert "hunter2" not in check(file, "--format", format)[1]
        _, out, _ = check(write("secret.json", secret_type), "--format", format)
        assert "g4dn" not in out
        assert "secret" in out


def test_same_input_same_bytes(check: Check) -> None:
    file = write("plan.json", CREATE)
    for format in ("table", "json", "markdown", "github"):
        assert check(file, "--format", format)[1] == check(file, "--format", format)[1]


def test_instances_of_a_for_each_are_one_line(check: Check) -> None:
    changes = [change(f'aws_instance.a["{n}"]', G4DN) for n in range(5)]
    _, out, _ = check(write("plan.json", plan(*changes)))
    assert sum("aws_instance.a" in line for line in out.splitlines() if line[:1] == "+") == 1
    assert "aws_instance.a[*] (5)" in out
    assert "+$1,825" in out
    assert len(json.loads(check("plan.json", "--format", "json")[1])["findings"]) == 5


def test_python_and_the_command_agree(check: Check) -> None:
    import gpuadvisor

    _, out, _ = check(write("plan.json", CREATE), "--format", "json")
    report = gpuadvisor.check("plan.json", today=TODAY)
    assert str(report.summary.totals.delta) == json.loads(out)["summary"]["delta"]
    from gpuadvisor import check as again

    assert again("plan.json", today=TODAY).exit_code == 0


SHAPES = [
    (CREATE, []),
    (plan(change("aws_instance.a", None, G4DN)), ["--max-increase", "1"]),
    (plan(change("aws_instance.a", {"instance_type": "p2.xlarge"}, G4DN)), []),
    (plan(change("aws_instance.a", G4DN), region=None), ["--on-unknown", "fail"]),
    (plan(), []),
]


@pytest.mark.parametrize(("document", "arguments"), SHAPES)
def test_json_has_the_published_shape(check: Check, document: Any, arguments: list[str]) -> None:
    import jsonschema

    from gpuadvisor.report.catalog_schema import output_schema

    _, out, _ = check(write("plan.json", document), "--format", "json", *arguments)
    jsonschema.validate(json.loads(out), output_schema("check"))


def test_json_of_manifests_has_the_published_shape(check: Check) -> None:
    import jsonschema

    from gpuadvisor.report.catalog_schema import output_schema

    kinds = [deployment("a"), deployment("b", 0), deployment("j", kind="Job")]
    _, out, _ = check(
        write("k.yaml", joined(kinds)), "--format", "json", "--assume-node", "aws/g4dn.xlarge"
    )
    doc = json.loads(out)
    jsonschema.validate(doc, output_schema("check"))
    assert {f["action"] for f in doc["findings"]} == {"declared"}
    assert [f["line"] for f in doc["findings"]] != [None, None, None]


def test_devices_are_counted_on_both_sides(check: Check) -> None:
    document = plan(
        change("aws_instance.a", {"instance_type": "g5.12xlarge"}, {"instance_type": "g5.xlarge"})
    )
    _, out, _ = check(write("plan.json", document), "--format", "json")
    summary = json.loads(out)["summary"]
    assert (summary["devices_before"], summary["devices_after"]) == (1, 4)
    assert "(1 x A10G → 4 x A10G)" in check("plan.json")[1]


def test_what_stays_is_one_line_when_it_is_much(check: Check) -> None:
    still = [change(f"aws_instance.s{n}", G4DN, G4DN, ["no-op"]) for n in range(40)]
    file = write("plan.json", plan(*still, change("aws_instance.a", G4DN)))
    _, out, _ = check(file)
    assert "=   40 resources stay as they are: $14,600 a month" in out
    assert "aws_instance.s1" not in out
    assert "Total a month: $14,600 before, $14,965 after" in out
    _, out, _ = check(file, "--format", "markdown")
    assert "40 resources stay as they are" in out


def test_a_plan_needs_neither_yaml_nor_a_validator(
    check: Check, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tests.cli.test_start_up import HEAVY, modules_of

    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    code, names = modules_of("check", write("plan.json", CREATE), "--today", TODAY)
    assert code == 0
    assert [name for name in HEAVY if name in names] == []


HEADLINES = [
    # Nothing that moves has a price: no figure, least of all $0.
    (plan(change("aws_instance.a", {"instance_type": "p2.xlarge"})), "could not be determined"),
    (plan(change("aws_instance.a", G4DN), region=None), "could not be determined"),
    # Some of it has.
    (
        plan(
            change("aws_instance.a", {"instance_type": "p2.xlarge"}),
            change("aws_instance.b", G4DN),
        ),
        "+$365 planned … +$365 max a month · 2 changed · 1 unpriced",
    ),
    (plan(change("aws_instance.a", None, G4DN)), "-$365 planned … -$365 max a month"),
]


@pytest.mark.parametrize(("document", "said"), HEADLINES)
def test_headlines(check: Check, document: Any, said: str) -> None:
    _, out, _ = check(write("plan.json", document), "--format", "markdown")
    assert out.splitlines()[0].startswith(f"### GPU cost: {said}")


def test_a_discount_of_an_unknown_provider_is_refused(check: Check, tmp_path: Path) -> None:
    (tmp_path / "plan.json").write_text(json.dumps(CREATE), encoding="utf-8")
    code, _, err = check("plan.json", "--discount", "awz=10%")
    assert code == 2
    assert "nearest: aws" in err
