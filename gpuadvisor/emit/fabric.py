"""Network cards for EFA: how many a type has."""

from __future__ import annotations

EFA_CARDS = {
    "dl1.24xlarge": 4, "dl2q.24xlarge": 1, "vt1.24xlarge": 1,
    "g4dn.8xlarge": 1, "g4dn.12xlarge": 1, "g4dn.16xlarge": 1, "g4dn.metal": 1,
    "g5.8xlarge": 1, "g5.12xlarge": 1, "g5.16xlarge": 1, "g5.24xlarge": 1, "g5.48xlarge": 1,
    "g6.8xlarge": 1, "g6.12xlarge": 1, "g6.16xlarge": 1, "g6.24xlarge": 1, "g6.48xlarge": 1,
    "g6e.8xlarge": 1, "g6e.12xlarge": 1, "g6e.16xlarge": 1, "g6e.24xlarge": 2, "g6e.48xlarge": 4,
    "g7.8xlarge": 1, "g7.12xlarge": 1, "g7.24xlarge": 1, "g7.48xlarge": 2,
    "g7e.8xlarge": 1, "g7e.12xlarge": 1, "g7e.24xlarge": 2, "g7e.48xlarge": 4,
    "gr6.8xlarge": 1, "inf1.24xlarge": 1, "p3dn.24xlarge": 1,
    "p4d.24xlarge": 4, "p4de.24xlarge": 4,
    "p5.4xlarge": 1, "p5.48xlarge": 32, "p5e.48xlarge": 32, "p5en.48xlarge": 16,
    "p6-b200.48xlarge": 8, "p6-b300.48xlarge": 16,
    "trn1.32xlarge": 8, "trn1n.32xlarge": 16, "trn2.48xlarge": 16,
}  # fmt: skip
"""`vpc.amazonaws.com/efa` of each type (karpenter-provider-aws, instance-types.md, 2026-08-18)."""

FIRST_WITHOUT = frozenset({"p6-b300.48xlarge"})
"""Types whose first network card carries no EFA; the EFA cards come after it."""
