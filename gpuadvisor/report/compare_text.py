"""`compare` for people: the verdict in line 1, what all share, then row by row what differs."""

from decimal import Decimal

from gpuadvisor.advice.compare_result import Comparison, ModeSpeed, Row, Verdict
from gpuadvisor.catalog.message import message
from gpuadvisor.cost.money import price_text
from gpuadvisor.report.compare_row import figure, group, multiple, same_facts, work_unit
from gpuadvisor.report.estimate_text import option_name, place_of
from gpuadvisor.report.figures import number, title_of, unit_cost
from gpuadvisor.report.messages import clauses, currency_word, listed, render, word
from gpuadvisor.report.text import Style, pad, plain, printable, wrap

_LABEL = 11


def text(answer: Comparison, columns: int, style: Style = plain) -> str:
    """The whole answer."""
    lines = [style(line, "bold") for line in wrap(printable(headline(answer)), columns)]
    lines += ["", *_header(answer, columns)]
    if answer.verdicts:
        lines.append("")
    for n, verdict in enumerate(answer.verdicts):
        body = flip(verdict)
        lines += _bullet(body if n == 0 else f"{sentence(answer, verdict)} {body}", columns)
    if len(answer.leaders) > 1:
        lines += _bullet(overall(answer), columns)
    for what in dict.fromkeys(row.what for row in answer.rows):
        lines += ["", *group(answer, what, columns, style)]
    same = same_facts(answer)
    if same:
        lines += ["", *wrap(printable(_t("same", facts=listed(same))), columns)]
    if answer.warnings:
        lines.append("")
    for warning in answer.warnings:
        lines += _bullet(render(warning), columns)
    lines += ["", _t("next", command=answer.next)]
    return "\n".join(line.rstrip() for line in lines)


def _t(id: str, /, **params: object) -> str:
    return render(message(f"compare.{id}", **params))


def _bullet(body: str, columns: int) -> list[str]:
    wrapped = wrap(printable(body), columns - 2)
    return [("- " if n == 0 else "  ") + line for n, line in enumerate(wrapped)]


# -- line 1 and header -----------------------------------------------------------------------


def headline(answer: Comparison) -> str:
    """The first verdict; without a workload, what a device-hour costs where it costs least."""
    if answer.verdicts:
        return sentence(answer, answer.verdicts[0])
    whats = list(dict.fromkeys(row.what for row in answer.rows))
    best = {what: _priced(answer, what) for what in whats}
    missing = next((what for what in whats if not best[what]), None)
    if missing is not None:
        return _t("unpriced", what=missing)
    if len(whats) > 1:
        parts = [
            _t(
                "part",
                what=what,
                amount=_each(answer, best[what][0]),
                place=place_of(best[what][0].item),
            )
            for what in whats
        ]
        return _t("several", parts=listed(parts))
    rows = best[whats[0]]
    first = rows[0]
    assert first.line is not None
    told = _t(
        "one",
        what=whats[0],
        place=place_of(first.item),
        amount=_each(answer, first),
        type=first.item.type.name,
        option=option_name(first.line),
    )
    if len(rows) < 2:
        return told
    dearest = max(rows, key=lambda r: r.per_device_hour or Decimal(0))
    return told + _t("spread", place=place_of(dearest.item), amount=_each(answer, dearest))


def _priced(answer: Comparison, what: str) -> list[Row]:
    rows = [r for r in answer.rows if r.what == what and r.per_device_hour is not None]
    return sorted(rows, key=lambda r: r.per_device_hour or Decimal(0))


def _each(answer: Comparison, row: Row) -> str:
    assert row.per_device_hour is not None
    return f"{figure(row.per_device_hour)} {currency_word(answer.currency)}"


def _header(answer: Comparison, columns: int) -> list[str]:
    versions = listed(
        render(message("estimate.version", provider=v.provider, version=v.version, date=v.as_of))
        for v in answer.versions
    )
    rates = [
        render(
            message(
                "estimate.rate_own" if q.date is None else "estimate.rate",
                base=q.base, rate=price_text(q.rate), quote=q.quote, date=q.date,
            )
        )
        for q in answer.quotes
    ]  # fmt: skip
    hours = message("estimate.header_hours", hours=f"{answer.hours:g}", today=answer.today)
    rows = (
        ("workload", workload_line(answer)),
        ("hours", render(hours)),
        ("assumed", clauses(render(text) for text in answer.assumptions)),
        ("prices", versions),
        ("exchange", listed(rates)),
    )
    lines: list[str] = []
    for name, body in rows:
        for n, line in enumerate(wrap(printable(body), columns - _LABEL)):
            lines.append(pad(_t(f"label_{name}") if n == 0 else "", _LABEL) + line)
    return lines


