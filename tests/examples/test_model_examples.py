"""The examples about models, latency and slices: their commands print what the README shows."""

from __future__ import annotations

import pytest

from tests.examples.support import EXAMPLES, assert_conditioned, assert_prints, cases

FOLDERS = (
    "fine-tuning", "language-model", "mig-slices", "mixed-precision", "tts-latency", "warm-pool",
)  # fmt: skip
CASES = cases(FOLDERS)


@pytest.mark.parametrize(("folder", "command", "shown", "code"), CASES)
def test_the_readme_shows_what_is_printed(
    folder: str, command: str, shown: list[str], code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert_prints(command, shown, code, monkeypatch)


@pytest.mark.parametrize("folder", FOLDERS)
def test_each_example_says_when_its_figure_holds(folder: str) -> None:
    assert_conditioned(folder, 2)


# The owner's articles, each with what it depends on (design notes, section 0).
CLAIMS = [
    ("warm-pool", "9 warm processes for 4.00 busy ones (125% spare)"),
    ("warm-pool", "48 warm processes for 40.0 busy ones (20% spare)"),
    ("warm-pool", "210 warm processes for 200 busy ones (5% spare)"),
    ("tts-latency", "5 warm processes for 3.04 busy ones"),  # 35/s x 87 ms
    ("tts-latency", "20 warm processes for 17.4 busy ones"),  # 200/s x 87 ms
    ("mig-slices", "each device cut into 7 x 1g.5gb"),
    ("mixed-precision", "gradients and Adam stay 16 B a parameter"),
]


@pytest.mark.parametrize(("folder", "words"), CLAIMS)
def test_the_articles_claims_are_reproduced(folder: str, words: str) -> None:
    text = (EXAMPLES / folder / "README.md").read_text(encoding="utf-8")
    assert words in " ".join(text.split())
