"""The forms in YAML: they parse, they say the plan, and names that people chose stay names."""

from __future__ import annotations

import re
from typing import Any

import pytest
import yaml

from gpuadvisor.catalog.errors import RefusedError
from gpuadvisor.catalog.message import message
from gpuadvisor.emit import karpenter, kubernetes, launch_template, skypilot
from gpuadvisor.emit.fabric import EFA_CARDS
from gpuadvisor.report.messages import render
from tests.emit.support import FORMS, chosen, questions, text_of

PRETRAIN = {"workload": "llm-pretrain", "params": "13e9", "tokens": "100e9", "deadline": "10d"}
SLICES = {"workload": "tts", "provider": "aws", "device": "A100", "qps": "30"}
YAML_FORMS = [form for form in FORMS if form != "terraform"]


def parts(form: str, **asked: Any) -> list[dict[str, Any]]:
    return list(yaml.safe_load_all(text_of(form, **asked)))


def pod(document: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = document["spec"]["template"]["spec"]
    return found


@pytest.mark.parametrize("form", YAML_FORMS)
def test_odd_names_stay_what_they_are(form: str) -> None:
    """An overlay may call a type, a workload or a place anything."""
    plan = chosen(workload="ocr", provider="aws", purchase="spot").plan()
    ordinary = plan._replace(fallbacks=())
    odd = 'x": {{ y }}\n- ${z} # & *'
    plan = ordinary._replace(
        region=odd,
        type=plan.type._replace(name=odd),
        why=(message("emit.checkpoint_size", gb=odd),),
        made_by=(plan.made_by[0], f"gpuadvisor {odd}"),
    )
    try:
        text = FORMS[form].text(plan, render)
    except RefusedError as error:
        assert (form, error.message.id) == ("kubernetes", "emit.no_label")
        return
    head = [line for line in text.splitlines() if line.startswith("#")]
    assert text.startswith("\n".join(head))
    read = list(yaml.safe_load_all(text))
    plain = list(yaml.safe_load_all(FORMS[form].text(ordinary, render)))
    assert shape(read) == shape(plain)
    assert any(odd in text for text in texts(read))


def texts(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [t for item in value.items() for v in item for t in texts(v)]
    if isinstance(value, list):
        return [t for item in value for t in texts(item)]
    return [value] if isinstance(value, str) else []


def shape(value: Any) -> Any:
    """Keys and lengths, without the texts at the ends."""
    if isinstance(value, dict):
        return {key: shape(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [shape(inner) for inner in value]
    return type(value).__name__


@pytest.mark.parametrize("form", YAML_FORMS)
def test_every_random_plan_parses(form: str) -> None:
    written = 0
    for one in questions(5, ("aws",), 12):
        try:
            text = FORMS[form].text(one.plan(), render)
        except RefusedError:
            continue
        written += 1
        assert all(isinstance(part, dict) for part in yaml.safe_load_all(text))
        assert re.search(r"^#   gpuadvisor check ", text, re.MULTILINE)
    assert written > 6


# -- kubernetes


def test_work_that_stands_is_a_deployment() -> None:
    asked = {"workload": "ocr", "provider": "aws", "purchase": "on_demand", "qps": "300"}
    (document,) = parts("kubernetes", **asked)
    plan = chosen(**asked).plan()
    assert (document["kind"], document["spec"]["replicas"]) == ("Deployment", plan.instances)
    assert pod(document)["nodeSelector"] == {
        "node.kubernetes.io/instance-type": plan.type.name,
        "topology.kubernetes.io/region": "us-east-1",
        "karpenter.sh/capacity-type": "on-demand",
    }
    container = pod(document)["containers"][0]
    assert container["resources"]["limits"] == {"nvidia.com/gpu": plan.devices}
    assert container["securityContext"]["allowPrivilegeEscalation"] is False
    assert pod(document)["automountServiceAccountToken"] is False


def test_a_training_is_an_indexed_job_whose_pods_find_each_other() -> None:
    asked = {**PRETRAIN, "provider": "aws", "purchase": "spot"}
    service, job = parts("kubernetes", **asked)
    plan = chosen(**asked).plan()
    assert (service["kind"], service["spec"]["clusterIP"]) == ("Service", "None")
    spec = job["spec"]
    assert (spec["completions"], spec["parallelism"]) == (plan.instances, plan.instances)
    assert spec["completionMode"] == "Indexed" and pod(job)["restartPolicy"] == "Never"
    assert spec["podFailurePolicy"]["rules"][0]["action"] == "Ignore"
    limits = pod(job)["containers"][0]["resources"]["limits"]
    assert limits == {"nvidia.com/gpu": 8, "vpc.amazonaws.com/efa": EFA_CARDS[plan.type.name]}
    environment = {e["name"]: e["value"] for e in pod(job)["containers"][0]["env"]}
    assert plan.checkpoint is not None
    assert environment["CHECKPOINT_EVERY_MINUTES"] == str(plan.checkpoint.minutes)
    assert environment["MASTER_ADDR"] == f"{plan.name}-0.{service['metadata']['name']}"
    near = pod(job)["affinity"]["podAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"]
    assert near[0]["topologyKey"] == "topology.kubernetes.io/zone"


def test_a_pod_takes_one_slice() -> None:
    plan = chosen(**SLICES).plan()
    (document,) = parts("kubernetes", **SLICES)
    assert document["spec"]["replicas"] == plan.instances * plan.devices * plan.slices
    limits = pod(document)["containers"][0]["resources"]["limits"]
    assert limits == {f"nvidia.com/mig-{plan.partition}": 1}


@pytest.mark.parametrize(
    ("asked", "label", "value"),
    [
        (
            {"provider": "gcp", "device": "L4", "purchase": "spot"},
            "cloud.google.com/gke-spot",
            "true",
        ),
        (
            {"provider": "azure", "device": "T4", "purchase": "spot"},
            "kubernetes.azure.com/scalesetpriority",
            "spot",
        ),
    ],
)
def test_spot_nodes_of_managed_clusters(asked: dict[str, str], label: str, value: str) -> None:
    (document,) = parts("kubernetes", **asked)
    assert pod(document)["nodeSelector"][label] == value
    tolerated = {"key": label, "operator": "Equal", "value": value, "effect": "NoSchedule"}
    assert tolerated in pod(document)["tolerations"]


def test_a_device_without_a_resource_is_refused() -> None:
    with pytest.raises(RefusedError) as error:
        text_of("kubernetes", provider="aws", software="any", device="U30")
    assert error.value.message.id == "emit.no_resource"


# -- karpenter


def test_a_pool_of_the_chosen_types() -> None:
    asked = {"workload": "ocr", "provider": "aws", "purchase": "spot"}
    pool, nodes = parts("karpenter", **asked)
    plan = chosen(**asked).plan()
    assert (pool["apiVersion"], nodes["apiVersion"]) == ("karpenter.sh/v1", "karpenter.k8s.aws/v1")
    wishes = {w["key"]: w["values"] for w in pool["spec"]["template"]["spec"]["requirements"]}
    assert wishes["node.kubernetes.io/instance-type"] == list(plan.types)
    assert wishes["karpenter.sh/capacity-type"] == ["spot"]
    assert pool["spec"]["limits"] == {"nvidia.com/gpu": str(plan.instances)}
    assert nodes["spec"]["metadataOptions"]["httpTokens"] == "required"
    assert nodes["spec"]["blockDeviceMappings"][0]["ebs"]["encrypted"] is True


def test_a_pool_of_slices_tells_karpenter_of_them() -> None:
    plan = chosen(**SLICES).plan()
    pool, _, overlay = parts("karpenter", **SLICES)
    labels = pool["spec"]["template"]["metadata"]["labels"]
    assert labels["nvidia.com/mig.config"] == f"all-{plan.partition}"
    assert overlay["kind"] == "NodeOverlay"
    assert overlay["spec"]["capacity"] == {
        f"nvidia.com/mig-{plan.partition}": str(plan.devices * plan.slices)
    }


# -- skypilot


def test_a_service_and_a_task() -> None:
    (service,) = parts("skypilot", workload="ocr", provider="aws", purchase="spot")
    plan = chosen(workload="ocr", provider="aws", purchase="spot").plan()
    assert service["resources"]["infra"] == "aws/us-east-1"
    assert service["resources"]["use_spot"] is True
    assert service["resources"]["any_of"] == [{"instance_type": name} for name in plan.types]
    assert service["service"]["replicas"] == plan.instances

    (task,) = parts("skypilot", **PRETRAIN, provider="gcp")
    plan = chosen(**PRETRAIN, provider="gcp").plan()
    assert task["num_nodes"] == plan.instances and "service" not in task
    assert task["file_mounts"]["/checkpoints"]["store"] == "gcs"
    assert task["resources"]["instance_type"] == plan.type.name


@pytest.mark.parametrize(
    ("asked", "refusal"),
    [
        ({"provider": "verda", "device": "V100"}, "emit.provider"),
        ({"provider": "aws", "device": "H100", "purchase": "capacity_block"}, "emit.terms"),
    ],
)
def test_what_skypilot_cannot_ask_for(asked: dict[str, str], refusal: str) -> None:
    with pytest.raises(RefusedError) as error:
        text_of("skypilot", **asked)
    assert error.value.message.id == refusal


@pytest.mark.parametrize("form", ["launch-template", "karpenter"])
def test_forms_of_aws_alone(form: str) -> None:
    with pytest.raises(RefusedError) as error:
        text_of(form, workload="ocr", provider="gcp")
    assert error.value.message.params["known"] == "aws"


# -- CloudFormation


def test_a_stack_is_refused_in_another_region() -> None:
    (template,) = parts("launch-template", workload="ocr", provider="aws", region="eu-west-1")
    rule = template["Rules"]["PricedRegion"]["Assertions"][0]["Assert"]
    assert rule == {"Fn::Equals": [{"Ref": "AWS::Region"}, "eu-west-1"]}


@pytest.mark.parametrize(
    "asked",
    [
        {"workload": "ocr", "provider": "aws", "purchase": "spot", "storage": "disk=1TB"},
        {**PRETRAIN, "provider": "aws", "purchase": "spot"},
        SLICES,
        {"provider": "aws", "device": "H100", "gpus": "16", "purchase": "capacity_block"},
        {"provider": "aws", "software": "neuron", "purchase": "on_demand"},
    ],
    ids=["spot", "training", "slices", "block", "neuron"],
)
def test_cfn_lint_finds_nothing(asked: dict[str, str]) -> None:
    """AWS's linter with its resource schemas; in the development tools by way of moto."""
    api = pytest.importorskip("cfnlint.api")
    found = api.lint(text_of("launch-template", **asked), regions=["us-east-1"])
    assert [str(fault) for fault in found] == []


def test_each_form_is_named_for_its_tool() -> None:
    assert {m.FILE for m in (karpenter, kubernetes, launch_template, skypilot)} == {
        "karpenter.yaml", "workload.yaml", "launch-template.yaml", "task.yaml",
    }  # fmt: skip
