"""A project's defaults: `.gpuadvisor.yaml`, or `[tool.gpuadvisor]` of `pyproject.toml`.

The file is looked for in the current folder and upwards to the root of the git repository,
nearest first; outside a repository in the current folder alone, since a parent folder may be
anybody's. Without such a file neither YAML nor TOML is imported: this stands on the hot path.
"""

import os
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from gpuadvisor.catalog.errors import InputError, Problem, UsageError
from gpuadvisor.catalog.message import Message, message

YAML_FILE = ".gpuadvisor.yaml"
TOML_FILE = "pyproject.toml"
TOML_TABLE = "[tool.gpuadvisor"
MAX_BYTES = 1024 * 1024
MAX_DOTS = 1000

DEFAULTS = ("discount", "currency", "provider", "region", "tier", "hours_per_month", "fx")
"""Keys that are flags of commands, as `merged` fills them in."""
KEYS = ("catalog", "catalog_version", *DEFAULTS, "lang", "check")
_PAIRS = ("discount", "fx")


class Settings(NamedTuple):
    """What the config file says; empty without one.

    `catalogs` are absolute folders, `versions` maps provider to price version, `defaults` maps
    flag names to text or lists of text as a person would give them. `check` is the section of
    that name as it stands, for the check command to type. `lang` is the language of answers.
    """

    path: str | None = None
    catalogs: tuple[str, ...] = ()
    versions: Mapping[str, str] = {}
    defaults: Mapping[str, Any] = {}
    check: Mapping[str, Any] = {}
    lang: str | None = None


def settings(directory: str | None = None) -> Settings:
    """The settings that hold in `directory` (default: the current one).

    `GPUADVISOR_CONFIG` names a file to take instead; set to nothing, none is taken. Raises
    InputError with located problems.
    """
    path = _path(directory)
    if path is None:
        return Settings()
    located = _read_toml(path) if path.endswith(".toml") else _read_yaml(path)
    return _typed(path, located)


def _path(directory: str | None = None) -> str | None:
    named = os.environ.get("GPUADVISOR_CONFIG")
    path = find(directory or os.getcwd()) if named is None else os.path.abspath(named or os.devnull)
    return None if path == os.devnull else path


def says_lang() -> bool:
    """Whether the config file may name a language: seen in its bytes, before anything parses it."""
    try:
        path = _path()
    except OSError:  # the current folder is gone
        return False
    return path is not None and b"lang" in _peek(path)


def settings_of(path: str, raw: bytes) -> Settings:
    """The settings in the bytes of a YAML file, wherever they come from; `path` is for errors and
    for folders relative to it."""
    from gpuadvisor.catalog.reader import read

    return _typed(path, read(path, raw))


def find(directory: str) -> str | None:
    """The nearest config file from `directory` up to the git root, or None."""
    found: str | None = None
    here = first = os.path.abspath(directory)
    while True:
        found = found or _config_in(here)
        if os.path.exists(os.path.join(here, ".git")):
            return found
        parent = os.path.dirname(here)
        if parent == here:
            # No repository: what lies above the current folder is not the user's word.
            return found if found and os.path.dirname(found) == first else None
        here = parent


def _config_in(folder: str) -> str | None:
    path = os.path.join(folder, YAML_FILE)
    if os.path.lexists(path):
        return path
    path = os.path.join(folder, TOML_FILE)
    if os.path.isfile(path) and TOML_TABLE.encode() in _peek(path):
        return path
    return None


def _peek(path: str) -> bytes:
    try:
        with open(path, "rb") as handle:
            return handle.read(MAX_BYTES)
    except OSError:
        return b""


def merged(fields: Mapping[str, Any], chosen: Settings) -> dict[str, Any]:
    """`fields` (a command's flags, unset ones None) with the config's defaults beneath them.

    A flag wins over the file; of discounts and rates it wins for the provider or currency that
    it names. Only flags that the command has are filled in.
    """
    result = dict(fields)
    for key, value in chosen.defaults.items():
        if key not in fields or (key == "hours_per_month" and fields.get("hours_per_day")):
            continue
        given = fields[key]
        if not given:
            result[key] = value
        elif key in _PAIRS:
            given = [given] if isinstance(given, str) else list(given)
            named = {_pair_name(item) for text in given for item in text.split(",")}
            result[key] = [item for item in value if _pair_name(item) not in named] + given
    return result


def _pair_name(text: str) -> str:
    return text.partition("=")[0].strip().casefold()


# -- reading ------------------------------------------------------------------------------------


def _read_yaml(path: str) -> Any:
    from gpuadvisor.catalog.reader import read, read_bytes

    return read(path, read_bytes(path, MAX_BYTES))


def _read_toml(path: str) -> Any:
    """The table as located text. tomllib tells no places, so the lines are searched for keys."""
    import tomllib

    from gpuadvisor.catalog.reader import Located, read_bytes

    try:
        text = read_bytes(path, MAX_BYTES).decode("utf-8")
        _refuse_long_keys(path, text)
        # Numbers stay text: 2026.10 is a version, not 2026.1.
        data = tomllib.loads(text, parse_float=str)
    except UnicodeDecodeError as error:
        raise _invalid(path, (Problem(path, 0, 0, _not_utf8(error)),)) from error
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise _invalid(path, (_toml_problem(path, str(error)),)) from error
    tool = data.get("tool")
    table = tool.get("gpuadvisor", {}) if isinstance(tool, dict) else {}
    return Located(path, _as_text(table), _toml_marks(text))


