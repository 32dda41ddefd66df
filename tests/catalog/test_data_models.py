"""The named models and the clouds' MIG as data: what they refer to exists."""

from __future__ import annotations

import pytest

from gpuadvisor.catalog.names import matches, normalise
from gpuadvisor.catalog.store import Catalog

NAMED = [
    "bert-large", "resnet-50", "llama-2-7b", "llama-3-8b", "llama-3.1-70b", "mistral-7b",
    "mixtral-8x7b", "qwen2.5-7b", "gpt-3-13b", "sd-1.5", "sdxl", "whisper-large-v2",
    "pp-ocrv5-server", "deepseek-v3", "gpt-oss-120b", "gemma-3-27b",
]  # fmt: skip


@pytest.mark.parametrize("name", NAMED)
def test_models_people_ask_for_are_there(catalog: Catalog, name: str) -> None:
    document = catalog.document("models", name)
    assert document["params"] > 1e6
    assert catalog.source(document["source"]).address


def test_models_refer_to_workloads_and_sources_that_exist(catalog: Catalog) -> None:
    workloads = set(catalog.names("workloads"))
    for name, document in catalog.documents("models").items():
        assert document.get("workload", "ocr") in workloads, name
        for key in (document["source"], *(p["source"] for p in document.get("peaks", ()))):
            assert catalog.source(key).title, name


def test_no_spelling_means_two_models(catalog: Catalog) -> None:
    seen: dict[str, str] = {}
    for name, document in catalog.documents("models").items():
        for spelling in (name, *document.get("aliases", ())):
            assert seen.setdefault(normalise(spelling), name) == name, spelling


def test_profiles_name_models_that_exist(catalog: Catalog) -> None:
    models = set(catalog.names("models"))
    named = [
        part["model"]
        for document in catalog.documents("workloads").values()
        for part in (document.get("serving"), document.get("tuning"))
        if part is not None
    ]
    assert len(named) >= 2
    assert set(named) <= models


def test_sharing_names_devices_with_mig(catalog: Catalog) -> None:
    """Every device a cloud is said to cut has profiles of which more than one fit."""
    for provider, document in catalog.documents("sharing").items():
        assert provider in catalog.providers()
        for family in document["devices"]:
            devices = [d for d in catalog.devices().values() if matches(d.name, family)]
            assert devices, family
            assert any(d.mig_max > 1 and catalog.partitions(d.name) for d in devices), family
