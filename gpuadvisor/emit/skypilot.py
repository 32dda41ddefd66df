"""SkyPilot: one task that ends, or one service that stands."""

from __future__ import annotations

from typing import Any

from gpuadvisor.catalog.message import message
from gpuadvisor.catalog.model import ON_DEMAND, SPOT
from gpuadvisor.emit.attached import machine
from gpuadvisor.emit.boot import mig_commands
from gpuadvisor.emit.comments import Say
from gpuadvisor.emit.heading import opening
from gpuadvisor.emit.interface import EVERYWHERE, Blank, Plan, provided
from gpuadvisor.emit.yamltext import documents

FILE = "task.yaml"
CLOUDS = {"aws": "aws", "azure": "azure", "digitalocean": "do", "gcp": "gcp", "lambda": "lambda",
          "nebius": "nebius", "oci": "oci"}  # fmt: skip
"""SkyPilot's names of the clouds whose machines it calls as they call themselves."""
_STORES = {"aws": "s3", "azure": "azure", "gcp": "gcs", "nebius": "nebius", "oci": "oci"}
PORT = 8000


def text(plan: Plan, say: Say, file: str = FILE) -> str:
    """The task; RefusedError for a cloud or terms that SkyPilot does not know."""
    provided(plan, "skypilot", CLOUDS, (ON_DEMAND, SPOT))
    flags = ["--region", plan.region] if plan.region == EVERYWHERE else []
    head = opening(plan, [file], say, _fill(plan), flags=flags, job=plan.ends)
    return documents(head, [_task(plan)])


def _fill(plan: Plan) -> list[Blank]:
    found = [("run", message("emit.fill_run"))]
    if not plan.ends:
        found.append(("readiness_probe, ports", message("emit.fill_probe")))
    if plan.checkpoint is not None and plan.provider in _STORES:
        found.append(("CHECKPOINT_BUCKET", message("emit.fill_bucket")))
    return found


def _task(plan: Plan) -> dict[str, Any]:
    task: dict[str, Any] = {"name": plan.name, "resources": _resources(plan)}
    if plan.ends:
        task["num_nodes"] = plan.instances
    else:
        task["service"] = {"readiness_probe": "/health", "replicas": plan.instances}
        task["resources"]["ports"] = PORT
    task["envs"] = {"COMMAND": None}
    mounts = _checkpoints(plan, task["envs"])
    if mounts:
        task["file_mounts"] = mounts
    if plan.partition is not None:
        commands = ["sudo nvidia-smi -mig 1", *(f"sudo {c}" for c in mig_commands(plan))]
        task["setup"] = "\n".join(["set -e", *commands]) + "\n"
    # The shell's own complaint tells what is missing, before a machine idles at full price.
    task["run"] = ': ${COMMAND:?say what runs}\nexec sh -c "$COMMAND"\n'
    return task


def _resources(plan: Plan) -> dict[str, Any]:
    infra = CLOUDS[plan.provider]
    if plan.region != EVERYWHERE:
        infra += f"/{plan.region}"
    found: dict[str, Any] = {"infra": infra, "use_spot": plan.purchase == SPOT}
    if plan.provider == "gcp" and machine(plan)[1] is not None:
        found["instance_type"] = machine(plan)[0]
        found["accelerators"] = {plan.device.family: plan.devices}
        found["cpus"] = str(plan.type.vcpus)
    elif plan.fallbacks:
        found["any_of"] = [{"instance_type": name} for name in plan.types]
    else:
        found["instance_type"] = plan.type.name
    found["disk_size"] = plan.boot_gb + (plan.data_gb or 0)
    return found


def _checkpoints(plan: Plan, envs: dict[str, str | None]) -> dict[str, Any]:
    """Where they are mounted; what the launch must be given is added to `envs`."""
    store = _STORES.get(plan.provider)
    if plan.checkpoint is None or store is None:
        return {}
    envs["CHECKPOINT_BUCKET"] = None
    if plan.checkpoint.minutes is not None:
        envs["CHECKPOINT_EVERY_MINUTES"] = str(plan.checkpoint.minutes)
    return {"/checkpoints": {"name": "${CHECKPOINT_BUCKET}", "store": store, "mode": "MOUNT"}}
