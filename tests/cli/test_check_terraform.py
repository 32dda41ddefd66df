"""plan -> show -json -> check with the real Terraform against a local simulator of the AWS API.

Needs `terraform` on PATH and moto; the AWS provider comes from the mirror in GPUADVISOR_TF_PLUGINS,
else from a mirror in the usual places, else from the registry. Skipped where any of them is absent.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from gpuadvisor.check.interface import Report
from gpuadvisor.check.run import check
from tests.check.conftest import _small_base, small_catalogs  # noqa: F401
from tests.check.support import TODAY, only

moto = pytest.importorskip("moto.server")
boto3 = pytest.importorskip("boto3")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("terraform") is None, reason="needs terraform"),
]

MIRROR = os.environ.get("GPUADVISOR_TF_PLUGINS")
"""Read at import: the suite's fixtures clear the program's own variables."""
_KEYS = {"aws_access_key_id": "test", "aws_secret_access_key": "test", "region_name": "us-east-1"}
MAIN = """
terraform {
  required_providers {
    aws = { source = "hashicorp/aws" }
  }
}
variable "type" { default = "g4dn.xlarge" }
variable "ami" {}
variable "spot" { default = false }
variable "region" { default = "us-east-1" }
provider "aws" {
  region                      = var.region
  access_key                  = "test"
  secret_key                  = "test"
  skip_credentials_validation = true
  skip_metadata_api_check     = true
  skip_requesting_account_id  = true
  endpoints { ec2 = "%(url)s" }
}
resource "aws_instance" "gpu" {
  ami           = var.ami
  instance_type = var.type
  dynamic "instance_market_options" {
    for_each = var.spot ? [1] : []
    content { market_type = "spot" }
  }
}
resource "aws_instance" "web" {
  ami           = var.ami
  instance_type = "t3.micro"
}
"""


class Project:
    """One Terraform folder whose state grows from step to step."""

    def __init__(self, folder: Path, url: str, images: list[str]) -> None:
        self.folder, self.images = folder, images
        (folder / "main.tf").write_text(MAIN % {"url": url})
        self.environment = {
            **{k: v for k, v in os.environ.items() if not k.startswith("TF_")},
            **_mirror(folder),
        }

    def terraform(self, *arguments: str) -> str:
        done = subprocess.run(
            ["terraform", *arguments],
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=240,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def plan(self, *flags: str, **variables: Any) -> Report:
        """What check says of the plan; `apply` then makes it so."""
        given = {"ami": self.images[0], **variables}
        arguments = [
            f"-var={name}={json.dumps(value).strip(chr(34))}" for name, value in given.items()
        ]
        self.terraform("plan", "-input=false", "-no-color", "-out=tfplan", *flags, *arguments)
        path = self.folder / "plan.json"
        path.write_text(self.terraform("show", "-json", "tfplan"))
        return check(str(path), today=TODAY)

    def apply(self) -> None:
        self.terraform("apply", "-input=false", "-no-color", "tfplan")


def _mirror(folder: Path) -> dict[str, str]:
    usual = [*Path("/opt").glob("*"), Path("/usr/local/share/terraform/plugins")]
    for place in [Path(MIRROR)] if MIRROR else usual:
        if (place / "registry.terraform.io" / "hashicorp" / "aws").is_dir():
            rc = folder / "terraform.rc"
            rc.write_text(
                f'provider_installation {{\n  filesystem_mirror {{\n    path = "{place}"\n  }}\n}}\n'
            )
            return {"TF_CLI_CONFIG_FILE": str(rc)}
    return {}


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    server = moto.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    url = f"http://{host}:{port}"
    client = boto3.client("ec2", endpoint_url=url, **_KEYS)
    images = [image["ImageId"] for image in client.describe_images()["Images"][:2]]
    found = Project(tmp_path, url, images)
    try:
        found.terraform("init", "-input=false", "-no-color")
    except AssertionError as error:
        server.stop()
        pytest.skip(f"terraform init: {str(error)[:200]}")
    yield found
    server.stop()


def test_the_life_of_an_instance(project: Project) -> None:
    """Prices of support.py: g4dn.xlarge 0.5 and 0.2 as spot, g5.xlarge 1.0 USD an hour."""
    report = project.plan()
    assert only(report).action == "create"
    assert report.summary.totals.delta == Decimal("365.00")
    assert (report.examined, report.skipped) == (2, 1)
    assert only(report).region == "us-east-1"
    project.apply()

    report = project.plan()
    assert (only(report).action, report.summary.changed) == ("no-op", 0)
    assert (report.summary.totals.delta, report.summary.totals.after) == (0, Decimal("365.00"))

    report = project.plan(type="g5.xlarge")
    assert only(report).action == "update"
    assert report.summary.totals.delta == Decimal("365.00")
    assert report.summary.totals.after == Decimal("730.00")

    report = project.plan(ami=project.images[1])
    assert only(report).action == "replace"
    assert (report.summary.totals.delta, report.summary.totals.after) == (0, Decimal("365.00"))

    report = project.plan(spot=True)
    assert (only(report).action, only(report).purchase) == ("replace", "spot")
    # 0.2 x 730 - 0.5 x 730
    assert report.summary.totals.delta == Decimal("-219.00")

    # Not applied: the simulator does not tell back that an instance is spot.
    report = project.plan("-destroy")
    assert only(report).action == "delete"
    assert report.summary.totals.delta == Decimal("-365.00")
    assert report.summary.totals.after == 0
