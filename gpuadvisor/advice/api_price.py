"""Renting against an API: the monthly tokens at which both cost the same."""

from __future__ import annotations

from collections.abc import Sequence

from gpuadvisor.advice.drafts import Context
from gpuadvisor.advice.result import Option
from gpuadvisor.catalog.message import Message, message

MILLION = 1e6


def api_break_even(context: Context, options: Sequence[Option]) -> tuple[Message, ...]:
    """One line about the first option, where the user gave an API's price.

    A request costs its tokens in and out at the API's prices; renting costs the month, used or
    not. The rent cannot win beyond what the instances can serve within the targets.
    """
    served, price = context.needs.llm, context.request.api_price
    if served is None or price is None or not options or options[0].speed is None:
        return ()
    first = options[0]
    request = (served.tokens_in * price[0] + served.tokens_out * price[1]) / MILLION
    requests = float(first.monthly.expected) / request
    assert first.speed is not None
    capacity = first.speed.rate.expected * context.needs.hours * 3600 / served.tokens_out
    even = requests * served.tokens_out / MILLION
    return (
        message(
            "advice.api_break_even" if requests <= capacity else "advice.api_never",
            type=f"{first.instances} x {first.type.name}",
            price=f"{price[0]:g}/{price[1]:g} {context.request.currency}",
            tokens=f"{even:,.0f}",
            share=f"{requests / capacity:.0%}",
            most=f"{capacity * served.tokens_out / MILLION:,.0f}",
        ),
    )
