"""Which language is spoken: the flag, the environment, the config file, and the terminal's locale."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from gpuadvisor.cli.language import by_locale, given
from gpuadvisor.report.messages import choose, speak_in, spoken
from tests.cli.run import gpuadvisor


@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        ([], None),
        (["recommend", "--lang", "zh"], "zh"),
        (["--lang=zh", "recommend"], "zh"),
        (["recommend", "--lang", "zh", "--lang", "en"], "en"),
        (["check", "--", "--lang", "zh"], None),
        (["recommend", "--lang"], None),
        (["recommend", "--language", "zh"], None),
    ],
)
def test_the_flag_is_read_wherever_it_stands(arguments: Sequence[str], found: str | None) -> None:
    assert given(arguments, "--lang") == found


@pytest.mark.parametrize(
    ("environment", "terminal", "language"),
    [
        ({"LANG": "zh_CN.UTF-8"}, True, "zh"),
        ({"LANG": "zh_CN.UTF-8"}, False, "en"),
        ({"LANG": "zh_CN.UTF-8", "LC_MESSAGES": "en_US.UTF-8"}, True, "en"),
        ({"LANG": "en_US.UTF-8", "LC_MESSAGES": "de_DE", "LC_ALL": "zh_CN.UTF-8"}, True, "zh"),
        ({"LANG": "zh_CN.UTF-8", "LC_ALL": ""}, True, "zh"),
        ({"LANG": "C"}, True, "en"),
        ({}, True, "en"),
    ],
)
def test_the_locale_decides_on_a_terminal_alone(
    environment: dict[str, str], terminal: bool, language: str
) -> None:
    assert by_locale(environment, terminal) == language


def test_machines_get_english_unless_a_flag_asks() -> None:
    choose("zh")
    assert [_in(f) for f in ("table", "json", "markdown", "sarif")] == ["zh", "en", "zh", "en"]
    choose("zh", "zh")
    assert [_in(f) for f in ("table", "json")] == ["zh", "zh"]


def _in(format: str) -> str:
    speak_in(format)
    return spoken()


def test_flag_before_variable_before_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = tmp_path / "settings.yaml"
    config.write_text("lang: zh\n")
    asked = ("catalog", "show", "no-such-thing")
    english = gpuadvisor(*asked).err
    chinese = gpuadvisor(*asked, "--lang", "zh").err
    assert english != chinese
    monkeypatch.setenv("GPUADVISOR_CONFIG", str(config))
    assert gpuadvisor(*asked).err == chinese
    monkeypatch.setenv("GPUADVISOR_LANG", "en")
    assert gpuadvisor(*asked).err == english
    assert gpuadvisor(*asked, "--lang=zh").err == chinese


@pytest.mark.parametrize("arguments", [("--lang", "fr", "catalog", "list"), ("own", "--lang=fr")])
def test_an_unknown_language_is_exit_2_with_what_is_allowed(arguments: Sequence[str]) -> None:
    done = gpuadvisor(*arguments)
    assert (done.code, done.out) == (2, "")
    assert done.err == "gpuadvisor: --lang fr: the languages are en, zh\n"


def test_an_unknown_language_of_the_environment_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GPUADVISOR_LANG", "fr")
    done = gpuadvisor("catalog", "list")
    assert (done.code, done.err) == (
        2,
        "gpuadvisor: GPUADVISOR_LANG fr: the languages are en, zh\n",
    )
