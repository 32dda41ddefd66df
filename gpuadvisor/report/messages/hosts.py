"""Texts of `check` for code hosts: what each rule is about, and words of their formats."""

from __future__ import annotations

EN: dict[str, str] = {
    "hosts.ga001": "The GPU cost of a change rises more than the policy allows",
    "hosts.ga002": "The GPU cost of a change rises by a larger share than the policy allows",
    "hosts.ga003": "The GPU cost falls more than the policy expects",
    "hosts.ga004": "The GPU cost crosses the budget",
    "hosts.ga005": "One resource costs more an hour than the policy allows",
    "hosts.ga006": "More devices than the policy allows",
    "hosts.ga007": "An instance type that the policy does not allow",
    "hosts.ga008": "A device that the policy does not allow",
    "hosts.ga009": "A region that the policy does not allow",
    "hosts.ga010": "A purchase option that the policy does not allow",
    "hosts.ga011": "Something that must be spot is not",
    "hosts.ga012": "Something could not be priced",
    "hosts.ga013": "Prices are older than the policy allows",
    "hosts.ga014": "A device that cannot be attached to the machine",
    "hosts.ga015": "A type that is not offered in the region",
    "hosts.ga016": "A type that cannot be bought, or not on these terms",
    "hosts.ga017": "The policy is changed by the same request",
    "hosts.ga018": "An exception from the policy has ended",
    "hosts.ga019": "The input is incomplete",
    "hosts.ga020": "Work that does not fit on the nodes named for it",
    "hosts.other": "A rule of the policy",
    "hosts.at_place": "{place}: {text}",
    "hosts.priced": "{delta} a month",
    "hosts.junit_cost": "cost of {address}",
}
