"""A quote as a page: the choices side by side, firm lines that a sheet recalculates, charts."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal

from gpuadvisor.advice.quote_result import Proposal, Quote
from gpuadvisor.report import quote_words as say
from gpuadvisor.report.messages import render, spoken
from gpuadvisor.report.page import (
    Block,
    Card,
    Cards,
    CatalogVersion,
    Fact,
    Input,
    Items,
    Money,
    Number,
    Page,
    Paragraph,
    Percent,
    Section,
    Source,
    Text,
)
from gpuadvisor.report.quote_charts import cost_charts, demand_chart
from gpuadvisor.report.quote_choices import price_table, term_table
from gpuadvisor.report.quote_tables import (
    DISCOUNT,
    HOURS,
    TAX,
    bindings,
    follows_hours,
    line_table,
    shown_ways,
    way_table,
)


def page(quote: Quote) -> Page:
    """Lay the customer's quote out; nothing but the customer's figures goes in."""
    sections = [_one(quote)] if len(quote.proposals) == 1 else list(_several(quote))
    if quote.demand is not None:
        blocks = (Paragraph(say.demand(quote)), demand_chart(quote.demand))
        sections.append(Section("demand", say.words("section_demand"), blocks))
    charts = tuple(cost_charts(quote))
    if charts:
        sections.append(Section("charts", say.words("section_charts"), charts))
    return Page(
        title=say.title(quote),
        lead=say.lead(quote),
        today=quote.today,
        sections=tuple(sections),
        facts=tuple(Fact(label, Text(text)) for label, text in say.facts(quote)),
        assumptions=tuple(render(text) for text in quote.assumptions),
        sources=tuple(
            Source(c.name, c.source.title, c.source.address, c.source.date, c.source.confidence)
            for c in quote.cited
        ),
        catalogs=tuple(CatalogVersion(v.provider, v.version, v.as_of) for v in quote.versions),
        inputs=tuple(_inputs(quote)),
        language="zh-Hans" if spoken() == "zh" else "en",
    )


def _inputs(quote: Quote) -> Iterable[Input]:
    if any(follows_hours(quote, line) for p in quote.proposals for line in p.lines):
        yield Input(HOURS, say.words("input_hours"), Number(quote.hours, "h"))
    yield Input(DISCOUNT, say.words("input_discount"), Percent(Decimal(0), decimals=1))
    if quote.tax is not None:
        yield Input(TAX, say.words("input_tax"), Percent(quote.tax, decimals=2))


def _one(quote: Quote) -> Section:
    """Machines as named, or the one choice there is."""
    proposal = quote.proposals[0]
    blocks: list[Block] = []
    if not say.is_asked(quote):
        blocks.append(Items(tuple(_reasons(proposal))))
        blocks += [Paragraph(render(note)) for note in quote.left_out]
    blocks.append(line_table(quote, proposal))
    shown = shown_ways(quote, proposal)
    if any(len(ways) > 1 for _, ways in shown):
        blocks.append(way_table(quote, proposal))
        blocks += [Paragraph(text, "note") for text in bindings(shown)]
    blocks += [Paragraph(say.spot_note(quote, spot), "note") for spot in proposal.spot]
    heading = say.words("section_lines", name=say.names(proposal))
    return Section("prices", heading, tuple(blocks))


def _several(quote: Quote) -> Iterable[Section]:
    cards = Cards(tuple(_card(quote, n, p) for n, p in enumerate(quote.proposals)))
    notes = [Paragraph(render(note)) for note in quote.left_out]
    yield Section("choices", say.words("section_choices"), (cards, *notes))
    blocks: list[Block] = [price_table(quote)]
    for proposal in quote.proposals:
        said = [render(note) for line in proposal.lines for note in line.notes]
        blocks += [Paragraph(say.named(say.names(proposal), text), "note") for text in said]
    shown = [pair for p in quote.proposals for pair in shown_ways(quote, p)]
    if any(len(ways) > 1 for _, ways in shown):
        blocks.append(term_table(quote))
        blocks += [Paragraph(text, "note") for text in bindings(shown)]
    yield Section("prices", say.words("section_prices"), tuple(blocks))


def _card(quote: Quote, n: int, proposal: Proposal) -> Card:
    line = proposal.lines[0]
    return Card(
        say.names(proposal),
        say.machine(line.machine, line.instances),
        Money(proposal.total.total, quote.currency),
        f"{say.per(quote)}{say.taxed(quote)}",
        (say.place(line.machine), say.terms(line.way), *_reasons(proposal)),
        marked=n == 0,
    )


def _reasons(proposal: Proposal) -> Iterable[str]:
    yield from dict.fromkeys(render(each) for each in proposal.why)
    if proposal.work is not None:
        yield from say.does(proposal.work)
