"""Typer's own pages and complaints in Chinese: headings, flags' texts, usage errors.

Imported only when Chinese is spoken. A built command is changed in place, since Typer offers no
hook for a language.
"""

import re
import sys
from collections.abc import Callable
from typing import Any

from gpuadvisor.report.messages.zh.help import FAULTS, HELP, TYPER

_RICH = (
    "ARGUMENTS_PANEL_TITLE", "OPTIONS_PANEL_TITLE", "COMMANDS_PANEL_TITLE", "DEFAULT_STRING",
    "REQUIRED_LONG_STRING", "ENVVAR_STRING",
)  # fmt: skip
"""Constants of Typer's drawing that hold words."""


def translate(command: Any) -> None:
    """Put a built command's help into Chinese; a test finds texts that were forgotten."""
    command.help = HELP.get(command.help or "", command.help)
    command.options_metavar = "[选项]"
    if hasattr(command, "subcommand_metavar"):
        command.subcommand_metavar = "命令 [参数]…"
    command.format_usage = _usage(command)
    command.format_help = _framed(command.format_help)
    command.get_help_option = _help_option(command.get_help_option)
    for param in command.params:
        text = getattr(param, "help", None) or ""
        # A full stop of its own line is worse than none.
        param.help = HELP.get(text, TYPER.get(text, text)).removesuffix("。")
        panel = getattr(param, "rich_help_panel", None)
        if panel:
            param.rich_help_panel = HELP.get(panel, panel)
    for inner in getattr(command, "commands", {}).values():
        translate(inner)


def _usage(command: Any) -> Callable[[Any, Any], None]:
    def write(ctx: Any, formatter: Any) -> None:
        pieces = " ".join(command.collect_usage_pieces(ctx))
        formatter.write_usage(ctx.command_path, pieces, prefix=TYPER["Usage: "])

    return write


def _framed(original: Callable[[Any, Any], None]) -> Callable[[Any, Any], None]:
    """The page drawn with Typer's constants in Chinese, which are put back afterwards.

    Typer breaks texts at blanks and cuts what is longer than a line: Chinese has no blanks.
    """

    def write(ctx: Any, formatter: Any) -> None:
        from typer import rich_utils

        kept = {name: getattr(rich_utils, name) for name in (*_RICH, "_make_rich_text")}
        try:
            for name in _RICH:
                setattr(rich_utils, name, TYPER.get(kept[name], kept[name]))
            rich_utils._make_rich_text = _folding(kept["_make_rich_text"])
            original(ctx, formatter)
        finally:
            for name, held in kept.items():
                setattr(rich_utils, name, held)

    return write


def _folding(original: Callable[..., Any]) -> Callable[..., Any]:
    def make(*, text: str, **how: Any) -> Any:
        made = original(text=text, **how)
        made.overflow = "fold"
        return made

    return make


def _help_option(original: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def option(ctx: Any) -> Any:
        found = original(ctx)
        if found is not None:
            found.help = TYPER.get(found.help, found.help).removesuffix("。")
        return found

    return option


def complain(error: Any) -> None:
    """A usage error of Typer's, as `show()` writes it but in Chinese."""
    if getattr(error, "ctx", None) is not None:
        command = error.ctx.command_path
        print(error.ctx.get_usage(), file=sys.stderr)
        hint = TYPER["Try '{command} {option}' for help."]
        print(hint.format(command=command, option=error.ctx.help_option_names[-1]), file=sys.stderr)
    print(f"{TYPER['Error']}：{fault(error.format_message())}", file=sys.stderr)


def fault(text: str) -> str:
    """What is wrong with the command line; what matches no pattern stays in English."""
    for pattern, chinese in FAULTS.items():
        found = re.fullmatch(pattern, text, re.DOTALL)
        if found is not None:
            return chinese.format(*(part or "" for part in found.groups()))
    return text
