"""Public files that may not be stored here: the same shapes, written by hand, and their answers.

Each case names the file whose shape it has. Values that matter are those of the public file.
"""

from __future__ import annotations

from typing import Any

import pytest

from gpuadvisor.catalog.errors import InputError
from gpuadvisor.iac.detect import parse
from gpuadvisor.iac.interface import Finding, Findings
from gpuadvisor.iac.reading import document_of
from gpuadvisor.report.messages import render
from tests.iac.support import context


def _parse(text: str, **parameters: str) -> Findings:
    return parse(document_of(text.encode(), "f.yaml"), context(**parameters))


def _ids(finding: Finding) -> set[str]:
    return {reason.id for reason in finding.reasons}


def _counts(finding: Finding) -> tuple[Any, ...]:
    assert finding.after is not None
    return tuple(finding.after.counts[:3])


def _pods(kind: str, group: str, spec: str) -> str:
    return f"apiVersion: {group}\nkind: {kind}\nmetadata: {{name: w}}\nspec: {spec}\n"


GPU = "containers: [{name: a, resources: {limits: {nvidia.com/gpu: %s}}}]"


def test_unrendered_placeholders_are_neither_zero_nor_one() -> None:
    """awslabs/awsome-distributed-ai FSDP/kubernetes/llama2_70b-fsdp.yaml: an envsubst template."""
    worker = f"{{replicas: $NUM_NODES, template: {{spec: {{{GPU % '$GPU_PER_NODE'}}}}}}}"
    spec = f"{{elasticPolicy: {{minReplicas: 1, maxReplicas: 64}}, pytorchReplicaSpecs: {{Worker: {worker}}}}}"
    (finding,) = _parse(_pods("PyTorchJob", "kubeflow.org/v1", spec)).findings
    assert finding.after is not None
    assert (_counts(finding), finding.after.devices_per_node) == ((1, None, 64), None)
    assert {"iac.value_placeholder", "iac.runs_then_ends"} <= _ids(finding)
    assert finding.address == "PyTorchJob/w#Worker"


def test_no_replicas_are_zero_instances_and_still_shown() -> None:
    """aws/karpenter-provider-aws examples/workloads/gpu-nvidia.yaml: `replicas: 0`."""
    spec = f"{{replicas: 0, template: {{spec: {{{GPU % 1}}}}}}}"
    (finding,) = _parse(_pods("Deployment", "apps/v1", spec)).findings
    assert _counts(finding) == (0, 0, 0)
    assert finding.after is not None and finding.after.device == "nvidia.com/gpu"


def test_a_deployment_only_named_gpu() -> None:
    spec = "{replicas: 3, template: {metadata: {labels: {app: gpu}}, spec: {containers: [{name: gpu, image: gpu-operator, resources: {limits: {cpu: 2}}}]}}}"
    found = _parse(_pods("Deployment", "apps/v1", spec).replace("name: w", "name: gpu-a100"))
    assert (found.findings, found.examined, found.skipped) == ((), 1, 1)


def test_time_slices_look_like_devices_from_the_workload_alone() -> None:
    """karpenter-blueprints node-overlay/workload-gpu-slices.yaml: 4 slices, 4 devices asked for."""
    spec = f"{{replicas: 4, template: {{spec: {{{GPU % 1}}}}}}}"
    (finding,) = _parse(_pods("Deployment", "apps/v1", spec)).findings
    assert finding.after is not None
    assert (_counts(finding), finding.after.devices_per_node) == ((4, 4, 4), 1)
    shared = spec.replace("nvidia.com/gpu", "nvidia.com/gpu.shared")
    (finding,) = _parse(_pods("Deployment", "apps/v1", shared)).findings
    assert "iac.shared_device" in _ids(finding)


