"""The condition tree: operators, unknown facts, traces, and the compiled form against the truth."""

from __future__ import annotations

import operator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuadvisor.rules.conditions import (
    clauses,
    facts_of,
    has_prefix,
    read_condition,
    specialise,
    trace,
)
from gpuadvisor.rules.interface import FAILED, PASSED, UNKNOWN, Branch, Clause, ClauseTrace


def state(document, facts):
    """The state by trace, after checking that the compiled form agrees with it."""
    condition = read_condition(document)
    found = trace(condition, facts).state
    assert holds(condition, facts) is (found == PASSED)
    return found


def holds(condition, facts, positive=True):
    needs = {k: v for k, v in facts.items() if k.startswith("need.")}
    types = {k: v for k, v in facts.items() if k.startswith("type.")}
    compiled = specialise(condition, needs, positive)
    return compiled if isinstance(compiled, bool) else compiled(types)


@pytest.mark.parametrize(
    ("name", "prefix", "expected"),
    [
        ("A100-40GB-SXM", "A100", True),
        ("A100-40GB-SXM", "A100-40GB", True),
        ("A100-40GB-SXM", "A100-40GB-SXM", True),
        ("A100-80GB-PCIe", "A100-40GB", False),
        ("A100-40GB-SXM", "A10", False),
        ("A10G", "A10", False),
        ("T4G", "T4", False),
        ("T4", "T4", True),
        ("A100", "A100-40GB", False),
        ("train-cnn", "train", True),
        ("", "A", False),
    ],
)
def test_prefix_compares_whole_segments(name, prefix, expected):
    assert has_prefix(name, prefix) is expected


@pytest.mark.parametrize(
    ("document", "facts", "expected"),
    [
        ({"f": "need.latency", "op": "eq", "v": "low"}, {"need.latency": "low"}, PASSED),
        ({"f": "need.latency", "op": "eq", "v": "low"}, {}, UNKNOWN),
        ({"f": "need.latency", "op": "eq", "v": "low"}, {"need.latency": None}, UNKNOWN),
        ({"f": "need.nodes", "op": "ne", "v": 1}, {"need.nodes": 2}, PASSED),
        ({"f": "need.nodes", "op": "ne", "v": 1}, {"need.nodes": 1}, FAILED),
        ({"f": "need.budget_monthly_cny", "op": "lt", "v": 5000},
         {"need.budget_monthly_cny": 4999.99}, PASSED),
        ({"f": "need.budget_monthly_cny", "op": "lt", "v": 5000},
         {"need.budget_monthly_cny": 5000}, FAILED),
        ({"f": "need.nodes", "op": "le", "v": 2}, {"need.nodes": 2}, PASSED),
        ({"f": "need.nodes", "op": "gt", "v": 2}, {"need.nodes": 2}, FAILED),
        ({"f": "need.nodes", "op": "ge", "v": 2}, {"need.nodes": 2}, PASSED),
        ({"f": "type.family", "op": "in", "v": ["p4d", "p4de"]}, {"type.family": "p4de"}, PASSED),
        ({"f": "type.family", "op": "in", "v": ["p4d", "p4de"]}, {"type.family": "p4"}, FAILED),
        ({"f": "type.family", "op": "not_in", "v": ["p4d"]}, {"type.family": "p5"}, PASSED),
        ({"f": "type.family", "op": "not_in", "v": ["p4d"]}, {}, UNKNOWN),
        ({"f": "type.device", "op": "prefix", "v": ["T4", "V100"]},
         {"type.device": "V100-32GB-SXM"}, PASSED),
        ({"f": "need.compliance", "op": "in", "v": ["gdpr"]},
         {"need.compliance": ["hipaa", "gdpr"]}, PASSED),
        ({"f": "need.compliance", "op": "in", "v": ["gdpr"]}, {"need.compliance": ()}, FAILED),
        ({"f": "need.compliance", "op": "not_in", "v": ["gdpr"]},
         {"need.compliance": ("hipaa",)}, PASSED),
        ({"f": "type.sliced", "op": "eq", "v": False}, {"type.sliced": False}, PASSED),
        ({"f": "type.quota", "op": "exists", "v": True}, {}, FAILED),
        ({"f": "type.quota", "op": "exists", "v": False}, {}, PASSED),
        ({"f": "need.nodes", "op": "exists", "v": True}, {"need.nodes": 0}, PASSED),
        # A fact against another: the candidate's against the need's, and two of one candidate.
        ({"f": "type.devices", "op": "lt", "fact": "need.devices"},
         {"type.devices": 8, "need.devices": 16}, PASSED),
        ({"f": "type.devices", "op": "lt", "fact": "need.devices"}, {"type.devices": 8}, UNKNOWN),
        ({"f": "need.model_memory_gib", "op": "gt", "fact": "type.memory_gib"},
         {"need.model_memory_gib": 30, "type.memory_gib": 24}, PASSED),
        ({"f": "need.model_memory_gib", "op": "gt", "fact": "type.memory_gib"},
         {"type.memory_gib": 24}, UNKNOWN),
        ({"f": "need.devices", "op": "gt", "fact": "need.nodes"},
         {"need.devices": 8, "need.nodes": 8}, FAILED),
        ({"f": "type.host_memory_gib", "op": "lt", "fact": "type.memory_total_gib"},
         {"type.host_memory_gib": 16, "type.memory_total_gib": 24}, PASSED),
        ({"f": "type.host_memory_gib", "op": "lt", "fact": "type.memory_total_gib"},
         {"type.host_memory_gib": 16}, UNKNOWN),
    ],
)  # fmt: skip
def test_operators(document, facts, expected):
    assert state(document, facts) == expected


