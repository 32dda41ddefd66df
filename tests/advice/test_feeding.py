"""The articles' four GPUs: 1.5 times one while the disk starves them, 3.6 times once it is cured."""

from typing import Any

import pytest

from gpuadvisor.advice.recommend import recommend
from gpuadvisor.advice.result import Option
from gpuadvisor.catalog.errors import UsageError
from gpuadvisor.catalog.store import Catalog
from tests.conftest import TODAY


def first(catalog: Catalog, **fields: Any) -> Option:
    request = {
        "workload": "train-cnn", "device": "A10G", "provider": "aws", "purchase": "on_demand",
        "sample_kb": "110", "today": TODAY, **fields,
    }  # fmt: skip
    return recommend(request, catalog).options[0]


def test_four_gpus_starved_and_cured(catalog: Catalog) -> None:
    one = first(catalog, gpus="1")
    starved = first(catalog, gpus="4", nodes="1", data_on="disk")
    cured = first(catalog, gpus="4", nodes="1")
    assert one.speed and starved.speed and cured.speed
    assert starved.feed and cured.feed
    # 125 MiB/s of a disk as created, over 110 kB.
    assert starved.speed.rate.expected == pytest.approx(131072000 / 110e3)
    assert starved.feed.limited_by == "disk"
    assert starved.feed.cure is not None and starved.feed.cure.id == "advice.cure_local"
    assert 1.3 <= starved.speed.rate.expected / one.speed.rate.expected <= 1.6
    assert cured.feed.limited_by is None
    assert 3.3 <= cured.speed.rate.expected / one.speed.rate.expected <= 3.8
    assert starved.run and cured.run and cured.run.expected < starved.run.expected


def test_needs_are_in_bytes_and_cores(catalog: Catalog) -> None:
    feed = first(catalog, gpus="4", nodes="1").feed
    assert feed is not None and feed.vcpus is not None
    assert feed.gigabytes == pytest.approx(feed.wanted * 110e3 / 1e9)
    assert feed.vcpus == pytest.approx(feed.wanted / 326)


def test_a_type_without_local_disk_cannot_keep_data_there(catalog: Catalog) -> None:
    fields = {"device": "V100", "tier": "any", "region": "any", "top": "50"}
    request = {"workload": "train-cnn", "sample_kb": "110", "data_on": "local", "today": TODAY}
    found = recommend({**request, **fields}, catalog).options
    assert len(found) > 1
    for option in found:
        assert option.speed is None or option.type.local_disk_gb


def test_the_cure_depends_on_what_the_type_has(catalog: Catalog) -> None:
    """Local NVMe where there is some; else throughput of the disk, priced."""
    answer = recommend(
        {"workload": "train-cnn", "tier": "any", "purchase": "on_demand", "sample_kb": "2000",
         "data_on": "disk", "top": "50", "today": TODAY},
        catalog,
    )  # fmt: skip
    cures: dict[bool, set[str]] = {True: set(), False: set()}
    for o in answer.options:
        if o.feed is not None and o.feed.cure is not None:
            assert o.feed.limited_by == "disk"
            cures[bool(o.type.local_disk_gb and o.type.local_disk_gb > 130)].add(o.feed.cure.id)
    assert cures[True] == {"advice.cure_local"}
    assert "advice.cure_disk" in cures[False]


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"workload": "llm-pretrain"}, "no_samples"),
        ({"workload": "train-transformer", "params": "1e9"}, "no_samples"),
        ({"sample_kb": None, "data_on": "disk"}, "sample_size_needed"),
        ({"data_on": "tape"}, "bad_field"),
        ({"sample_kb": "0"}, "bad_field"),
    ],
)
def test_refused(catalog: Catalog, fields: dict[str, Any], said: str) -> None:
    with pytest.raises(UsageError) as caught:
        first(catalog, **fields)
    assert caught.value.message.id == f"advice.{said}"
