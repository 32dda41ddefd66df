"""Kubernetes manifests (YAML or JSON, also `helm template` and `kustomize build` output).

Workloads are demand: they ask for devices on nodes that something else rents. Node pools that are
declared as objects (Karpenter, eksctl, compute classes) are supply.
"""

from __future__ import annotations

from collections.abc import Iterator

from gpuadvisor.catalog.message import message
from gpuadvisor.iac import interface, karpenter
from gpuadvisor.iac.accelerators import Accelerators
from gpuadvisor.iac.claims import claims_of
from gpuadvisor.iac.demand import Manifest, demands, kinds_of, manifest_of
from gpuadvisor.iac.evaluate import Outcome, Room, keyed, outcomes
from gpuadvisor.iac.fieldmap import FieldMap
from gpuadvisor.iac.interface import Context, Count, Document, Finding, Findings
from gpuadvisor.iac.plain_view import PlainView
from gpuadvisor.iac.pods import Words, block, words
from gpuadvisor.iac.view import whole

KIND = "kubernetes"
_MAX_ITEMS = 64
_SCALERS = ("autoscaling/HorizontalPodAutoscaler", "keda.sh/ScaledObject")


def detect(document: Document) -> bool:
    """Any document with `apiVersion` and `kind`."""
    data = document.data if isinstance(document.data, list) else [document.data]
    return any(
        isinstance(item, dict)
        and isinstance(item.get("apiVersion"), str)
        and isinstance(item.get("kind"), str)
        for item in data
    )


def parse(document: Document, context: Context) -> Findings:
    """Every workload that asks for devices; kinds nobody told us about are named, not dropped."""
    known = words(context.documents)
    kinds = kinds_of(context.documents)
    manifests = list(objects(document))
    scalers, claims = _scalers(manifests), claims_of(manifests)
    overlaid = any(karpenter.changes_capacity(manifest) for manifest in manifests)
    fields = FieldMap(context.documents)
    room = Room(fields, Accelerators(fields, context.is_accelerator), context.region)
    found: list[Finding] = []
    hit = 0
    for manifest in manifests:
        size = len(found)
        for outcome in supply(manifest, room, known):
            if overlaid and outcome.resource.counts.unit == "devices":
                outcome = outcome._replace(reasons=(*outcome.reasons, message("iac.overlay")))
            found.append(_finding(manifest, outcome, document.file, interface.SUPPLY))
        for outcome in demands(manifest, kinds, known, scalers, context.region, claims):
            found.append(_finding(manifest, outcome, document.file, interface.DEMAND))
        hit += len(found) > size
    return Findings(KIND, document.file, tuple(found), (), len(manifests), len(manifests) - hit)


def supply(manifest: Manifest, room: Room, known: Words) -> Iterator[Outcome]:
    """Machines that an object rents: a Karpenter pool, or a kind that the field map describes."""
    documents = room.fields.documents
    if karpenter.is_pool(manifest):
        yield from karpenter.pools(manifest, documents, room.accelerators, known, room.region)
        return
    name = f"{manifest.group}/{manifest.kind}"
    entry = room.fields.resource(name)
    if entry is not None and entry.side == interface.SUPPLY:
        view = PlainView(manifest.address, name, manifest.body)
        for label, outcome in keyed(outcomes(entry.parts, entry.provider, view, room)).items():
            yield outcome._replace(label=label or None)


def _finding(manifest: Manifest, outcome: Outcome, file: str, side: str) -> Finding:
    label = f"#{outcome.label}" if outcome.label else ""
    return Finding(
        address=manifest.address + label,
        file=file,
        line=manifest.line,
        kind=manifest.kind,
        action=interface.DECLARED,
        provider=outcome.resource.provider,
        side=side,
        before=None,
        after=outcome.resource,
        reasons=outcome.reasons,
    )


def objects(document: Document) -> Iterator[Manifest]:
    """The objects of a file; lists are opened."""
    data = document.data if isinstance(document.data, list) else [document.data]
    stack = [(item, 0) for item in reversed(data)]
    while stack:
        item, depth = stack.pop()
        if not isinstance(item, dict) or depth > _MAX_ITEMS:
            continue
        if isinstance(item.get("items"), list) and str(item.get("kind", "")).endswith("List"):
            stack.extend((inner, depth + 1) for inner in reversed(item["items"]))
            continue
        yield manifest_of(item, document.line_of(item))


def _scalers(manifests: list[Manifest]) -> dict[tuple[str, str, str], Count]:
    """Bounds that an autoscaler in the same file sets on its target; KEDA starts at 0."""
    found: dict[tuple[str, str, str], Count] = {}
    for manifest in manifests:
        if f"{manifest.group}/{manifest.kind}" not in _SCALERS:
            continue
        spec = block(manifest.body.get("spec"))
        target = block(spec.get("scaleTargetRef"))
        if manifest.group == "keda.sh":
            low, high = spec.get("minReplicaCount", 0), spec.get("maxReplicaCount", 100)
        else:
            low, high = spec.get("minReplicas", 1), spec.get("maxReplicas")
        kind = str(target.get("kind") or "Deployment")
        key = (manifest.namespace, kind, str(target.get("name") or ""))
        found[key] = Count(whole(low), None, whole(high), "pods")
    return found
