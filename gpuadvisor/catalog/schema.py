"""What every catalog file has in common: strictness, sources, and faults as located problems."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from gpuadvisor.catalog.errors import Problem
from gpuadvisor.catalog.message import Message, message
from gpuadvisor.catalog.reader import MAX_PROBLEMS, Located

Confidence = Literal["official", "secondary", "low"]


def _iso(value: object) -> object:
    """Accept an ISO date as text and keep it as text, so that it sorts and prints as written."""
    if isinstance(value, str):
        datetime.date.fromisoformat(value)
    return value


IsoDate = Annotated[
    str,
    Field(pattern=r"^\d{4}-\d{2}-\d{2}$", json_schema_extra={"format": "date"}),
    BeforeValidator(_iso),
]
Positive = Annotated[float, Field(gt=0, allow_inf_nan=False)]
NotNegative = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Name = Annotated[str, Field(min_length=1, max_length=200, pattern=r"^[^\x00-\x1f\x7f]+$")]


class StrictModel(BaseModel):
    """An unknown key is an error; values are text in YAML and typed here (pydantic lax mode)."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class SourceEntry(StrictModel):
    """Where figures were read: title, address (URL or repo@commit path), date, licence."""

    title: Name
    address: Name
    date: IsoDate
    licence: Name | None = None
    confidence: Confidence


class CatalogFile(StrictModel):
    """Root keys that every catalog file carries."""

    schema_: str = Field(alias="schema")
    sources: dict[Name, SourceEntry] = {}


class Parsed(NamedTuple):
    """One file that passed its schema: its kind, its text with marks, its typed model."""

    kind: str
    stem: str
    located: Located
    model: Any


def problems_of(located: Located, error: ValidationError) -> Iterator[Problem]:
    """Turn pydantic's errors into located problems, each with the value and what is expected.

    At most MAX_PROBLEMS are told.
    """
    found = error.errors(include_url=False, include_context=False)
    for item in found[:MAX_PROBLEMS]:
        path = tuple(part for part in item["loc"] if _in_data(located.data, item["loc"], part))
        yield located.problem(path, _explain(item))
    if len(found) > MAX_PROBLEMS:
        yield Problem(located.file, 0, 0, message("catalog.more_faults", limit=MAX_PROBLEMS))


def _in_data(data: Any, loc: tuple[int | str, ...], part: int | str) -> bool:
    # Union branches put a tag into `loc` that is no key of the file.
    for step in loc:
        known = (isinstance(data, dict) and step in data) or (
            isinstance(data, list) and isinstance(step, int) and step < len(data)
        )
        if step == part:
            return known
        if known:
            data = data[step]
    return False


def _explain(item: Any) -> Message:
    key = str(item["loc"][-1]) if item["loc"] else ""
    if item["type"] == "extra_forbidden":
        return message("catalog.unknown_key", key=key)
    if item["type"] == "missing":
        return message("catalog.missing_key", key=key)
    value = item["input"]
    shown = value if isinstance(value, str) else type(value).__name__
    return message("catalog.bad_value", key=key, value=str(shown)[:80], expected=item["msg"])
