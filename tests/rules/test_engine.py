"""Rules applied: groups, filters, annotations, ties, and what is computed once."""

from __future__ import annotations

import pytest

from gpuadvisor.rules.engine import (
    decide,
    explain,
    fill,
    outcome,
    preference,
    read_rules,
    removal,
)
from gpuadvisor.rules.interface import (
    EXCLUDE,
    LABEL,
    PREFER,
    REQUIRE,
    UNKNOWN,
    WARN,
    Effect,
)

CHEAP = {"f": "need.budget_monthly_cny", "op": "lt", "v": 5000}
FAST = {"f": "need.latency", "op": "eq", "v": "low"}
ON_T4 = {"f": "type.device", "op": "prefix", "v": ["T4"]}
ON_A100 = {"f": "type.device", "op": "prefix", "v": ["A100"]}
T4 = {"type.device": "T4", "type.vcpus": 4}
A100 = {"type.device": "A100-80GB-SXM", "type.vcpus": 96}


def rule(when, then, policies=("default",), group=None):
    document = {
        "title": "t", "policies": policies, "when": when, "then": then,
        "why": "w", "source": "s#s", "as_of": "2026-11-30",
    }  # fmt: skip
    return document if group is None else {**document, "group": group}


def decided(documents, needs, policy="default"):
    return decide(read_rules(documents, policy), needs)


def test_only_the_rules_of_the_policy_are_read():
    documents = {
        "a.both": rule(CHEAP, {"warn": "x"}, ("default", "seed")),
        "a.seed": rule(CHEAP, {"warn": "x"}, ("seed",)),
        "a.default": rule(CHEAP, {"warn": "x"}),
    }
    assert [r.id for r in read_rules(documents, "seed")] == ["a.both", "a.seed"]
    assert [r.id for r in read_rules(documents, "default")] == ["a.both", "a.default"]


@pytest.mark.parametrize(
    ("order", "needs", "branch", "kept"),
    [
        (("b1", "b2"), {"need.budget_monthly_cny": 4000, "need.latency": "low"}, "b1", T4),
        (("b2", "b1"), {"need.budget_monthly_cny": 4000, "need.latency": "low"}, "b2", A100),
        (("b1", "b2"), {"need.budget_monthly_cny": 5000, "need.latency": "low"}, "b2", A100),
        (("b1", "b2"), {"need.latency": "low"}, "b2", A100),
    ],
)
def test_in_a_group_the_first_that_fires_wins(order, needs, branch, kept):
    branches = {
        "b1": rule(CHEAP, {"require": ON_T4}, group="tree"),
        "b2": rule(FAST, {"require": ON_A100}, group="tree"),
    }
    found = decided({id: branches[id] for id in order}, needs)
    assert found.fired == (branch,)
    assert found.branches == {"tree": branch}
    assert [t for t in (T4, A100) if removal(found, t) is None] == [kept]


def test_groups_and_ungrouped_rules_do_not_shut_each_other_out():
    found = decided(
        {
            "a.free": rule(CHEAP, {"warn": "x"}),
            "b.tree": rule(CHEAP, {"warn": "x"}, group="tree"),
            "c.other": rule(CHEAP, {"warn": "x"}, group="other"),
            "d.tree": rule(CHEAP, {"warn": "x"}, group="tree"),
        },
        {"need.budget_monthly_cny": 1},
    )
    assert found.fired == ("a.free", "b.tree", "c.other")


def test_when_no_branch_fires_nothing_is_removed():
    documents = {"b1": rule(CHEAP, {"require": ON_T4}, group="tree")}
    found = decided(documents, {"need.budget_monthly_cny": 5000})
    assert (found.fired, found.filters, removal(found, A100)) == ((), (), None)


@pytest.mark.parametrize(
    ("then", "removed"),
    [
        ({"require": {"f": "type.compute_capability", "op": "ge", "v": 8.0}}, [7.5, None]),
        ({"exclude": {"f": "type.compute_capability", "op": "lt", "v": 8.0}}, [7.5]),
        ({"exclude": True}, [8.0, 7.5, None]),
        ({"prefer": {"f": "type.compute_capability", "op": "ge", "v": 8.0}}, []),
        ({"warn": "x"}, []),
    ],
)
def test_require_needs_proof_and_exclude_needs_proof_of_the_contrary(then, removed):
    found = decided({"a.b": rule(CHEAP, then)}, {"need.budget_monthly_cny": 1})
    values = [8.0, 7.5, None]
    assert [v for v in values if removal(found, {"type.compute_capability": v})] == removed


def test_a_filter_conditional_on_the_type_spares_other_types():
    when = {"all": [CHEAP, {"f": "type.software", "op": "eq", "v": "cuda"}]}
    then = {"require": {"f": "type.compute_capability", "op": "ge", "v": 8.0}}
    found = decided({"a.b": rule(when, then)}, {"need.budget_monthly_cny": 1})
    assert found.fired == ()  # it depends on the type, so not on the needs alone
    old = {"type.software": "cuda", "type.compute_capability": 7.5}
    assert removal(found, old) == Effect("a.b", REQUIRE)
    assert removal(found, {"type.software": "rocm"}) is None


