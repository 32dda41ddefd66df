"""The examples about distributed training and its input: commands print what the README shows,
and the articles' figures hold under the conditions that stand beside them."""

from __future__ import annotations

import pytest

from gpuadvisor.catalog.store import Catalog
from gpuadvisor.performance.collectives import GB, Links
from gpuadvisor.performance.parallel import Layout, pass_seconds
from gpuadvisor.performance.training import (
    NODE_DOUBLING,
    after_doublings,
    compute_seconds,
    flops_per_token,
    utilisation,
)
from tests.examples.support import assert_conditioned, assert_prints, cases

FOLDERS = ("distributed-pretraining", "input-bound")
CASES = cases(FOLDERS)


@pytest.mark.parametrize(("folder", "command", "shown", "code"), CASES)
def test_the_readme_shows_what_is_printed(
    folder: str, command: str, shown: list[str], code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert_prints(command, shown, code, monkeypatch)


@pytest.mark.parametrize("folder", FOLDERS)
def test_each_example_says_when_its_figure_holds(folder: str) -> None:
    assert_conditioned(folder, 3)


def test_gpt_3_13b_step_of_2_3_s(catalog: Catalog) -> None:
    """19 sequences of 2,048 on eight A100-80GB."""
    used = utilisation(catalog.documents("training"), "A100-80GB-SXM").expected
    per_token = flops_per_token(12853954560, 40, 5120, 2048)
    assert compute_seconds(19 * 2048, per_token, 8, 312e12, used) == pytest.approx(2.3, abs=0.04)


def test_bert_large_reads_a_third_of_the_recipe_in_11_h_26_min(catalog: Catalog) -> None:
    """NVIDIA DeepLearningExamples: 7,038 x 65,536 x 128 and 1,563 x 32,768 x 512 tokens."""
    used = utilisation(catalog.documents("training"), "A100-80GB-SXM").expected
    recipe = 7038 * 65536 * 128 + 1563 * 32768 * 512
    per_token = flops_per_token(335141888, 24, 1024, 128)
    hours = compute_seconds(recipe / 3.1, per_token, 8, 312e12, used) / 3600
    assert hours == pytest.approx(11 + 26 / 60, rel=0.02)


def test_swin_base_in_9_h_18_min_takes_43_percent() -> None:
    """15.4 G multiply-adds an image forward, three times that with the backward pass."""
    work = 300 * 1281167 * 3 * 2 * 15.4e9
    assert work / (8 * 312e12 * (9 * 3600 + 18 * 60)) == pytest.approx(0.425, abs=0.005)


def test_eight_nodes_keep_92_percent_within_the_published_range() -> None:
    low, expected, high = (after_doublings(8, kept) for kept in NODE_DOUBLING)
    assert (round(low, 2), round(expected, 2), round(high, 2)) == (0.86, 0.94, 0.99)
    assert low < 0.92 < high


@pytest.mark.parametrize(("gigabits", "milliseconds"), [(400 * 0.6, 22), (119, 45), (18, 300)])
def test_gradients_of_bert_large_over_two_nodes(gigabits: float, milliseconds: float) -> None:
    links = Links(8, 222 * GB, gigabits / 8 * GB, None)
    found = 2 * pass_seconds(links, Layout(16), 335141888, 2) * 1e3
    assert found == pytest.approx(milliseconds, rel=0.02)
