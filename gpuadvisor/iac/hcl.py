"""Terraform sources (`.tf`) without a plan: literals, defaults of variables, plain locals.

Nothing is run and no module is fetched, so this cannot replace a plan. What it can tell is the
line of a resource, and what is written out in full; everything else stays unknown.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from gpuadvisor.catalog.errors import InputError, Problem, UsageError
from gpuadvisor.catalog.message import message
from gpuadvisor.iac import interface, terraform
from gpuadvisor.iac.accelerators import Accelerators
from gpuadvisor.iac.fieldmap import FieldMap
from gpuadvisor.iac.hcl_values import Source
from gpuadvisor.iac.interface import Candidate, Context, Count, Document, Finding, Findings, Note
from gpuadvisor.iac.interface import Resource as Rented
from gpuadvisor.iac.sources import block_lines
from gpuadvisor.iac.view import clean

KIND = "hcl"
MAX_CHARACTERS = 256 * 1024
"""The parser takes about 50 ms for a kilobyte; a larger source wants a plan."""

_MAX_TEXTS = 10_000


def detect(document: Document) -> bool:
    """A file named `.tf` or `.tofu`; the reader says so."""
    return document.format == "hcl"


def parse(document: Document, context: Context) -> Findings:
    """Every accelerator that the source writes out, with its line, and modules that name one."""
    body = _load(document)
    source = Source(body)
    plan = Document(document.file, "json", source.plan(), lambda _: None)
    findings = terraform.parse(plan, context)
    lines: dict[str, int] = {}
    for address, line in block_lines(document.text):
        lines.setdefault(address, line)
    found = [_placed(f, source, lines) for f in findings.findings]
    modules = list(_modules(source, document, context, lines))
    notes = (Note("", message("iac.hcl_literals")), *findings.notes)
    examined = findings.examined + len(source.modules)
    return Findings(
        KIND,
        document.file,
        (*(f for f in found if f is not None), *modules),
        notes if found or modules else findings.notes,
        examined,
        examined - (findings.examined - findings.skipped) - len(modules),
    )


def _load(document: Document) -> Mapping[str, Any]:
    """The syntax tree; the parser is an extra of its own and is imported only here."""
    if len(document.text) > MAX_CHARACTERS:
        limit = MAX_CHARACTERS // 1024
        raise InputError(message("iac.hcl_too_large", file=document.file, limit_kib=limit))
    try:
        import hcl2
        from lark.exceptions import UnexpectedInput
    except ImportError as error:
        raise UsageError(message("iac.hcl_missing", file=document.file)) from error
    options = hcl2.SerializationOptions(with_comments=False, strip_string_quotes=True)
    try:
        found = hcl2.loads(document.text.rstrip() + "\n", serialization_options=options)
    except UnexpectedInput as error:
        line, column = max(error.line, 0), max(error.column, 0)
        reason = str(error).partition("\n")[0][:120]
        raise _fault(document.file, line, column, reason) from error
    except RecursionError:
        raise
    except Exception as error:
        # The parser's own bugs on odd input are the input's fault as far as people can tell.
        raise _fault(document.file, 0, 0, type(error).__name__) from error
    return found if isinstance(found, dict) else {}


def _fault(file: str, line: int, column: int, reason: str) -> InputError:
    problem = Problem(file, line, column, message("iac.hcl_syntax", reason=clean(reason)))
    return InputError(message("iac.unreadable", file=file), (problem,))


def _placed(finding: Finding, source: Source, lines: Mapping[str, int]) -> Finding | None:
    """The finding with its line, its number of instances, and what was assumed for it."""
    address = finding.address.partition("#")[0]
    times = source.times.get(address, 1)
    after = finding.after
    assert after is not None, "a source has no before"
    reasons = list(finding.reasons)
    if times is None:
        reasons.append(message("iac.hcl_repeated"))
    defaults = source.defaults.get(address)
    if defaults:
        reasons.append(message("iac.hcl_defaults", names=", ".join(sorted(defaults))))
    low, planned, high = (_times(n, times) for n in after.counts[:3])
    counts = Count(low, planned, high, after.counts.unit)
    return finding._replace(
        line=lines.get(address),
        action=interface.DECLARED,
        after=after._replace(counts=counts, confidence="low"),
        reasons=tuple(reasons),
    )


def _times(number: int | None, times: int | None) -> int | None:
    return None if number is None or times is None else number * times


def _modules(
    source: Source, document: Document, context: Context, lines: Mapping[str, int]
) -> Iterator[Finding]:
    """Module calls that name an accelerator type: what they make of it is not in the file."""
    fields = FieldMap(context.documents)
    accelerators = Accelerators(fields, context.is_accelerator)
    providers = [
        entry["provider"]
        for entry in context.documents.values()
        if entry.get("entry") == "provider"
    ]
    for name, arguments in source.modules.items():
        if arguments.get("create") is False or source.number(arguments, name) == 0:
            continue
        found: dict[str, str] = {}
        for text in _texts(arguments):
            for provider in providers:
                if accelerators.verdict(provider, text) == (True, True):
                    found.setdefault(text, provider)
                    break
        if not found:
            continue
        types = list(found)
        provider = found[types[0]]
        rented = Rented(
            provider=provider,
            type=types[0] if len(types) == 1 else None,
            candidates=tuple(Candidate(t) for t in types) if len(types) > 1 else (),
            counts=Count(None, None, None),
            purchase=interface.UNKNOWN_PURCHASE,
            certain=False,
            confidence="low",
        )
        address = f"module.{clean(name)}"
        yield Finding(
            address,
            document.file,
            lines.get(f"module.{name}"),
            "module",
            interface.DECLARED,
            provider,
            interface.SUPPLY,
            None,
            rented,
            (message("iac.hcl_module", types=", ".join(types)),),
        )


def _texts(value: Any) -> Iterator[str]:
    """Every short literal text in the arguments."""
    stack = [value]
    for _ in range(_MAX_TEXTS):
        if not stack:
            return
        item = stack.pop()
        if isinstance(item, str):
            if 0 < len(item) < 100 and "${" not in item:
                yield item
        elif isinstance(item, dict):
            stack.extend(reversed(item.values()))
        elif isinstance(item, list):
            stack.extend(reversed(item))
