"""Terraform sources: literals and lines. Shapes of the public files are named beside the cases."""

from __future__ import annotations

import builtins
from typing import Any

import pytest

from gpuadvisor.catalog.errors import InputError, UsageError
from gpuadvisor.iac.detect import parse
from gpuadvisor.iac.hcl import MAX_CHARACTERS
from gpuadvisor.iac.interface import Finding, Findings
from gpuadvisor.iac.reading import document_of
from gpuadvisor.report.messages import render
from tests.iac.support import context

pytest.importorskip("hcl2")


def _parse(text: str, region: str | None = None) -> Findings:
    return parse(document_of(text.encode(), "main.tf"), context(region))


def _one(text: str) -> Finding:
    findings = _parse(text).findings
    assert len(findings) == 1, [f.address for f in findings]
    return findings[0]


def _ids(finding: Finding) -> set[str]:
    return {reason.id for reason in finding.reasons}


def test_a_spot_block_in_a_comment_is_no_spot() -> None:
    """gordonmurray/terraform_aws_deepseek@4ccbe818 ec2.tf: a scan by pattern would say spot."""
    finding = _one(
        """
resource "aws_instance" "deepseek_r1" {
  ami           = data.aws_ami.deep_learning.id
  instance_type = "g4dn.xlarge"
  /* instance_market_options {
    market_type = "spot"
  } */
  # instance_market_options { market_type = "spot" }
  root_block_device { volume_size = 100 }
}
"""
    )
    after = finding.after
    assert after is not None
    assert (finding.address, finding.line, finding.action) == (
        "aws_instance.deepseek_r1",
        2,
        "declared",
    )
    assert (after.type, tuple(after.counts[:3]), after.purchase) == (
        "g4dn.xlarge",
        (1, 1, 1),
        "on_demand",
    )
    assert (after.region, after.confidence) == (None, "low")


@pytest.mark.parametrize(
    ("line", "counts"),
    [
        ("", (1, 1, 1)),
        ("count = 3", (3, 3, 3)),
        ('count = "2"', (2, 2, 2)),
        # No instance is not "no accelerator".
        ("count = 0", (0, 0, 0)),
        ("count = var.n", (None, None, None)),
        ('count = "${var.n}"', (None, None, None)),
        ("count = var.five", (5, 5, 5)),
        ("for_each = { a = 1, b = 2 }", (2, 2, 2)),
        ("for_each = toset(var.names)", (None, None, None)),
        ("count = var.on ? 1 : 0", (None, None, None)),
    ],
)
def test_counts(line: str, counts: tuple[Any, ...]) -> None:
    finding = _one(
        f'variable "n" {{}}\nvariable "five" {{ default = 5 }}\n'
        f'resource "aws_instance" "x" {{\n  instance_type = "g5.xlarge"\n  {line}\n}}\n'
    )
    assert finding.after is not None and tuple(finding.after.counts[:3]) == counts
    assert ("iac.hcl_repeated" in _ids(finding)) == (counts[0] is None)


def test_the_older_syntax() -> None:
    """DenisSergeevitch/neural-style-art-project tf/neural-style.tf: Terraform 0.11, spot bid."""
    finding = _one(
        """
provider "aws" { region = "eu-west-1" }
resource "aws_spot_instance_request" "neural_style_worker" {
  count         = "${var.count}"
  instance_type = "g2.2xlarge"
  spot_price    = "0.65"
}
"""
    )
    after = finding.after
    assert after is not None
    assert (after.type, after.purchase, after.cap, after.region) == (
        "g2.2xlarge",
        "spot",
        "0.65",
        "eu-west-1",
    )
    assert after.counts.planned is None


