"""The AWS field map against the schema of the real provider, where Terraform and it are installed.

Set GPUADVISOR_TF_PLUGINS to a filesystem mirror that holds hashicorp/aws 5.100.0.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from gpuadvisor.iac.fieldmap import FieldMap
from gpuadvisor.iac.fieldmap import Path as Keys
from tests.iac.support import documents

MIRROR = Path(os.environ.get("GPUADVISOR_TF_PLUGINS", "no-mirror"))
AWS = MIRROR / "registry.terraform.io" / "hashicorp" / "aws" / "5.100.0"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        shutil.which("terraform") is None or not AWS.exists(),
        reason="needs terraform and a mirror with hashicorp/aws 5.100.0",
    ),
]

# `region` came with version 6 of the provider, so 5.100 does not know it.
NEWER = {("region",)}


@pytest.fixture(scope="module")
def schemas(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    work = tmp_path_factory.mktemp("terraform")
    (work / "main.tf").write_text(
        'terraform {\n  required_providers {\n    aws = {\n      source = "hashicorp/aws"\n'
        '      version = "5.100.0"\n    }\n  }\n}\n'
    )
    (work / "rc").write_text(
        f'provider_installation {{\n  filesystem_mirror {{\n    path = "{MIRROR}"\n  }}\n}}\n'
    )
    env = {**os.environ, "TF_CLI_CONFIG_FILE": str(work / "rc")}
    run = {"cwd": work, "env": env, "check": True, "capture_output": True}
    subprocess.run(["terraform", "init", "-no-color"], **run)  # type: ignore[call-overload]
    done = subprocess.run(["terraform", "providers", "schema", "-json"], **run)  # type: ignore[call-overload]
    provider = json.loads(done.stdout)["provider_schemas"]["registry.terraform.io/hashicorp/aws"]
    data = {f"data.{k}": v for k, v in provider["data_source_schemas"].items()}
    return {**provider["resource_schemas"], **data}


def _known(block: dict[str, Any], keys: Keys) -> bool:
    if not keys:
        return True
    first, rest = keys[0], keys[1:]
    if first in block.get("block_types", {}):
        return _known(block["block_types"][first]["block"], rest)
    return first in block.get("attributes", {}) and (
        not rest or "object" in json.dumps(block["attributes"][first].get("type"))
    )


def _paths(part: Any) -> set[Keys]:
    prefix: Keys = part.each or ()
    found: set[Keys] = set()
    for name in ("type", "device", "devices", "partition", "sharing", "cap", "region", "zones"):
        found |= set(getattr(part, name))
    for name in ("planned", "min", "max", "pool_min", "pool_max", "add", "times"):
        found |= set(getattr(part.counts, name))
    for reference in (*part.template, *part.parents, *part.reservation):
        found.add(reference.path)
    found |= {clause.at for clause in part.purchase}
    for wanted in part.candidates:
        found.add(wanted.each)
        for inner in (wanted.type, wanted.weight, wanted.requirements):
            if inner:
                found.add((*wanted.each, *inner))
        if wanted.template:
            found.add((*wanted.each, *wanted.template.path))
    if part.split:
        found |= {p for p in part.split[:5] if isinstance(p, tuple)}
    if part.requirements:
        found.add(part.requirements)
    if part.label:
        found.add(part.label)
    return {path[1:] if path[:1] == ("/",) else (*prefix, *path) for path in found}


def test_every_path_of_the_aws_map_is_in_the_schema(schemas: dict[str, Any]) -> None:
    fields = FieldMap(documents())
    wrong: list[str] = []
    for name in documents():
        if not name.startswith(("aws_", "data.aws_")):
            continue
        entry = fields.resource(name)
        assert entry is not None
        if name not in schemas:
            wrong.append(name)
            continue
        paths = {p for part in entry.parts for p in _paths(part)} | set(entry.documents)
        paths |= {reference.path for reference in entry.target}
        block = schemas[name]["block"]
        wrong += [f"{name}: {p}" for p in sorted(paths - NEWER) if not _known(block, p)]
    assert wrong == []