def test_kserve_without_a_maximum() -> None:
    """NVIDIA/nim-deploy kserve/…/llama3-70b-instruct_4xh100: minReplicas 1, no maximum."""
    spec = ("{predictor: {minReplicas: 1, nodeSelector: {nvidia.com/gpu.product: NVIDIA-H100-80GB-HBM3}, "
            "model: {resources: {limits: {nvidia.com/gpu: 4}}}}}")  # fmt: skip
    (finding,) = _parse(_pods("InferenceService", "serving.kserve.io/v1beta1", spec)).findings
    after = finding.after
    assert after is not None
    assert (_counts(finding), after.devices_per_node) == ((1, 1, None), 4)
    assert after.device == "NVIDIA-H100-80GB-HBM3"


def test_a_ray_service_with_a_plain_head() -> None:
    """ray-project/kuberay ray-service.deepseek.yaml: head without GPU, 2 workers of 8."""
    head = "headGroupSpec: {rayStartParams: {num-gpus: '0'}, template: {spec: {containers: [{name: h, resources: {limits: {cpu: 8}}}]}}}"
    worker = f"workerGroupSpecs: [{{groupName: gpu-group, replicas: 2, minReplicas: 2, maxReplicas: 2, template: {{spec: {{{GPU % 8}}}}}}}]"
    spec = f"{{rayClusterConfig: {{{head}, {worker}}}}}"
    (finding,) = _parse(_pods("RayService", "ray.io/v1", spec)).findings
    assert finding.address == "RayService/w#gpu-group"
    assert finding.after is not None
    assert (_counts(finding), finding.after.devices_per_node) == ((2, 2, 2), 8)


def test_hosts_of_a_tpu_slice_multiply() -> None:
    """ray-cluster.tpu-v4-multihost.yaml: replicas 1 x numOfHosts 2, 4 chips each."""
    worker = ("workerGroupSpecs: [{groupName: tpu, replicas: 1, numOfHosts: 2, template: {spec: {nodeSelector: "
              "{cloud.google.com/gke-tpu-accelerator: tpu-v4-podslice, cloud.google.com/gke-tpu-topology: 2x2x2}, "
              "containers: [{name: w, resources: {limits: {google.com/tpu: '4'}}}]}}}]")  # fmt: skip
    (finding,) = _parse(_pods("RayCluster", "ray.io/v1", f"{{{worker}}}")).findings
    after = finding.after
    assert after is not None
    assert (_counts(finding), after.devices_per_node, after.device) == (
        (2, 2, 2),
        4,
        "tpu-v4-podslice",
    )


def test_a_kind_that_nobody_told_us_about_is_named() -> None:
    """vllm-project/production-stack VLLMRuntime: the GPU stands in `resources.gpu`."""
    text = _pods("VLLMRuntime", "production-stack.vllm.ai/v1alpha1",
                 '{deploymentConfig: {resources: {cpu: "4", gpu: "1"}}}')  # fmt: skip
    (finding,) = _parse(text).findings
    assert finding.after is not None and finding.after.certain is False
    assert _ids(finding) == {"iac.unknown_kind"}
    assert "VLLMRuntime" in render(finding.reasons[0])


def test_a_flex_start_job_ends() -> None:
    """GoogleCloudPlatform/cluster-toolkit dws-flex-start.yaml."""
    pod = "{nodeSelector: {cloud.google.com/gke-flex-start: 'true'}, " + GPU % 1 + "}"
    spec = f"{{parallelism: 1, template: {{spec: {pod}}}}}"
    (finding,) = _parse(_pods("Job", "batch/v1", spec)).findings
    assert finding.after is not None and finding.after.purchase == "flex_start"
    assert "iac.runs_then_ends" in _ids(finding)


def test_a_mig_slice() -> None:
    """openshift/instaslice-operator samples/vllm_deployment.yaml: one 3g.20gb slice."""
    pod = "{containers: [{name: v, resources: {limits: {nvidia.com/mig-3g.20gb: 1}}}]}"
    (finding,) = _parse(
        _pods("Deployment", "apps/v1", f"{{replicas: 1, template: {{spec: {pod}}}}}")
    ).findings
    assert finding.after is not None
    assert (finding.after.partition, finding.after.devices_per_node) == ("3g.20gb", 1)


