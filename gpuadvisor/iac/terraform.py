"""Terraform and OpenTofu plans as JSON (`terraform show -json PLANFILE`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from gpuadvisor.catalog.errors import InputError
from gpuadvisor.catalog.message import message
from gpuadvisor.iac import guesses, interface
from gpuadvisor.iac.accelerators import Accelerators
from gpuadvisor.iac.counting import count_of
from gpuadvisor.iac.evaluate import Outcome, Room, keyed, outcomes
from gpuadvisor.iac.fieldmap import FieldMap, ResourceMap
from gpuadvisor.iac.interface import Context, Count, Document, Finding, Findings, Note
from gpuadvisor.iac.terraform_changes import (
    action_of,
    distinct,
    has_side,
    history,
    is_left_behind,
    managed,
    placed,
)
from gpuadvisor.iac.terraform_config import mapping, sequence
from gpuadvisor.iac.terraform_view import Change, Plan, PlanView
from gpuadvisor.iac.view import View, clean

KIND = "tfplan"


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
        self.changes = [c for c in sequence(plan.get("resource_changes")) if managed(c)]
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
                found.extend(self._pools(change, entry))
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
            tuple(placed(found)),
            tuple(notes),
            len(self.changes),
            len(self.changes) - hits,
        )

    def _resource(self, change: Change, entry: ResourceMap) -> Iterator[Finding]:
        action = action_of(change)
        before = self._side(change, entry, True) if has_side(change, "before") else {}
        if is_left_behind(change):
            # The old one is let go of but stays, and a new one is made beside it.
            for label, kept in before.items():
                name = f"{label}:forgotten" if label else "forgotten"
                yield self._finding(change, entry.provider, interface.FORGET, name, kept, kept)
            action, before = interface.CREATE, {}
        if (action == interface.NO_OP and before) or action == interface.FORGET:
            after = before
        else:
            after = self._side(change, entry, False) if has_side(change, "after") else {}
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
        reasons = (*history(change, action), *chosen.reasons)
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
            reasons=distinct(reasons),
        )

    def _scaler(self, change: Change, entry: ResourceMap) -> None:
        """An autoscaler bounds the group it targets; a schedule only changes it over time."""
        if not has_side(change, "after"):
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

        def read(view: PlanView) -> dict[str, Outcome]:
            if entry.side == "tasks":
                return terraform_tasks.demands(view, entry)
            return terraform_kubernetes.demands(view, entry, self.context)

        yield from self._inside(change, entry, read, interface.DEMAND)

    def _pools(self, change: Change, entry: ResourceMap) -> Iterator[Finding]:
        """Objects that rent nodes themselves, such as a Karpenter pool in `kubectl_manifest`."""
        if not entry.documents or entry.side != "manifest":
            return
        from gpuadvisor.iac import terraform_kubernetes

        def read(view: PlanView) -> dict[str, Outcome]:
            return terraform_kubernetes.supplies(view, entry, self.room)

        yield from self._inside(change, entry, read, interface.SUPPLY)

    def _inside(
        self,
        change: Change,
        entry: ResourceMap,
        read: Callable[[PlanView], dict[str, Outcome]],
        side: str,
    ) -> Iterator[Finding]:
        """Findings of what a resource carries inside, before and after."""
        action = action_of(change)
        before, after = (
            read(PlanView(self.plan, change, name == "before")) if has_side(change, name) else {}
            for name in ("before", "after")
        )
        if action == interface.FORGET:
            after = before
        for label in dict.fromkeys((*before, *after)):
            old, new = before.get(label), after.get(label)
            chosen = new or old
            assert chosen is not None, "a label comes from one side at least"
            provider = chosen.resource.provider if side == interface.SUPPLY else entry.provider
            yield self._finding(change, provider, action, label, old, new, side)

    def _opaque(self, change: Change, entry: ResourceMap) -> Iterator[Finding]:
        """Bodies that are not read (azapi, helm): named where they mention an accelerator."""
        has_after = has_side(change, "after")
        view = PlanView(self.plan, change, not has_after)
        outcome = guesses.mentioned(view, entry, self.accelerators)
        if outcome is not None:
            before, after = (None, outcome) if has_after else (outcome, None)
            yield self._finding(change, entry.provider, action_of(change), "", before, after)

    def _generic(self, change: Change) -> Iterator[Finding]:
        """A resource type the map does not know, holding the name of a catalog type."""
        action = action_of(change)
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
            if not managed(change):
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
            if entry is None or view.address in self.used or not has_side(change, "after"):
                continue
            for outcome in outcomes(entry.parts, entry.provider, view, self.room):
                held = outcome.resource
                names = (held.type, *(c.type for c in held.candidates), held.device)
                shown = ", ".join(name for name in names if name)
                if held.certain:
                    yield Note(view.address, message("iac.template_alone", type=shown))
