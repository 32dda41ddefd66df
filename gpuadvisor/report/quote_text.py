"""`quote` on a terminal: the customer's view, as wide as the window."""

from __future__ import annotations

from gpuadvisor.advice.quote_result import Line, Proposal, Quote, Way
from gpuadvisor.cost.money import price_text
from gpuadvisor.report import quote_words as say
from gpuadvisor.report.messages import listed, render
from gpuadvisor.report.text import Style, pad, plain, printable, right, width, wrap

_LABEL = 15
_AMOUNT = 16


def text(quote: Quote, columns: int, style: Style = plain, hint: bool = True) -> str:
    """The whole quote as lines of at most `columns`; `hint` tells the seller what to do next."""
    lines = [style(line, "bold") for line in wrap(printable(say.title(quote)), columns)]
    lines += [*wrap(printable(say.lead(quote)), columns), ""]
    for label, body in say.facts(quote):
        lines += _labelled(label, body, columns)
    for proposal in quote.proposals:
        lines += ["", *_proposal(quote, proposal, columns, style)]
    if quote.demand is not None:
        lines += ["", *wrap(say.demand(quote), columns)]
    notes = [
        *(render(note) for note in quote.left_out),
        *(say.spot_note(quote, spot) for p in quote.proposals for spot in p.spot),
    ]
    if notes:
        lines.append("")
    for note in notes:
        lines += _bullet(note, columns)
    lines.append("")
    for assumed in quote.assumptions:
        lines += _bullet(render(assumed), columns)
    if hint:
        lines += ["", *wrap(say.words("next"), columns)]
    return "\n".join(line.rstrip() for line in lines)


def _labelled(label: str, body: str, columns: int) -> list[str]:
    wrapped = wrap(printable(body), columns - _LABEL)
    return [pad(label if n == 0 else "", _LABEL) + line for n, line in enumerate(wrapped)]


def _bullet(body: str, columns: int) -> list[str]:
    wrapped = wrap(printable(body), columns - 2)
    return [("- " if n == 0 else "  ") + line for n, line in enumerate(wrapped)]


def _proposal(quote: Quote, proposal: Proposal, columns: int, style: Style) -> list[str]:
    heading = say.names(proposal)
    why = say.words("separate").join(dict.fromkeys(render(each) for each in proposal.why))
    lines = [style(line, "option") for line in wrap(say.named(heading, why), columns)]
    for line in proposal.lines:
        lines += _line(quote, line, columns)
    if proposal.work is not None:
        lines += wrap(say.words("separate").join(say.does(proposal.work)), columns, "    ")
    lines += [*_sums(quote, proposal, columns), *_ways(quote, proposal, columns)]
    return lines


def _line(quote: Quote, line: Line, columns: int) -> list[str]:
    name = say.machine(line.machine, line.instances)
    lines = _row(f"{name}, {say.place(line.machine)}", "", columns, "  ")
    way = line.way
    sum_ = f"{price_text(way.unit_price)} x {line.instances.normalize():f} x {way.hours:,.6g} h"
    lines += _row(
        say.named(say.terms(way), sum_), say.plain_money(quote, line.amount), columns, "    "
    )
    notes = say.line_notes(quote, line)
    return [*lines, *(row for note in notes for row in wrap(note, columns, "    "))]


def _sums(quote: Quote, proposal: Proposal, columns: int) -> list[str]:
    found, rows = proposal.total, []
    if found.tax is not None and quote.tax is not None:
        rows.append((say.words("subtotal"), found.subtotal))
        rows.append((say.words("tax", percent=say.percent(quote.tax)), found.tax))
    rows.append((say.words("total", per=say.per(quote)), found.total))
    return [
        line
        for label, amount in rows
        for line in _row(
            label, f"{say.plain_money(quote, amount)} {quote.currency}", columns, "  ", 4
        )
    ]


def _ways(quote: Quote, proposal: Proposal, columns: int) -> list[str]:
    """Of one line every other way of paying it; of several the whole on each option and term."""
    first = proposal.lines[0]
    if len(proposal.lines) == 1:
        others = [way for way in first.ways if way != first.way]
        rows = [(say.terms(way), way.amount, _advantage(way)) for way in others]
    else:
        rows = [
            (say.terms(a), a.total.subtotal, "")
            for a in proposal.alternatives
            if a.total.subtotal != proposal.total.subtotal
        ]
    lines = []
    for name, amount, note in rows:
        label = f"{say.words('or' if quote.tax is None else 'or_untaxed')} {name}"
        lines += _row(label, say.plain_money(quote, amount), columns, "    ", note=note)
    return lines


def _advantage(way: Way) -> str:
    parts = []
    if way.saving is not None:
        parts.append(f"{-way.saving * 100:+.0f} %")
    if way.break_even_hours is not None:
        parts.append(say.words("pays_from", hours=f"{way.break_even_hours:,.0f}"))
    return listed(parts)


def _row(
    label: str, amount: str, columns: int, indent: str, unit: int = 0, note: str = ""
) -> list[str]:
    """A label with its amount at the right end; `unit` columns of it stand beyond the others."""
    room = columns - _AMOUNT - 4
    wrapped = wrap(printable(f"{label}; {note}" if note else label), room, indent)
    if not amount:
        return wrap(printable(label), columns, indent)
    end = columns if unit else columns - 4
    last = wrapped[-1]
    return [*wrapped[:-1], last + right(amount, end - width(last))]
