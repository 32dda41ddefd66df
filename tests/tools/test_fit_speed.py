"""The program that fits the speed tables: does it find what was planted, and forget what it must?"""

from __future__ import annotations

import csv
import math
import random
from pathlib import Path

import pytest

from gpuadvisor.catalog.reader import read
from gpuadvisor.catalog.schema_benchmarks import BenchmarksFile
from gpuadvisor.catalog.store import Catalog

np = pytest.importorskip("numpy")
pytest.importorskip("scipy")

from tools.fit_speed import __main__ as program  # noqa: E402
from tools.fit_speed import crossval, evidence, model, ranges, rows  # noqa: E402

FIELDS = (
    "group", "device", "workload_class", "workload", "metric", "value", "higher_is_better",
    "gpu_count", "batch", "precision", "software", "source", "family", "vendor",
)  # fmt: skip
DEVICES = ("T4", "L4", "A10", "A100-40GB-SXM", "A100-80GB-SXM", "H100-80GB-SXM", "V100-16GB")
SOURCES = (
    "NVIDIA/FasterTransformer@df4a753:docs/bert_guide.md",
    "mlcommons/inference_results_v2.0@425a0d30c:closed/x",
    "huggingface/diffusers@2c529b7:docs/x.md",
)
EXPONENTS = 0.5, 0.3
EFFECTS = {"L4": 0.3, "V100-16GB": -0.2}


def _planted(path: Path, seed: int = 1, families: int = 24, noise: float = 0.03) -> Path:
    """Groups of 3 or 4 devices whose performance is a formula, an effect and a little noise."""
    pick = random.Random(seed)
    specs = {
        "T4": (320, 65), "L4": (300, 121), "A10": (600, 125), "A100-40GB-SXM": (1555, 312),
        "A100-80GB-SXM": (2039, 312), "H100-80GB-SXM": (3350, 989), "V100-16GB": (900, 125),
    }  # fmt: skip
    with path.open("w", encoding="utf-8", newline="") as file:
        out = csv.DictWriter(file, FIELDS)
        out.writeheader()
        for family in range(families):
            for group in range(3):
                level = pick.uniform(0, 5)
                better = group != 1
                for device in pick.sample(DEVICES, pick.choice((3, 4))):
                    bandwidth, flops = specs[device]
                    y = level + EXPONENTS[0] * math.log(bandwidth) + EXPONENTS[1] * math.log(flops)
                    y += EFFECTS.get(device, 0.0) + pick.gauss(0, noise)
                    out.writerow(
                        {
                            "group": f"f{family}|g{group}",
                            "device": device,
                            "workload_class": "seq2seq-batch" if family % 3 else "llm-decode",
                            "workload": f"model{family}-7B",
                            "metric": "rate",
                            "value": math.exp(y if better else -y),
                            "higher_is_better": int(better),
                            "gpu_count": 1,
                            "batch": 2**group,
                            "precision": "fp16",
                            "software": "vLLM 0.7",
                            "source": SOURCES[family % len(SOURCES)],
                            "family": f"f{family}",
                            "vendor": 0,
                        }
                    )
    return path


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return _planted(tmp_path_factory.mktemp("planted") / "m.csv")


@pytest.fixture(scope="module")
def groups(catalog: Catalog, planted: Path) -> list[list[rows.Row]]:
    return rows.read_groups(catalog, [planted])


def test_rows_carry_logs_and_settings(groups: list[list[rows.Row]]) -> None:
    assert sum(len(members) for members in groups) > 200
    row = next(row for members in groups for row in members if row.device == "V100-16GB-SXM")
    assert (row.bandwidth, row.flops) == pytest.approx((math.log(900), math.log(125)))
    assert row.architecture == "Volta GV100"
    assert row.key("software") == "vllm"
    assert row.key("precision") == ""


def test_a_family_is_capped(groups: list[list[rows.Row]]) -> None:
    assert len(rows.capped(groups, 2)) == 2 * 24
    assert rows.capped(groups, 3) == groups


def test_planted_exponents_and_effects_are_found(groups: list[list[rows.Row]]) -> None:
    (block,) = model.fit(
        [members for members in groups if members[0].workload_class == "seq2seq-batch"],
        model.CLASS_ALONE,
    )
    point = block.rows[0]
    devices = list(
        {
            row.device: point._replace(device=row.device, architecture=row.architecture)
            for row in block.rows
        }.values()
    )
    layer = block.layer(model.BASE, point, devices)

    def log_ratio(device: str, reference: str) -> float:
        of = {row.device: row for row in block.rows}
        one, other = of[device], of[reference]
        return (
            layer.bandwidth * (one.bandwidth - other.bandwidth)
            + layer.flops * (one.flops - other.flops)
            + layer.effects[device]
            - layer.effects[reference]
        )

    true = EXPONENTS[0] * math.log(300 / 320) + EXPONENTS[1] * math.log(121 / 65) + 0.3
    assert log_ratio("L4", "T4") == pytest.approx(true, abs=0.05)
    true = EXPONENTS[0] * math.log(900 / 1555) + EXPONENTS[1] * math.log(125 / 312) - 0.2
    assert log_ratio("V100-16GB-SXM", "A100-40GB-SXM") == pytest.approx(true, abs=0.05)