def test_defaults_of_variables_are_taken_and_said() -> None:
    """vllm-project/production-stack gke node_pools.tf: type and device are variables."""
    finding = _one(
        """
variable "gpu_machine_type" { default = "g2-standard-8" }
locals { zone = "us-central1-a" }
resource "google_container_node_pool" "primary_nodes" {
  location   = local.zone
  node_count = 1
  node_config {
    machine_type = var.gpu_machine_type
    guest_accelerator {
      type  = "nvidia-l4"
      count = 1
    }
  }
}
"""
    )
    after = finding.after
    assert after is not None
    assert (after.type, after.region, tuple(after.counts[:3])) == (
        "g2-standard-8",
        "us-central1",
        (1, 1, 1),
    )
    (said,) = [r for r in finding.reasons if r.id == "iac.hcl_defaults"]
    assert said.params["names"] == "local.zone, var.gpu_machine_type"


def test_variables_without_a_default_in_the_file_are_not_told() -> None:
    """NVIDIA/nvidia-terraform-modules gke/main.tf: the defaults stand in another file."""
    finding = _one(
        """
resource "google_container_node_pool" "gpu_nodes" {
  location           = var.region
  initial_node_count = var.num_gpu_nodes
  node_config {
    machine_type = var.gpu_instance_type
    spot         = var.use_gpu_spot_instances
    guest_accelerator {
      type  = var.gpu_type
      count = var.gpu_count
    }
  }
}
"""
    )
    after = finding.after
    assert after is not None
    assert (after.certain, after.type, after.counts.planned) == (False, None, None)
    assert after.purchase == "unknown"


def test_counts_are_for_each_zone_of_a_region() -> None:
    """infracost container_node_pool_test.tf: 1 node in each of 3 zones, 4 x K80 a node."""
    finding = _one(
        """
resource "google_container_node_pool" "with_node_config_regional" {
  location   = "us-central1"
  node_count = 1
  node_config {
    machine_type = "n1-standard-16"
    guest_accelerator {
      type  = "nvidia-tesla-k80"
      count = 4
    }
  }
}
"""
    )
    after = finding.after
    assert after is not None
    assert (tuple(after.counts[:3]), after.device, after.devices_per_node) == (
        (3, 3, 3),
        "nvidia-tesla-k80",
        4,
    )
    assert "iac.zones_assumed" in _ids(finding)


def test_an_impossible_pairing_is_seen_without_a_plan() -> None:
    finding = _one(
        """
resource "google_compute_instance" "x" {
  machine_type = "n1-standard-16"
  zone         = "us-central1-a"
  guest_accelerator {
    type  = "nvidia-tesla-a100"
    count = 4
  }
}
"""
    )
    assert "iac.impossible_pairing" in _ids(finding)


def test_a_size_in_lower_case() -> None:
    """vllm-project/production-stack aks cluster.tf writes standard_nc4as_t4_v3."""
    finding = _one(
        """
resource "azurerm_kubernetes_cluster_node_pool" "gpu_node_pool" {
  vm_size    = "standard_nc4as_t4_v3"
  node_count = 1
}
"""
    )
    assert finding.after is not None and finding.after.type == "standard_nc4as_t4_v3"


def test_a_module_that_names_an_accelerator_is_not_passed_over() -> None:
    """compiler-explorer/infra gpu-blue-green.tf: the module cannot be expanded from this file."""
    found = _parse(
        """
module "gpu_blue_green" {
  source   = "./modules/blue_green"
  max_size = 4
  mixed_instances_overrides = [
    { instance_type = "g4dn.xlarge" },
    { instance_type = "g4dn.2xlarge" },
  ]
}
"""
    )
    (finding,) = found.findings
    after = finding.after
    assert after is not None
    assert (finding.address, finding.line, finding.kind) == ("module.gpu_blue_green", 2, "module")
    assert [c.type for c in after.candidates] == ["g4dn.xlarge", "g4dn.2xlarge"]
    assert (after.certain, tuple(after.counts[:3])) == (False, (None, None, None))
    assert _ids(finding) == {"iac.hcl_module"}


@pytest.mark.parametrize(
    "line",
    # terraform-aws-modules/autoscaling examples/complete: create = false makes nothing
    ["create = false", "count = 0"],
)
def test_a_module_that_creates_nothing(line: str) -> None:
    found = _parse(
        f'module "disabled" {{\n  source = "../.."\n  {line}\n  instance_type = "g5.xlarge"\n}}\n'
    )
    assert (found.findings, found.examined, found.skipped) == ((), 1, 1)


