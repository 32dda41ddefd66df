"""Where an answer looks: a region's name may belong to several providers."""

from __future__ import annotations

import pytest

from gpuadvisor.advice.places import place_notes, places
from gpuadvisor.catalog.errors import UsageError
from gpuadvisor.catalog.store import load_catalog


def test_a_region_that_several_providers_name_is_told() -> None:
    found = places(load_catalog(), ["aws", "lambda"], (), ["us-east-1"])
    notes = {note.id: note.params for note in place_notes(found, ["us-east-1"])}
    assert notes["advice.region_shared"]["providers"] == "aws, lambda"
    assert notes["advice.region_shared"]["one"] == "aws"


@pytest.mark.parametrize("region", ["aws/us-east-1", "eu-central-1", "us"])
def test_a_region_of_one_provider_or_a_part_of_the_world_is_plain(region: str) -> None:
    found = places(load_catalog(), ["aws", "lambda"], (), [region])
    assert [note.id for note in place_notes(found, [region])] == ["advice.regions_asked"]


def test_a_region_that_none_of_the_providers_has_is_refused() -> None:
    with pytest.raises(UsageError) as told:
        places(load_catalog(), ["gcp"], (), ["us-east-1"])
    assert told.value.message.id == "advice.region_elsewhere"
