"""CloudFormation and CDK templates, YAML with `!Ref` and its kin or JSON.

A template has no before. Parameters come from the user or their defaults; what depends on
anything else is unknown, and so is the region.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from gpuadvisor.catalog.message import message
from gpuadvisor.iac import interface
from gpuadvisor.iac.accelerators import Accelerators
from gpuadvisor.iac.cfn_values import Template
from gpuadvisor.iac.cfn_view import TemplateView
from gpuadvisor.iac.evaluate import Room, keyed, outcomes
from gpuadvisor.iac.fieldmap import FieldMap
from gpuadvisor.iac.interface import Context, Document, Finding, Findings, Note
from gpuadvisor.iac.view import clean

KIND = "cloudformation"
_MAX_NAME_LINE = 400


def looks_like(text: str) -> bool:
    """Decides whether `!Ref` and its kin mean something, before the YAML is read."""
    return "AWSTemplateFormatVersion" in text or "AWS::" in text


def tagged(tag: str, value: Any) -> Any:
    """`!Ref x` is `{"Ref": x}`, `!GetAtt a.b` is `{"Fn::GetAtt": [a, b]}`, others `Fn::`."""
    if tag in ("Ref", "Condition"):
        return {tag: value}
    if tag == "GetAtt" and isinstance(value, str):
        return {"Fn::GetAtt": value.split(".", 1)}
    return {f"Fn::{tag}": value}


def _body(document: Document) -> Any:
    data = document.data
    return data[0] if isinstance(data, list) and len(data) == 1 else data


def detect(document: Document) -> bool:
    """`Resources` whose types are `AWS::…` (or SAM's), or the format's own version key."""
    body = _body(document)
    if not isinstance(body, dict) or not isinstance(body.get("Resources"), dict):
        return False
    return "AWSTemplateFormatVersion" in body or any(
        isinstance(item, dict) and str(item.get("Type", "")).startswith(("AWS::", "Custom::"))
        for item in body["Resources"].values()
    )


def parse(document: Document, context: Context) -> Findings:
    """Every accelerator resource that the template's conditions let exist."""
    body = _body(document)
    template = Template(body, context.parameters, context.region)
    fields = FieldMap(context.documents)
    room = Room(fields, Accelerators(fields, context.is_accelerator), context.region)
    found: list[Finding] = []
    lent: list[TemplateView] = []
    used: set[str] = set()
    examined = hits = 0
    for name, resource in body["Resources"].items():
        if not isinstance(resource, dict) or not isinstance(resource.get("Type"), str):
            continue
        examined += 1
        exists = template.exists(resource)
        if exists is False:
            continue
        view = TemplateView(template, name)
        entry = fields.resource(resource["Type"])
        if entry is None or entry.side == "parent":
            continue
        if entry.side == "template":
            lent.append(view)
            continue
        if entry.side == "tasks":
            from gpuadvisor.iac import terraform_tasks

            side, labelled = interface.DEMAND, terraform_tasks.demands(view, entry)
        else:
            side = interface.SUPPLY
            labelled = keyed(outcomes(entry.parts, entry.provider, view, room))
        hits += bool(labelled)
        for label, outcome in labelled.items():
            used.update(outcome.borrowed)
            reasons = outcome.reasons
            if exists is None:
                reasons = (message("iac.condition_unknown"), *reasons)
            found.append(
                Finding(
                    address=clean(f"{name}#{label}" if label else name) or "?",
                    file=document.file,
                    line=_line(document, name, resource),
                    kind=clean(resource["Type"]),
                    action=interface.DECLARED,
                    provider=entry.provider,
                    side=side,
                    before=None,
                    after=outcome.resource,
                    reasons=reasons,
                )
            )
    notes = tuple(_alone(lent, used, room))
    return Findings(KIND, document.file, tuple(found), notes, examined, examined - hits)


def _alone(lent: list[TemplateView], used: set[str], room: Room) -> Iterator[Note]:
    for view in lent:
        entry = room.fields.resource(view.kind)
        if entry is None or view.address in used:
            continue
        for outcome in outcomes(entry.parts, entry.provider, view, room):
            if outcome.resource.certain:
                kind = outcome.resource.type or ""
                yield Note(view.address, message("iac.template_alone", type=kind))


def _line(document: Document, name: str, resource: Any) -> int | None:
    """YAML knows its lines; in JSON the first line that opens the resource is looked up."""
    line = document.line_of(resource)
    if line is not None:
        # The mapping starts on the line after its name.
        return max(1, line - 1)
    at = document.text.find(f'"{name}"') if len(name) < _MAX_NAME_LINE else -1
    return document.text.count("\n", 0, at) + 1 if at >= 0 else None