def test_left_out_is_what_a_fit_without_the_family_says(groups: list[list[rows.Row]]) -> None:
    """The shortcut by block inversion against fitting again, without reweighting."""
    some = [members for members in groups if members[0].workload_class == "llm-decode"]
    family = some[0][0].family
    kept = model.REWEIGHTINGS
    model.REWEIGHTINGS = 0
    try:
        (whole,) = model.fit(some)
        (without,) = model.fit([members for members in some if members[0].family != family])
    finally:
        model.REWEIGHTINGS = kept
    predicted = whole.left_out("family").regression
    mine = [i for i, row in enumerate(whole.rows) if row.family == family][: len(some[0])]
    by_hand = [_index(without, whole.rows[i]) for i in mine]
    shift = predicted[mine[0]] - by_hand[0]
    assert [predicted[i] - shift for i in mine] == pytest.approx(by_hand, abs=1e-6)


def _index(block: model.Block, row: rows.Row) -> float:
    """A row's log performance from the layers, as `ratio()` adds them."""
    layers = [block.layer(name, row, [row]) for name in (model.BASE, *model.MODEL.setting)]
    return sum(
        layer.bandwidth * row.bandwidth + layer.flops * row.flops + layer.effects[row.device]
        for layer in layers
    )


def test_evidence_forgets_the_block_of_the_row(groups: list[list[rows.Row]]) -> None:
    found = evidence.Evidence(groups)
    one, other = groups[0][0], groups[0][1]
    count = {
        members[0].family
        for members in groups
        if members[0].workload_class == one.workload_class
        and {one.device, other.device} <= {row.device for row in members}
    }
    seen = found.without(one, other, "", "family")
    assert seen is not None and seen[1] == len(count - {one.family})
    turned = found.without(other, one, "", "family")
    assert turned is not None and turned[0] == pytest.approx(-seen[0])


def test_families_count_once() -> None:
    seen = [evidence.Observation("big", "p", "s", 1.0)] * 9
    seen += [evidence.Observation("a", "p", "t", 0.0), evidence.Observation("b", "p", "t", 0.2)]
    summary = evidence.summarise(seen)
    assert summary.log_ratio == pytest.approx(0.2)  # median of 1.0, 0.0, 0.2
    assert (summary.groups, summary.families, summary.sources) == (11, 3, ("s", "t"))


def test_ranges_hold_the_share_they_claim() -> None:
    pick = random.Random(2)
    misses = [
        crossval.Miss("spec", size, abs(pick.gauss(0, 0.1 + 0.2 * size)), f"f{i % 50}", "family")
        for i, size in enumerate(pick.uniform(0, 2) for _ in range(4000))
    ]
    width = ranges.pooled_width(misses)
    held = [(miss, miss.error <= width.at(miss.log_ratio)) for miss in misses]
    assert ranges.share_held(held) == pytest.approx(0.8, abs=0.01)
    # 80 % of a normal distribution lie within 1.2816 standard deviations.
    assert width.slope == pytest.approx(1.2816 * 0.2, abs=0.051)


def test_a_thin_class_keeps_the_pooled_width() -> None:
    pooled = ranges.Width(0.2, 0.1)
    one = [crossval.Miss("spec", 0.0, 0.8, "f", "family")]
    assert ranges.class_width([], pooled) == pooled
    assert pooled.base < ranges.class_width(one, pooled).base < 0.8


def test_the_program_writes_tables_that_validate(
    planted: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    stale = tmp_path / "gone.yaml"
    stale.touch()
    arguments = ["--data", str(planted), "--out", str(tmp_path)]
    program.main(arguments)
    assert "this model" in capsys.readouterr().out
    assert not stale.exists()
    first = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    names = {"llm-decode.yaml", "seq2seq-batch.yaml", "pooled-batch.yaml", "README.md"}
    assert names <= set(first)
    for path in tmp_path.glob("*.yaml"):
        BenchmarksFile.model_validate(read(str(path)).data)
    program.main(arguments)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == first


def test_cross_validation_sees_how_little_noise_there_is(groups: list[list[rows.Row]]) -> None:
    fitted = program.cross_validated(groups)
    everything = [t for targets in fitted.targets["family"].values() for t in targets]
    found = crossval.score(
        everything, fitted.rules, lambda case, rule: crossval.predict(case, *rule, True)[0]
    )
    assert found.n == sum(len(members) for members in groups)
    assert found.median < 0.06  # the noise of one pair is .03 x sqrt 2
    assert found.order_beyond > 0.99
