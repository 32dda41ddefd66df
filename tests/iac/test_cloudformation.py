"""CloudFormation templates: intrinsic functions, conditions, parameters, and each resource type."""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml

from gpuadvisor.iac.cfn_values import Template
from gpuadvisor.iac.detect import parse
from gpuadvisor.iac.interface import Findings
from gpuadvisor.iac.reading import document_of
from gpuadvisor.iac.view import Opaque
from tests.iac.support import FIXTURES, context, documents

BODY = {
    "Parameters": {
        "Type": {"Type": "String", "Default": "g5.xlarge"},
        "Count": {"Type": "Number"},
        "Names": {"Type": "CommaDelimitedList", "Default": "a, b,c"},
        "Secret": {"Type": "String", "NoEcho": True, "Default": "hunter2"},
        "Env": {"Type": "String", "Default": "prod"},
        "Image": {"Type": "AWS::SSM::Parameter::Value<String>", "Default": "/a/b"},
    },
    "Mappings": {"Sizes": {"prod": {"type": "p5.48xlarge"}}},
    "Conditions": {
        "IsProd": {"Fn::Equals": [{"Ref": "Env"}, "prod"]},
        "NotProd": {"Fn::Not": [{"Condition": "IsProd"}]},
        "Unknown": {"Fn::Equals": [{"Ref": "Count"}, "1"]},
        "Both": {"Fn::And": [{"Condition": "IsProd"}, {"Condition": "Unknown"}]},
        "Neither": {"Fn::And": [{"Condition": "NotProd"}, {"Condition": "Unknown"}]},
        "Either": {"Fn::Or": [{"Condition": "IsProd"}, {"Condition": "Unknown"}]},
        "Loop": {"Condition": "Loop"},
        "Flag": {"Fn::Equals": [True, "true"]},
    },
    "Resources": {},
}


@pytest.mark.parametrize(
    ("raw", "value"),
    [
        ({"Ref": "Type"}, "g5.xlarge"),
        ({"Ref": "Names"}, ["a", "b", "c"]),
        ({"Ref": "AWS::NoValue"}, None),
        ({"Ref": "AWS::Region"}, "eu-west-1"),
        ({"Fn::Sub": "ml.${Type}"}, "ml.g5.xlarge"),
        ({"Fn::Sub": ["${a}-${!b}", {"a": "x"}]}, "x-${b}"),
        ({"Fn::Select": ["1", {"Ref": "Names"}]}, "b"),
        ({"Fn::Select": [0, {"Fn::Split": [".", {"Ref": "Type"}]}]}, "g5"),
        ({"Fn::Join": [".", ["g5", "2xlarge"]]}, "g5.2xlarge"),
        ({"Fn::FindInMap": ["Sizes", {"Ref": "Env"}, "type"]}, "p5.48xlarge"),
        ({"Fn::FindInMap": ["Sizes", "dev", "type", {"DefaultValue": "m5.large"}]}, "m5.large"),
        ({"Fn::If": ["IsProd", "a", "b"]}, "a"),
        ({"Fn::If": ["NotProd", "a", {"Ref": "AWS::NoValue"}]}, None),
        ({"Fn::If": ["Unknown", "same", "same"]}, "same"),
        ({"two": 1, "keys": 2}, {"two": 1, "keys": 2}),
        ({"InstanceType": "x"}, {"InstanceType": "x"}),
        (5, 5),
    ],
)
def test_functions(raw: Any, value: Any) -> None:
    assert Template(BODY, {}, "eu-west-1").value(raw) == value


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        ({"Ref": "Count"}, "iac.parameter_unset"),
        ({"Ref": "Image"}, "iac.parameter_unset"),
        ({"Ref": "Secret"}, "iac.value_sensitive"),
        ({"Fn::Sub": "x${Secret}"}, "iac.value_sensitive"),
        ({"Ref": "Nowhere"}, "iac.value_unknown"),
        ({"Fn::GetAtt": ["A", "Arn"]}, "iac.value_unknown"),
        ({"Fn::ImportValue": "x"}, "iac.value_unknown"),
        ({"Fn::If": ["Unknown", "a", "b"]}, "iac.condition_unknown"),
        ({"Fn::Select": ["9", {"Ref": "Names"}]}, "iac.value_unknown"),
        ({"Fn::FindInMap": ["Sizes", "x", "y"]}, "iac.value_unknown"),
        ({"Fn::Join": 3}, "iac.value_unknown"),
        ({"Ref": ["a"]}, "iac.value_unknown"),
    ],
)
def test_what_cannot_be_evaluated_says_why(raw: Any, why: str) -> None:
    value = Template(BODY, {}, None).value(raw)
    assert isinstance(value, Opaque)
    assert value.why == why


