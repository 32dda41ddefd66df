"""`gpuadvisor init`: what it writes is valid as it stands, and with every example made to count."""

from __future__ import annotations

import re

import pytest

from gpuadvisor.check.policy_file import PolicyText, load_policy
from gpuadvisor.cli.config import KEYS, settings_of
from gpuadvisor.report import init_file
from tests.cli.run import gpuadvisor


@pytest.fixture(autouse=True)
def _in_a_project(tmp_path, monkeypatch):
    monkeypatch.delenv("GPUADVISOR_CONFIG", raising=False)
    monkeypatch.chdir(tmp_path)


def test_an_unchanged_file_changes_no_answer(tmp_path):
    before = gpuadvisor("estimate", "g5.xlarge", "--today", "2026-11-30", "--format", "csv")
    assert gpuadvisor("init").code == 0
    assert settings_of("f", (tmp_path / ".gpuadvisor.yaml").read_bytes()).defaults == {}
    after = gpuadvisor("estimate", "g5.xlarge", "--today", "2026-11-30", "--format", "csv")
    assert after.out == before.out


def test_every_key_of_the_config_is_in_the_file_and_every_example_is_valid(tmp_path):
    text = gpuadvisor("init", "--output", "-").out
    (tmp_path / "prices").mkdir()
    path = str(tmp_path / ".gpuadvisor.yaml")
    active = re.sub(r"(?m)^#(?=\S|  \S)", "", text).encode()
    found = settings_of(path, active)
    named = {key.name for key in init_file.DEFAULTS} | {"check"}
    assert named == set(KEYS)
    assert set(found.check) == {key.name for key in init_file.LIMITS}
    policy = load_policy(PolicyText(path, active)).policy
    assert policy.max_devices == 64
    assert policy.on_unknown == "fail"


def test_chosen_values_count_and_the_rest_stay_examples(tmp_path):
    outcome = gpuadvisor(
        "init", "--provider", "aws,gcp", "--region", "eu", "--currency", "EUR",
        "--discount", "aws=12%", "--max-increase", "2000EUR",
    )  # fmt: skip
    assert outcome.code == 0, outcome.err
    raw = (tmp_path / ".gpuadvisor.yaml").read_bytes()
    found = settings_of("f", raw)
    assert found.defaults == {
        "provider": ["aws", "gcp"], "region": ["eu"], "currency": "EUR", "discount": ["aws=12%"],
    }  # fmt: skip
    assert found.check == {"max_increase": "2000EUR"}
    assert load_policy(PolicyText("f", raw)).fields["max_increase"] == "2000EUR"


def test_a_file_that_is_there_stays_unless_forced(tmp_path):
    target = tmp_path / ".gpuadvisor.yaml"
    target.write_text("currency: CNY\n")
    refused = gpuadvisor("init")
    assert refused.code == 1
    assert "--force" in refused.err
    assert target.read_text() == "currency: CNY\n"
    assert gpuadvisor("init", "--force").code == 0
    assert "#currency: EUR" in target.read_text()
    assert [entry.name for entry in tmp_path.iterdir()] == [".gpuadvisor.yaml"]


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (("--currency", "E1"), "E1"),
        (("--discount", "aws"), "aws"),
        (("--discount", "aws=120%"), "120%"),
        (("--region", "eurasia"), "eurasia"),
        (("--provider", "awz"), "awz"),
        (("--discount", "awz=12%"), "awz"),
        (("--max-increase", "much"), "much"),
    ],
)
def test_a_wrong_value_is_told_and_nothing_is_written(tmp_path, arguments, named):
    outcome = gpuadvisor("init", *arguments)
    assert outcome.code == 2
    assert named in outcome.err
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_not_there_is_told():
    outcome = gpuadvisor("init", "--output", "nowhere/x.yaml")
    assert outcome.code == 2
    assert "nowhere/x.yaml" in outcome.err
