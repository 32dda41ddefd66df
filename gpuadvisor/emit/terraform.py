"""Terraform: one `main.tf` for a cloud that has an emitter here."""

from __future__ import annotations

from gpuadvisor.catalog.model import CALENDAR
from gpuadvisor.emit import terraform_aws, terraform_azure, terraform_gcp
from gpuadvisor.emit.comments import Say
from gpuadvisor.emit.hcl import attributes, block, document
from gpuadvisor.emit.heading import opening
from gpuadvisor.emit.interface import Plan, provided

FILE = "main.tf"
CLOUDS = {"aws": terraform_aws, "azure": terraform_azure, "gcp": terraform_gcp}


def text(plan: Plan, say: Say, file: str = FILE) -> str:
    """The file as `terraform fmt` leaves it; RefusedError for another cloud."""
    cloud = CLOUDS.get(plan.provider)
    provided(plan, "terraform", CLOUDS, () if cloud is None else cloud.TERMS)
    assert cloud is not None
    name, source, version = cloud.PROVIDER
    body = [
        block(
            "terraform",
            attributes(required_version=">= 1.5"),
            block(
                "required_providers", attributes(**{name: {"source": source, "version": version}})
            ),
        ),
        *cloud.items(plan, say),
    ]
    head = opening(
        plan,
        [file],
        say,
        cloud.fill(plan),
        cloud.notes(plan),
        reserved=plan.purchase == CALENDAR,
        mixes=cloud.MIXES,
    )
    return document(head, body)
