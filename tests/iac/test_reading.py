"""Inputs that are not what was meant: each gets a message that says what to do, and exit code 3."""

from __future__ import annotations

import gzip
import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from gpuadvisor.catalog.errors import AdvisorError, InputError, UsageError
from gpuadvisor.iac.detect import parse, read
from gpuadvisor.iac.reading import document_of, read_bytes
from gpuadvisor.report.messages.iac import EN
from tests.iac.plans import change, plan
from tests.iac.support import context

PLAN = json.dumps(plan(change("aws_instance.a", {"instance_type": "g5.xlarge"})))
LOG = '{"@level":"info","@message":"Terraform 1.11.4","type":"version"}\n'
MANIFEST = """apiVersion: v1
kind: Pod
metadata: {name: p}
spec:
  containers:
    - {name: c, resources: {limits: {nvidia.com/gpu: 1}}}
"""


def _types(body: bytes) -> list[str | None]:
    findings = parse(document_of(body, "f"), context())
    return [f.resource.type or f.resource.device for f in findings.findings]


@pytest.mark.parametrize(
    "body",
    [
        PLAN.encode(),
        b"\xef\xbb\xbf" + PLAN.encode(),
        b"\xff\xfe" + PLAN.encode("utf-16-le"),
        b"\xfe\xff" + PLAN.encode("utf-16-be"),
        gzip.compress(PLAN.encode(), mtime=0),
        b"\n\n  " + PLAN.encode() + b"\n\n",
        # hashicorp/setup-terraform's wrapper prints around the JSON.
        f"[command]/usr/bin/terraform show -json p\n{PLAN}%0A\n::set-output name=x::\n".encode(),
        json.dumps(json.loads(PLAN), indent=2).encode(),
    ],
    ids=["plain", "bom", "utf16le", "utf16be", "gzip", "space", "wrapper", "indented"],
)
def test_plans_in_every_dress(body: bytes) -> None:
    assert _types(body) == ["g5.xlarge"]


