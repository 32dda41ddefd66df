"""The shipped rules: each by its own cases, the owner's tree as given, the default beyond it."""

from __future__ import annotations

import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpuadvisor.catalog.rule_facts import FACTS, FLAG, LIST, NUMBER, names_in
from gpuadvisor.catalog.rule_files import read_rule_file
from gpuadvisor.rules.engine import decide, explain, outcome, read_rules, removal
from gpuadvisor.rules.interface import EXCLUDE, REQUIRE
from gpuadvisor.rules.selftest import run_cases

RULES = os.path.join(os.path.dirname(__file__), "..", "..", "catalogs", "rules")
SEED = read_rule_file(os.path.join(RULES, "seed.yaml"))
DEFAULT = read_rule_file(os.path.join(RULES, "default.yaml"))
ALL = {**DEFAULT, **SEED}
RESULTS = [r for documents in (SEED, DEFAULT) for r in run_cases(documents).results]


@pytest.mark.parametrize("result", RESULTS, ids=lambda r: f"{r.rule}-{r.number}")
def test_case(result):
    assert result.passed, (result.checks, result.trace)


@pytest.mark.parametrize("documents", [SEED, DEFAULT], ids=["seed", "default"])
def test_every_rule_has_a_case_that_fires_it_and_one_that_does_not(documents):
    assert run_cases(documents).one_sided == ()


def test_every_filter_has_a_case_that_it_removes_and_one_that_it_spares():
    for id, document in ALL.items():
        if {REQUIRE, EXCLUDE} & set(document["then"]):
            assert {case.get("excluded") for case in document["cases"]} >= {True, False}, id


def test_every_preference_has_a_case_on_either_side():
    for id, document in ALL.items():
        if "prefer" in document["then"]:
            assert {case.get("preferred") for case in document["cases"]} >= {True, False}, id


def test_a_text_names_only_facts_that_its_rule_can_know():
    for id, document in ALL.items():
        for key in ("warn", "label", "warn_zh", "label_zh"):
            for name in names_in(document["then"].get(key, "")):
                assert name in FACTS, (id, name)


def test_the_tree_is_the_owners_three_branches_in_order():
    tree = [id for id, document in SEED.items() if document.get("group") == "tree"]
    assert tree == ["seed.b1_budget", "seed.b2_latency", "seed.b3_distributed"]
    assert all(document["policies"] == ["seed"] for document in SEED.values())


# Facts of types by hand, from the providers' own size tables.
TYPES = {
    "g4dn.xlarge": ("g4dn", "T4", 1, 16, 4, 16, False, False, 7.5),
    "p3.2xlarge": ("p3", "V100-16GB-SXM", 1, 16, 8, 61, False, False, 7.0),
    "g5.xlarge": ("g5", "A10G", 1, 24, 4, 16, False, False, 8.6),
    "g5g.xlarge": ("g5g", "T4G", 1, 16, 4, 8, False, False, 7.5),
    "g6.xlarge": ("g6", "L4", 1, 24, 4, 16, False, False, 8.9),
    "g6f.2xlarge": ("g6f", "L4", 0.25, 5.59, 8, 32, False, False, 8.9),
    "g6e.48xlarge": ("g6e", "L40S", 8, 48, 192, 1536, True, False, 8.9),
    "p4d.24xlarge": ("p4d", "A100-40GB-SXM", 8, 40, 96, 1152, True, True, 8.0),
    "p4de.24xlarge": ("p4de", "A100-80GB-SXM", 8, 80, 96, 1152, True, True, 8.0),
    "p5.48xlarge": ("p5", "H100-80GB-SXM", 8, 80, 192, 2048, True, True, 9.0),
    "Standard_NV36ads_A10_v5": ("NVadsA10_v5", "A10", 1, 24, 36, 440, False, False, 8.6),
    "Standard_NC24ads_A100_v4": ("NC_A100_v4", "A100-80GB-PCIe", 1, 80, 24, 220, False, False, 8.0),
    "a2-highgpu-8g": ("a2-highgpu", "A100-40GB-SXM", 8, 40, 96, 680, False, True, 8.0),
}


def facts_of(name):
    family, device, devices, memory, vcpus, host, rdma, nvlink, capability = TYPES[name]
    return {
        "type.name": name,
        "type.family": family,
        "type.device": device,
        "type.devices": devices,
        "type.sliced": devices < 1,
        "type.memory_gib": memory,
        "type.memory_total_gib": memory * max(devices, 1),
        "type.vcpus": vcpus,
        "type.vcpus_per_device": vcpus / devices,
        "type.host_memory_gib": host,
        "type.rdma": rdma,
        "type.nvlink": nvlink,
        "type.interconnect": "nvlink" if nvlink else "pcie" if devices > 1 else "none",
        "type.compute_capability": capability,
        "type.software": "cuda",
        "type.status": "active",
    }


