"""Errors meant for people: what was wrong, where, and what to do next.

Every class carries the process exit code of the design's contract, so the command line
needs one `except` and no table.
"""

from typing import NamedTuple

from gpuadvisor.catalog.message import Message


class Problem(NamedTuple):
    """One located fault in an input file; line and column count from 1, 0 is unknown."""

    file: str
    line: int
    column: int
    message: Message


class AdvisorError(Exception):
    """Base of every error shown to a person without a traceback."""

    exit_code = 5

    def __init__(self, message: Message) -> None:
        super().__init__(message.id)
        self.message = message


class RefusedError(AdvisorError):
    """Nothing feasible, a policy failed, or the advice is to not do it."""

    exit_code = 1


class UsageError(AdvisorError):
    """An argument names something unknown or impossible."""

    exit_code = 2


class IncompleteError(AdvisorError):
    """There is an answer's frame but nothing to fill it: a refresh that reached no region."""

    exit_code = 4


class InputError(AdvisorError):
    """An input file or catalog cannot be read; `problems` are located, all of them."""

    exit_code = 3

    def __init__(self, message: Message, problems: tuple[Problem, ...] = ()) -> None:
        super().__init__(message)
        self.problems = problems
