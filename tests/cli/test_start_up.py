"""The hot path stays light: whole processes, and what they imported."""

from __future__ import annotations

import json
import pkgutil
import subprocess
import sys

import pytest

import gpuadvisor.cli

HEAVY = (
    "boto3", "botocore", "google", "azure", "numpy", "pandas", "scipy", "pydantic", "yaml",
    "rich", "jsonschema", "tomllib", "urllib3",
)  # fmt: skip
PROBE = (
    "import json, sys; from gpuadvisor.cli.main import run; code = run(sys.argv[1:]);"
    "print(json.dumps([code, sorted(sys.modules)]), file=sys.stderr)"
)


def modules_of(*arguments: str) -> tuple[int, set[str]]:
    """Exit code and the modules that one command imported."""
    command = [sys.executable, "-c", PROBE, *arguments]
    # The first run may compile the catalogs, which does import yaml and pydantic.
    subprocess.run(command, capture_output=True, check=False)
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    code, names = json.loads(done.stderr.strip().splitlines()[-1])
    return code, set(names)


@pytest.mark.parametrize(
    "arguments",
    [
        ("recommend", "--workload", "ocr", "--budget", "5000"),
        ("recommend", "--workload", "llm-chat", "--qps", "100", "--format", "json"),
        ("estimate", "g5.xlarge"),
        ("--help",),
        ("--version",),
    ],
    ids=" ".join,
)
def test_nothing_heavy_is_imported(arguments: tuple[str, ...]) -> None:
    code, names = modules_of(*arguments)
    assert code == 0
    assert [name for name in HEAVY if name in names] == []


@pytest.mark.parametrize(
    "arguments",
    [
        ("compare", "g5.xlarge", "g6.xlarge"),
        ("catalog", "list"),
        ("catalog", "show", "g5.xlarge"),
        ("catalog", "diff", "aws@2025.04", "--region", "us-east-1"),
        ("catalog", "refresh", "--help"),
        ("rules", "list"),
    ],
    ids=" ".join,
)
def test_no_other_command_imports_an_sdk_or_the_refresh(arguments: tuple[str, ...]) -> None:
    code, names = modules_of(*arguments)
    clouds = ("boto3", "botocore", "google", "azure", "urllib3", "gpuadvisor.refresh")
    assert code == 0 and [name for name in clouds if name in names] == []


def test_a_refresh_of_public_lists_imports_no_sdk() -> None:
    # A port that nobody listens on: the module is loaded and its feed is asked.
    probe = (
        "import os; os.environ['GPUADVISOR_ENDPOINT_OCI_PRICES'] = 'http://127.0.0.1:9';"
        "os.environ['GPUADVISOR_ENDPOINT_OCI_ESTIMATOR'] = 'http://127.0.0.1:9'; " + PROBE
    )
    command = [sys.executable, "-c", probe, "catalog", "refresh", "oci", "--deadline", "0.02"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    code, names = json.loads(done.stderr.strip().splitlines()[-1])
    assert code == 4 and "gpuadvisor.refresh.oci" in names
    assert [n for n in ("boto3", "botocore", "google.cloud", "azure") if n in names] == []


def test_only_the_invoked_command_is_imported() -> None:
    _, names = modules_of("recommend", "--workload", "ocr")
    commands = {n for n in names if n.startswith("gpuadvisor.cli.")}
    assert "gpuadvisor.cli.catalog" not in commands
    assert "gpuadvisor.cli.rules" not in commands


def test_training_and_feeding_are_imported_only_when_asked_for() -> None:
    _, names = modules_of("recommend", "--workload", "train-cnn")
    unused = ("advice.pretrain", "advice.pretrain_sizing", "advice.feeding", "performance.feeding",
              "performance.training", "performance.collectives", "performance.parallel",
              "performance.compression", "advice.pretrain_steps", "advice.pretrain_layouts",
              "advice.pretrain_zones", "report.pretrain_text")  # fmt: skip
    assert [name for name in unused if f"gpuadvisor.{name}" in names] == []


def test_importing_the_package_imports_no_room() -> None:
    probe = "import sys, gpuadvisor; print([n for n in sys.modules if n.startswith('gpuadvisor.')])"
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("name", [m.name for m in pkgutil.iter_modules(gpuadvisor.cli.__path__)])
def test_command_modules_hold_evaluated_annotations(name: str) -> None:
    # Typer would compile the text of each option's annotation: 8 ms of 11 to build `recommend`.
    module = pkgutil.resolve_name(f"gpuadvisor.cli.{name}")
    assert not hasattr(module, "annotations")
