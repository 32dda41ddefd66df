"""What `estimate` and `compare` are answered with: catalog, prices, places, usage."""

import datetime
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from gpuadvisor.advice.estimate_request import EstimateRequest
from gpuadvisor.advice.estimate_result import Item
from gpuadvisor.advice.places import Place, places
from gpuadvisor.advice.pricing import Pricing
from gpuadvisor.advice.purchase import Usage
from gpuadvisor.advice.what import What
from gpuadvisor.catalog.store import Catalog
from gpuadvisor.cost.billing import hours_per_month
from gpuadvisor.cost.exchange import Exchange, Quote, parse_rate


class Context(NamedTuple):
    """What one request is answered with."""

    catalog: Catalog
    request: EstimateRequest
    pricing: Pricing
    usage: Usage
    places: Mapping[str, Place]
    today: str


def prepare(catalog: Catalog, request: EstimateRequest, whats: Sequence[What]) -> Context:
    """Resolve rates, regions and usage of a request. Raises UsageError."""
    base = request.base
    day = base.today or datetime.datetime.now(datetime.UTC).date().isoformat()
    today = datetime.date.fromisoformat(day)
    exchange = Exchange(catalog.rates(), today, dict(parse_rate(text) for text in base.fx))
    wanted = _providers(catalog, request, whats)
    # Regions are looked up at every provider, so that one WHAT's region is not another's fault.
    scope = wanted if base.provider else tuple(catalog.providers())
    found = places(catalog, scope, base.tier if base.provider else (), base.region)
    pricing = Pricing(
        exchange,
        base.currency,
        today,
        {p.name: p.tier for p in catalog.providers().values()},
        base.prices,
        dict(base.discounts),
        base.max_age,
    )
    for provider in pricing.discounts:
        catalog.provider(provider)
    hours = hours_per_month(base.hours_per_month, base.hours_per_day)
    usage = Usage(
        hours,
        request.job_hours,
        request.months,
        request.markup,
        request.capital_cost,
        request.job,
    )
    by_name = {p.provider.name: p for p in found if p.provider.name in wanted}
    return Context(catalog, request, pricing, usage, by_name, today.isoformat())


def _providers(
    catalog: Catalog, request: EstimateRequest, whats: Sequence[What]
) -> tuple[str, ...]:
    """Providers to look at: those asked for, else those that the WHATs themselves name."""
    base = request.base
    if base.provider:
        return tuple(catalog.provider(name).name for name in base.provider)
    named = {t.provider for what in whats for t in what.types}
    named |= {what.provider for what in whats if what.provider is not None}
    if any(what.devices and what.provider is None for what in whats):
        open_to_all = places(catalog, (), base.tier, ())
        named |= {place.provider.name for place in open_to_all}
    return tuple(sorted(named))


def billing_rules(catalog: Catalog, provider: str) -> Mapping[str, Any]:
    """The provider's billing rules; empty where none are recorded."""
    try:
        return catalog.document("billing", provider)
    except KeyError:
        return {}


def quotes(context: Context, items: Sequence[Item]) -> tuple[Quote, ...]:
    """Exchange rates that stand behind the shown prices."""
    currency = context.request.base.currency
    natives = {o.offer.currency for i in items for o in i.options if o.offer is not None}
    exchange = context.pricing.exchange
    return tuple(exchange.quote(native, currency) for native in sorted(natives - {currency}))
