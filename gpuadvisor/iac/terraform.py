"""Terraform and OpenTofu plans as JSON (`terraform show -json PLANFILE`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeGuard

from gpuadvisor.catalog.errors import InputError
from gpuadvisor.catalog.message import Message, message
from gpuadvisor.iac import guesses, interface
from gpuadvisor.iac.accelerators import Accelerators
from gpuadvisor.iac.counting import count_of
from gpuadvisor.iac.evaluate import Outcome, Room, keyed, outcomes
from gpuadvisor.iac.fieldmap import FieldMap, ResourceMap
from gpuadvisor.iac.interface import Context, Count, Document, Finding, Findings, Note
from gpuadvisor.iac.terraform_config import mapping, sequence
from gpuadvisor.iac.terraform_view import Change, Plan, PlanView
from gpuadvisor.iac.view import View, clean

KIND = "tfplan"

_ACTIONS = {
    ("no-op",): interface.NO_OP,
    ("create",): interface.CREATE,
    ("update",): interface.UPDATE,
    ("delete",): interface.DELETE,
    ("delete", "create"): interface.REPLACE,
    ("create", "delete"): interface.REPLACE,
    ("forget",): interface.FORGET,
}


def detect(document: Document) -> bool:
    """A plan has `resource_changes` or `planned_values` beside its format version."""
    data = document.data
    return (
        isinstance(data, dict)
        and "format_version" in data
        and ("resource_changes" in data or "planned_values" in data)
    )


def parse(document: Document, context: Context) -> Findings:
    """Every accelerator the plan adds, changes, keeps or removes, and what could not be told."""
    plan = document.data
    _check_version(plan, document.file)
    return _Parser(document, context).findings()


def _check_version(plan: Mapping[str, Any], file: str) -> None:
    """HashiCorp: any minor version is compatible, another major is not; 0.x came before 1.0."""
    version = str(plan.get("format_version"))
    if version.partition(".")[0] not in ("0", "1") or version in ("0.0", "0"):
        raise InputError(message("iac.plan_version", file=file, version=version[:20]))


class _Parser:
    """State of one plan: its index, the templates that were used, the scalers that apply."""

    def __init__(self, document: Document, context: Context) -> None:
        self.document, self.context = document, context
        plan = document.data
        self.changes = [c for c in sequence(plan.get("resource_changes")) if _managed(c)]
        self.plan = Plan(plan, self.changes)
        self.fields = FieldMap(context.documents)
        self.accelerators = Accelerators(self.fields, context.is_accelerator)
        self.room = Room(self.fields, self.accelerators, context.region)
        self.scalers: dict[str, Count] = {}
        self.scheduled: set[str] = set()
        self.templates: list[Change] = []
        self.used: set[str] = set()

    def findings(self) -> Findings:
        work: list[tuple[Change, ResourceMap]] = []
        loose: list[Change] = []
        for change in self.changes:
            entry = self.fields.resource(change["type"])
            if entry is None:
                loose.append(change)
            elif entry.side == "scaler":
                self._scaler(change, entry)
            elif entry.side == "template":
                self.templates.append(change)
            elif entry.side != "parent":
                work.append((change, entry))
        found: list[Finding] = []
        hits = 0
        for change, entry in work:
            size = len(found)
            if entry.side in ("manifest", "tasks"):
                found.extend(self._demand(change, entry))
            elif entry.side == "opaque":
                found.extend(self._opaque(change, entry))
            else:
                found.extend(self._resource(change, entry))
            hits += len(found) > size
        for change in loose:
            size = len(found)
            found.extend(self._generic(change))
            hits += len(found) > size
        found.extend(self._deferred())
        notes = (*self._plan_notes(), *self._template_notes())
        return Findings(
            KIND,
            self.document.file,
            tuple(_placed(found)),
            tuple(notes),
            len(self.changes),
            len(self.changes) - hits,
        )

    def _resource(self, change: Change, entry: ResourceMap) -> Iterator[Finding]:
        action = _action(change)
        before = self._side(change, entry, True) if _has(change, "before") else {}
        if _is_left_behind(change):
            # The old one is let go of but stays, and a new one is made beside it.
            for label, kept in before.items():
                name = f"{label}:forgotten" if label else "forgotten"
                yield self._finding(change, entry.provider, interface.FORGET, name, kept, kept)
            action, before = interface.CREATE, {}
        if (action == interface.NO_OP and before) or action == interface.FORGET:
            after = before
        else:
            after = self._side(change, entry, False) if _has(change, "after") else {}
        for label in dict.fromkeys((*before, *after)):
            old, new = before.get(label), after.get(label)
            yield self._finding(change, entry.provider, action, label, old, new)

    def _side(self, change: Change, entry: ResourceMap, before: bool) -> dict[str, Outcome]:
        view = PlanView(self.plan, change, before)
        scaler = self.scalers.get(view.address)
        return keyed(outcomes(entry.parts, entry.provider, view, self.room, scaler))

    def _finding(
        self,
        change: Change,
        provider: str,
        action: str,
        label: str,
        before: Outcome | None,
        after: Outcome | None,
        side: str = interface.SUPPLY,
    ) -> Finding:
        chosen = after or before
        assert chosen is not None, "called with one side at least"
        for outcome in (before, after):
            self.used.update(outcome.borrowed if outcome else ())
        address = clean(str(change["address"])) or "?"
        reasons = (*_history(change, action), *chosen.reasons)
        if address in self.scheduled:
            reasons = (*reasons, message("iac.scheduled"))
        if before is None and action in (interface.UPDATE, interface.REPLACE):
            reasons = (*reasons, message("iac.no_accelerator_before"))
        if after is None and action in (interface.UPDATE, interface.REPLACE):
            reasons = (*reasons, message("iac.no_accelerator_after"))
        return Finding(
            address=f"{address}#{clean(label)}" if label else address,
            file=self.document.file,
            line=None,
            kind=clean(change["type"]),
            action=action,
            provider=provider,
            side=side,
            before=before.resource if before else None,
            after=after.resource if after else None,
            reasons=_distinct(reasons),
        )

    def _scaler(self, change: Change, entry: ResourceMap) -> None:
        """An autoscaler bounds the group it targets; a schedule only changes it over time."""
        if not _has(change, "after"):
            return
        view = PlanView(self.plan, change)
        fields = entry.parts[0].counts
        for target in self._targets(view, entry):
            if fields.min or fields.max:
                self.scalers[target.address], _ = count_of(fields, view, None, 1)
            else:
                self.scheduled.add(target.address)

    def _targets(self, view: View, entry: ResourceMap) -> Iterator[View]:
        """What a scaler scales; an endpoint stands for the configuration that it runs."""
        for reference in entry.target:
            for target in view.follow(reference):
                behind = self.fields.resource(target.kind)
                if behind is not None and behind.target:
                    yield from self._targets(target, behind)
                else:
                    yield target

    def _demand(self, change: Change, entry: ResourceMap) -> Iterator[Finding]:
        """Kubernetes objects and tasks ask for devices on nodes that something else rents."""
        from gpuadvisor.iac import terraform_kubernetes, terraform_tasks

        action = _action(change)
        sides: list[dict[str, Outcome]] = []
        for name in ("before", "after"):
            view = PlanView(self.plan, change, name == "before")
            if not _has(change, name):
                sides.append({})
            elif entry.side == "tasks":
                sides.append(terraform_tasks.demands(view, entry))
            else:
                sides.append(terraform_kubernetes.demands(view, entry, self.context))
        before, after = sides
        if action == interface.FORGET:
            after = before
        for label in dict.fromkeys((*before, *after)):
            old, new = before.get(label), after.get(label)
            yield self._finding(change, entry.provider, action, label, old, new, interface.DEMAND)

    def _opaque(self, change: Change, entry: ResourceMap) -> Iterator[Finding]:
        """Bodies that are not read (azapi, helm): named where they mention an accelerator."""
        has_after = _has(change, "after")
        view = PlanView(self.plan, change, not has_after)
        outcome = guesses.mentioned(view, entry, self.accelerators)
        if outcome is not None:
            before, after = (None, outcome) if has_after else (outcome, None)
            yield self._finding(change, entry.provider, _action(change), "", before, after)

    def _generic(self, change: Change) -> Iterator[Finding]:
        """A resource type the map does not know, holding the name of a catalog type."""
        action = _action(change)
        sides = [
            guesses.guessed(PlanView(self.plan, change, before), self.fields, self.accelerators)
            for before in (True, False)
        ]
        if action == interface.FORGET:
            sides[1] = sides[0]
        before, after = sides
        chosen = after or before
        if chosen is not None:
            yield self._finding(change, chosen.resource.provider, action, "", before, after)

    def _deferred(self) -> Iterator[Finding]:
        """Changes that Terraform itself put off: their count is not known yet."""
        for item in sequence(self.document.data.get("deferred_changes")):
            change = mapping(item).get("resource_change")
            if not _managed(change):
                continue
            entry = self.fields.resource(change["type"])
            if entry is None or entry.side != "supply":
                continue
            for label, outcome in self._side(change, entry, False).items():
                unknown = outcome.resource._replace(counts=Count(None, None, None))
                outcome = outcome._replace(
                    resource=unknown, reasons=(message("iac.deferred"), *outcome.reasons)
                )
                yield self._finding(
                    change, entry.provider, interface.DEFERRED, label, None, outcome
                )

    def _plan_notes(self) -> Iterator[Note]:
        plan = self.document.data
        if plan.get("errored") is True:
            yield Note("", message("iac.plan_errored"))
        if plan.get("complete") is False:
            yield Note("", message("iac.plan_incomplete"))
        if not isinstance(plan.get("configuration"), dict):
            yield Note("", message("iac.plan_without_configuration"))

    def _template_notes(self) -> Iterator[Note]:
        """A template costs nothing by itself; one that holds accelerators is worth a line."""
        for change in self.changes:
            entry = self.fields.resource(change["type"])
            if entry is not None and entry.side == "opaque" and not entry.documents:
                kind = clean(change["type"])
                yield Note(clean(change["address"]), message("iac.not_read", kind=kind))
        for change in self.templates:
            entry = self.fields.resource(change["type"])
            view = PlanView(self.plan, change)
            if entry is None or view.address in self.used or not _has(change, "after"):
                continue
            for outcome in outcomes(entry.parts, entry.provider, view, self.room):
                held = outcome.resource
                names = (held.type, *(c.type for c in held.candidates), held.device)
                shown = ", ".join(name for name in names if name)
                if held.certain:
                    yield Note(view.address, message("iac.template_alone", type=shown))


def _managed(change: Any) -> TypeGuard[Change]:
    """Managed, not a leftover (`deposed`), and shaped like a change."""
    return (
        isinstance(change, dict)
        and change.get("mode", "managed") == "managed"
        and "deposed" not in change
        and isinstance(change.get("change"), dict)
        and isinstance(change.get("type"), str)
        and isinstance(change.get("address"), str)
    )


def _action(change: Change) -> str:
    actions = change["change"].get("actions")
    key = tuple(str(item) for item in actions) if isinstance(actions, list) else ()
    return _ACTIONS.get(key, interface.UPDATE)


def _is_left_behind(change: Change) -> bool:
    """OpenTofu replaces a resource with `destroy = false` by forgetting it."""
    actions = change["change"].get("actions")
    return isinstance(actions, list) and actions in (["create", "forget"], ["forget", "create"])


def _has(change: Change, side: str) -> bool:
    return isinstance(change["change"].get(side), dict)


def _history(change: Change, action: str) -> Iterator[Message]:
    if action == interface.FORGET:
        yield message("iac.forgotten")
    if isinstance(moved := change.get("previous_address"), str):
        yield message("iac.moved", address=clean(moved))
    if change["change"].get("importing"):
        yield message("iac.imported")


def _distinct(reasons: tuple[Message, ...]) -> tuple[Message, ...]:
    """Each reason once, in order; messages hold mappings and cannot be hashed."""
    kept: list[Message] = []
    for reason in reasons:
        if reason not in kept:
            kept.append(reason)
    return tuple(kept)


def _placed(found: list[Finding]) -> Iterator[Finding]:
    """Give demand the region of the one place where the same plan rents fitting nodes."""
    regions = {
        f.after.region
        for f in found
        if f.side == interface.SUPPLY and f.after is not None and f.after.region
    }
    for finding in found:
        after = finding.after
        if finding.side == interface.DEMAND and after is not None and len(regions) == 1:
            placed = after._replace(region=next(iter(regions)), region_evidence="supply")
            finding = finding._replace(after=placed if after.region is None else after)
        yield finding
