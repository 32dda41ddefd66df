"""What a refresh did, for people: the summary, what it could not reach, what to do next."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence

from gpuadvisor.catalog.diff import Tally
from gpuadvisor.catalog.message import Message, message
from gpuadvisor.cost.money import price_text
from gpuadvisor.refresh.gather import Gap
from gpuadvisor.refresh.interface import Puzzle
from gpuadvisor.refresh.run import MOVED, Outcome
from gpuadvisor.refresh.shapes import ShapeChange
from gpuadvisor.report.diff_report import markdown as diff_markdown
from gpuadvisor.report.diff_report import movers_table, percent
from gpuadvisor.report.messages import listed, render, template
from gpuadvisor.report.table import markdown_safe
from gpuadvisor.report.text import printable, wrap

SHOWN = 10
"""Lines of a list; the rest is counted."""
LISTED = 50
"""The same in Markdown: a host refuses comments of more than 64 KiB."""


def english(item: Message) -> str:
    """The text of a comment in a file, whatever language the answer is in."""
    return template(item.id).format_map(item.params)


def report(outcome: Outcome, again: Sequence[str], columns: int) -> str:
    """The whole answer about one provider; `again` is the command as it was given."""
    lines = wrap(_headline(outcome), columns)
    if outcome.status != "same":
        lines += wrap(_counted(outcome), columns)
    if outcome.kept:
        lines += wrap(_t("resumed", kept=outcome.kept, tasks=outcome.tasks), columns)
    if outcome.status in ("refused", "dry_run"):
        lines += _doubts(outcome, columns)
    if outcome.status in ("written", "dry_run"):
        lines += _changes(outcome, columns)
    lines += _list("missing", [_missing(gap) for gap in _joined(outcome.missing)], columns)
    lines += _list("puzzles", [_puzzle(p) for p in outcome.puzzles], columns)
    for note in outcome.notes:
        lines += ["", *wrap(printable(render(note)), columns)]
    if outcome.status == "written":
        lines += [
            "",
            *wrap(_t("files", root=outcome.target.root, files=", ".join(outcome.files)), columns),
        ]
    following = _next(outcome, again)
    if following:
        lines += ["", *wrap(following, columns)]
    return "\n".join(lines)


def markdown(outcome: Outcome) -> str:
    """The same for a pull request: what needs a look first, then the difference."""
    parts = [f"## {markdown_safe(_headline(outcome))}"]
    if outcome.status != "same":
        parts.append(markdown_safe(_counted(outcome)))
    looks = _looks(outcome)
    if looks:
        parts += [f"**{_t('look')}**", _bullets(looks)]
    if outcome.diff is not None:
        parts.append(diff_markdown(outcome.diff, SHOWN))
    lists = (
        ("shapes", [_shape(change) for change in outcome.shapes]),
        ("missing", [_missing(gap) for gap in _joined(outcome.missing)]),
        ("puzzles", [_puzzle(puzzle) for puzzle in outcome.puzzles]),
    )
    for id, items in lists:
        if items:
            parts += [f"**{_t(id, count=f'{len(items):,}')}**", _bullets(items[:LISTED])]
            if len(items) > LISTED:
                parts.append(_t("and_more", count=f"{len(items) - LISTED:,}"))
    parts += [markdown_safe(printable(render(note))) for note in outcome.notes]
    return "\n\n".join(parts)


def _looks(outcome: Outcome) -> list[str]:
    """What needed consent, a line each."""
    moved, vanished, thinned, shapes = outcome.doubts
    looks = [
        _t(
            "look_moved",
            type=c.after.instance_type,
            option=c.after.option,
            region=c.after.region,
            before=price_text(c.before.price),
            after=price_text(c.after.price),
            change=percent(c.pct),
        )
        for c in moved[:LISTED]
    ]
    if len(moved) > LISTED:
        looks.append(_t("and_more", count=f"{len(moved) - LISTED:,}"))
    if vanished:
        looks.append(_t("doubt_vanished", count=len(vanished), types=listed(list(vanished))))
    looks += [_thinned(tally) for tally in thinned]
    return looks + [_shape(change) for change in shapes]


def _thinned(tally: Tally) -> str:
    before = tally.changed + tally.same + tally.removed
    return _t("thinned", region=tally.name, option=tally.option, gone=tally.removed, before=before)


def _bullets(items: Sequence[str]) -> str:
    return "\n".join(f"- {markdown_safe(item)}" for item in items)


def _counted(outcome: Outcome) -> str:
    return _t("counts", **{k: f"{v:,}" for k, v in outcome.counts._asdict().items()})


def _t(id: str, /, **params: object) -> str:
    return printable(render(message(f"refresh.{id}", **params)))


def _headline(outcome: Outcome) -> str:
    provider, version = outcome.provider, outcome.version or outcome.previous
    if outcome.status == "same":
        return _t("same", provider=provider, version=version)
    if outcome.status == "refused":
        return _t("refused_head", provider=provider)
    if outcome.status == "dry_run":
        return _t("dry_run", provider=provider, version=version)
    as_of = "" if outcome.diff is None else outcome.diff.after.as_of
    id = "written" if outcome.target.by_itself else "written_apart"
    return _t(id, provider=provider, version=version, as_of=as_of, root=outcome.target.root)


def _doubts(outcome: Outcome, columns: int) -> list[str]:
    """What needs consent, each kind under its own line."""
    lines: list[str] = []
    moved, vanished, thinned, shapes = outcome.doubts
    if moved and outcome.diff is not None:
        lines += ["", _t("doubt_moved", count=f"{len(moved):,}", percent=f"{MOVED:g}")]
        found = outcome.diff._replace(changes=moved)
        lines += movers_table(found, SHOWN, columns, all_options=True)[1:]
    if vanished:
        text = _t("doubt_vanished", count=len(vanished), types=", ".join(vanished))
        lines += ["", *wrap(text, columns)]
    if thinned:
        lines += ["", _t("doubt_thinned", count=len(thinned))]
        lines += _cut([_thinned(tally) for tally in thinned], columns)
    if shapes:
        lines += ["", _t("doubt_shapes", count=len(shapes))]
        lines += _cut([_shape(change) for change in shapes], columns)
    return lines


def _changes(outcome: Outcome, columns: int) -> list[str]:
    """The largest movers, new types, and shapes."""
    lines: list[str] = []
    if outcome.diff is not None and outcome.diff.changes:
        # Spot moves every week: it is shown where nothing else moved.
        shown = movers_table(outcome.diff, SHOWN, columns) or movers_table(
            outcome.diff, SHOWN, columns, all_options=True
        )
        lines += ["", *shown] if shown else []
    if outcome.diff is not None and outcome.diff.added_types:
        text = _t("new_types", types=", ".join(outcome.diff.added_types))
        lines += ["", *wrap(text, columns)]
    gated = set(outcome.doubts.shapes) if outcome.status == "dry_run" else set()
    others = [change for change in outcome.shapes if change not in gated]
    return lines + _list("shapes", [_shape(change) for change in others], columns)


def _shape(change: ShapeChange) -> str:
    after = change.after
    if change.before is None:
        devices = after.fraction or f"{after.devices:g}"
        return _t("shape_new", type=after.name, devices=devices, device=after.device)
    fields = [
        message("refresh.field", name=name, before=old or "-", after=new or "-")
        for name, old, new in change.fields
    ]
    return _t("shape_changed", type=after.name, fields=fields)


def _joined(gaps: Sequence[Gap]) -> list[tuple[str, Message]]:
    """Gaps by region, its parts together where the reason is one."""
    found: dict[tuple[str, str], tuple[list[str], Message]] = {}
    for task, reason in gaps:
        parts, _ = found.setdefault((task.region, repr(reason)), ([], reason))
        parts.append(task.part)
    return [
        (f"{region} {', '.join(parts)}".strip(), reason)
        for (region, _), (parts, reason) in found.items()
    ]


def _missing(gap: tuple[str, Message]) -> str:
    return _t("missing_line", place=gap[0], reason=gap[1])


def _puzzle(puzzle: Puzzle) -> str:
    known = ("device", "family", "region", "sku", "price")
    kind = _t(f"kind_{puzzle.kind}") if puzzle.kind in known else puzzle.kind
    where = f" ({puzzle.where})" if puzzle.where else ""
    detail = f": {puzzle.detail}" if puzzle.detail else ""
    return _t("puzzle", kind=kind, name=puzzle.name, where=where, detail=detail)


def _list(id: str, items: Sequence[str], columns: int) -> list[str]:
    if not items:
        return []
    return ["", _t(id, count=f"{len(items):,}"), *_cut(items, columns)]


def _cut(items: Sequence[str], columns: int) -> list[str]:
    lines = [line for item in items[:SHOWN] for line in wrap(f"  {item}", columns, "    ")]
    if len(items) > SHOWN:
        lines.append("  " + _t("and_more", count=f"{len(items) - SHOWN:,}"))
    return lines


def _next(outcome: Outcome, again: Sequence[str]) -> str:
    if outcome.status == "same":
        return ""
    if outcome.status == "refused":
        return _t("next_accept", command=shlex.join([*again, "--accept"]))
    if outcome.status == "dry_run":
        words = [word for word in again if word != "--dry-run"]
        consent = ["--accept"] if any(outcome.doubts) and "--accept" not in words else []
        return _t("next_diff", command=shlex.join([*words, *consent]))
    command = ["gpuadvisor", "catalog", "diff", f"{outcome.provider}@{outcome.previous}"]
    if not outcome.target.by_itself:
        command += ["--catalog", os.path.relpath(outcome.target.root)]
    return _t("next_diff", command=shlex.join(command))
