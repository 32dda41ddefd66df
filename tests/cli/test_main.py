"""The entry: wrong commands, and standard output that is full, closed or left by its reader."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.cli.run import gpuadvisor

SHOW = (sys.executable, "-m", "gpuadvisor", "catalog", "show", "aws/g5.xlarge")


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("recommed", "unknown command `recommed`; nearest: recommend"),
        ("zzz", "unknown command `zzz`; no known name is near it"),
    ],
)
def test_a_wrong_command_is_exit_2_with_the_nearest(typed: str, said: str) -> None:
    done = gpuadvisor(typed, "--workload", "ocr")
    assert (done.code, done.out, done.err) == (2, "", f"gpuadvisor: {said}\n")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_a_full_disk_is_named_and_is_no_bug() -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(SHOW, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 5
    assert "cannot be written in full: No space left on device" in done.stderr
    assert "bug" not in done.stderr


@pytest.mark.skipif(os.name != "posix", reason="needs a shell that closes descriptors")
def test_closed_output_is_no_fault() -> None:
    done = subprocess.run(
        ("/bin/sh", "-c", 'exec "$@" >&-', "sh", *SHOW), stderr=subprocess.PIPE, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_reader_that_leaves_is_no_fault() -> None:
    with subprocess.Popen(SHOW, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0
