"""What a machine does whenever it starts: cut its devices, and say where checkpoints go."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from gpuadvisor.emit.interface import Plan
from gpuadvisor.emit.yamltext import dumped

BUCKET = "@BUCKET@"
"""Stands in the script for the bucket's name, which each form fills in."""
ENVIRONMENT = "/etc/checkpoint.env"
_SCRIPT = "/var/lib/cloud/scripts/per-boot/10-gpuadvisor.sh"
"""cloud-init runs what lies in this folder at every start."""
_REBOOTED = "/var/lib/mig-rebooted"
_MODE = "nvidia-smi --query-gpu=mig.mode.current --format=csv,noheader"
_HOLDERS = "nvidia-dcgm dcgm nvidia-persistenced"
"""Services that keep devices open, with which MIG mode cannot be switched on."""


def boot_script(plan: Plan, store: str) -> str | None:
    """A shell script, None where a machine has nothing to do. `store` is the bucket's address with
    BUCKET in it."""
    lines = [*_slices(plan), *_checkpoints(plan, store)]
    return "\n".join(["#!/bin/sh", "set -eu", *lines]) + "\n" if lines else None


def mig_commands(plan: Plan) -> list[str]:
    """Every device into the same slices, whatever was there before."""
    profiles = shlex.quote(",".join([str(plan.partition)] * plan.slices))
    return [
        "nvidia-smi mig -dci || true",
        "nvidia-smi mig -dgi || true",
        f"nvidia-smi mig -cgi {profiles} -C",
    ]


def _slices(plan: Plan) -> Iterator[str]:
    if plan.partition is None:
        return
    yield f"systemctl stop {_HOLDERS} 2>/dev/null || true"
    yield "nvidia-smi -mig 1 || true"
    # An A100 may take the mode only with a reset, and keeps it over one restart of the machine.
    yield f"if {_MODE} | grep -q Disabled; then"
    yield f"  [ -e {_REBOOTED} ] || {{ touch {_REBOOTED}; reboot; }}"
    yield "  exit 1"
    yield "fi"
    yield from mig_commands(plan)
    yield f"systemctl start {_HOLDERS} 2>/dev/null || true"


def _checkpoints(plan: Plan, store: str) -> Iterator[str]:
    if plan.checkpoint is None:
        return
    yield f"printf 'CHECKPOINT_URI={store}/{plan.name}\\n' > {ENVIRONMENT}"
    if plan.checkpoint.minutes is not None:
        minutes = plan.checkpoint.minutes
        yield f"printf 'CHECKPOINT_EVERY_MINUTES={minutes}\\n' >> {ENVIRONMENT}"


def cloud_config(script: str) -> str:
    """The script as cloud-init user data that runs at every start."""
    body = {"write_files": [{"path": _SCRIPT, "permissions": "0755", "content": script}]}
    return "#cloud-config\n" + dumped(body)
