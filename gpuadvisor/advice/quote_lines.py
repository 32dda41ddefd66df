"""From an item of `estimate` to firm lines at the customer's price, with their cost beside.

The markup is put on the unit price of every option alike, which is then rounded; all that follows
is the customer's own arithmetic: unit price x instances x hours.
"""

from collections.abc import Callable, Iterable, Sequence
from decimal import ROUND_HALF_UP, Decimal
from typing import NamedTuple

from gpuadvisor.advice.estimate_result import EstimateOption, Item
from gpuadvisor.advice.purchase import months_of
from gpuadvisor.advice.quote_request import FIRM
from gpuadvisor.advice.quote_result import (
    RUN,
    Alternative,
    CostLine,
    Line,
    Machine,
    Spot,
    Total,
    Way,
)
from gpuadvisor.advice.result import Range
from gpuadvisor.catalog.message import Message, message
from gpuadvisor.catalog.model import COMMITMENTS, ON_DEMAND, SPOT
from gpuadvisor.cost.billing import HOURS_PER_MONTH, paid_hours, paid_run_hours
from gpuadvisor.cost.money import allocate, rounded
from gpuadvisor.cost.staleness import FRESH

UNIT_DECIMALS = 6
"""Of a unit price, as the finest published ones; more where it has few digits otherwise."""

_DIGITS = 4
_SAID = frozenset(
    {
        "estimate.binds_instance_type", "estimate.binds_family", "estimate.binds_money_per_hour",
        "estimate.binds_resources", "estimate.convertible", "estimate.needs_reservation",
        "estimate.upfront", "estimate.unused_lost", "estimate.no_capacity",
    }
)  # fmt: skip
"""Notes on an option that concern the customer; others speak of lists, flags and discounts."""

_OF_MACHINES = frozenset(
    {"estimate.scope_gpu_only", "estimate.paid_used", "estimate.retires", "estimate.retired_note"}
)
"""Notes on a machine that concern the customer; quotas and the like are the seller's."""


class Sold(NamedTuple):
    """What lines are made with: the markup, the coin, a month or a run, and what may be cited.

    `cite` gives the short name of an option's public source, None for what is ours alone.
    """

    markup: Decimal
    currency: str
    per: str
    cite: Callable[[EstimateOption], str | None]


def unit_price(cost: Decimal, markup: Decimal) -> Decimal:
    """The customer's price of an instance-hour, rounded after the markup."""
    price = cost * (1 + markup)
    places = max(UNIT_DECIMALS, _DIGITS - 1 - price.adjusted())
    return price.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)


def usage_hours(hours: Range) -> Range:
    """Hours as they stand on the quote, to a hundredth, never 0."""
    return Range(*(max(round(part, 2), 0.01) for part in hours))


def firm_options(item: Item) -> list[EstimateOption]:
    """The ways to pay for an item whose price can be promised."""
    return [o for o in item.options if o.available and o.option in FIRM and _cost(o) is not None]


def chosen(options: Sequence[EstimateOption], wanted: Sequence[str], hours: float, per: str) -> int:
    """The option a line is on: on demand, else the cheapest; the cheapest of `wanted` if any."""
    usable = [n for n, o in enumerate(options) if o.option in (wanted or (ON_DEMAND,))]
    free = [n for n, o in enumerate(options) if o.option not in COMMITMENTS]
    usable = usable or free or list(range(len(options)))
    return min(usable, key=lambda n: ((_cost(options[n]) or 0) * _paid(options[n], hours, per), n))


def _cost(o: EstimateOption) -> Decimal | None:
    """What an instance-hour costs us: on demand with a sustained use discount averaged in."""
    return o.effective_per_hour if o.option == ON_DEMAND else o.price_per_hour


def _paid(o: EstimateOption, hours: float, per: str) -> Decimal:
    if per == RUN:
        return _exact(paid_run_hours(o.option, o.term, hours))
    return _exact(paid_hours(o.option, hours))


def _exact(value: float) -> Decimal:
    return Decimal(repr(float(value)))


# -- lines -----------------------------------------------------------------------------------


class Priced(NamedTuple):
    """A line before it is rounded against its neighbours, with the option behind its way."""

    line: Line
    exact: Decimal
    option: EstimateOption


def line_of(
    sold: Sold, item: Item, option: EstimateOption, count: Decimal, hours: Range, alone: bool
) -> Priced:
    """A line on `option`; `alone` leaves out the other ways of paying for it."""
    options = firm_options(item)
    usual = next((o for o in options if o.option == ON_DEMAND), None)
    way = _way(sold, option, usual, count, hours.expected)
    exact, low, high = (
        way.unit_price * count * _paid(option, part, sold.per)
        for part in (hours.expected, hours.low, hours.high)
    )
    ways = [_way(sold, o, usual, count, hours.expected) for o in options]
    shown = tuple(w for w in ways if w == way or _worth_showing(sold, w, way))
    coin = sold.currency
    line = Line(
        item.what, machine_of(item), count, way, rounded(exact, coin), rounded(low, coin),
        rounded(high, coin), (way,) if alone else shown, _notes(item.notes, _OF_MACHINES),
    )  # fmt: skip
    return Priced(line, exact, option)


def _worth_showing(sold: Sold, way: Way, chosen_way: Way) -> bool:
    """A run ends long before a term: a commitment for its sake is shown only if it is cheaper."""
    return sold.per != RUN or way.option == ON_DEMAND or way.amount < chosen_way.amount


