"""Which format a document is. One answer, or an error that names the way out."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable
from typing import Any, cast

from gpuadvisor.catalog.errors import InputError, UsageError
from gpuadvisor.catalog.message import message
from gpuadvisor.iac.interface import Context, Document, Findings, Parser
from gpuadvisor.iac.reading import MAX_BYTES, collection_paused, read_document

PARSERS = {
    "tfplan": "gpuadvisor.iac.terraform",
    "cloudformation": "gpuadvisor.iac.cloudformation",
    "kubernetes": "gpuadvisor.iac.kubernetes",
    "hcl": "gpuadvisor.iac.hcl",
    "pulumi": "gpuadvisor.iac.pulumi",
    "ray": "gpuadvisor.iac.ray_cluster",
    "skypilot": "gpuadvisor.iac.skypilot",
    "dstack": "gpuadvisor.iac.dstack",
    "compose": "gpuadvisor.iac.compose",
}
"""Kind -> module. A module is imported when its kind is tried: a plan needs no YAML."""

_ALIASES = {
    "terraform": "tfplan",
    "tofu": "tfplan",
    "k8s": "kubernetes",
    "cfn": "cloudformation",
    "sky": "skypilot",
}


def read(
    path: str, context: Context, kind: str | None = None, max_bytes: int = MAX_BYTES
) -> Findings:
    """Read one file (`-` is standard input) and parse it as `kind`, or as what it looks like."""
    with collection_paused():
        return parse(read_document(path, max_bytes), context, kind)


def parse(document: Document, context: Context, kind: str | None = None) -> Findings:
    """Parse a document; a forced kind that does not fit is an error, not an empty result."""
    chosen = _named(kind) if kind else kind_of(document)
    parser = _parser(chosen)
    if kind and not parser.detect(document):
        raise InputError(message("iac.wrong_kind", file=document.file, kind=chosen))
    try:
        return parser.parse(document, context)
    except RecursionError:
        raise InputError(message("iac.too_deep_json", file=document.file)) from None


def kind_of(document: Document) -> str:
    """The kind of a document; InputError with a hint where it is none that can be read."""
    if document.format == "hcl":
        return "hcl"
    if _parser("tfplan").detect(document) and not _OTHER_KEYS & document.data.keys():
        # The other parsers need not be imported to know it.
        return "tfplan"
    fits = [kind for kind in PARSERS if _parser(kind).detect(document)]
    if len(fits) == 1:
        return fits[0]
    if fits:
        raise InputError(message("iac.ambiguous", file=document.file, kinds=", ".join(fits)))
    raise InputError(message(_hint(document), file=document.file))


_OTHER_KEYS = frozenset(("Resources", "apiVersion", "steps", "provider", "services"))
"""Keys that only other formats have at the top."""


def _named(kind: str) -> str:
    plain = _ALIASES.get(kind.casefold(), kind.casefold())
    if plain not in PARSERS:
        known = ", ".join(sorted((*PARSERS, *_ALIASES)))
        raise UsageError(message("iac.unknown_format", kind=kind, known=known))
    return plain


def _parser(kind: str) -> Parser:
    return cast(Parser, importlib.import_module(PARSERS[kind]))


def _hint(document: Document) -> str:
    """The likeliest mistake behind a document that is none of the kinds."""
    parts = document.data if isinstance(document.data, list) else [document.data]
    for part in parts:
        if isinstance(part, dict):
            for hint, test in _HINTS:
                if test(part):
                    return hint
    return "iac.unrecognised"


def _has(part: dict[Any, Any], keys: Iterable[str]) -> bool:
    return all(key in part for key in keys)


_HINTS: tuple[tuple[str, Callable[[dict[Any, Any]], bool]], ...] = (
    ("iac.plan_json_lines", lambda p: "@level" in p or _has(p, ("@message",))),
    ("iac.state_file", lambda p: _has(p, ("format_version", "values"))),
    ("iac.state_file", lambda p: _has(p, ("lineage", "serial"))),
    ("iac.plan_without_changes", lambda p: "format_version" in p),
    ("iac.pulumi_program", lambda p: _has(p, ("runtime", "name"))),
    ("iac.parameters_only", lambda p: "ParameterKey" in p),
    ("iac.helm_values", lambda p: _has(p, ("image",)) or "servingEngineSpec" in p),
    ("iac.helm_values", lambda p: "replicaCount" in p or "nodeSelector" in p),
)
