"""Whatever comes in, the answer is findings or an error for people, never a traceback."""

from __future__ import annotations

import copy
import json
import random
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gpuadvisor.catalog.errors import AdvisorError
from gpuadvisor.iac.detect import parse
from gpuadvisor.iac.reading import document_of
from gpuadvisor.report.messages.iac import EN
from tests.iac.support import FIXTURES, context, documents

QUICK = settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True
)

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-5, 10**20)
    | st.floats()
    | st.sampled_from(
        ["", "g5.xlarge", "${X}", "{{ .x }}", "spot", "us-east-1a", "\ud800", "1" * 50]
    )
    | st.text(max_size=8)
)
TREES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3)
    ),
    max_leaves=8,
)


def _answer(body: bytes, kind: str | None = None) -> None:
    try:
        findings = parse(document_of(body, "f", 1_000_000), context("us-east-1"), kind)
    except AdvisorError as error:
        for text in (error.message, *(p.message for p in getattr(error, "problems", ()))):
            EN[text.id].format(**text.params)
        return
    for finding in findings.findings:
        assert finding.address.encode("utf-8")
        assert finding.resource.provider
        for reason in finding.reasons:
            EN[reason.id].format(**reason.params)
        for number in finding.resource.counts[:3]:
            assert number is None or number >= 0
    for note in findings.notes:
        EN[note.message.id].format(**note.message.params)


@QUICK
@given(st.binary(max_size=300))
def test_bytes(body: bytes) -> None:
    _answer(body)


@QUICK
@given(st.text(max_size=300))
def test_text(body: str) -> None:
    _answer(body.encode("utf-8", "replace"))


RESOURCES = [name for name, entry in documents().items() if entry["entry"] == "resource"]


@QUICK
@given(st.sampled_from(RESOURCES), TREES, TREES, TREES, TREES)
def test_any_values_in_any_resource_of_a_plan(
    kind: str, before: Any, after: Any, unknown: Any, sensitive: Any
) -> None:
    change = {
        "actions": ["update"],
        "before": before,
        "after": after,
        "after_unknown": unknown,
        "after_sensitive": sensitive,
    }
    data = {
        "format_version": "1.2",
        "resource_changes": [
            {"address": f"{kind}.a", "type": kind, "name": "a", "mode": "managed", "change": change}
        ],
    }
    _answer(json.dumps(data).encode())


def _cases() -> list[dict[str, Any]]:
    found = []
    for name in sorted(path.stem for path in (FIXTURES / "terraform").glob("*.yaml")):
        found += yaml.safe_load((FIXTURES / "terraform" / f"{name}.yaml").read_text())
    return found


CASES = _cases()


def _mutate(value: Any, chance: random.Random) -> Any:
    """Replace, drop or wrap a branch somewhere in a tree."""
    if chance.random() < 0.08:
        return chance.choice([None, True, [], {}, "", "x", -1, 1e400, [[value]], {"a": value}])
    if isinstance(value, dict):
        return {k: _mutate(v, chance) for k, v in value.items() if chance.random() > 0.05}
    if isinstance(value, list):
        return [_mutate(item, chance) for item in value]
    return value


def _marks(value: Any, chance: random.Random) -> Any:
    """An `after_unknown` or `after_sensitive` tree of the same shape."""
    if chance.random() < 0.1:
        return True
    if isinstance(value, dict):
        return {k: _marks(v, chance) for k, v in value.items()}
    if isinstance(value, list):
        return [_marks(item, chance) for item in value]
    return False


@pytest.mark.parametrize("seed", range(60))
def test_mutated_plans(seed: int) -> None:
    chance = random.Random(seed)
    changes = []
    for case in chance.sample(CASES, 20):
        after = _mutate(copy.deepcopy(case["after"]), chance)
        changes.append(
            {
                "address": f"{case['type']}.x",
                "type": case["type"],
                "name": "x",
                "change": {
                    "actions": chance.choice([["create"], ["no-op"], ["delete", "create"], [], 3]),
                    "before": chance.choice([None, case["after"], after]),
                    "after": after,
                    "after_unknown": _marks(after, chance),
                    "after_sensitive": _marks(after, chance),
                },
            }
        )
    data = _mutate({"format_version": "1.2", "resource_changes": changes}, chance)
    data = data if isinstance(data, dict) else {}
    _answer(json.dumps({**data, "format_version": "1.2"}).encode())


MANIFEST = yaml.safe_load((FIXTURES / "kubernetes" / "all.yaml").read_text())
TEMPLATES = yaml.safe_load((FIXTURES / "cloudformation" / "resources.yaml").read_text())