def _way(
    sold: Sold, o: EstimateOption, usual: EstimateOption | None, count: Decimal, hours: float
) -> Way:
    cost = _cost(o)
    assert cost is not None and o.offer is not None
    price = unit_price(cost, sold.markup)
    paid = _paid(o, hours, sold.per)
    amount = price * count * paid
    saving = break_even = None
    if usual is not None and o.option != ON_DEMAND:
        base = unit_price(_cost(usual) or cost, sold.markup)
        saving = float(1 - amount / (base * count * _paid(usual, hours, sold.per)))
        break_even = HOURS_PER_MONTH * float(price / base)
    source = sold.cite(o)
    dated = None if source is None else o.offer.confirmed_on or o.offer.as_of
    return Way(
        o.option, o.term, o.cls, o.payment, price, float(paid), rounded(amount, sold.currency),
        saving, break_even if o.option in COMMITMENTS else None, source, dated,
        _notes(o.notes, _SAID),
    )  # fmt: skip


def _notes(notes: Iterable[Message], said: frozenset[str]) -> tuple[Message, ...]:
    return tuple(note for note in notes if note.id in said)


def notes_for_seller(item: Item) -> tuple[Message, ...]:
    """What is to be said of a machine to the seller alone: quotas, ends of sale."""
    kept = (note for note in item.notes if note.id not in _OF_MACHINES)
    return tuple(message("quote.remark_note", type=item.type.name, note=note) for note in kept)


def machine_of(item: Item) -> Machine:
    """The machine of an item, as the customer reads it."""
    kind = item.type
    return Machine(
        kind.provider, kind.name, item.region, kind.device, kind.devices, kind.fraction,
        kind.memory_gib, kind.vcpus, kind.host_memory_gib,
    )  # fmt: skip


def spot_of(
    sold: Sold, item: Item, count: Decimal, hours: float, priced_hours: float
) -> Spot | None:
    """The footnote on spot; `priced_hours` are those that the item's month counts.

    It ends at our on-demand price: the list price beside it would tell a negotiated one.
    """
    found = next((o for o in item.options if o.option == SPOT and o.available), None)
    if found is None or found.monthly is None or found.offer is None or sold.cite(found) is None:
        return None
    usual = next((o for o in firm_options(item) if o.option == ON_DEMAND), None)
    ceiling = None if usual is None else _cost(usual)
    each = item.instances * _exact(priced_hours)
    prices = [part / each for part in found.monthly]
    if ceiling is not None:
        prices = [min(price, ceiling) for price in prices]
    low, expected, high = (
        rounded(unit_price(price, sold.markup) * count * _exact(hours), sold.currency)
        for price in prices
    )
    as_of = found.offer.confirmed_on or found.offer.as_of
    return Spot(machine_of(item), count, low, expected, high, as_of)


# -- sums ------------------------------------------------------------------------------------


def settled(
    priced: Sequence[Priced], tax: Decimal | None, currency: str
) -> tuple[tuple[Line, ...], Total]:
    """The lines rounded so that they add up to the rounded exact sum, and that with the tax."""
    amounts, subtotal = allocate([p.exact for p in priced], currency)
    lines = tuple(_rounded(p.line, amount) for p, amount in zip(priced, amounts, strict=True))
    return lines, total_of(subtotal, tax, currency)


def _rounded(line: Line, amount: Decimal) -> Line:
    """A line that nothing moves has one figure, whatever coin the rounding gave it."""
    if line.low == line.amount == line.high:
        return line._replace(amount=amount, low=amount, high=amount)
    return line._replace(amount=amount)


def total_of(subtotal: Decimal, tax: Decimal | None, currency: str) -> Total:
    """The tax is reckoned on the rounded subtotal, as an invoice does."""
    if tax is None:
        return Total(subtotal, None, subtotal)
    due = rounded(subtotal * tax, currency)
    return Total(subtotal, due, subtotal + due)


def alternatives(
    lines: Sequence[Line], tax: Decimal | None, currency: str
) -> tuple[Alternative, ...]:
    """All lines on one option and term, where they are sold so; the cheapest class of each."""
    if all(len(line.ways) == 1 for line in lines):
        return ()
    keys = dict.fromkeys((w.option, w.term) for line in lines for w in line.ways)
    found = []
    for option, term in keys:
        exact, covered = [], 0
        for line in lines:
            ways = [w for w in line.ways if (w.option, w.term) == (option, term)]
            way = min(ways, key=lambda w: w.amount, default=line.way)
            covered += bool(ways)
            exact.append(way.unit_price * line.instances * _exact(way.hours))
        _, subtotal = allocate(exact, currency)
        found.append(Alternative(option, term, covered, total_of(subtotal, tax, currency)))
    return tuple(sorted(found, key=_alternative_order))


def _alternative_order(a: Alternative) -> tuple[bool, int, str, str]:
    return (a.option != ON_DEMAND, months_of(a.term) or 0, a.option, a.term or "")


# -- the seller's side -----------------------------------------------------------------------


def cost_line(proposal: str, priced: Priced, amount: Decimal) -> CostLine:
    """What the line costs us, before markup; an own price has no published one behind it."""
    line, option = priced.line, priced.option
    cost, offer = _cost(option), option.offer
    assert cost is not None and offer is not None
    hours = _exact(line.way.hours)
    return CostLine(
        proposal, line.machine.instance_type, line.machine.region, line.way.option,
        line.way.term, line.instances, line.way.hours, cost, cost * line.instances * hours, amount,
        option.own, offer.price, offer.currency, offer.source, offer.as_of, offer.confirmed_on,
        offer.confidence, option.age_level != FRESH,
    )  # fmt: skip