def _refuse_long_keys(path: str, text: str) -> None:
    """tomllib takes time quadratic in the dots of one key: 1 MB of them would take minutes."""
    for number, line in enumerate(text.splitlines(), start=1):
        if line.partition("=")[0].count(".") > MAX_DOTS:
            problem = Problem(path, number, 1, message("cli.config_long_key", limit=MAX_DOTS))
            raise _invalid(path, (problem,))


def _not_utf8(error: UnicodeDecodeError) -> Message:
    return message("catalog.not_utf8", byte=error.start)


def _toml_problem(path: str, reason: str) -> Problem:
    """tomllib ends its reasons with `(at line 3, column 5)`."""
    text, _, place = reason.partition(" (at line ")
    line, _, column = place.rstrip(")").partition(", column ")
    known = line.isdigit() and column.isdigit()
    what = message("cli.config_toml", reason=text)
    return Problem(path, int(line) if known else 0, int(column) if known else 0, what)


def _as_text(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _as_text(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_as_text(inner) for inner in value]
    return str(value).lower() if isinstance(value, bool) else str(value)


def _toml_marks(text: str) -> dict[tuple[str | int, ...], tuple[int, int]]:
    marks: dict[tuple[str | int, ...], tuple[int, int]] = {}
    table: tuple[str, ...] | None = None
    for number, line in enumerate(text.splitlines(), start=1):
        bare = line.strip()
        column = len(line) - len(line.lstrip()) + 1
        if bare.startswith("["):
            names = tuple(_words(bare.strip("[] \t").partition("]")[0]))
            table = names[2:] if names[:2] == ("tool", "gpuadvisor") else None
            if table is not None:
                marks.setdefault(table, (number, column))
        elif table is not None and "=" in bare:
            marks.setdefault((*table, *_words(bare.partition("=")[0])), (number, column))
    return marks


def _words(dotted: str) -> Iterator[str]:
    return (word.strip().strip("\"'") for word in dotted.split("."))


# -- typing -------------------------------------------------------------------------------------


def _invalid(path: str, problems: tuple[Problem, ...]) -> InputError:
    return InputError(message("cli.config_invalid", file=path, count=len(problems)), problems)


def _typed(path: str, located: Any) -> Settings:
    data = located.data
    if not isinstance(data, dict):
        raise _invalid(path, (located.problem((), message("cli.config_mapping")),))
    problems: list[Problem] = []
    items = {key: list(_items(key, value)) for key, value in data.items() if key in KEYS}
    for key, value in data.items():
        if key not in KEYS:
            problems.append(located.problem((key,), _unknown(key)))
        elif not _shaped(key, value):
            problems.append(located.problem((key,), message(f"cli.config_{_SHAPES[key]}", key=key)))
        else:
            for where, text in items[key]:
                fault = _fault(path, key, text)
                if fault is not None:
                    problems.append(located.problem((key, *where), fault))
    if problems:
        problems.sort(key=lambda p: (p.line, p.column))
        raise _invalid(path, tuple(problems))
    texts = {key: [text for _, text in found] for key, found in items.items()}
    return Settings(
        path,
        tuple(_folder(path, text) for text in texts.get("catalog", ())),
        _versions(texts.get("catalog_version", ())),
        {
            key: texts[key][0] if _SHAPES[key] == "text" else texts[key]
            for key in DEFAULTS
            if texts.get(key)
        },
        data.get("check", {}),
        next(iter(texts.get("lang", ())), None),
    )


_SHAPES = {
    "catalog": "list",
    "catalog_version": "pairs",
    "discount": "pairs",
    "fx": "pairs",
    "currency": "text",
    "hours_per_month": "text",
    "lang": "text",
    "provider": "list",
    "region": "list",
    "tier": "list",
    "check": "section",
}


def _shaped(key: str, value: Any) -> bool:
    if _SHAPES[key] == "section":
        return isinstance(value, dict)
    if isinstance(value, str):
        return bool(value.strip())
    if _SHAPES[key] == "text":
        return False
    inner = value.values() if isinstance(value, dict) and _SHAPES[key] == "pairs" else value
    return not isinstance(inner, dict) and all(isinstance(item, str) for item in inner)


def _items(key: str, value: Any) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Each value of a key as flag text, with its place below the key."""
    if isinstance(value, str):
        yield (), value.strip()
    elif isinstance(value, dict) and _SHAPES[key] == "pairs":
        for name, text in value.items():
            yield (name,), f"{name}={text}"
    elif isinstance(value, list):
        for index, text in enumerate(value):
            yield (index,), text


def _unknown(key: str) -> Message:
    from gpuadvisor.catalog.names import nearest

    near = ", ".join(nearest(key, KEYS)) or "-"
    return message("cli.config_key", key=key, nearest=near, known=", ".join(KEYS))


def _fault(path: str, key: str, text: str) -> Message | None:
    """What is wrong with one value: the same rules, and words, as for the flag of that name."""
    if key == "catalog":
        folder = _folder(path, text)
        return None if os.path.isdir(folder) else message("cli.config_folder", folder=folder)
    check: Callable[[], Any]
    if key == "catalog_version":
        check = lambda: _versions([text])  # noqa: E731
    elif key == "fx":
        from gpuadvisor.cost.exchange import parse_rate

        check = lambda: parse_rate(text)  # noqa: E731
    elif key == "lang":
        from gpuadvisor.cli.language import checked

        check = lambda: checked(text, key)  # noqa: E731
    else:
        from gpuadvisor.advice.request import request_from

        check = lambda: request_from({key: text})  # noqa: E731
    try:
        check()
    except UsageError as error:
        return error.message
    return None


def _folder(path: str, text: str) -> str:
    return os.path.normpath(os.path.join(os.path.dirname(path), os.path.expanduser(text)))


def _versions(items: Any) -> dict[str, str]:
    from gpuadvisor.cli.options import pinned

    return dict(pinned(items))
