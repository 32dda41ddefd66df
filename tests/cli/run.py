"""Run the command line in this process, as a user's shell would see it."""

from __future__ import annotations

import contextlib
import io
import sys
from typing import NamedTuple

from gpuadvisor.cli.main import run


class Outcome(NamedTuple):
    """Exit code and both streams."""

    code: int
    out: str
    err: str


def gpuadvisor(*arguments: str, stdin: bytes = b"") -> Outcome:
    """Exit code, stdout and stderr of one command."""
    out, err = io.StringIO(), io.StringIO()
    kept = sys.stdin
    sys.stdin = io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8")
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = run(list(arguments))
    finally:
        sys.stdin = kept
    return Outcome(code, out.getvalue(), err.getvalue())
