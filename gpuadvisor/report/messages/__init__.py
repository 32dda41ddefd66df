"""The one catalogue of human texts: message id -> template, per language and area.

An id is `<area>.<name>`; the area is a module of this package with `EN: dict[str, str]`, loaded
when its first message is shown. Templates are `str.format` fields over the parameters.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module

from gpuadvisor.catalog.message import Message


def template(id: str, language: str = "en") -> str:
    """The text of a message id; KeyError where the catalogue lacks it (a test forbids that)."""
    area = id.partition(".")[0]
    module = import_module(f"gpuadvisor.report.messages.{area}")
    texts: Mapping[str, str] = getattr(module, language.upper())
    return texts[id]


def render(item: Message, language: str = "en") -> str:
    """The message in `language`; messages and lists of them among the parameters are rendered."""
    params = {key: _nested(value, language) for key, value in item.params.items()}
    return template(item.id, language).format_map(params)


def _nested(value: object, language: str) -> object:
    if isinstance(value, Message):
        return render(value, language)
    if isinstance(value, list):
        return ", ".join(str(_nested(part, language)) for part in value)
    return value