BAD: list[tuple[str, bytes, str]] = [
    ("empty", b"", "iac.empty"),
    ("blank", b" \n\t\n", "iac.empty"),
    ("bom alone", b"\xef\xbb\xbf", "iac.empty"),
    ("binary plan", b"PK\x03\x04" + bytes(100), "iac.binary_plan"),
    ("zipped twice", gzip.compress(b"PK\x03\x04" + bytes(100), mtime=0), "iac.binary_plan"),
    ("other binary", b"\x7fELF" + bytes(100), "iac.binary"),
    ("latin-1", "name: Größe".encode("latin-1"), "iac.not_utf8"),
    ("truncated", PLAN[: len(PLAN) // 2].encode(), "iac.json_truncated"),
    ("truncated text", b'{"format_version": "1.2", "a": "b', "iac.json_truncated"),
    ("json syntax", b'{"a": 1,, "b": 2}', "iac.json_syntax"),
    ("not a number", b'{"format_version": "1.2", "resource_changes": NaN}', "iac.json_value"),
    ("unrendered json", b'{"replicas": {{ .Values.n }}}', "iac.json_unrendered"),
    ("plan -json", (LOG * 3).encode(), "iac.plan_json_lines"),
    ("one line of plan -json", LOG.encode(), "iac.plan_json_lines"),
    ("plan as text", b"Terraform will perform the following actions:\n  # aws", "iac.plan_as_text"),
    ("state", b'{"format_version": "1.0", "values": {"root_module": {}}}', "iac.state_file"),
    ("raw state", b'{"version": 4, "serial": 1, "lineage": "x"}', "iac.state_file"),
    ("no changes", b'{"format_version": "1.2"}', "iac.plan_without_changes"),
    ("pulumi project", b"name: x\nruntime: nodejs\n", "iac.pulumi_program"),
    ("parameters", b'[{"ParameterKey": "a", "ParameterValue": "b"}]', "iac.parameters_only"),
    ("helm values", b"replicaCount: 1\nimage: {tag: x}\n", "iac.helm_values"),
    ("vllm values", b"servingEngineSpec: {}\n", "iac.helm_values"),
    ("something else", b"hello: world\n", "iac.unrecognised"),
    ("a scalar", b"just text\n", "iac.unrecognised"),
    ("a number", b"12\n", "iac.unrecognised"),
    ("json list", b"[1, 2]", "iac.unrecognised"),
    ("two values", b'{"a": 1} {"b": 2}', "iac.json_tail"),
    ("yaml syntax", b"apiVersion: v1\nkind: [\n", "iac.yaml_syntax"),
    ("tab", b"a:\n\tb: 1\n", "iac.yaml_syntax"),
    ("stray text", b"run: x\n4\n", "iac.yaml_syntax"),
    ("helm template", b"kind: Pod\nreplicas: {{ .Values.n }}\nname: x\n", "iac.yaml_unrendered"),
    ("duplicate key", b"kind: Pod\nkind: Job\n", "iac.duplicate_key"),
    ("deep flow", b"a: " + b"[" * 5000, "iac.too_deep"),
    ("a list as a key", b"? [a]\n: b\n", "iac.yaml_key"),
    ("deep json", b'{"a":' * 100_000, "iac.too_deep_json"),
    ("unknown alias", b"a: *x\n", "iac.unknown_alias"),
    ("endless alias", b"a: &x [*x]\n", "iac.unknown_alias"),
    ("cut gzip", gzip.compress(PLAN.encode(), mtime=0)[:-20], "iac.gzip_truncated"),
    ("broken gzip", b"\x1f\x8b" + b"\xff" * 40, "iac.gzip_broken"),
]


def _fault(error: AdvisorError) -> str:
    problems = getattr(error, "problems", ())
    return problems[0].message.id if problems else error.message.id


@pytest.mark.parametrize(("body", "expected"), [b[1:] for b in BAD], ids=[b[0] for b in BAD])
def test_bad_input_is_explained(body: bytes, expected: str) -> None:
    with pytest.raises(InputError) as caught:
        parse(document_of(body, "f"), context())
    assert _fault(caught.value) == expected
    assert caught.value.exit_code == 3
    for text in (caught.value.message, *(p.message for p in caught.value.problems)):
        assert EN[text.id].format(**text.params)


@pytest.mark.parametrize(
    ("body", "place"),
    [
        (b'{\n  "a": 1,\n  "b": ]\n}', (3, 8)),
        (b"a: 1\nb: 2\na: 3\n", (3, 1)),
        (b"a:\n  b: [\n", (3, 1)),
        ("ok: 1\nname: Größe".encode("latin-1"), (2, 0)),
    ],
)
def test_faults_are_located(body: bytes, place: tuple[int, int]) -> None:
    with pytest.raises(InputError) as caught:
        document_of(body, "f")
    assert [(p.line, p.column) for p in caught.value.problems] == [place]


def test_size_limit_holds_before_and_after_unpacking(tmp_path: Path) -> None:
    big = tmp_path / "big"
    big.write_bytes(b" " * 2000)
    with pytest.raises(InputError) as caught:
        read_bytes(str(big), 1000)
    assert caught.value.message.id == "iac.too_large"
    bomb = gzip.compress(b" " * 50_000_000)
    assert len(bomb) < 100_000
    with pytest.raises(InputError) as caught:
        document_of(bomb, "bomb", 1_000_000)
    assert caught.value.message.id == "iac.too_large"


def test_missing_file_and_directory(tmp_path: Path) -> None:
    for path, expected in (
        (tmp_path / "none.json", "iac.cannot_open"),
        (tmp_path, "iac.is_directory"),
        ("a\0b", "iac.cannot_open"),
    ):
        with pytest.raises(InputError) as caught:
            read(str(path), context())
        assert caught.value.message.id == expected


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    class Stdin:
        buffer = io.BytesIO(MANIFEST.encode())

    monkeypatch.setattr(sys, "stdin", Stdin())
    findings = read("-", context())
    assert (findings.kind, findings.file) == ("kubernetes", "<stdin>")
    assert [f.address for f in findings.findings] == ["Pod/p"]


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (PLAN.encode(), "tfplan"),
        (MANIFEST.encode(), "kubernetes"),
        (b'{"apiVersion": "v1", "kind": "List", "items": []}', "kubernetes"),
        (b"Resources:\n  A: {Type: 'AWS::S3::Bucket'}\n", "cloudformation"),
        (b'{"Resources": {"A": {"Type": "AWS::S3::Bucket"}}}', "cloudformation"),
        (b"AWSTemplateFormatVersion: '2010-09-09'\nResources: {}\n", "cloudformation"),
    ],
)
def test_kind_is_detected(body: bytes, kind: str) -> None:
    assert parse(document_of(body, "f"), context()).kind == kind


def test_forced_kind() -> None:
    document = document_of(MANIFEST.encode(), "f")
    assert parse(document, context(), "k8s").kind == "kubernetes"
    with pytest.raises(InputError) as caught:
        parse(document, context(), "terraform")
    assert caught.value.message.id == "iac.wrong_kind"
    with pytest.raises(UsageError):
        parse(document, context(), "ansible")


def test_ambiguous_document_names_the_candidates() -> None:
    body: dict[str, Any] = {"apiVersion": "v1", "kind": "Pod", **json.loads(PLAN)}
    with pytest.raises(InputError) as caught:
        parse(document_of(json.dumps(body).encode(), "f"), context())
    assert caught.value.message.id == "iac.ambiguous"


def test_a_plan_needs_no_yaml() -> None:
    import subprocess

    code = (
        "import sys; from gpuadvisor.iac import detect, reading\n"
        "from gpuadvisor.iac.interface import Context\n"
        f"document = reading.document_of({PLAN.encode()!r}, 'f')\n"
        "detect.parse(document, Context({}, lambda p, t: None))\n"
        "print([m for m in ('yaml', 'pydantic', 'dataclasses') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
