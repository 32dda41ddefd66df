"""Findings of formats without a before, beside those of an earlier state."""

from __future__ import annotations

from collections.abc import Sequence

from gpuadvisor.iac import interface as iac
from gpuadvisor.iac.interface import Finding, Findings


def compared(documents: Sequence[Findings], bases: Sequence[Findings]) -> list[Finding]:
    """Findings with a before where a base gives one; what only the base has is removed."""
    found = [finding for document in documents for finding in document.findings]
    if not bases:
        return found
    old = {(f.kind, f.address): f for base in bases for f in base.findings if f.after is not None}
    joined: list[Finding] = []
    seen: set[tuple[str, str]] = set()
    for finding in found:
        key = (finding.kind, finding.address)
        if finding.action != iac.DECLARED:
            joined.append(finding)
            continue
        seen.add(key)
        base = old.get(key)
        before = base.after if base else None
        if before is None:
            action = iac.CREATE
        else:
            action = iac.NO_OP if before == finding.after else iac.UPDATE
        joined.append(finding._replace(before=before, action=action))
    for key, base in old.items():
        if key not in seen and base.action == iac.DECLARED:
            joined.append(base._replace(before=base.after, after=None, action=iac.DELETE))
    return joined
