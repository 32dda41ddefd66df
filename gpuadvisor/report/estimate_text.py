"""`estimate` for people: the answer in line 1, the bill, then every option side by side."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from gpuadvisor.advice.estimate_result import Estimate, EstimateOption, Item, Spread
from gpuadvisor.catalog.message import message
from gpuadvisor.catalog.model import ON_DEMAND
from gpuadvisor.cost.billing import LONGEST_MONTH_HOURS
from gpuadvisor.cost.money import format_money, format_price, price_text
from gpuadvisor.cost.staleness import FRESH
from gpuadvisor.report.figures import coins
from gpuadvisor.report.messages import aside, clauses, currency_word, listed, render, word
from gpuadvisor.report.messages import note as type_note
from gpuadvisor.report.text import Style, pad, plain, printable, right, width, wrap

DETAILED = 3
"""Bills of more lines than this show no option tables; --format csv has all of them."""

_LABEL = 11
_NAME, _HOUR, _MONTH, _SAVING, _BREAK_EVEN = 34, 12, 14, 8, 10


def text(answer: Estimate, columns: int, style: Style = plain, explain: bool = False) -> str:
    """The whole answer; with `explain` what each input does to the bill of a job."""
    lines = [style(line, "bold") for line in wrap(printable(headline(answer)), columns)]
    if answer.request.job_hours is not None:
        from gpuadvisor.report.job_text import headline as job_headline

        job = job_headline(answer)
        lines += wrap(printable(job), columns) if job else []
    lines += ["", *_header(answer, columns)]
    if len(answer.lines) > 1:
        lines += ["", *_bill(answer, columns)]
    for what in dict.fromkeys(item.what for item in answer.items):
        ways = [item for item in answer.items if item.what == what]
        if len(ways) > 1:
            lines += ["", *_alternatives(answer, what, ways, columns, style)]
    if len(answer.lines) <= DETAILED:
        for item in answer.lines:
            lines += ["", *_options(answer, item, columns, style)]
    if explain and answer.request.job_hours is not None:
        from gpuadvisor.report.job_text import explained

        lines += explained(answer, columns)
    if answer.serving or answer.stored:
        from gpuadvisor.report.serving_text import text as beside

        lines += beside(answer, columns)
    notes = [render(w) for w in answer.warnings]
    if notes:
        lines.append("")
    for note in notes:
        lines += _bullet(note, columns)
    lines += ["", _t("next", command=answer.next)]
    return "\n".join(line.rstrip() for line in lines)


def _t(id: str, /, **params: object) -> str:
    return render(message(f"estimate.{id}", **params))


def _bullet(body: str, columns: int) -> list[str]:
    wrapped = wrap(printable(body), columns - 2)
    return [("- " if n == 0 else "  ") + line for n, line in enumerate(wrapped)]


# -- line 1 and header -----------------------------------------------------------------------


def headline(answer: Estimate) -> str:
    """The answer as one sentence with price and terms."""
    lines = answer.lines
    first = lines[0]
    if answer.total is None:
        missing = next(i for i in lines if i.line is None)
        if len(lines) == 1:
            return _t("answer_unpriced", what=named(missing), place=place_of(missing))
        return _t("answer_unpriced_many", what=missing.what)
    amount = format_money(answer.total.expected, answer.currency)
    period = ""
    if answer.period_total is not None:
        over = format_money(answer.period_total.expected, answer.currency)
        period = _t("over_months", amount=over, months=answer.request.months)
    if len(lines) > 1:
        return _t("answer_many", count=len(lines), amount=amount, period=period)
    assert first.line is not None
    other = not answer.request.base.purchase and first.line.option != ON_DEMAND
    return _t(
        "answer_other" if other else "answer_one",
        what=named(first),
        amount=amount,
        option=option_name(first.line),
        place=place_of(first),
        period=period,
    )


def named(item: Item) -> str:
    """`g5.xlarge`, or `2 x g5.xlarge`."""
    if item.instances == 1:
        return item.type.name
    return _t("instances", count=item.instances, type=item.type.name)


def place_of(item: Item) -> str:
    """Provider and region."""
    return f"{item.type.provider} {item.region}"


def option_name(o: EstimateOption) -> str:
    """`reserved 1y standard`, `on demand`: option, term and class as people say them."""
    words = [_t(f"option_{o.option}"), word(o.term or ""), word(o.cls or "")]
    return " ".join(word for word in words if word)


def _header(answer: Estimate, columns: int) -> list[str]:
    versions = listed(
        _t("version", provider=v.provider, version=v.version, date=v.as_of) for v in answer.versions
    )
    rates = [
        _t("rate_own" if q.date is None else "rate", base=q.base, rate=price_text(q.rate),
           quote=q.quote, date=q.date)
        for q in answer.quotes
    ]  # fmt: skip
    rows = (
        ("hours", _t("header_hours", hours=f"{answer.hours:g}", today=answer.today)),
        ("assumed", clauses(render(text) for text in answer.assumptions)),
        ("prices", versions),
        ("exchange", listed(rates)),
    )
    lines: list[str] = []
    for name, body in rows:
        wrapped = wrap(printable(body), columns - _LABEL)
        for n, line in enumerate(wrapped):
            lines.append(pad(_t(f"label_{name}") if n == 0 else "", _LABEL) + line)
    return lines


# -- the bill and the ways to provide it -----------------------------------------------------


def _bill(answer: Estimate, columns: int) -> list[str]:
    rows = []
    for item in answer.lines:
        line = item.line
        terms = _t("none") if line is None else option_name(line)
        amount = (
            "-"
            if line is None or line.monthly is None
            else coins(line.monthly.expected, answer.currency)
        )
        rows.append((f"{named(item)}, {place_of(item)}, {terms}", amount))
    if answer.total is not None:
        rows.append((_t("total"), coins(answer.total.expected, answer.currency)))
        if answer.total.low != answer.total.high:
            rows.append((_t("total_range"), _range(answer.total, answer.currency)))
    if answer.period_total is not None:
        label = _t("total_period", months=answer.request.months)
        rows.append((label, coins(answer.period_total.expected, answer.currency)))
    return [
        _t("bill", currency=answer.currency),
        *(line for name, amount in rows for line in _dotted(name, amount, columns)),
    ]


def _dotted(name: str, amount: str, columns: int) -> list[str]:
    wrapped = wrap(printable(name), columns - width(amount) - 4, "  ")
    wrapped[-1] = pad(wrapped[-1], columns - width(amount)) + amount
    return wrapped


def _alternatives(
    answer: Estimate, what: str, ways: Sequence[Item], columns: int, style: Style
) -> list[str]:
    more = dict(answer.left_out).get(what, 0)
    shown = len(ways)
    title = _t("alternatives" if more else "alternatives_all", what=what, shown=shown,
               all=shown + more)  # fmt: skip
    lines = [printable(title)]
    for item in ways:
        line = item.line
        amount = _t("none")
        if line is not None and line.monthly is not None:
            amount = (
                f"{coins(line.monthly.expected, answer.currency)} {currency_word(answer.currency)}"
            )
        head = f"{item.place:>2}  {named(item)}, {place_of(item)}"
        terms = "" if line is None else f", {option_name(line)}"
        lines += [style(part, "option") for part in _dotted_at(head + terms, amount, columns)]
        lines += wrap(printable(clauses(shape_parts(answer, item))), columns, "      ")
    return lines


def _dotted_at(name: str, amount: str, columns: int) -> list[str]:
    if width(name) + width(amount) + 2 > columns:
        return [printable(name), right(amount, columns)]
    return [pad(printable(name), columns - width(amount)) + amount]


def shape_parts(answer: Estimate, item: Item) -> list[str]:
    """Devices, the price of one device-hour, and the month on other terms."""
    parts = [device_words(item, item.instances)]
    line = item.line
    if line is not None and line.price_per_hour is not None and item.used:
        each = line.price_per_hour * item.instances / Decimal(repr(item.used))
        parts.append(_t("per_device_hour", amount=f"{each:.3f} {currency_word(answer.currency)}"))
    best: dict[str, Decimal] = {}
    for o in item.options:
        key = o.term or (o.option if o.option != ON_DEMAND else "")
        if o.available and o.monthly is not None and key and o is not line:
            best[key] = min(o.monthly.expected, best.get(key, o.monthly.expected))
    for key in ("spot", "1y", "3y"):
        if key in best:
            parts.append(_t("also", terms=word(key), amount=coins(best[key], answer.currency)))
    told = ("estimate.paid_used", "estimate.scope_gpu_only", "estimate.frozen")
    parts.extend(render(note) for note in item.notes if note.id in told)
    return parts


def device_words(item: Item, instances: int) -> str:
    """`8 x A100-40GB-SXM (nvlink), 40 GiB each`."""
    kind = item.type
    if kind.fraction is not None:
        return _t("item_slice", share=kind.fraction, device=kind.device,
                  memory=f"{kind.memory_gib:g}")  # fmt: skip
    link = "" if kind.interconnect in ("none", "other") else f" ({kind.interconnect})"
    count = kind.devices * instances
    return _t(
        "item_device" if count == 1 else "item_devices",
        count=f"{count:g}", device=kind.device + link, memory=f"{kind.memory_gib:g}",
    )  # fmt: skip


# -- options side by side --------------------------------------------------------------------


def _options(answer: Estimate, item: Item, columns: int, style: Style) -> list[str]:
    parts = [device_words(item, 1)]
    if item.type.vcpus is not None and item.type.host_memory_gib is not None:
        memory = f"{item.type.host_memory_gib:g}"
        parts.append(_t("item_host", vcpus=item.type.vcpus, memory=memory))
    head = _t("item_head", place=place_of(item), what=named(item), shape=listed(parts))
    lines = [style(line, "bold") for line in wrap(printable(head), columns)]
    for note in item.notes:
        lines += wrap(printable(render(note)), columns, "  ")
    if item.type.notes:
        lines += wrap(printable(type_note(item.type.notes)), columns, "  ")
    priced = [(n, o) for n, o in enumerate(item.options) if o.monthly is not None]
    if priced:
        lines.append(_columns_line(answer))
    for n, option in priced:
        counted = n == item.counted
        figures = f"{'> ' if counted else '  '}{_figures(answer, option)}".rstrip()
        lines.append(style(figures, "option") if counted else figures)
        lines += wrap(printable(clauses(remarks(answer, option))), columns, "      ")
    return lines + _unavailable(item, columns)


def _columns_line(answer: Estimate) -> str:
    return (
        " " * (_NAME)
        + right(_t("col_hour", currency=answer.currency), _HOUR)
        + right(_t("col_month", currency=answer.currency), _MONTH)
        + right(_t("col_saving"), _SAVING)
        + right(_t("col_break_even"), _BREAK_EVEN)
    )


def _figures(answer: Estimate, o: EstimateOption) -> str:
    assert o.price_per_hour is not None and o.monthly is not None
    shown = f"{o.price_per_hour:,.6f}".rstrip("0")
    if len(shown.rpartition(".")[2]) < 2:
        shown = f"{o.price_per_hour:,.2f}"
    saving = "" if o.saving is None else f"{o.saving:.0%}"
    name = pad(option_name(o), _NAME - 2)
    gap = max(_HOUR - max(0, width(name) - (_NAME - 2)), 0)
    return (
        name
        + right(shown, gap)
        + right(coins(o.monthly.expected, answer.currency), _MONTH)
        + right(saving, _SAVING)
        + right(_break_even(o), _BREAK_EVEN)
    )


def _break_even(o: EstimateOption) -> str:
    if o.break_even_hours is None:
        return ""
    if o.break_even_hours > LONGEST_MONTH_HOURS:
        return _t("never")
    return _t("break_even", hours=f"{o.break_even_hours:.0f}")


def remarks(answer: Estimate, o: EstimateOption, ranged: bool = True) -> list[str]:
    """Range (where `ranged`), effective price, job, what it binds, source and date; in few
    words."""
    assert o.monthly is not None
    found = []
    if o.why_not is not None:
        found.append(render(o.why_not))
    if ranged and o.monthly.low != o.monthly.high:
        found.append(_range(o.monthly, answer.currency))
    if o.effective_per_hour is not None and o.effective_per_hour != o.price_per_hour:
        name = "effective" if o.term else "average"
        found.append(_t(name, amount=f"{o.effective_per_hour:.4f}"))
    if o.offer is not None and o.offer.currency != answer.currency and not o.own:
        native = format_price(o.offer.price, o.offer.currency)
        found.append(_t("native", amount=native))
    if o.job is not None:
        hours = f"{answer.request.job_hours:g}"
        found.append(_t("job", hours=hours, amount=_range(o.job, answer.currency)))
    if o.spot is not None:
        from gpuadvisor.report.job_text import remarks

        found.extend(remarks(o))
    if o.payment is not None and not (o.binding is not None and o.binding.upfront):
        found.append(_t(f"payment_{o.payment}"))
    found.extend(render(note) for note in o.notes)
    if o.offer is not None:
        found.append(_origin(o))
    return found


def _origin(o: EstimateOption) -> str:
    assert o.offer is not None
    if o.own:
        return _t("your_price")
    offer = o.offer
    name = "seen" if offer.confirmed_on is None else "seen_again"
    confidence = _t(f"confidence_{offer.confidence}")
    shown = _t(name, confidence=confidence, date=offer.as_of, confirmed=offer.confirmed_on)
    return shown if o.age_level == FRESH else shown + aside(_t("stale"))


def _unavailable(item: Item, columns: int) -> list[str]:
    found = unavailable(item)
    lines = [_t("unavailable")] if found else []
    for line in found:
        lines += wrap(printable(line), columns, "  ")
    return lines


def unavailable(item: Item) -> list[str]:
    """Options without a price to be bought at, gathered by their reason."""
    reasons: dict[str, list[str]] = {}
    for o in item.options:
        if o.monthly is not None or o.why_not is None:
            continue
        reason = render(o.why_not)
        if o.published_per_hour is not None:
            reason += aside(_t("published", amount=price_text(o.published_per_hour)))
        reasons.setdefault(reason, []).append(option_name(o))
    return [
        _t("unavailable_line", options=listed(names), reason=reason)
        for reason, names in reasons.items()
    ]


def _range(found: Spread, currency: str) -> str:
    low, high = coins(found.low, currency), coins(found.high, currency)
    return coins(found.expected, currency) if low == high else _t("range", low=low, high=high)
