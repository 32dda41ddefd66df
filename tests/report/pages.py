"""Pages of every command, made through the command line, and a reader of their HTML."""

from __future__ import annotations

from functools import lru_cache
from html.parser import HTMLParser
from pathlib import Path
from unittest import mock

from gpuadvisor.report.page import Page
from tests.cli.run import gpuadvisor

EXAMPLES = Path(__file__).parents[2] / "examples"
DAY = ("--today", "2026-11-30")
COMMANDS: dict[str, tuple[str, ...]] = {
    "estimate": ("estimate", "g5.xlarge"),
    "estimate-many": (
        "estimate", "4x g5.xlarge", "8xA100", "n1-standard-8+v100x1", "--months", "6", "--currency", "CNY",
        "--storage", "hot=2TB", "--provider", "aws,gcp",
    ),
    "estimate-job": ("estimate", "p3.2xlarge", "--job-hours", "100", "--state-gb", "10"),
    "estimate-day": (
        "estimate", "g5.xlarge", "--curve", str(EXAMPLES / "elastic-serving" / "fleet.csv"),
    ),
    "recommend": ("recommend", "--workload", "ocr", "--budget", "5000"),
    "recommend-run": ("recommend", "--workload", "train-cnn", "--gpus", "8", "--explain"),
    "compare": ("compare", "g5.xlarge", "A100-80GB", "--workload", "ocr"),
    "compare-one": ("compare", "L4"),
    "reserve": (
        "reserve", "--curve", str(EXAMPLES / "reserved-and-spot" / "demand.csv"), "--unit",
        "g5.xlarge", "--term", "1y,3y",
    ),
    "own": ("own", "--device", "H100-80GB-SXM", "--gpus", "8"),
    "fit": ("fit", "--model", "llama-3-8b"),
    "check": (
        "check", str(EXAMPLES / "ci" / "plan.json"), "--config",
        str(EXAMPLES / "ci" / "policy.yaml"),
    ),
}  # fmt: skip


@lru_cache
def page_of(name: str, language: str = "en") -> Page:
    """The page that a command lays out."""
    return page_by(*COMMANDS[name], "--lang", language)


def page_by(*arguments: str) -> Page:
    """The page of these arguments; fails where the command makes none."""
    made: list[Page] = []

    def keep(page: Page, format: str, path: str | None) -> None:
        made.append(page)

    with mock.patch("gpuadvisor.cli.output.write_page", keep):
        done = gpuadvisor(*arguments, *DAY, "--format", "html")
    assert made, done
    return made[0]


class Element:
    """A start tag with its attributes, its parents' tags, and the text within it."""

    def __init__(self, tag: str, attributes: dict[str, str], inside: tuple[str, ...]) -> None:
        self.tag = tag
        self.attributes = attributes
        self.inside = inside
        self.text = ""


class _Reader(HTMLParser):
    VOID = ("meta", "link", "br", "img", "input", "hr")

    def __init__(self) -> None:
        super().__init__()
        self.elements: list[Element] = []
        self.open: list[Element] = []
        self.unclosed: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        inside = tuple(element.tag for element in self.open)
        element = Element(tag, {name: value or "" for name, value in attrs}, inside)
        self.elements.append(element)
        if tag not in self.VOID:
            self.open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in self.VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open[-1].tag != tag:
            self.unclosed.append(tag)
            return
        self.open.pop()

    def handle_data(self, data: str) -> None:
        for element in self.open:
            element.text += data


def read_html(text: str) -> list[Element]:
    """The elements in order; every tag must be closed where it was opened."""
    reader = _Reader()
    reader.feed(text)
    reader.close()
    assert (reader.unclosed, reader.open) == ([], [])
    return reader.elements