KNOWN = {"f": "need.nodes", "op": "eq", "v": 1}
FALSE = {"f": "need.nodes", "op": "eq", "v": 2}
MISSING = {"f": "need.devices", "op": "eq", "v": 1}


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        ({"all": [KNOWN, KNOWN]}, PASSED),
        ({"all": [KNOWN, MISSING]}, UNKNOWN),
        ({"all": [FALSE, MISSING]}, FAILED),
        ({"any": [FALSE, KNOWN]}, PASSED),
        ({"any": [MISSING, KNOWN]}, PASSED),
        ({"any": [FALSE, MISSING]}, UNKNOWN),
        ({"any": [FALSE, FALSE]}, FAILED),
        ({"not": FALSE}, PASSED),
        ({"not": KNOWN}, FAILED),
        ({"not": MISSING}, UNKNOWN),
        ({"not": {"not": MISSING}}, UNKNOWN),
        ({"not": {"all": [FALSE, MISSING]}}, PASSED),
        ({"not": {"f": "need.devices", "op": "exists", "v": True}}, PASSED),
    ],
)
def test_unknown_is_neither_true_nor_false(document, expected):
    assert state(document, {"need.nodes": 1}) == expected


def test_a_trace_says_what_was_wanted_what_it_is_and_by_how_much():
    document = {
        "all": [
            {"f": "need.budget_monthly_cny", "op": "lt", "v": 5000},
            {"any": [
                {"f": "type.vcpus_per_device", "op": "ge", "fact": "need.host_vcpus_per_device"},
                {"not": {"f": "type.device", "op": "prefix", "v": ["T4"]}},
            ]},
            {"f": "type.rdma", "op": "eq", "v": True},
        ]
    }  # fmt: skip
    facts = {
        "need.budget_monthly_cny": 4999,
        "need.host_vcpus_per_device": 8,
        "type.vcpus_per_device": 5.5,
        "type.device": "T4",
    }
    found = trace(read_condition(document), facts)
    assert (found.kind, found.state) == ("all", FAILED)
    assert [part.state for part in found.parts] == [PASSED, FAILED, UNKNOWN]
    budget, cores, device, rdma = clauses(found)
    assert budget == ClauseTrace(
        "clause", PASSED, "need.budget_monthly_cny", "lt", 5000, None, 4999, -1
    )
    assert (cores.wanted, cores.other, cores.gap) == (8, "need.host_vcpus_per_device", -2.5)
    assert (device.state, device.actual, device.wanted, device.gap) == (PASSED, "T4", ("T4",), None)
    assert (rdma.state, rdma.actual, rdma.gap) == (UNKNOWN, None, None)
    assert list(facts_of(read_condition(document))) == [
        "need.budget_monthly_cny",
        "type.vcpus_per_device",
        "need.host_vcpus_per_device",
        "type.device",
        "type.rdma",
    ]


# -- properties: the tree against Python's own operators and Kleene's three values ---------------

NAMES = ("need.nodes", "need.devices", "type.devices", "type.vcpus")
COMPARISONS = {
    "eq": operator.eq, "ne": operator.ne, "lt": operator.lt,
    "le": operator.le, "gt": operator.gt, "ge": operator.ge,
}  # fmt: skip
NUMBERS = st.integers(0, 3)
CLAUSES = st.one_of(
    st.builds(
        Clause, st.sampled_from(NAMES), st.sampled_from(sorted(COMPARISONS)), NUMBERS, st.none()
    ),
    st.builds(
        lambda f, op, other: Clause(f, op, None, other),
        st.sampled_from(NAMES),
        st.sampled_from(sorted(COMPARISONS)),
        st.sampled_from(NAMES),
    ),
)
TREES = st.recursive(
    CLAUSES,
    lambda inner: st.one_of(
        st.builds(Branch, st.sampled_from(("all", "any")), st.lists(inner, min_size=1).map(tuple)),
        inner.map(lambda part: Branch("not", (part,))),
    ),
    max_leaves=12,
)


def truth(condition, facts):
    """Kleene's logic as arithmetic: false 0, unknown 1/2, true 1; all min, any max, not 1 - x."""
    if isinstance(condition, Clause):
        wanted = facts.get(condition.other) if condition.other else condition.wanted
        actual = facts.get(condition.fact)
        if actual is None or wanted is None:
            return 0.5
        return float(COMPARISONS[condition.op](actual, wanted))
    parts = [truth(part, facts) for part in condition.parts]
    return {"all": min, "any": max, "not": lambda p: 1 - p[0]}[condition.kind](parts)


@given(TREES, st.fixed_dictionaries(dict.fromkeys(NAMES, NUMBERS)))
def test_with_all_facts_known_the_tree_is_plain_logic(condition, facts):
    def plain(c):
        if isinstance(c, Clause):
            wanted = facts[c.other] if c.other else c.wanted
            return COMPARISONS[c.op](facts[c.fact], wanted)
        if c.kind == "not":
            return not plain(c.parts[0])
        return (all if c.kind == "all" else any)(plain(part) for part in c.parts)

    expected = plain(condition)
    assert trace(condition, facts).state == (PASSED if expected else FAILED)
    assert holds(condition, facts) is expected
    assert holds(condition, facts, positive=False) is not expected


@given(TREES, st.fixed_dictionaries({name: st.none() | NUMBERS for name in NAMES}))
def test_with_facts_missing_only_the_certain_passes(condition, facts):
    value = truth(condition, facts)
    assert trace(condition, facts).state == {0: FAILED, 0.5: UNKNOWN, 1: PASSED}[value]
    assert holds(condition, facts) is (value == 1)
    assert holds(condition, facts, positive=False) is (value == 0)
