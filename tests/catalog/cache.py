"""Running the command line on the small catalog as its base, in processes and in this one."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SHOW = ("catalog", "show", "acme/t.1", "--format", "json", "--today", "2026-11-30")


def environment(base: Path, cache: Path | str, **more: str) -> dict[str, str]:
    """An environment in which `base` stands in for the shipped catalogs."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("GPUADVISOR_", "XDG_"))}
    return {
        **kept,
        "PYTHONPATH": str(ROOT),
        "GPUADVISOR_BASE": str(base),
        "GPUADVISOR_CACHE": str(cache),
        **more,
    }


def start(base: Path, cache: Path | str, *arguments: str, **more: str) -> subprocess.Popen[str]:
    """Start `gpuadvisor` (by default: show a type with its prices) in a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "gpuadvisor", *(arguments or SHOW)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=base.parent,
        env=environment(base, cache, **more),
    )
