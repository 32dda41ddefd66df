"""A user's rule file: YAML -> checked documents, with located errors. Not on the hot path."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def read_rule_file(path: str) -> Mapping[str, Mapping[str, Any]]:
    """The rules of `path` by id, in file order, in the form the engine reads.

    Raises InputError with every located fault: syntax, unknown keys, facts, operators, sources.
    """
    from pydantic import ValidationError

    from gpuadvisor.catalog.errors import InputError, Problem
    from gpuadvisor.catalog.message import message
    from gpuadvisor.catalog.names import unknown_name
    from gpuadvisor.catalog.reader import read
    from gpuadvisor.catalog.schema import problems_of
    from gpuadvisor.catalog.schema_rules import RulesFile

    located = read(path)
    problems: list[Problem] = []
    try:
        model = RulesFile.model_validate(located.data)
    except ValidationError as error:
        problems.extend(problems_of(located, error))
    else:
        for id, rule in model.rules.items():
            for key in ("source", "confirmed_by"):
                name = getattr(rule, key)
                if name is not None and name not in model.sources:
                    what = unknown_name("source", name, model.sources)
                    problems.append(located.problem(("rules", id, key), what))
    if problems:
        problems.sort(key=lambda p: (p.line, p.column))
        raise InputError(
            message("rules.file_invalid", file=path, count=len(problems)), tuple(problems)
        )
    dumped = model.model_dump(mode="json", exclude_none=True, by_alias=True)
    rules: Mapping[str, Mapping[str, Any]] = dumped["rules"]
    return rules
