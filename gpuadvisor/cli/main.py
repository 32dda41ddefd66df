"""The command line's entry: one table of commands, and one place where errors become text.

A command's module is imported when it is invoked or asked for help, never before: building all
commands eagerly would cost more than the answer. Command modules do without `from __future__ import
annotations`: Typer would compile the text of every option's annotation when it builds the command.
"""

import errno
import gc
import os
import sys
from collections.abc import Mapping
from importlib import import_module
from typing import Any, NamedTuple

import typer
from typer.core import TyperGroup

from gpuadvisor.catalog.errors import AdvisorError, InputError, UsageError
from gpuadvisor.catalog.message import message
from gpuadvisor.catalog.names import unknown_name
from gpuadvisor.cli import language
from gpuadvisor.cli.flags import add_lang
from gpuadvisor.report.messages import spoken


class Entry(NamedTuple):
    """A command: its module under `gpuadvisor.cli`, the group it is listed in."""

    module: str
    group: str


COMMANDS: Mapping[str, Entry] = {
    "recommend": Entry("recommend", "decide"),
    "fit": Entry("fit", "decide"),
    "estimate": Entry("estimate", "price"),
    "compare": Entry("compare", "price"),
    "reserve": Entry("reserve", "price"),
    "own": Entry("own", "price"),
    "quote": Entry("quote", "price"),
    "check": Entry("check", "guard"),
    "catalog": Entry("catalog", "data"),
    "rules": Entry("rules", "data"),
    "backtest": Entry("backtest", "data"),
    "init": Entry("init", "data"),
    "doctor": Entry("doctor", "data"),
}
SUBCOMMANDS: Mapping[tuple[str, str], str] = {("check", "comment"): "check_comment"}
"""Commands of two words beside a command that takes arguments of its own."""
GROUPS = ("decide", "price", "guard", "data")


class LazyGroup(TyperGroup):
    """A command group that builds only the command that was asked for."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Names in the order of the help page."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Import and build one command; None when there is no such command."""
        entry = COMMANDS.get(cmd_name)
        if entry is None:
            return None
        return self._built(entry.module, cmd_name)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """`check comment` is a command of its own; `check ./comment` is a file."""
        module = SUBCOMMANDS.get((args[0], args[1])) if len(args) > 1 else None
        if module is None:
            if args and args[0] not in COMMANDS and not args[0].startswith("-"):
                raise UsageError(unknown_name("command", args[0][:80], COMMANDS))
            return super().resolve_command(ctx, args)
        name = " ".join(args[:2])
        return name, self._built(module, name), args[2:]

    def _built(self, module_name: str, cmd_name: str) -> Any:
        module = import_module(f"gpuadvisor.cli.{module_name}")
        app = getattr(module, "app", None)
        if app is None:
            app = typer.Typer(add_completion=False)
            app.command(cmd_name, no_args_is_help=getattr(module, "NO_ARGS_IS_HELP", False))(
                module.run
            )
        command = typer.main.get_command(app)
        command.name = cmd_name
        add_lang(command)
        _flow(command)
        if spoken() != "en":
            from gpuadvisor.cli.chinese import translate

            translate(command)
        return command

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the root help from the table above, importing no command."""
        from gpuadvisor.report.messages import render

        formatter.write_usage(
            ctx.command_path, render(message("cli.usage")), render(message("cli.usage_word"))
        )
        formatter.write_paragraph()
        _write(formatter, render(message("cli.about")))
        for group in GROUPS:
            rows = [
                (name, render(message(f"cli.summary_{name}")))
                for name, entry in COMMANDS.items()
                if entry.group == group
            ]
            if rows:
                with formatter.section(render(message(f"cli.group_{group}"))):
                    formatter.write_dl(rows)
        rows = [row for row in (p.get_help_record(ctx) for p in self.get_params(ctx)) if row]
        with formatter.section(render(message("cli.group_options"))):
            formatter.write_dl(rows)
        formatter.write_paragraph()
        _write(formatter, render(message("cli.epilog")))


def _write(formatter: Any, text: str) -> None:
    """A paragraph, broken by the columns that its letters take."""
    from gpuadvisor.report.text import wrap

    formatter.write("\n".join(wrap(text, formatter.width)) + "\n")


def _flow(command: Any) -> None:
    """Join the lines of each paragraph of a command's text: the help page breaks them anew."""
    paragraphs = (command.help or "").split("\n\n")
    command.help = "\n\n".join(" ".join(text.split()) for text in paragraphs)
    for inner in getattr(command, "commands", {}).values():
        _flow(inner)


app = typer.Typer(
    cls=LazyGroup,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _show_version(value: bool) -> None:
    if value:
        from gpuadvisor import __version__

        print(f"gpuadvisor {__version__}")
        raise typer.Exit


@app.callback()
def root(
    version: bool = typer.Option(
        False, "--version", help="Show the version and exit.", callback=_show_version, is_eager=True
    ),
) -> None:
    """Advise which cloud GPU instances to rent."""


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and exit with the design's exit codes."""
    code = run(arguments)
    # Shutting down, the interpreter would look through every object for cycles, twice.
    gc.freeze()
    sys.exit(code)


def run(arguments: list[str] | None = None) -> int:
    """Run the command line; returns the exit code instead of leaving the process."""
    if sys.stdout is None:  # closed by the caller (`>&-`); commands ask it for its width
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    command = typer.main.get_command(app)
    add_lang(command)
    try:
        language.start(sys.argv[1:] if arguments is None else arguments)
        if spoken() != "en":
            from gpuadvisor.cli.chinese import translate

            translate(command)
        code = command.main(arguments, prog_name="gpuadvisor", standalone_mode=False)
        sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except AdvisorError as error:
        _explain(error)
        return error.exit_code
    except typer.Exit as error:
        return error.exit_code
    except (typer.Abort, KeyboardInterrupt):
        return 130
    except (BrokenPipeError, SystemExit):
        # The reader (head, less) has left, for which Typer itself exits with 1 while a command
        # runs; flushing at exit must not complain again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT, errno.EIO):
            return _internal(error)
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        _say(message("cli.cannot_write", reason=error.strerror))
        return AdvisorError.exit_code
    except Exception as error:
        show, status = getattr(error, "show", None), getattr(error, "exit_code", None)
        if show is not None and isinstance(status, int):  # typer's own usage errors
            if spoken() != "en":
                from gpuadvisor.cli.chinese import complain as show_chinese

                show_chinese(error)
            else:
                show()
            return status
        return _internal(error)


def _internal(error: Exception) -> int:
    if os.environ.get("GPUADVISOR_DEBUG"):
        raise error
    _say(message("cli.internal", kind=type(error).__name__, reason=str(error)[:200]))
    return AdvisorError.exit_code


def _explain(error: AdvisorError) -> None:
    from gpuadvisor.report.text import printable

    _say(error.message)
    if isinstance(error, InputError):
        from gpuadvisor.report.messages import render

        for problem in error.problems:
            place = ":".join(str(part) for part in problem[:3] if part)
            print(printable(f"  {place}: {render(problem.message)}"), file=sys.stderr)


def _say(text: Any) -> None:
    from gpuadvisor.report.messages import render
    from gpuadvisor.report.text import printable

    print(printable(f"gpuadvisor: {render(text)}"), file=sys.stderr)
