"""Dynamic resource allocation: what a pod claims through ResourceClaims and their templates.

A claim that is shared by name is made once, whatever number of pods uses it; one from a template
is made for each pod. Requests of one claim add up, alternatives (`firstAvailable`) do not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from gpuadvisor.catalog.message import Message, message
from gpuadvisor.iac.pods import Ask, Words, block, blocks, opaque
from gpuadvisor.iac.view import clean, text, whole

GROUP = "resource.k8s.io"
Claims = Mapping[tuple[str, str, str], Mapping[str, Any]]
"""(namespace, kind, name) -> the claim's spec."""

_PROFILE = re.compile(r"[\"'](\d{1,2}g\.\d{1,4}gb)[\"']")


def claims_of(manifests: Iterable[Any]) -> dict[tuple[str, str, str], Mapping[str, Any]]:
    """The claims and templates of a file."""
    found: dict[tuple[str, str, str], Mapping[str, Any]] = {}
    for manifest in manifests:
        if manifest.group != GROUP:
            continue
        spec = block(manifest.body.get("spec"))
        if manifest.kind == "ResourceClaimTemplate":
            spec = block(spec.get("spec"))
        if manifest.kind in ("ResourceClaim", "ResourceClaimTemplate"):
            found[manifest.namespace, manifest.kind, manifest.name] = spec
    return found


def claimed(spec: Mapping[str, Any], namespace: str, claims: Claims, known: Words) -> Iterator[Ask]:
    """What the pod claims, one ask for each request. Claims outside the file are named."""
    for claim in blocks(spec.get("resourceClaims") or []):
        template, shared = text(claim.get("resourceClaimTemplateName")), None
        if template is None:
            shared = text(claim.get("resourceClaimName"))
        name = template or shared
        if name is None:
            continue
        kind = "ResourceClaimTemplate" if template else "ResourceClaim"
        found = claims.get((namespace, kind, name))
        if found is None:
            reason = message("iac.claim_elsewhere", name=clean(name))
            yield Ask(f"claim {clean(name)}", None, None, False, (reason,))
            continue
        extra = (message("iac.claim_shared", name=clean(name)),) if shared else ()
        for request in blocks(block(found.get("devices")).get("requests") or []):
            ask = _ask(request, known, extra)
            if ask is not None and ask.per_pod != 0:
                yield ask


def _ask(request: Mapping[str, Any], known: Words, extra: tuple[Message, ...]) -> Ask | None:
    """One request: v1 keeps it under `exactly`, v1beta1 at the top; of several, the first."""
    options = blocks(request.get("firstAvailable") or [])
    exact = request.get("exactly")
    wanted = options[0] if options else exact if isinstance(exact, dict) else request
    class_name = text(wanted.get("deviceClassName"))
    if class_name is None:
        return None
    if opaque(class_name) is not None:
        reason = message("iac.value_placeholder", field="deviceClassName")
        return Ask("deviceClassName", None, None, False, (reason,))
    resource = known.device_classes.get(class_name)
    if resource is None:
        return None
    reasons = list(extra)
    count: int | None = 1
    if wanted.get("allocationMode") == "All":
        count = None
        reasons.append(message("iac.claim_all"))
    elif wanted.get("count") is not None:
        count = whole(wanted["count"])
        if count is None:
            why = opaque(wanted["count"])
            reasons.append(message(why.why if why else "iac.count_unreadable", field="count"))
    if len(options) > 1:
        reasons.append(message("iac.claim_first", count=len(options)))
    partition = None
    if class_name.startswith("mig."):
        partition = _profile(wanted)
        if partition is None:
            reasons.append(message("iac.claim_slice"))
    return Ask(resource, count, partition, False, tuple(reasons))


def _profile(request: Mapping[str, Any]) -> str | None:
    """The MIG profile that a CEL selector compares with, if it names one."""
    for selector in blocks(request.get("selectors") or []):
        expression = text(block(selector.get("cel")).get("expression"))
        found = _PROFILE.search(expression) if expression and len(expression) < 4000 else None
        if found:
            return found.group(1)
    return None
