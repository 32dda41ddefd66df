"""The one catalogue of human texts: message id -> template, per language and area.

An id is `<area>.<name>`; the area is a module of this package with `EN: dict[str, str]`, and one
of `zh` with `ZH`, loaded when its first message is shown. Templates are `str.format` fields over
the parameters. The process speaks one language to people (`choose`); what machines read stays
English unless a flag asked for the language.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib import import_module

from gpuadvisor.catalog.message import Bilingual, Message

LANGUAGES = ("en", "zh")
DATA_FORMATS = ("json", "csv", "sarif", "junit", "gitlab")
"""Formats for machines: the same bytes in every locale."""

_people = _data = _spoken = "en"


def choose(people: str, data: str = "en") -> None:
    """Speak `people` (one of LANGUAGES) from now on, and `data` within DATA_FORMATS."""
    global _people, _data, _spoken
    _people, _data, _spoken = people, data, people


def speak_in(format: str) -> None:
    """What is rendered next goes into an answer of this format."""
    global _spoken
    _spoken = _data if format in DATA_FORMATS else _people


def spoken() -> str:
    """The language that `render` takes now."""
    return _spoken


def template(id: str, language: str = "en") -> str:
    """The text of a message id; KeyError where the catalogue lacks it (a test forbids that)."""
    area = id.partition(".")[0]
    if language == "zh":
        found = _chinese(area).get(id)
        if found is not None:
            return found
    texts: Mapping[str, str] = import_module(f"gpuadvisor.report.messages.{area}").EN
    return texts[id]


def _chinese(area: str) -> Mapping[str, str]:
    """English is better than no answer where a text is missing; a test lists what is."""
    try:
        texts: Mapping[str, str] = import_module(f"gpuadvisor.report.messages.zh.{area}").ZH
    except ModuleNotFoundError:
        return {}
    return texts


def render(item: Message) -> str:
    """The message in the language spoken, with the messages and lists among its parameters."""
    params = {key: _nested(value) for key, value in item.params.items()}
    if _spoken == "zh":
        from gpuadvisor.report.messages.zh.words import amounts, translated

        return amounts(template(item.id, "zh").format_map(translated(item.id, params)))
    return template(item.id).format_map(params)


def heading(id: str, format: str) -> str:
    """The name of a column; in CSV it is a key, and the same in every language."""
    return template(id) if format == "csv" else render(Message(id))


def listed(parts: Iterable[str]) -> str:
    """Words in a row, as the language spoken sets them apart."""
    return ("、" if _spoken == "zh" else ", ").join(parts)


def clauses(parts: Iterable[str]) -> str:
    """Clauses in a row, as the language spoken sets them apart."""
    return ("；" if _spoken == "zh" else "; ").join(parts)


def aside(text: str) -> str:
    """` (text)`: what stands in parentheses after a word."""
    return f"（{text}）" if _spoken == "zh" else f" ({text})"


def either(en: str, zh: str | None) -> str:
    """A text of the catalogs in the language spoken, or in English where it has no other."""
    return zh if _spoken == "zh" and zh else en


def after(name: str, text: str) -> str:
    """`name: text`: what is said of a name."""
    return f"{name}：{text}" if _spoken == "zh" else f"{name}: {text}"


def word(code: str) -> str:
    """A closed word of the catalogs, such as `on_demand`, `no_upfront` or `1y`, for people."""
    if _spoken == "zh":
        from gpuadvisor.report.messages.zh.words import chinese

        return chinese(code)
    return code.replace("_", " ")


def note(text: str) -> str:
    """What the catalogs note on a type, in Chinese as far as its phrases are known."""
    if _spoken == "zh":
        from gpuadvisor.report.messages.zh.catalog_notes import note as chinese

        return chinese(text)
    return text


def field(name: str) -> str:
    """The name of a field (`memory_gib`) before its value: as it is, or its Chinese word."""
    if _spoken == "zh":
        from gpuadvisor.report.messages.zh.words import column

        return column(name)
    return name


def cell_word(cell: str) -> str:
    """A cell of a table: a closed word in the language spoken, anything else as it is."""
    if _spoken == "zh":
        from gpuadvisor.report.messages.zh.words import known

        return known(cell) or cell
    return cell


def currency_word(code: str) -> str:
    """How an amount names its currency: `USD`; in Chinese 元 for CNY."""
    return "元" if code == "CNY" and _spoken == "zh" else code


def _nested(value: object) -> object:
    if isinstance(value, Message):
        return render(value)
    if isinstance(value, Bilingual):
        return either(*value)
    if isinstance(value, list):
        return listed(str(_nested(part)) for part in value)
    return value
