"""Which language the answer is in, decided once from the whole command line and its surroundings.

`--lang`, else GPUADVISOR_LANG, else `lang` of the config file, else the locale: that only where
the answer goes to a terminal, so that a pipe or a file holds the same bytes on every machine.
"""

import os
import sys
from collections.abc import Mapping, Sequence

from gpuadvisor.catalog.errors import AdvisorError, UsageError
from gpuadvisor.catalog.message import Message, message
from gpuadvisor.report.messages import LANGUAGES, choose, spoken

FLAG, VARIABLE, FILE_FLAG = "--lang", "GPUADVISOR_LANG", "--output"
_LOCALE = ("LC_ALL", "LC_MESSAGES", "LANG")


def start(arguments: Sequence[str]) -> None:
    """Choose the language of this run; UsageError where it is none of LANGUAGES."""
    choose("en")  # until it is known: what is wrong with the choice is said in English
    flag = given(arguments, FLAG)
    terminal = sys.stdout.isatty() and given(arguments, FILE_FLAG) is None
    language = flag or os.environ.get(VARIABLE) or configured() or by_locale(os.environ, terminal)
    choose(checked(language, FLAG if flag else VARIABLE), checked(flag or "en", FLAG))


def given(arguments: Sequence[str], flag: str) -> str | None:
    """The last value of a flag among a command's arguments, wherever it stands."""
    found = None
    for position, argument in enumerate(arguments):
        if argument == "--":
            break
        if argument == flag:
            found = "".join(arguments[position + 1 : position + 2]) or found
        elif argument.startswith(f"{flag}="):
            found = argument[len(flag) + 1 :]
    return found


def checked(value: str, name: str) -> str:
    """One of LANGUAGES; raises UsageError that says which there are."""
    word = value.strip().lower()
    if word not in LANGUAGES:
        raise UsageError(
            message("cli.bad_lang", name=name, value=value[:80], allowed=", ".join(LANGUAGES))
        )
    return word


def by_locale(environment: Mapping[str, str], terminal: bool) -> str:
    """What the locale says, in POSIX order; English away from a terminal."""
    if not terminal:
        return "en"
    name = next((environment[key] for key in _LOCALE if environment.get(key)), "")
    return "zh" if name.lower().startswith("zh") else "en"


def bare_budget(text: object, currency: object) -> Message | None:
    """How to write a budget in 元, where Chinese is spoken and an amount names no currency."""
    amount = str(text or "").strip()
    if spoken() != "zh" or currency is not None or not amount.replace(",", "").isdecimal():
        return None
    return message("cli.bare_budget", amount=amount)


def configured() -> str | None:
    """`lang` of the config file. A file with faults says nothing here: the command reports it."""
    from gpuadvisor.cli.config import says_lang, settings

    if not says_lang():
        return None
    try:
        return settings().lang
    except AdvisorError:
        return None
