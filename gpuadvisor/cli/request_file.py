"""`--request FILE`: the fields of a command from YAML or JSON."""

import sys
from collections.abc import Collection
from typing import Any

from gpuadvisor.catalog.errors import InputError, Problem, UsageError
from gpuadvisor.catalog.message import message

MAX_BYTES = 1024 * 1024


def read_request(path: str, refused: Collection[str] = ()) -> dict[str, Any]:
    """The mapping in the file (`-` is stdin); raises InputError with line and column.

    `refused` fields belong to flags alone: UsageError.
    """
    from gpuadvisor.catalog.reader import read, read_bytes

    name = "<stdin>" if path == "-" else path
    raw = sys.stdin.buffer.read(MAX_BYTES + 1) if path == "-" else read_bytes(path, MAX_BYTES)
    located = read(name, raw[:MAX_BYTES])
    if not isinstance(located.data, dict) or not located.data:
        fault = Problem(name, 1, 1, message("cli.request_mapping"))
        raise InputError(message("catalog.unreadable", file=name), (fault,))
    for name in refused:
        if name in located.data:
            raise UsageError(message("cli.request_flag_only", flag=name))
    return dict(located.data)
