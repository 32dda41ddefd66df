"""What a sales engineer asks `quote` for, typed once.

Named types make a quote of `estimate`'s kind; without them the fields are `recommend`'s. Both are
read by the commands' own readers, so that every flag means what it means there.
"""

from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from typing import Any, NamedTuple

from gpuadvisor.advice.curve import Curve
from gpuadvisor.advice.estimate_request import EstimateRequest, estimate_request
from gpuadvisor.advice.request import Request, duration_ms, request_from
from gpuadvisor.catalog.errors import UsageError
from gpuadvisor.catalog.message import message
from gpuadvisor.catalog.model import COMMITMENTS, ON_DEMAND, SPOT

TERMS = ("customer", "title", "prepared_by", "number", "valid", "markup", "tax")
CURVE = ("curve", "per_unit")
FIRM = frozenset({ON_DEMAND, *COMMITMENTS})
"""Purchase options whose price can be promised; spot is a footnote, blocks are bid for."""

DEFAULT_VALID_DAYS = 14
MOST_VALID_DAYS = 366
MOST_MARKUP = Decimal(10)
MOST_CHARACTERS = 200
_DAY_MS = 86_400_000.0
_UNUSED = (
    "objective", "top", "storage", "months", "capital_cost", "min", "max", "warm",
    "cooldown", "boot", "idle",
)  # fmt: skip
"""Fields of the other commands that a quote decides itself, or does not sell."""


class Terms(NamedTuple):
    """What a quote is made out with. `markup` and `tax` are shares; `tax` None is not said."""

    customer: str | None
    title: str | None
    prepared_by: str | None
    number: str | None
    valid_days: int
    markup: Decimal
    tax: Decimal | None


class QuoteRequest(NamedTuple):
    """`asked` is `recommend`'s request, or `estimate`'s where types were named.

    `purchase` are the firm options in the running, none if nothing was said. With a `curve` the
    one unit asked for follows a demand over hours; `per_unit` are the requests an hour that a
    unit serves. `fields` is the request as it was given, to be reproduced.
    """

    terms: Terms
    asked: Request | EstimateRequest
    purchase: tuple[str, ...]
    curve: Curve | None
    per_unit: float | None
    fields: tuple[tuple[str, Any], ...]

    @property
    def base(self) -> Request:
        """The fields that both kinds share."""
        return self.asked.base if isinstance(self.asked, EstimateRequest) else self.asked


def quote_request(fields: Mapping[str, Any]) -> QuoteRequest:
    """Type a mapping of flag names to text or plain values.

    Raises UsageError naming the flag, its value and what is expected; also for fields of the
    kind of quote that this is not, and where spot alone is asked for.
    """
    given = {
        k.replace("-", "_"): v for k, v in fields.items() if v is not None and v not in ((), [])
    }
    if given.get("no_checkpoint") is False:
        del given["no_checkpoint"]
    named = dict(given)
    terms = _terms({key: named.pop(key, None) for key in TERMS})
    for key in _UNUSED:
        if key in named:
            raise UsageError(message("quote.not_here", flag="--" + key.replace("_", "-")))
    what = named.pop("what", None)
    curve, per_unit = named.pop("curve", None), named.pop("per_unit", None)
    if what is None and curve is not None:
        raise UsageError(message("quote.curve_needs_unit"))
    if what is None and "job_hours" in named:
        raise UsageError(message("quote.not_of_workload", flag="--job-hours"))
    if curve is not None and "job_hours" in named:
        raise UsageError(message("quote.curve_says_hours"))
    if curve is None and per_unit is not None:
        raise UsageError(message("quote.per_unit_needs_curve"))
    asked: Request | EstimateRequest = (
        request_from(named) if what is None else estimate_request({**named, "what": what})
    )
    base = asked.base if isinstance(asked, EstimateRequest) else asked
    firm = _firm(base.purchase)
    base = base._replace(purchase=())
    asked = asked._replace(base=base) if isinstance(asked, EstimateRequest) else base
    if isinstance(asked, EstimateRequest) and curve is not None and len(asked.what) != 1:
        raise UsageError(message("quote.curve_of_one"))
    return QuoteRequest(
        terms, asked, firm, _curve(curve), _per_unit(per_unit), tuple(sorted(given.items()))
    )


def _firm(purchase: tuple[str, ...]) -> tuple[str, ...]:
    """The options asked for without spot; UsageError for what cannot be promised."""
    unfirm = [option for option in purchase if option not in FIRM and option != SPOT]
    firm = tuple(option for option in purchase if option in FIRM)
    if unfirm or (purchase and not firm):
        shown = ", ".join(unfirm or purchase)
        known = ", ".join(sorted(FIRM))
        raise UsageError(message("quote.not_firm", options=shown, known=known))
    return firm


def _curve(given: Any) -> Curve | None:
    if given is None or isinstance(given, Curve):
        return given
    from gpuadvisor.advice.curve import read_curve

    return read_curve(str(given))


def _per_unit(given: Any) -> float | None:
    from gpuadvisor.advice.request import read_number

    return None if given is None else read_number("per_unit", given)


# -- the terms -------------------------------------------------------------------------------


def _terms(given: Mapping[str, Any]) -> Terms:
    valid = given["valid"]
    markup, tax = given["markup"], given["tax"]
    return Terms(
        _words("customer", given["customer"]),
        _words("title", given["title"]),
        _words("prepared_by", given["prepared_by"]),
        _words("number", given["number"]),
        DEFAULT_VALID_DAYS if valid is None else _days(valid),
        Decimal(0) if markup is None else _share("markup", str(markup), MOST_MARKUP),
        None if tax is None else _share("tax", str(tax), Decimal(1)),
    )


def _words(name: str, value: Any) -> str | None:
    """One line of printable text: control and direction marks could make it read otherwise."""
    if value is None:
        return None
    text = " ".join(str(value).split(" ")).strip()
    if not text or len(text) > MOST_CHARACTERS or not text.isprintable():
        flag = "--" + name.replace("_", "-")
        shown = "".join(c if c.isprintable() else "?" for c in text[:60])
        raise UsageError(message("quote.bad_words", flag=flag, value=shown, most=MOST_CHARACTERS))
    return text


def _days(value: Any) -> int:
    days = duration_ms("valid", value, "d") / _DAY_MS
    if days != int(days) or not 1 <= days <= MOST_VALID_DAYS:
        raise UsageError(message("quote.bad_valid", value=str(value)[:40], most=MOST_VALID_DAYS))
    return int(days)


def _share(name: str, text: str, most: Decimal) -> Decimal:
    """A share from `12%` or `0.12`, exactly; not below 0, at most `most`."""
    plain = text.strip()
    try:
        share = Decimal(plain.removesuffix("%").strip())
    except InvalidOperation:
        share = Decimal(-1)
    if not share.is_finite():
        share = Decimal(-1)
    if plain.endswith("%"):
        share /= 100
    elif share >= 1:  # 12 for 12 % would be a price thirteen times as high
        share = Decimal(-1)
    if not 0 <= share <= most:
        shown = f"{most * 100:.0f}%"
        raise UsageError(message("quote.bad_share", name=name, value=text[:40], most=shown))
    return share