def test_a_requirement_against_a_missing_need_is_not_met():
    then = {"require": {"f": "type.vcpus", "op": "ge", "fact": "need.host_vcpus_per_device"}}
    found = decided({"a.b": rule(CHEAP, then)}, {"need.budget_monthly_cny": 1})
    assert removal(found, T4) == Effect("a.b", REQUIRE)


def test_the_first_filter_in_file_order_gives_the_reason():
    documents = {
        "a.one": rule(CHEAP, {"exclude": ON_A100}),
        "a.two": rule(CHEAP, {"require": ON_T4}),
    }
    found = decided(documents, {"need.budget_monthly_cny": 1})
    assert removal(found, A100) == Effect("a.one", EXCLUDE)
    assert outcome(found, A100).removed_by == Effect("a.one", EXCLUDE)
    assert outcome(found, T4).removed_by is None


def test_annotations_about_the_request_stand_apart_from_those_about_a_type():
    documents = {
        "a.note": rule(CHEAP, {"warn": "{need.budget_monthly_cny} CNY is little"}),
        "a.quota": rule(CHEAP, {"warn": "takes {type.vcpus} vCPU, {type.quota}"}),
        "a.type": rule({"all": [CHEAP, ON_T4]}, {"warn": "old"}),
        "a.label": rule(CHEAP, {"prefer": ON_T4, "label": "branch"}),
        "a.silent": rule(FAST, {"warn": "never"}),
    }
    found = decided(documents, {"need.budget_monthly_cny": 4999.5})
    assert found.notes == (Effect("a.note", WARN, "4999.5 CNY is little"),)
    assert outcome(found, T4).effects == (
        Effect("a.quota", WARN, "takes 4 vCPU, ?"),
        Effect("a.type", WARN, "old"),
        Effect("a.label", PREFER),
        Effect("a.label", LABEL, "branch"),
    )
    assert [e.rule for e in outcome(found, A100).effects] == ["a.quota"]


def test_preferences_order_ties_by_the_earlier_rule_first():
    documents = {
        "a.first": rule(CHEAP, {"prefer": ON_A100}),
        "a.second": rule(CHEAP, {"prefer": {"f": "type.vcpus", "op": "le", "v": 8}}),
        "a.third": rule(CHEAP, {"prefer": ON_T4}),
    }
    found = decided(documents, {"need.budget_monthly_cny": 1})
    # T4 satisfies two rules and A100 one, yet the first rule decides: no weights, no counting.
    assert preference(found, A100) == (0, 1, 1)
    assert preference(found, T4) == (1, 0, 0)
    assert sorted([T4, A100], key=lambda t: preference(found, t)) == [A100, T4]
    assert outcome(found, T4).preference == (1, 0, 0)


def test_texts_cannot_reach_into_objects():
    facts = {"type.vcpus": 4, "type.memory_gib": 5.59, "type.device": "{type.vcpus}"}
    assert fill("{type.vcpus.__class__} {type.vcpus!r:>99}", facts) == "? ?"
    assert fill("{type.device} {type.memory_gib}", facts) == "{type.vcpus} 5.59"
    assert fill("open { and nothing", facts) == "open ?"


class Counting(dict):
    """Facts that count how often they are looked at."""

    looks = 0

    def get(self, key, default=None):
        self.looks += 1
        return super().get(key, default)


def test_needs_are_looked_at_once_per_request_not_once_per_candidate():
    when = {"all": [CHEAP, ON_A100]}
    documents = {
        f"a.r{i}": rule(when, {"exclude": {"f": "type.vcpus", "op": "gt", "v": i}})
        for i in range(40)
    }
    needs = Counting({"need.budget_monthly_cny": 9000})
    silent = decide(read_rules(documents, "default"), needs)
    types = Counting(A100)
    assert [removal(silent, types) for _ in range(1500)] == [None] * 1500
    assert (needs.looks, types.looks) == (40, 0)

    needs = Counting({"need.budget_monthly_cny": 1})
    firing = decide(read_rules(documents, "default"), needs)
    assert removal(firing, T4) is None
    assert removal(firing, A100) == Effect("a.r0", EXCLUDE)
    assert needs.looks == 40


def test_explain_traces_every_rule_fired_or_not():
    documents = {
        "b1": rule(CHEAP, {"require": ON_T4, "label": "one"}, group="tree"),
        "b2": rule(FAST, {"require": ON_A100}, group="tree"),
        "c.x": rule({"f": "need.nodes", "op": "gt", "v": 1}, {"warn": "x"}),
    }
    rules = read_rules(documents, "default")
    facts = {"need.budget_monthly_cny": 1, "need.latency": "low", **A100}
    one, two, three = explain(rules, facts)
    assert (one.fired, one.shadowed_by) == (True, None)
    assert [(a.kind, a.holds) for a in one.actions] == [(REQUIRE, True), (LABEL, False)]
    assert one.actions[0].trace.actual == "A100-80GB-SXM"
    assert (two.fired, two.shadowed_by) == (False, "b1")
    assert (three.fired, three.when.state) == (False, UNKNOWN)
