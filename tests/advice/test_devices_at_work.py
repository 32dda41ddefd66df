"""`--gpus 4` on machines of eight: eight are paid, four work, and the speed is that of four."""

from typing import Any

import pytest

from gpuadvisor.advice.recommend import recommend
from gpuadvisor.advice.result import Option
from gpuadvisor.catalog.store import Catalog
from gpuadvisor.performance.scaling import training_efficiency
from tests.conftest import TODAY

P4D = {"device": "A100-40GB", "provider": "aws", "purchase": "on_demand", "top": "1"}


def first(catalog: Catalog, **fields: Any) -> Option:
    return recommend({**P4D, **fields, "today": TODAY}, catalog).options[0]


@pytest.mark.parametrize(
    ("workload", "gpus", "instances"),
    [("ocr", 4, 1), ("ocr", 12, 2), ("train-cnn", 4, 1), ("train-cnn", 12, 2)],
)
def test_only_those_asked_for_count(
    catalog: Catalog, workload: str, gpus: int, instances: int
) -> None:
    one, some = (first(catalog, workload=workload, gpus=str(n)) for n in (1, gpus))
    assert one.speed is not None and some.speed is not None
    assert some.type.name == "p4d.24xlarge" and some.instances == instances
    assert some.devices_used == gpus
    kept = 1.0
    if workload == "train-cnn":
        kept = training_efficiency(gpus / instances, instances, "nvlink", True)
    assert some.speed.rate.expected == pytest.approx(gpus * kept * one.speed.rate.expected)
    assert [w.params for w in some.warnings if w.id == "advice.paid_used"] == [
        {"paid": f"{8 * instances}", "used": f"{gpus}"}
    ]


def test_a_run_takes_the_longer_and_costs_the_more(catalog: Catalog) -> None:
    half, whole = (first(catalog, workload="train-cnn", gpus=n) for n in ("4", "8"))
    assert half.run is not None and whole.run is not None
    assert float(half.run.expected) > 1.9 * float(whole.run.expected)


def test_replicas_of_a_language_model_lie_on_those_asked_for(catalog: Catalog) -> None:
    model = {"workload": "llm-chat", "model": "llama-3-8b", "qps": "2"}
    half, whole = (first(catalog, **model, gpus=n) for n in ("4", "8"))
    assert half.speed is not None and whole.speed is not None
    assert half.speed.served is not None and half.speed.served.replicas == 4
    assert whole.speed.served is not None and whole.speed.served.replicas == 8


def test_training_from_scratch_too(catalog: Catalog) -> None:
    base = {"workload": "llm-pretrain", "params": "1e9", "tokens": "20e9"}
    half, whole = (first(catalog, **base, gpus=n) for n in ("4", "8"))
    assert half.speed is not None and whole.speed is not None
    assert half.devices_used == 4
    assert half.speed.rate.expected == pytest.approx(whole.speed.rate.expected / 2, rel=0.02)
