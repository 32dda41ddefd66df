"""Backtest: definitions checked by hand, and that a row never predicts itself."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpuadvisor.catalog.store import Catalog
from gpuadvisor.performance.backtest import Prediction, Step, backtest, predict, score
from gpuadvisor.performance.measurements import Measurement, read_measurements
from gpuadvisor.performance.setting import UNKNOWN
from gpuadvisor.performance.speed import ratio

TRAINING = Path(__file__).parents[3] / "shared" / "facts" / "measurements_train.csv"


def _row(device: str, value: float, group: str = "g", better: bool = True) -> Measurement:
    return Measurement(group, device, "cnn-batch", value, better, UNKNOWN)


def _twice(row: Measurement, other: Measurement) -> Step | None:
    """Each device is twice as fast as the one a letter before."""
    return Step((ord(row.device) - ord(other.device)) * math.log(2), 0.5, "fitted")


def test_a_row_is_the_geometric_mean_over_the_others() -> None:
    rows = [_row("A", 100), _row("B", 300), _row("C", 300)]
    # A: 300/2 and 300/4; B: 100x2 and 300/2; C: 100x4 and 300x2.
    expected = [math.sqrt(150 * 75), math.sqrt(200 * 150), math.sqrt(400 * 600)]
    found = predict(rows, _twice)
    assert [p.predicted for p in found] == pytest.approx(expected)
    assert found[0].low == pytest.approx(expected[0] * math.exp(-0.5))
    assert found[0].high == pytest.approx(expected[0] * math.exp(0.5))


def test_times_are_inverted() -> None:
    rows = [_row("A", 80, better=False), _row("B", 30, better=False)]
    found = predict(rows, _twice)
    assert [p.predicted for p in found] == pytest.approx([60, 40])
    assert found[0].low is not None and found[0].high is not None
    assert found[0].low < 60 < found[0].high


def test_a_lone_row_has_no_prediction_and_counts_as_wrong() -> None:
    found = predict([_row("A", 80)], _twice)
    assert found[0].predicted is None
    assert score("all", found).median_ape == 1.0
    assert score("all", found).pair_order is None


def test_an_unknown_device_is_taken_for_its_group() -> None:
    found = predict([_row("A", 80), _row("B", 20)], lambda row, other: None)
    assert [p.predicted for p in found] == pytest.approx([20, 80])
    assert found[0].low is None


def _predicted(value: float, predicted: float, group: str = "g") -> Prediction:
    return Prediction(_row("A", value, group), predicted, predicted * 0.9, predicted * 1.1, "spec")


def test_scores_by_hand() -> None:
    # Errors 0, .1, .2, .5; sorted[int(.9 x 4)] is the last.
    found = score(
        "all",
        [
            _predicted(10, 10, "a"),
            _predicted(10, 11, "b"),
            _predicted(10, 8, "c"),
            _predicted(10, 15, "d"),
        ],
    )
    assert found.median_ape == pytest.approx(0.15)
    assert found.p90_ape == pytest.approx(0.5)
    # Median of log 1, 1.1, .8, 1.5 is half of log 1.1.
    assert found.bias == pytest.approx(math.sqrt(1.1) - 1)
    assert found.range_held == pytest.approx(0.5)


def test_order_is_predicted_against_measured() -> None:
    # 10 predicted 12, 12 predicted 12, 20 predicted 11. Pairs (i, j): i's prediction with j's
    # value: 12 ties with 12 (.5), 12 < 20 (1); 12 > 10 (1), 12 < 20 (1); 11 > 10 (1), 11 < 12 (0).
    found = score("all", [_predicted(10, 12), _predicted(12, 12), _predicted(20, 11)])
    assert found.pair_order == pytest.approx(4.5 / 6)
    # Beyond 1.25x: 10 and 12 with 20: 12 < 20 (1), 12 < 20 (1), 11 > 10 (1), 11 < 12 (0).
    assert found.pair_order_gap125 == pytest.approx(3 / 4)


def test_equal_values_are_no_pair() -> None:
    assert score("all", [_predicted(10, 12), _predicted(10, 9)]).pair_order is None


def test_the_model_is_the_shipped_ratio(catalog: Catalog) -> None:
    found = backtest(catalog, [_row("T4", 100), _row("A100-40GB-SXM", 500)])
    expected = ratio(catalog, "A100-40GB-SXM", "T4", "cnn-batch")
    assert expected is not None
    assert found.predictions[1].predicted == pytest.approx(100 * expected.expected)
    assert found.predictions[1].low == pytest.approx(100 * expected.low)
    # Spec sheets: 1,555 against 320 GB/s, 624 against 130 INT8 TOPS.
    flops, bandwidth, _ = found.baselines
    assert flops.pooled.median_ape == pytest.approx(
        (abs(100 * 624 / 130 / 500 - 1) + abs(500 * 130 / 624 / 100 - 1)) / 2
    )
    assert bandwidth.pooled.median_ape == pytest.approx(
        (abs(100 * 1555 / 320 / 500 - 1) + abs(500 * 320 / 1555 / 100 - 1)) / 2
    )


def test_two_cards_of_one_kind_tie_exactly(catalog: Catalog) -> None:
    rows = [_row("T4", 100.1), _row("Tesla T4", 100.1), _row("T4", 333.3, better=True)]
    found = backtest(catalog, rows[:2])
    assert [p.predicted for p in found.predictions] == [100.1, 100.1]
    # 100.1 and 333.3 are each predicted as the other: both orders tie.
    assert backtest(catalog, rows[1:]).model.pooled.pair_order == 0.5


def test_unknown_devices_and_classes_are_counted_and_predicted(catalog: Catalog) -> None:
    rows = [_row("Abacus", 10), _row("T4", 20), _row("L4", 30)]
    strange = [row._replace(group="h", workload_class="juggling-batch") for row in rows[1:]]
    found = backtest(catalog, [*rows, *strange])
    assert found.unknown_devices == {"Abacus": 1}
    assert found.unknown_classes == {"juggling-batch": 2}
    assert all(p.predicted is not None and p.predicted > 0 for p in found.predictions)


DEVICES = ("T4", "L4", "A100", "H100-80GB-SXM", "A30:1g.6gb", "Abacus")


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from(DEVICES), st.floats(1e-300, 1e300)), min_size=2, max_size=6),
    st.floats(1e-300, 1e300),
    st.booleans(),
)
def test_a_rows_own_value_never_moves_its_prediction(
    catalog: Catalog, pairs: list[tuple[str, float]], other: float, better: bool
) -> None:
    rows = [_row(device, value, better=better) for device, value in pairs]
    moved = [rows[0]._replace(value=other), *rows[1:]]
    one, two = backtest(catalog, rows), backtest(catalog, moved)
    assert one.predictions[0][1:] == two.predictions[0][1:]


@pytest.mark.skipif(not TRAINING.exists(), reason="the training measurements are not here")
def test_the_tables_know_their_own_measurements(catalog: Catalog) -> None:
    """Not a test of the model, which has seen these rows, but of tables and code together."""
    found = backtest(catalog, read_measurements(str(TRAINING)))
    pooled = {ranker.name: ranker.pooled for ranker in (found.model, *found.baselines)}
    assert found.unknown_devices == found.unknown_classes == {}
    assert pooled["model"].median_ape < 0.07
    assert (pooled["model"].pair_order_gap125 or 0) > 0.99
    # The errors of the spec-sheet rankers are known from an independent computation.
    assert pooled["flops"].median_ape == pytest.approx(0.33, abs=0.02)
    assert pooled["bandwidth"].median_ape == pytest.approx(0.25, abs=0.02)
