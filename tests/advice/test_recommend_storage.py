"""The whole bill in `recommend`: storage and egress beside the machines."""

from __future__ import annotations

import json
from decimal import Decimal

import jsonschema
import pytest

from gpuadvisor.advice.recommend import recommend
from gpuadvisor.catalog.errors import UsageError
from gpuadvisor.catalog.store import Catalog
from gpuadvisor.report.catalog_schema import output_schema
from tests.cli.run import gpuadvisor

OCR = {"workload": "ocr", "budget": "5000", "today": "2026-11-30"}


def test_each_option_pays_its_own_clouds_prices(catalog: Catalog) -> None:
    asked = {**OCR, "provider": ["gcp", "aws"], "storage": "hot=1TB,egress=1TB", "top": 10}
    options = recommend(asked, catalog).options
    # us-central1: 1 TB at 0.02 and 931.3 GiB at 0.12; us-east-1: 0.023 and 900 GB at 0.09.
    costs = {
        o.type.provider: o.beside.bill.monthly
        for o in options
        if o.beside and o.beside.bill.monthly
    }
    assert float(costs["gcp"]) == pytest.approx(20 + 1e12 / 2**30 * 0.12)
    assert costs["aws"] == Decimal("23") + Decimal("81")
    for o in options:
        assert o.beside is not None and o.beside.whole is not None
        assert o.beside.whole.expected == o.monthly.expected + (o.beside.bill.monthly or 0)


def test_storage_does_not_change_the_rank(catalog: Catalog) -> None:
    plain = recommend(OCR, catalog)
    stored = recommend({**OCR, "storage": "hot=9TB,egress=9TB"}, catalog)
    assert [o.type.name for o in plain.options] == [o.type.name for o in stored.options]
    assert "advice.storage_beside" in [a.id for a in stored.assumptions]
    assert all(o.beside is None for o in plain.options)


def test_an_unknown_price_makes_no_whole_bill(catalog: Catalog) -> None:
    found = recommend({**OCR, "provider": "lambda", "storage": "hot=1TB"}, catalog).options[0]
    assert found.beside is not None
    assert (found.beside.bill.monthly, found.beside.whole) == (None, None)


def test_a_word_that_means_nothing(catalog: Catalog) -> None:
    with pytest.raises(UsageError):
        recommend({**OCR, "storage": "tepid=1TB"}, catalog)


def test_the_command() -> None:
    asked = ("recommend", "--workload", "ocr", "--budget", "5000", "--storage", "hot=1TB")
    done = gpuadvisor(*asked, "--today", "2026-11-30", "--format", "json")
    document = json.loads(done.out)
    jsonschema.validate(document, output_schema("recommend"))
    assert {option["storage"]["lines"][0]["kind"] for option in document["options"]} == {"hot"}
    words = gpuadvisor(*asked, "--today", "2026-11-30", "--provider", "gcp").out
    assert "with storage and traffic (20.00)" in " ".join(words.split())


def test_a_run_on_spot_as_a_document() -> None:
    done = gpuadvisor(
        "recommend", "--workload", "train-cnn", "--provider", "aws", "--purchase", "spot",
        "--interruptions-per-hour", "0.1", "--checkpoint-minutes", "2", "--today", "2026-11-30",
        "--format", "json",
    )  # fmt: skip
    document = json.loads(done.out)
    jsonschema.validate(document, output_schema("recommend"))
    first = document["options"][0]
    assert first["interruptions"]["per_hour"]["basis"] == "own"
    assert first["cost"]["finish_hours"]["expected"] >= first["cost"]["run_hours"]["expected"]
    assert first["cost"]["run_hours"]["expected"] > first["interruptions"]["undisturbed_hours"]
