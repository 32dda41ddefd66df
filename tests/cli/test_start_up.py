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
    "rich", "jsonschema", "tomllib",
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