@pytest.mark.parametrize("seed", range(60))
def test_mutated_manifests_and_templates(seed: int) -> None:
    chance = random.Random(seed)
    objects = {"apiVersion": "v1", "kind": "List", "items": _mutate(MANIFEST["items"], chance)}
    _answer(json.dumps(objects).encode(), "kubernetes" if chance.random() < 0.5 else None)
    resources = {
        f"R{i}": {"Type": case["type"], "Properties": _mutate(case["properties"], chance)}
        for i, case in enumerate(TEMPLATES)
    }
    functions = ["Ref", "Fn::If", "Fn::Sub", "Fn::Select", "Fn::Join", "Fn::FindInMap", "Fn::Split"]
    body = {
        "Resources": resources,
        "Conditions": {"C": {chance.choice(functions): _mutate(["C", {"Ref": "P"}], chance)}},
        "Parameters": _mutate({"P": {"Type": "Number", "Default": 1}}, chance),
    }
    for resource in resources.values():
        if isinstance(resource["Properties"], dict) and chance.random() < 0.5:
            argument = _mutate(["C", "P", {"Ref": "P"}], chance)
            resource["Properties"]["InstanceType"] = {chance.choice(functions): argument}
    _answer(json.dumps(body).encode())


@pytest.mark.parametrize("cut", range(0, 400, 7))
def test_cut_files(cut: int) -> None:
    text = (FIXTURES / "kubernetes" / "all.yaml").read_text()
    _answer(text[:cut].encode())
    _answer(json.dumps(MANIFEST)[:cut].encode())


FILES = {
    "preview.json": {
        "config": {"aws:region": "us-west-2"},
        "steps": [
            {
                "op": "create-replacement",
                "urn": "urn:pulumi:p::i::aws:autoscaling/group:Group::g",
                "oldState": {
                    "type": "aws:autoscaling/group:Group",
                    "custom": True,
                    "inputs": {"minSize": 1, "maxSize": 2},
                    "outputs": {"arn": "arn:aws:x:eu-west-1:1:y"},
                },
                "newState": {
                    "type": "aws:autoscaling/group:Group",
                    "custom": True,
                    "provider": "urn:pulumi:p::i::pulumi:providers:aws::w::1",
                    "propertyDependencies": {
                        "launchTemplate": [
                            "urn:pulumi:p::i::aws:ec2/launchTemplate:LaunchTemplate::t"
                        ]
                    },
                    "inputs": {
                        "minSize": 0,
                        "maxSize": 4,
                        "launchTemplate": {"id": "04da6b54-80e4-46f7-96ec-b56ff0331ba9"},
                        "mixedInstancesPolicy": {
                            "launchTemplate": {"overrides": [{"instanceType": "g5.xlarge"}]}
                        },
                    },
                },
            },
            {
                "op": "create",
                "urn": "urn:pulumi:p::i::aws:ec2/launchTemplate:LaunchTemplate::t",
                "newState": {
                    "type": "aws:ec2/launchTemplate:LaunchTemplate",
                    "custom": True,
                    "inputs": {"instanceType": "g5.xlarge"},
                },
            },
        ],
    },
    "sky.yaml": {
        "name": "t",
        "num_nodes": 2,
        "run": "x",
        "service": {"replica_policy": {"min_replicas": 0, "max_replicas": 3}},
        "resources": {
            "infra": "aws/us-east-1/us-east-1a",
            "accelerators": {"A100": 8, "H100:4": None},
            "any_of": [{"cloud": "gcp", "use_spot": True}, {"instance_type": "g5.xlarge"}],
            "cpus": "32+",
            "memory": "512+",
        },
    },
    "dstack.yml": {
        "type": "service",
        "name": "s",
        "replicas": [{"count": "0..4"}],
        "backends": ["aws", "vastai"],
        "regions": ["us-east-1"],
        "spot_policy": "auto",
        "resources": {
            "gpu": {"name": ["A100", "H100"], "count": "1..8", "memory": "24GB..", "vendor": "amd"}
        },
    },
    "fleet.yml": {
        "type": "fleet",
        "nodes": {"min": 0, "target": 1, "max": 2},
        "resources": {"gpu": "nvidia:A100,H100:80GB..:2"},
        "instance_types": ["p5.48xlarge"],
    },
    "ray.yaml": {
        "provider": {"type": "aws", "region": "us-west-2"},
        "max_workers": 10,
        "head_node_type": "h",
        "available_node_types": {
            "h": {"node_config": {"InstanceType": "g5.xlarge"}},
            "w": {
                "min_workers": 1,
                "max_workers": 4,
                "node_config": {
                    "InstanceType": "g5.xlarge",
                    "InstanceMarketOptions": {"MarketType": "spot"},
                },
            },
        },
    },
    "pool.yaml": {
        "apiVersion": "karpenter.sh/v1",
        "kind": "NodePool",
        "metadata": {"name": "gpu"},
        "spec": {
            "replicas": 1,
            "limits": {"nvidia.com/gpu": 8, "cpu": 64, "nodes": 3},
            "template": {
                "spec": {
                    "nodeClassRef": {"group": "karpenter.k8s.aws"},
                    "requirements": [
                        {
                            "key": "karpenter.k8s.aws/instance-gpu-count",
                            "operator": "Gt",
                            "values": ["1"],
                        },
                        {
                            "key": "karpenter.k8s.aws/instance-family",
                            "operator": "In",
                            "values": ["g5"],
                        },
                        {"key": "karpenter.sh/capacity-type", "operator": "In", "values": ["spot"]},
                        {
                            "key": "topology.kubernetes.io/zone",
                            "operator": "In",
                            "values": ["us-east-1a"],
                        },
                    ],
                }
            },
        },
    },
    "eksctl.yaml": {
        "apiVersion": "eksctl.io/v1alpha5",
        "kind": "ClusterConfig",
        "metadata": {"name": "c", "region": "us-east-1"},
        "managedNodeGroups": [
            {"name": "g", "instanceTypes": ["g5.xlarge"], "spot": True, "minSize": 0}
        ],
        "nodeGroups": [
            {
                "name": "n",
                "instancesDistribution": {
                    "instanceTypes": ["g5.xlarge"],
                    "onDemandBaseCapacity": 1,
                },
            }
        ],
    },
    "claim.yaml": {
        "apiVersion": "v1",
        "kind": "List",
        "items": [
            {
                "apiVersion": "resource.k8s.io/v1",
                "kind": "ResourceClaimTemplate",
                "metadata": {"name": "c"},
                "spec": {
                    "spec": {
                        "devices": {
                            "requests": [
                                {
                                    "exactly": {
                                        "deviceClassName": "mig.nvidia.com",
                                        "count": 2,
                                        "selectors": [{"cel": {"expression": "x == '1g.5gb'"}}],
                                    }
                                },
                                {"firstAvailable": [{"deviceClassName": "gpu.nvidia.com"}]},
                            ]
                        }
                    }
                },
            },
            {
                "apiVersion": "v1",
                "kind": "Pod",
                "metadata": {"name": "p"},
                "spec": {"resourceClaims": [{"name": "a", "resourceClaimTemplateName": "c"}]},
            },
        ],
    },
    "compose.yml": {
        "services": {
            "a": {
                "image": "x",
                "gpus": [{"device_ids": ["0"]}],
                "deploy": {
                    "resources": {
                        "reservations": {"devices": [{"count": "all", "capabilities": ["gpu"]}]}
                    }
                },
            }
        }
    },
}
KINDS = {
    "preview.json": "pulumi",
    "sky.yaml": "skypilot",
    "dstack.yml": "dstack",
    "fleet.yml": "dstack",
    "ray.yaml": "ray",
    "compose.yml": "compose",
}


