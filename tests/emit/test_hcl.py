"""Texts that people chose stay texts; the layout is that of `terraform fmt`."""

from __future__ import annotations

import base64
import json
import shutil
import subprocess
from pathlib import Path

import pytest

from gpuadvisor.emit.hcl import (
    Block,
    Call,
    Heredoc,
    Raw,
    Remark,
    attributes,
    block,
    document,
    quoted,
)

HOSTILE = [
    'quote " and \\ backslash',
    '${file("/etc/passwd")}',
    "%{ if true }x%{ endif }",
    "line\nbreak\r\n\ttab",
    "bell \x07, null \x00, delete \x7f",
    "separator \u2028 and \u202e override",
    "中文 é 🙂",
    "$${already} $$ % %%",
    "",
]


def outside(*body: object) -> str:
    return document(["# head"], [Block("resource", ("x", "y"), tuple(body))])  # type: ignore[arg-type]


def test_layout() -> None:
    """Hand-written as `terraform fmt` 1.11 leaves it."""
    made = outside(
        *attributes(name="a", longer_name=1, nothing=None),
        *attributes(tags={"Name": "a", "two words": True}),
        *attributes(after=Raw("var.x"), many=["a", "b"]),
        Remark("why"),
        block("inner"),
        block("other", "label", attributes(policy=Call("jsonencode", {"A": ["x" * 60, "y" * 60]}))),
    )
    assert (
        made
        == f"""# head

resource "x" "y" {{
  name        = "a"
  longer_name = 1
  tags = {{
    Name        = "a"
    "two words" = true
  }}
  after = var.x
  many  = ["a", "b"]

  # why
  inner {{}}

  other "label" {{
    policy = jsonencode({{
      A = [
        "{"x" * 60}",
        "{"y" * 60}",
      ]
    }})
  }}
}}
"""
    )


@pytest.mark.parametrize("text", HOSTILE)
def test_a_text_reads_back_as_itself(text: str) -> None:
    hcl2 = pytest.importorskip("hcl2")
    body = hcl2.loads(outside(*attributes(a=text, b="next")))
    held = body["resource"][0]['"x"']['"y"']
    assert held["b"] == '"next"'
    assert held["a"] == quoted(text)


@pytest.mark.parametrize("text", HOSTILE)
def test_a_quoted_text_is_one_line_without_an_expression(text: str) -> None:
    made = quoted(text)
    assert made[0] == made[-1] == '"' and made.isprintable()
    # What is left after the escapes: no quote ends the text, and no marker starts an expression.
    plain = made[1:-1].replace("\\\\", "").replace('\\"', "")
    assert '"' not in plain
    assert "${" not in plain.replace("$${", "") and "%{" not in plain.replace("%%{", "")


def test_a_heredoc_holds_expressions_only_in_its_holes() -> None:
    made = outside(*attributes(script=Heredoc("echo ${HOME} @A@\nEOT\n", {"@A@": "var.a"})))
    assert "echo $${HOME} ${var.a}\n" in made


@pytest.mark.skipif(shutil.which("terraform") is None, reason="needs terraform")
def test_terraform_itself_reads_the_texts_back(tmp_path: Path) -> None:
    """`terraform console` evaluates a local to the text it was written from."""
    held = dict(zip("abcdefghi", HOSTILE, strict=True))
    (tmp_path / "main.tf").write_text(document([], [block("locals", attributes(t=held))]))
    done = subprocess.run(
        ["terraform", "console"],
        input="base64encode(jsonencode(local.t))\n",
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    coded = json.loads(done.stdout.strip().splitlines()[-1])
    assert json.loads(base64.b64decode(coded)) == held
