"""Places of a plan's resources in the sources beside it."""

from __future__ import annotations

from pathlib import Path

import pytest

from gpuadvisor.catalog.errors import UsageError
from gpuadvisor.iac.interface import Finding
from gpuadvisor.iac.sources import Sources, block_lines
from tests.iac.plans import change, parse, plan

MAIN = """# resource "aws_instance" "comment" {
/*
resource "aws_instance" "block" {
*/
resource "aws_instance" "a" {
  user_data = <<-EOT
resource "aws_instance" "heredoc" {
  EOT
}
  resource "aws_instance" "b" {}
module "gpu" {
  source = "./modules/gpu"
}
module "far" {
  source  = "example/far/aws"
  version = "1.0"
}
resource aws_instance bare {
}
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    inner = tmp_path / "modules" / "gpu"
    (inner / "pool").mkdir(parents=True)
    (tmp_path / "main.tf").write_text(MAIN)
    (tmp_path / "notes.txt").write_text('resource "aws_instance" "text" {\n')
    (inner / "pool.tf").write_text(
        '\n\nresource "aws_eks_node_group" "g" {\n}\nmodule "pool" {\n  source = "./pool"\n}\n'
    )
    (inner / "pool" / "x.tofu").write_text('resource "aws_instance" "deep" {\n}\n')
    return tmp_path


def _finding(address: str) -> Finding:
    body = {"instance_type": "g5.xlarge"}
    kind = "aws_instance.x"
    (finding,) = parse(plan(change(kind, body))).findings
    return finding._replace(address=address, file="plan.json")


def test_blocks_of_comments_and_texts_do_not_count() -> None:
    assert dict(block_lines(MAIN)) == {
        "aws_instance.a": 5,
        "aws_instance.b": 10,
        "module.gpu": 11,
        "module.far": 14,
        "aws_instance.bare": 18,
    }


@pytest.mark.parametrize(
    ("address", "file", "line"),
    [
        ("aws_instance.a", "main.tf", 5),
        ('aws_instance.a["x.y"]#main', "main.tf", 5),
        ("aws_instance.b[0]", "main.tf", 10),
        ("module.gpu.aws_eks_node_group.g", "modules/gpu/pool.tf", 3),
        ('module.gpu["a.b"].module.pool[1].aws_instance.deep', "modules/gpu/pool/x.tofu", 1),
        # A module that is not here is placed at its call, and so is what a local one does not hold.
        ("module.far.aws_instance.x", "main.tf", 14),
        ("module.far.module.in.aws_instance.x", "main.tf", 14),
        ("module.gpu.aws_instance.unwritten", "main.tf", 11),
    ],
)
def test_places(root: Path, address: str, file: str, line: int) -> None:
    found = Sources((str(root),)).located(_finding(address))
    assert (found.file, found.line) == (str(root / file), line)


@pytest.mark.parametrize(
    "address", ["aws_instance.text", "aws_instance.heredoc", "module.none.aws_instance.a", "x", "."]
)
def test_what_is_not_written_keeps_its_plan(root: Path, address: str) -> None:
    finding = _finding(address)
    assert Sources((str(root),)).located(finding) == finding
    assert Sources(()).located(finding) == finding


def test_modules_that_lead_in_a_circle_end(tmp_path: Path) -> None:
    (tmp_path / "main.tf").write_text('module "a" {\n  source = "./"\n}\n')
    finding = _finding(".".join(["module.a"] * 50) + ".aws_instance.x")
    assert Sources((str(tmp_path),)).located(finding).line == 1


def test_a_folder_that_is_none_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        Sources((str(tmp_path / "missing"),))