def kept(policy, needs):
    found = decide(read_rules(ALL, policy), needs)
    return {name for name in TYPES if removal(found, facts_of(name)) is None}


A10G_A100 = {
    "g5.xlarge",
    "p4d.24xlarge",
    "p4de.24xlarge",
    "Standard_NC24ads_A100_v4",
    "a2-highgpu-8g",
}


@pytest.mark.parametrize(
    ("needs", "expected"),
    [
        ({"need.budget_monthly_cny": 4999}, {"g4dn.xlarge", "p3.2xlarge"}),
        ({"need.budget_monthly_cny": 5000}, set(TYPES)),
        ({"need.latency": "low"}, A10G_A100),
        ({"need.distributed": "large", "need.devices": 64}, {"p4d.24xlarge", "p4de.24xlarge"}),
        ({"need.budget_monthly_cny": 4000, "need.latency": "low"}, {"g4dn.xlarge", "p3.2xlarge"}),
        ({"need.latency": "low", "need.distributed": "large", "need.devices": 64}, A10G_A100),
        ({}, set(TYPES)),
    ],
)
def test_the_seed_policy_is_the_owners_tree_and_nothing_else(needs, expected):
    assert kept("seed", needs) == expected


@pytest.mark.parametrize("needs", [{"need.budget_monthly_cny": 4999}, {"need.latency": "low"}, {}])
def test_the_default_policy_hides_nothing_for_the_first_two_branches(needs):
    assert kept("default", needs) == set(TYPES)


def test_the_default_policy_asks_of_distributed_work_what_makes_the_third_branch_fit():
    needs = {"need.distributed": "large", "need.devices": 64}
    assert kept("default", needs) == {"p4d.24xlarge", "p4de.24xlarge", "p5.48xlarge"}


@pytest.mark.parametrize(
    ("name", "labels"),
    [
        ("g4dn.xlarge", ["budget.seed"]),
        ("g6.xlarge", ["budget.also"]),
        ("g5.xlarge", ["budget.also"]),
        ("p5.48xlarge", []),
    ],
)
def test_labels_tell_the_owners_branch_from_what_goes_beyond_it(name, labels):
    found = decide(read_rules(ALL, "default"), {"need.budget_monthly_cny": 4999})
    effects = outcome(found, facts_of(name)).effects
    assert [e.rule for e in effects if e.kind == "label"] == labels


def test_a_volta_card_is_offered_with_a_warning():
    found = decide(read_rules(ALL, "default"), {})
    warnings = {e.rule: e.text for e in outcome(found, facts_of("p3.2xlarge")).effects}
    assert "compute capability below 7.5" in warnings["volta.cuda"]
    assert "CUDA 12" in warnings["volta.cuda"]
    assert "volta.cuda" not in {e.rule for e in outcome(found, facts_of("g4dn.xlarge")).effects}


# -- the compiled path and the traced path must tell the same story ------------------------------


def _values(name):
    fact = FACTS[name]
    if fact.kind == FLAG:
        return st.booleans()
    if fact.kind == NUMBER:
        return st.sampled_from([-1, 0, 0.5, 1, 4, 7.0, 8, 8.9, 24, 49, 64, 140, 4999, 5000])
    if fact.kind == LIST:
        return st.lists(st.sampled_from(fact.values), max_size=2).map(tuple)
    others = {
        "type.device": ["T4", "V100-16GB-SXM", "A10G", "L4", "A100-40GB-SXM", "B300-270GB"],
        "type.family": ["p3", "p4d", "p5", "g5"],
        "type.provider": ["aws", "gcp", "azure"],
        "need.class": ["train-cnn", "llm-batch"],
        "type.spot_interruption": [">20%", "<5%"],
    }
    return st.sampled_from(list(fact.values) or others.get(name, ["x"]))


SOME_FACTS = st.fixed_dictionaries({}, optional={name: _values(name) for name in FACTS})


@pytest.mark.parametrize("policy", ["default", "seed"])
@settings(max_examples=150, deadline=None)
@given(facts=SOME_FACTS)
def test_explain_agrees_with_the_compiled_rules(policy, facts):
    rules = read_rules(ALL, policy)
    traced = explain(rules, facts)
    held = [(t.rule, action.kind) for t in traced for action in t.actions if action.holds]
    filters = [pair for pair in held if pair[1] in (REQUIRE, EXCLUDE)]
    needs = {k: v for k, v in facts.items() if k.startswith("need.")}
    found = decide(rules, needs)
    judged = outcome(found, facts)
    by = judged.removed_by
    assert (None if by is None else (by.rule, by.kind)) == (filters[0] if filters else None)
    marks = {(e.rule, e.kind) for e in (*judged.effects, *found.notes)}
    assert marks == set(held) - set(filters)
    assert set(found.fired) <= {t.rule for t in traced if t.fired}
