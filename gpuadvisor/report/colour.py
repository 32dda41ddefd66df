"""Colour on a terminal, through rich; imported only there."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

_STYLES = {"bold": "bold", "option": "bold cyan", "warning": "yellow"}


def styled(text: str, name: str) -> str:
    """One line in the style of its role. Text is never read as markup."""
    console = Console(width=10_000, highlight=False)
    with console.capture() as capture:
        console.print(Text(text, style=_STYLES[name]), end="", soft_wrap=True)
    return capture.get()
