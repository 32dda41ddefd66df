"""Previews of the shape of pulumi/pulumi sdk/go/common/display/json.go; names and values by hand."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

from gpuadvisor.catalog.errors import InputError
from gpuadvisor.iac.detect import parse, read
from gpuadvisor.iac.interface import Finding, Findings
from gpuadvisor.iac.reading import document_of
from tests.iac.support import context

UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9"
SECRET = {
    "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
    "ciphertext": "v1:x",
}
INSTANCE = "aws:ec2/instance:Instance"
TEMPLATE = "aws:ec2/launchTemplate:LaunchTemplate"
GROUP = "aws:autoscaling/group:Group"


def urn(token: str, name: str, parent: str = "") -> str:
    return f"urn:pulumi:prod::infra::{parent}{token}::{name}"


def state(token: str, inputs: Any, name: str = "x", **extra: Any) -> dict[str, Any]:
    return {"urn": urn(token, name), "custom": True, "type": token, "inputs": inputs, **extra}


def step(
    op: str, token: str, name: str = "x", old: Any = None, new: Any = None, **extra: Any
) -> dict[str, Any]:
    found: dict[str, Any] = {"op": op, "urn": urn(token, name)}
    if old is not None:
        found["oldState"] = state(token, old, name, **extra)
    if new is not None:
        found["newState"] = state(token, new, name, **extra)
    return found


def preview(*steps: Mapping[str, Any], config: Any = None, **extra: Any) -> Findings:
    data = {
        "config": {"aws:region": "us-west-2"} if config is None else config,
        "steps": [*steps],
        "duration": 1,
        "changeSummary": {"create": 1},
        **extra,
    }
    return parse(document_of(json.dumps(data).encode(), "preview.json"), context())


def one(*steps: Mapping[str, Any], **extra: Any) -> Finding:
    (finding,) = preview(*steps, **extra).findings
    return finding


def test_a_created_instance() -> None:
    finding = one(
        step("create", INSTANCE, "gpu", new={"instanceType": "g5.xlarge", "ami": UNKNOWN})
    )
    after = finding.after
    assert after is not None and finding.before is None
    assert (finding.address, finding.kind, finding.action) == (
        "aws:ec2/instance:Instance::gpu",
        INSTANCE,
        "create",
    )
    assert (after.type, tuple(after.counts[:3]), after.purchase) == (
        "g5.xlarge",
        (1, 1, 1),
        "on_demand",
    )
    assert (after.region, after.region_evidence) == ("us-west-2", "provider")


@pytest.mark.parametrize(
    ("steps", "action", "before", "after"),
    [
        ([("same", "g5.xlarge", "g5.xlarge")], "no-op", "g5.xlarge", "g5.xlarge"),
        ([("update", "g5.xlarge", "g5.2xlarge")], "update", "g5.xlarge", "g5.2xlarge"),
        ([("delete", "g5.xlarge", None)], "delete", "g5.xlarge", None),
        # A replacement is three steps and one machine.
        (
            [
                ("create-replacement", "g5.xlarge", "g4dn.xlarge"),
                ("replace", "g5.xlarge", "g4dn.xlarge"),
                ("delete-replaced", "g5.xlarge", None),
            ],
            "replace",
            "g5.xlarge",
            "g4dn.xlarge",
        ),
        ([("import", None, "g5.xlarge")], "no-op", "g5.xlarge", "g5.xlarge"),
        ([("refresh", "g5.xlarge", "g5.xlarge"), ("same", "g5.xlarge", "g5.xlarge")],
         "no-op", "g5.xlarge", "g5.xlarge"),
    ],
)  # fmt: skip
def test_operations(steps: Any, action: str, before: str | None, after: str | None) -> None:
    finding = one(
        *(
            step(op, INSTANCE, old=old and {"instanceType": old}, new=new and {"instanceType": new})
            for op, old, new in steps
        )
    )
    assert finding.action == action
    sides = [s.type if s else None for s in (finding.before, finding.after)]
    assert sides == [before, after]


def test_a_read_rents_nothing() -> None:
    found = preview(step("read", INSTANCE, new={"instanceType": "g5.xlarge"}))
    assert (found.findings, found.examined) == ((), 0)


def test_component_steps_repeat_values_and_are_not_counted() -> None:
    """aws-ts-eks-gpu-dra: the component and its child both carry the types."""
    component = step("create", "eks:index:ManagedNodeGroup", "gpu", new={
        "instanceTypes": ["p4d.24xlarge"], "scalingConfig": {"minSize": 0, "desiredSize": 1, "maxSize": 2}})  # fmt: skip
    component["newState"]["custom"] = False
    child = step("create", "aws:eks/nodeGroup:NodeGroup", "gpu", new={
        "instanceTypes": ["p4d.24xlarge"], "capacityType": "SPOT",
        "scalingConfig": {"minSize": 0, "desiredSize": 1, "maxSize": 2}})  # fmt: skip
    after = one(component, child).after
    assert after is not None
    assert (after.type, tuple(after.counts[:3]), after.purchase) == (
        "p4d.24xlarge",
        (0, 1, 2),
        "spot",
    )


def test_a_group_follows_its_template_by_property_dependencies() -> None:
    template = step("create", TEMPLATE, "t", new={
        "instanceType": "g5.2xlarge", "instanceMarketOptions": {"marketType": "spot"}})  # fmt: skip
    other = step("create", TEMPLATE, "cpu", new={"instanceType": "p5.48xlarge"})
    group = step("create", GROUP, "g",
                 new={"minSize": 0, "desiredCapacity": 2, "maxSize": 4, "launchTemplate": {"id": UNKNOWN}},
                 propertyDependencies={"launchTemplate": [urn(TEMPLATE, "t")]})  # fmt: skip
    found = preview(template, other, group)
    (finding,) = found.findings
    after = finding.after
    assert after is not None
    assert (after.type, tuple(after.counts[:3]), after.purchase) == (
        "g5.2xlarge",
        (0, 2, 4),
        "spot",
    )
    assert [n.address for n in found.notes] == [f"{TEMPLATE}::cpu"], "an unused template is a note"


def test_an_unknown_type_is_not_told() -> None:
    finding = one(
        step(
            "create",
            "aws:eks/nodeGroup:NodeGroup",
            new={"instanceTypes": [UNKNOWN], "scalingConfig": {"desiredSize": UNKNOWN}},
        )
    )
    assert finding.after is not None and finding.after.certain is False
    assert finding.after.counts.planned is None
    assert "iac.value_unknown" in {r.id for r in finding.reasons}


@pytest.mark.parametrize("hidden", [SECRET, "[secret]"])
def test_secrets_are_not_read(hidden: Any) -> None:
    finding = one(step("create", INSTANCE, new={"instanceType": hidden}))
    assert finding.after is not None and finding.after.certain is False
    assert {r.id for r in finding.reasons} >= {"iac.value_sensitive"}
    assert "v1:x" not in repr(finding)


def test_an_explicit_provider_decides_the_region() -> None:
    token = "pulumi:providers:aws"
    provider = step("create", token, "west", new={"region": "eu-west-1"})
    instance = step("create", INSTANCE, new={"instanceType": "g5.xlarge"},
                    provider=f"{urn(token, 'west')}::{UNKNOWN}")  # fmt: skip
    after = one(provider, instance).after
    assert after is not None and after.region == "eu-west-1"


def test_without_any_region_it_is_unknown() -> None:
    finding = one(step("create", INSTANCE, new={"instanceType": "g5.xlarge"}), config={})
    assert finding.after is not None and finding.after.region is None
    assert "iac.region_unknown" in {r.id for r in finding.reasons}


def test_google_lists_are_plural() -> None:
    after = one(
        step(
            "create",
            "gcp:compute/instance:Instance",
            new={
                "machineType": "n1-standard-4",
                "zone": "us-central1-a",
                "guestAccelerators": [{"type": "nvidia-tesla-t4", "count": 2}],
                "scheduling": {"provisioningModel": "SPOT"},
            },
        )
    ).after
    assert after is not None
    assert (after.device, after.devices_per_node, after.purchase, after.region) == (
        "nvidia-tesla-t4",
        2,
        "spot",
        "us-central1",
    )


def test_overrides_of_a_mixed_group() -> None:
    policy = {
        "launchTemplate": {
            "launchTemplateSpecification": {"launchTemplateId": UNKNOWN},
            "overrides": [{"instanceType": "g4dn.xlarge"}, {"instanceType": "g4dn.2xlarge"}],
        },
        "instancesDistribution": {"onDemandBaseCapacity": 1, "onDemandPercentageAboveBaseCapacity": 0},
    }  # fmt: skip
    after = one(
        step("create", GROUP, new={"minSize": 0, "maxSize": 4, "mixedInstancesPolicy": policy})
    ).after
    assert after is not None
    assert [c.type for c in after.candidates] == ["g4dn.xlarge", "g4dn.2xlarge"]
    assert (after.purchase, tuple(after.split or ())) == ("mixed", (1, 0.0))


@pytest.mark.parametrize(
    ("token", "inputs", "wanted"),
    [
        ("azure-native:containerservice:AgentPool",
         {"vmSize": "Standard_NC4as_T4_v3", "count": 2, "minCount": 1, "maxCount": 5, "scaleSetPriority": "Spot"},
         ("Standard_NC4as_T4_v3", (1, 2, 5), "spot", None)),
        ("azure-native:compute:VirtualMachine",
         {"hardwareProfile": {"vmSize": "Standard_NC6"}, "location": "West Europe"},
         ("Standard_NC6", (1, 1, 1), "on_demand", "westeurope")),
        ("azure-native:compute:VirtualMachineScaleSet",
         {"sku": {"name": "Standard_NC6", "capacity": 3}, "location": "eastus"},
         ("Standard_NC6", (3, 3, 3), "on_demand", "eastus")),
        ("azure-native:containerservice:ManagedCluster",
         {"location": "eastus", "agentPoolProfiles": [{"name": "gpu", "vmSize": "Standard_NC6", "count": 1}]},
         ("Standard_NC6", (1, 1, 1), "on_demand", "eastus")),
    ],
)  # fmt: skip
def test_azure_native(token: str, inputs: Any, wanted: Any) -> None:
    after = one(step("create", token, new=inputs)).after
    assert after is not None
    assert (after.type, tuple(after.counts[:3]), after.purchase, after.region) == wanted


def test_kubernetes_objects_are_manifests() -> None:
    body = {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "llm"},
        "spec": {
            "replicas": 2,
            "template": {
                "spec": {"containers": [{"resources": {"limits": {"nvidia.com/gpu": 1}}}]}
            },
        },
    }
    finding = one(step("create", "kubernetes:apps/v1:Deployment", "llm", new=body))
    assert (finding.side, finding.kind) == ("demand", "kubernetes:apps/v1:Deployment")
    assert finding.after is not None
    assert (finding.after.device, tuple(finding.after.counts[:3])) == ("nvidia.com/gpu", (2, 2, 2))
    unknown = {**body, "spec": {**body["spec"], "replicas": UNKNOWN}}  # type: ignore[dict-item]
    finding = one(step("create", "kubernetes:apps/v1:Deployment", "llm", new=unknown))
    assert finding.after is not None and finding.after.counts.planned is None


def test_names_cannot_break_out_of_an_address() -> None:
    name = 'a.b["c"].id::x\u202e'
    finding = one(step("create", INSTANCE, name, new={"instanceType": "g5.xlarge"}))
    assert finding.address == f"{INSTANCE}::{name}"
    assert finding.after is not None and finding.after.type == "g5.xlarge"


def test_a_failed_preview_says_so_and_an_empty_one_passes() -> None:
    found = preview(diagnostics=[{"severity": "error", "message": "x"}])
    assert [n.message.id for n in found.notes] == ["iac.plan_errored"]
    assert preview().findings == ()


def test_a_program_is_not_run(tmp_path: Any) -> None:
    path = tmp_path / "index.ts"
    path.write_text('new eks.ManagedNodeGroup("gpu", { instanceTypes: ["p4d.24xlarge"] });')
    with pytest.raises(InputError) as caught:
        read(str(path), context())
    assert caught.value.message.id == "iac.program"


def test_the_aliases_name_resources_that_are_known() -> None:
    documents = context().documents
    names = documents["pulumi/types"]["types"].values()
    assert [name for name in names if name not in documents] == []