BATCH = """
AWSTemplateFormatVersion: "2010-09-09"
Parameters: {Type: {Type: String, Default: p5.48xlarge}, Block: {Type: String, Default: cr-1}}
Conditions: {HasBlock: !Not [!Equals [!Ref Block, ""]]}
Resources:
  Template:
    Type: AWS::EC2::LaunchTemplate
    Properties:
      LaunchTemplateData:
        InstanceMarketOptions: !If [HasBlock, {MarketType: capacity-block}, !Ref "AWS::NoValue"]
  Compute:
    Type: AWS::Batch::ComputeEnvironment
    Properties:
      Type: MANAGED
      ComputeResources:
        Type: EC2
        InstanceTypes: [!Ref Type]
        MinvCpus: 0
        MaxvCpus: 100000
        LaunchTemplate: {LaunchTemplateId: !Ref Template}
  Job:
    Type: AWS::Batch::JobDefinition
    Properties:
      Type: multinode
      NodeProperties:
        NumNodes: 2
        NodeRangeProperties:
          - Container: {InstanceType: p5.48xlarge, ResourceRequirements: [{Type: GPU, Value: "8"}]}
"""


def test_batch_counts_in_vcpus_and_its_jobs_rent_nothing() -> None:
    """awsome-distributed-ai 0.aws-batch-distributed-training-p5.yaml: maxvCpus 100000."""
    found = {f.address: f for f in _parse(BATCH).findings}
    compute = found["Compute"].after
    assert compute is not None
    assert (compute.type, compute.counts, compute.purchase) == (
        "p5.48xlarge",
        (0, 0, 100000, "vcpus"),
        "capacity_block",
    )
    job = found["Job"]
    assert job.after is not None
    assert (job.side, job.after.type, _counts(job)) == ("demand", "p5.48xlarge", (0, 0, 2))


def test_no_value_removes_a_property() -> None:
    # An empty parameter: the condition is false, and AWS::NoValue leaves nothing behind.
    template = BATCH.replace("Default: cr-1", 'Default: ""')
    found = {f.address: f for f in _parse(template).findings}
    assert found["Compute"].after is not None
    assert found["Compute"].after.purchase == "on_demand"


PCS = """
AWSTemplateFormatVersion: "2010-09-09"
Parameters:
  InstanceType: {Type: String, Default: p5.48xlarge}
  MinCount: {Type: Number}
  MaxCount: {Type: Number}
  CapacityReservationId: {Type: String, Default: ""}
Conditions: {Reserved: !Not [!Equals [!Ref CapacityReservationId, ""]]}
Resources:
  Group:
    Type: AWS::PCS::ComputeNodeGroup
    Properties:
      InstanceConfigs: [{InstanceType: !Ref InstanceType}]
      ScalingConfiguration: {MinInstanceCount: !Ref MinCount, MaxInstanceCount: !Ref MaxCount}
      PurchaseOption: !If [Reserved, CAPACITY_BLOCK, ONDEMAND]
"""


def test_parameters_without_a_value_leave_the_count_open() -> None:
    """awsome-distributed-ai aws-pcs/assets/add-cng-p5.yaml."""
    (finding,) = _parse(PCS).findings
    assert finding.after is not None
    assert (finding.after.type, finding.after.purchase) == ("p5.48xlarge", "on_demand")
    assert _counts(finding) == (None, None, None)
    assert "iac.parameter_unset" in _ids(finding)
    (given,) = _parse(PCS, MinCount="1", MaxCount="4", CapacityReservationId="cr-1").findings
    assert given.after is not None
    assert (_counts(given), given.after.purchase) == ((1, 1, 4), "capacity_block")


def test_a_parameter_file_is_no_template() -> None:
    """awsome-distributed-ai slinky-slurm/params.json: a list inside a text."""
    text = '[{"ParameterKey": "InstanceGroupSettings1", "ParameterValue": "[{\\"InstanceType\\":\\"ml.g5.8xlarge\\"}]"}]'
    with pytest.raises(InputError) as caught:
        _parse(text)
    assert caught.value.message.id == "iac.parameters_only"