def workload_line(answer: Comparison) -> str:
    """The workload with its mode and where its speed is from."""
    if answer.workload is None:
        return ""
    profile = answer.workload
    mode = answer.modes[0]
    told = _t("workload", name=profile.name, title=title_of(profile), mode=mode)
    reference = profile.modes[mode].reference
    if reference is None:
        return told
    return told + _t("reference", device=reference.device, measured=reference.measured)


# -- verdicts ---------------------------------------------------------------------------------


def sentence(answer: Comparison, v: Verdict) -> str:
    """`unbatched: 4xT4 on single machines does a page for less than 1xA100, by …`."""
    names = [_packed(what, how) for what, how in zip(v.whats, v.packing, strict=True)]
    factor = v.ratio.expected
    first_leans = factor >= 1
    low, high = v.ratio.low, v.ratio.high
    if not first_leans:
        factor, low, high = 1 / factor, 1 / high, 1 / low
    shown: dict[str, object] = {
        "mode": v.mode,
        "unit": _unit(answer, v),
        "factor": ratio_text(factor),
        "low": ratio_text(low),
        "high": ratio_text(high),
        "confidence": f"{min(v.confidence, 0.99):.0%}",
        "votes": listed(
            _t("vote", provider=vote.provider, ratio=_lean(vote.ratio.expected, first_leans))
            for vote in v.votes
        ),
    }
    winner, loser = names if first_leans else names[::-1]
    name = "parity"
    if v.leader is not None:
        name = "wins_for_sure" if v.ratio.low == v.ratio.high else "wins"
    return _t(name, winner=winner, loser=loser, **shown)


def _lean(ratio: float, first: bool) -> str:
    return ratio_text(ratio if first else 1 / ratio)


def ratio_text(value: float) -> str:
    """A factor of cost: two decimals below ten."""
    return f"{value:.2f}" if value < 10 else f"{value:,.0f}"


def _packed(what: str, packing: str) -> str:
    return _t(f"packing_{packing}", what=what)


def _unit(answer: Comparison, v: Verdict) -> str:
    assert answer.workload is not None
    speed = _of(v.votes[0].first, v.mode).speed
    if speed is not None and speed.relative_to is not None:
        return _t("relative_unit", device=speed.relative_to)
    return word(answer.workload.unit)


def flip(v: Verdict) -> str:
    """The condition that turns the order round: how much work one device must do for its price."""
    first, second = v.votes[0].first, v.votes[0].second
    packed, gains = "", []
    for row in (first, second):
        speed = _of(row, v.mode).speed
        gains.append(1.0 if speed is None else speed.packing_gain)
    solo = number(v.speed_ratio.expected * gains[0] / gains[1])
    for row in (first, second):
        speed = _of(row, v.mode).speed
        if speed is not None and speed.streams > 1:
            packed += _t("packed", streams=speed.streams, device=row.device.name, solo=solo)
    return _t(
        "flip" if v.ratio.expected >= 1 else "flip_below",
        first=_family(v, 0),
        second=_family(v, 1),
        needed=number(v.price_ratio),
        has=number(v.speed_ratio.expected),
        low=number(v.speed_ratio.low),
        high=number(v.speed_ratio.high),
        packed=packed,
    )


def overall(answer: Comparison) -> str:
    """The best of each WHAT wherever it is sold, in the first mode."""
    factor, words = multiple(answer, answer.modes[0])
    parts = []
    for row in answer.leaders:
        s = row.speeds[0]
        assert s.per_unit is not None
        parts.append(
            _t(
                "overall_part", what=row.what, cost=unit_cost(s.per_unit.expected, factor),
                currency=answer.currency, unit=words + work_unit(answer, s, factor),
                type=row.item.type.name, place=place_of(row.item),
            )
        )  # fmt: skip
    return _t("overall", mode=answer.modes[0], parts=listed(parts))


def _family(v: Verdict, side: int) -> str:
    """The device's name where all votes are on one, else its family."""
    rows = [(vote.first, vote.second)[side] for vote in v.votes]
    names = {row.device.name for row in rows}
    return names.pop() if len(names) == 1 else rows[0].device.family


def _of(row: Row, mode: str) -> ModeSpeed:
    return next(s for s in row.speeds if s.mode == mode)