@pytest.mark.parametrize(
    ("name", "truth"),
    [
        ("IsProd", True),
        ("NotProd", False),
        ("Unknown", None),
        ("Both", None),
        ("Neither", False),
        ("Either", True),
        ("Loop", None),
        ("Missing", None),
        ("Flag", True),
    ],
)
def test_conditions(name: str, truth: bool | None) -> None:
    assert Template(BODY, {}, None).condition(name) is truth


def test_given_parameters_win_over_defaults() -> None:
    template = Template(BODY, {"Env": "dev", "Count": "4"}, None)
    assert template.condition("IsProd") is False
    assert template.value({"Ref": "Count"}) == "4"


TEMPLATE = """
AWSTemplateFormatVersion: '2010-09-09'
Parameters:
  Min: {Type: Number}
  Spot: {Type: String, Default: 'no'}
Conditions:
  WantsSpot: !Equals [!Ref Spot, 'yes']
Resources:
  Template:
    Type: AWS::EC2::LaunchTemplate
    Properties:
      LaunchTemplateData:
        InstanceType: p5.48xlarge
        InstanceMarketOptions: !If
          - WantsSpot
          - {MarketType: spot}
          - !Ref AWS::NoValue
  Group:
    Type: AWS::AutoScaling::AutoScalingGroup
    Properties:
      MinSize: !Ref Min
      MaxSize: '4'
      LaunchTemplate:
        LaunchTemplateId: !Ref Template
        Version: !GetAtt Template.LatestVersionNumber
  Gone:
    Type: AWS::EC2::Instance
    Condition: WantsSpot
    Properties: {InstanceType: g5.xlarge}
"""


def _parse(body: str, **parameters: str) -> Findings:
    return parse(document_of(body.encode(), "t.yaml"), context(None, **parameters))


def test_template_in_yaml() -> None:
    findings = _parse(TEMPLATE)
    assert [f.address for f in findings.findings] == ["Group"]
    finding = findings.findings[0]
    resource = finding.resource
    assert (finding.line, finding.action, finding.kind) == (
        18,
        "declared",
        "AWS::AutoScaling::AutoScalingGroup",
    )
    assert (resource.type, resource.purchase) == ("p5.48xlarge", "on_demand")
    assert resource.counts[:3] == (None, None, 4)
    assert resource.region is None
    assert {r.id for r in finding.reasons} == {"iac.parameter_unset", "iac.region_unknown"}
    assert findings.notes == ()


def test_parameters_change_the_answer() -> None:
    findings = _parse(TEMPLATE, Min="2", Spot="yes")
    found = {f.address: f.resource for f in findings.findings}
    assert found["Group"].counts[:3] == (2, 2, 4)
    assert found["Group"].purchase == "spot"
    assert found["Gone"].type == "g5.xlarge"


def test_resource_under_an_unknown_condition_is_kept_with_a_reason() -> None:
    body = TEMPLATE.replace("Default: 'no'", "Description: x")
    found = {f.address: f for f in _parse(body).findings}
    assert "iac.condition_unknown" in {r.id for r in found["Gone"].reasons}


def test_template_in_json_has_lines_too() -> None:
    body = {
        "Resources": {
            "Box": {"Type": "AWS::EC2::Instance", "Properties": {"InstanceType": "g5.xlarge"}}
        }
    }
    finding = _parse(json.dumps(body, indent=2)).findings[0]
    assert (finding.address, finding.line, finding.resource.type) == ("Box", 3, "g5.xlarge")


CASES = yaml.safe_load((FIXTURES / "cloudformation" / "resources.yaml").read_text())


@pytest.mark.parametrize("case", CASES, ids=[f"{c['type']}-{i}" for i, c in enumerate(CASES)])
def test_resource_type(case: dict[str, Any]) -> None:
    body = {"Resources": {"X": {"Type": case["type"], "Properties": case["properties"]}}}
    findings = _parse(json.dumps(body)).findings
    wanted = case["expect"]
    if wanted is None:
        assert findings == ()
        return
    assert len(findings) == 1
    resource = findings[0].resource
    told = {
        "label": findings[0].address.partition("#")[2],
        "counts": list(resource.counts[:3]),
        "candidates": [[c.type, c.weight] for c in resource.candidates],
        "split": list(resource.split) if resource.split else None,
    }
    assert {k: told.get(k, getattr(resource, k, None)) for k in wanted} == wanted


def test_every_billed_type_has_a_case() -> None:
    covered = {case["type"] for case in CASES}
    billed = {
        name
        for name, entry in documents().items()
        if name.startswith("AWS::") and entry["side"] in ("supply", "tasks")
    }
    assert billed <= covered | {"AWS::AutoScaling::AutoScalingGroup"}, sorted(billed - covered)