def mutated(seed: int) -> None:
    """Every file of FILES with branches replaced, dropped or wrapped."""
    chance = random.Random(seed)
    for name, whole in FILES.items():
        data = _mutate(copy.deepcopy(whole), chance)
        if isinstance(data, dict):
            _answer(json.dumps(data).encode(), KINDS.get(name) if chance.random() < 0.3 else None)
        if chance.random() < 0.1:
            _answer(yaml.safe_dump(whole)[: chance.randrange(400)].encode())


@pytest.mark.parametrize("seed", range(60))
def test_mutated_cluster_and_task_files(seed: int) -> None:
    mutated(seed)


@pytest.mark.parametrize("name", FILES)
def test_the_files_before_mutation_are_what_they_should_be(name: str) -> None:
    """Otherwise the test above would look at one error only."""
    found = parse(document_of(json.dumps(FILES[name]).encode(), name), context())
    assert found.kind == KINDS.get(name, "kubernetes")
    assert found.findings or found.notes


HCL = """
variable "t" { default = "g5.xlarge" }
locals {
  zones = ["a", "b"]
}
provider "aws" {
  region = var.region
}
resource "aws_instance" "x" {
  count         = 2
  instance_type = var.t
  dynamic "instance_market_options" {
    for_each = [1]
    content {
      market_type = "spot"
    }
  }
}
resource "aws_autoscaling_group" "g" {
  for_each = { a = 1 }
  min_size = 0
  launch_template { id = aws_launch_template.t[each.key].id }
  user_data = <<-EOT
    hello ${var.t}
  EOT
}
module "m" {
  source = "./x"
  types  = [{ instance_type = "g4dn.xlarge" }]
}
"""


def mutated_source(seed: int) -> None:
    """A source with pieces cut out, doubled, swapped or replaced."""
    chance = random.Random(seed)
    text = HCL
    for _ in range(chance.randrange(1, 5)):
        start = chance.randrange(len(text))
        end = min(len(text), start + chance.randrange(1, 60))
        piece = chance.choice(
            ["", text[start:end] * 2, "{", "}", '"', "${", "null", "=", "\x00", "é"]
        )
        text = text[:start] + piece + text[end:]
    try:
        found = parse(document_of(text.encode(), "m.tf", 1_000_000), context())
    except AdvisorError as error:
        EN[error.message.id].format(**error.message.params)
        return
    for finding in found.findings:
        for reason in finding.reasons:
            EN[reason.id].format(**reason.params)


@pytest.mark.parametrize("seed", range(60))
def test_mutated_sources(seed: int) -> None:
    pytest.importorskip("hcl2")
    mutated_source(seed)