def test_a_template_over_each_value_is_no_cost() -> None:
    """compiler-explorer/infra lc.tf: for_each over a local map."""
    found = _parse(
        """
resource "aws_launch_template" "ce" {
  for_each      = local.launch_templates
  instance_type = each.value.instance_type
}
"""
    )
    assert found.findings == ()


def test_a_group_follows_its_template_in_the_same_file() -> None:
    finding = _one(
        """
resource "aws_launch_template" "gpu" {
  instance_type = "g5.2xlarge"
  instance_market_options {
    market_type = "spot"
  }
}
resource "aws_autoscaling_group" "gpu" {
  min_size = 0
  max_size = 4
  desired_capacity = 2
  launch_template {
    id = aws_launch_template.gpu.id
  }
}
"""
    )
    after = finding.after
    assert after is not None and finding.line == 8
    assert (after.type, tuple(after.counts[:3]), after.purchase) == (
        "g5.2xlarge",
        (0, 2, 4),
        "spot",
    )


def test_a_dynamic_block_leaves_the_terms_open() -> None:
    finding = _one(
        """
resource "aws_instance" "x" {
  instance_type = "g5.xlarge"
  dynamic "instance_market_options" {
    for_each = var.spot ? [1] : []
    content {
      market_type = "spot"
    }
  }
}
"""
    )
    assert finding.after is not None and finding.after.purchase == "unknown"


def test_an_alias_of_a_provider_decides_the_region() -> None:
    finding = _one(
        """
provider "aws" { region = "us-east-1" }
provider "aws" {
  alias  = "west"
  region = "us-west-2"
}
resource "aws_instance" "x" {
  provider      = aws.west
  instance_type = "g5.xlarge"
}
"""
    )
    assert finding.after is not None and finding.after.region == "us-west-2"


def test_a_data_source_rents_nothing() -> None:
    assert _parse('data "aws_instance" "x" { instance_type = "g5.xlarge" }\n').findings == ()


def test_the_limits_are_said_once_and_only_where_it_matters() -> None:
    gpu = _parse('resource "aws_instance" "x" { instance_type = "g5.xlarge" }\n')
    assert [n.message.id for n in gpu.notes] == ["iac.hcl_literals"]
    plain = _parse('resource "aws_instance" "x" { instance_type = "m5.large" }\n')
    assert (plain.findings, plain.notes, plain.skipped) == ((), (), 1)


@pytest.mark.parametrize(
    ("text", "line"),
    [('resource "a" "b" {\n  x = = 1\n}\n', 2), ("x = {\n", 1), ('a "b {\n', 1), ("\x01", 1)],
)
def test_a_fault_has_its_line(text: str, line: int) -> None:
    with pytest.raises(InputError) as caught:
        _parse(text)
    (problem,) = caught.value.problems
    assert problem.line >= line
    assert "invalid Terraform source" in render(problem.message)


@pytest.mark.parametrize("text", ["x = " + "[" * 4000 + "]" * 4000, "x = " + "(" * 4000])
def test_deep_nesting_is_bounded(text: str) -> None:
    with pytest.raises(InputError):
        _parse(text)


def test_a_large_source_is_refused() -> None:
    with pytest.raises(InputError) as caught:
        _parse("# x\n" * (MAX_CHARACTERS // 4 + 1))
    assert caught.value.message.id == "iac.hcl_too_large"


def test_without_the_extra_the_way_out_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def missing(name: str, *args: Any, **kwargs: Any) -> Any:
        if name == "hcl2":
            raise ImportError(name)
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", missing)
    with pytest.raises(UsageError) as caught:
        _parse('resource "aws_instance" "x" {}\n')
    assert caught.value.message.id == "iac.hcl_missing"
    assert "gpuadvisor[hcl]" in render(caught.value.message)
