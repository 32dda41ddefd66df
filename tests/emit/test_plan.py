"""From an option to a plan: terms, fallbacks, checkpoints, disks, names."""

from __future__ import annotations

import re
from math import ceil

import pytest

from gpuadvisor.catalog.errors import RefusedError, UsageError
from gpuadvisor.catalog.model import SPOT
from gpuadvisor.emit.plan import plan_of, slug
from tests.emit.support import catalog, chosen, questions

PRETRAIN = {
    "workload": "llm-pretrain",
    "params": "13e9",
    "tokens": "100e9",
    "deadline": "10d",
    "provider": "aws",
    "region": "us-east-1",
}


def test_a_rank_is_that_of_the_table() -> None:
    """Ranks have gaps where the table shows a further device in place of the next type."""
    answer = chosen(workload="ocr", provider="aws").answer
    ranks = [option.rank for option in answer.options]
    assert ranks != list(range(1, len(ranks) + 1))
    for option in answer.options:
        plan = plan_of(answer, catalog(), option.rank)
        assert (plan.type, plan.instances) == (option.type, option.instances)


@pytest.mark.parametrize("pick", [0, 999])
def test_a_rank_that_is_not_shown_is_refused(pick: int) -> None:
    answer = chosen(workload="ocr", provider="aws").answer
    with pytest.raises(UsageError) as error:
        plan_of(answer, catalog(), pick)
    shown = [str(option.rank) for option in answer.options]
    assert error.value.message.params == {"pick": pick, "ranks": shown}


def test_nodes_in_several_zones_are_not_put_into_one() -> None:
    answer = chosen(**{**PRETRAIN, "deadline": None}, nodes="8", zones="2").answer
    with pytest.raises(UsageError) as error:
        plan_of(answer, catalog())
    assert (error.value.message.id, error.value.message.params) == ("emit.zones", {"zones": 2})


def test_nothing_is_written_over_the_budget() -> None:
    answer = chosen(workload="ocr", provider="aws", budget="1").answer
    assert not answer.feasible
    with pytest.raises(RefusedError):
        plan_of(answer, catalog())


@pytest.mark.parametrize(
    ("purchase", "asked_as", "committed"),
    [
        ("on_demand", "on_demand", False),
        ("spot", "spot", False),
        ("reserved", "on_demand", True),
        ("savings_plan", "on_demand", True),
        ("capacity_block", "capacity_block", False),
    ],
)
def test_commitments_are_bought_apart(purchase: str, asked_as: str, committed: bool) -> None:
    plan = chosen(provider="aws", device="A100", purchase=purchase).plan()
    assert (plan.purchase, plan.committed) == (asked_as, committed)
    said = [line.id for line in plan.why]
    assert ("emit.commitment" in said) is committed


def test_a_commitment_is_paid_for_every_hour() -> None:
    """100M pages take about 600 h of two L4, but a month of a commitment has 730."""
    volume = {"workload": "ocr", "provider": "aws", "units_per_month": "100M"}
    bound = chosen(**volume, purchase="reserved").plan()
    part = chosen(**volume, purchase="on_demand").plan()
    assert "--hours-per-month" not in bound.check_flags
    assert "emit.part_of_month" not in [line.id for line in bound.why]
    assert "--hours-per-month" in part.check_flags
    assert "emit.part_of_month" in [line.id for line in part.why]


def test_a_checkpoint_of_a_training_from_scratch() -> None:
    """13e9 parameters x 14 bytes (2 of weights, 12 of Adam's states) = 182 GB."""
    one = chosen(**PRETRAIN, purchase="spot")
    plan = one.plan()
    assert plan.checkpoint is not None and plan.checkpoint.gb == pytest.approx(182)
    assert one.option.spot is not None
    hours = one.option.spot.job.outlooks.expected.interval
    assert hours is not None and plan.checkpoint.minutes == round(hours * 60)
    # The image (100 GB) and a node's share of the checkpoint twice, in steps of 50 GB.
    share = 182 / plan.instances
    assert plan.boot_gb == ceil((100 + 2 * share) / 50) * 50


def test_a_checkpoint_as_said() -> None:
    """--state-gb and --checkpoint-every win over what is worked out."""
    said = {"state_gb": "200", "checkpoint_every": "90m"}
    plan = chosen(**PRETRAIN, purchase="spot", **said).plan()
    assert plan.checkpoint == (200.0, 90)


def test_on_demand_a_run_has_a_bucket_and_no_interval() -> None:
    plan = chosen(**PRETRAIN, purchase="on_demand").plan()
    assert plan.checkpoint is not None and plan.checkpoint.minutes is None
    assert plan.ends


def test_work_that_stands_has_no_checkpoint() -> None:
    plan = chosen(workload="ocr", provider="aws", purchase="spot").plan()
    assert plan.checkpoint is None and not plan.ends


def test_a_language_model_has_room_for_its_weights_twice() -> None:
    """8.03e9 parameters x 2 bytes = 16 GB: 100 + 32 = 132 -> 150 GB."""
    plan = chosen(model="llama-3-8b", qps="2", provider="aws").plan()
    assert plan.boot_gb == 150


def test_the_disk_that_was_asked_for() -> None:
    """1 TiB is 1,099.5 GB."""
    plan = chosen(workload="ocr", provider="aws", storage="disk=1TiB,hot=5TB").plan()
    assert plan.data_gb == 1100
    assert chosen(workload="ocr", provider="aws", storage="hot=5TB").plan().data_gb is None


def test_fallbacks_are_as_good_and_no_cheaper() -> None:
    types = catalog().instance_types()
    held = 0
    for one in questions(7, ("aws", "azure", "gcp"), 40):
        plan = one.plan()
        if plan.fallbacks:
            assert plan.purchase == SPOT and not plan.gang
        for fallback in plan.fallbacks:
            held += 1
            kind = types[plan.provider, fallback.type]
            assert (kind.device, kind.devices) == (plan.type.device, plan.type.devices)
            assert fallback.price >= one.option.offer.price
            assert (kind.vcpus or 0) >= (plan.type.vcpus or 0)
            assert (kind.host_memory_gib or 0) >= (plan.type.host_memory_gib or 0)
            assert "+" not in fallback.type
    assert held >= 3


def test_the_users_own_spot_price_has_no_fallbacks() -> None:
    """Theirs would be list prices, with which it cannot be compared."""
    plan = chosen(workload="ocr", provider="aws", device="A10G", price="spot=0.2").plan()
    assert plan.purchase == SPOT and not plan.fallbacks


def test_nodes_of_a_run_work_as_one() -> None:
    assert chosen(**PRETRAIN, purchase="spot").plan().gang
    assert chosen(device="H100", provider="aws", nodes="2").plan().gang
    served = chosen(workload="ocr", provider="aws", qps="200").plan()
    assert served.instances > 1 and not served.gang


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("ocr", "ocr"),
        ("llm-chat", "llm-chat"),
        ('My "OCR"; rm -rf $(x)\n', "my-ocr-rm-rf-x"),
        ("2fast", "gpu-2fast"),
        ("1" * 50, "gpu-" + "1" * 16),
        ("文字", "gpu"),
        ("a" * 50, "a" * 20),
        ("abcdefghijklmnopqrs-tuv", "abcdefghijklmnopqrs"),
    ],
)
def test_names_suit_every_target(text: str, name: str) -> None:
    assert slug(text) == name
    assert re.fullmatch(r"[a-z]([a-z0-9-]*[a-z0-9])?", slug(text))
