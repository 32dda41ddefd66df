"""`recommend --emit`: the chosen option as a file to start from, on stdout or in a new file."""

import os
import shlex
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

from gpuadvisor.advice.request import read_count
from gpuadvisor.advice.result import Recommendation
from gpuadvisor.catalog.errors import UsageError
from gpuadvisor.catalog.message import message
from gpuadvisor.catalog.store import Catalog

if TYPE_CHECKING:
    from gpuadvisor.emit.interface import Emitter

FORMS = ("terraform", "launch-template", "skypilot", "kubernetes", "karpenter")
_SHARED = ("price", "discount", "fx", "catalog", "catalog_version", "today")
"""Flags that move prices and mean the same in `check`."""


class Wanted:
    """A hand-over as its flags say it, typed before anything is worked out.

    `--output` is this form's own, and is taken out of the arguments of the command.
    """

    def __init__(self, arguments: dict[str, Any]) -> None:
        """Raises UsageError for a form that is unknown, a rank that is no number, a file that
        exists."""
        if arguments["emit"] is None:
            raise UsageError(message("emit.pick_alone"))
        if arguments["format"] is not None:
            raise UsageError(message("emit.and_format"))
        form = str(arguments["emit"]).strip().lower().replace("_", "-")
        if form not in FORMS:
            raise UsageError(
                message("emit.form", value=str(arguments["emit"])[:40], known=", ".join(FORMS))
            )
        module = import_module(f"gpuadvisor.emit.{form.replace('-', '_')}")
        self.emitter = cast("Emitter", module)
        self.rank = 1 if arguments["pick"] is None else read_count("pick", arguments["pick"])
        self.command = _command({**arguments, "output": None})
        self.check_flags = _flags({name: arguments.get(name) for name in _SHARED})
        output = arguments.pop("output")
        self.file = None if output in (None, "-") else _new_file(output, self.emitter.FILE)

    def hand_over(self, answer: Recommendation, catalog: Catalog) -> None:
        """Write the file; what was chosen goes to stderr. Raises UsageError, RefusedError."""
        from gpuadvisor.emit.plan import plan_of
        from gpuadvisor.report.messages import render
        from gpuadvisor.report.text import printable

        plan = plan_of(answer, catalog, self.rank, self.command, self.check_flags)
        name = os.path.basename(self.file or self.emitter.FILE)
        text = self.emitter.text(plan, render, name)
        summary = render(plan.why[0])
        if self.file is None:
            sys.stdout.write(text)
        else:
            from gpuadvisor.cli.output import save

            os.makedirs(os.path.dirname(self.file) or ".", exist_ok=True)
            save(self.file, text.encode())
            summary = render(message("emit.written", file=self.file, summary=summary))
        print(printable(summary), file=sys.stderr)


def _new_file(output: str, name: str) -> str:
    """The file to write: `output`, or `name` in it where it is a folder or ends like one.

    What is there may have been edited since, so that it is never written over.
    """
    file = output
    if output.endswith(("/", os.sep)) or os.path.isdir(output):
        file = os.path.join(output, name)
    if os.path.lexists(file):
        raise UsageError(message("emit.exists", file=file))
    return file


def _command(arguments: Mapping[str, Any]) -> str:
    """The command line that says the same as the arguments."""
    return shlex.join(["gpuadvisor", "recommend", *_flags(arguments)])


def _flags(arguments: Mapping[str, Any]) -> Sequence[str]:
    """Arguments as flags: what was not given is left out, a no is said only where yes is not the
    only choice."""
    found: list[str] = []
    for name, value in arguments.items():
        flag = "--" + name.replace("_", "-")
        if value is True:
            found.append(flag)
        elif value is False:
            found += [f"--no-{flag[2:]}"] if name in ("batched", "interruptible") else []
        elif isinstance(value, Mapping):
            found += [part for item in value.items() for part in (flag, "=".join(map(str, item)))]
        elif isinstance(value, (list, tuple)):
            found += [part for item in value for part in (flag, str(item))]
        elif value is not None:
            found += [flag, str(value)]
    return found
