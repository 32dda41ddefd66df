"""`recommend` as CSV or Markdown: one row an option."""

from __future__ import annotations

from gpuadvisor.advice.result import Recommendation
from gpuadvisor.cost.money import money_text, price_text, significant
from gpuadvisor.report.recommend_json import unit_of
from gpuadvisor.report.recommend_text import headline
from gpuadvisor.report.table import markdown_safe, render_table

HEADERS = (
    "rank", "tie_group", "provider", "region", "instance_type", "instances", "device", "devices",
    "purchase", "price_per_hour", "currency", "monthly_low", "monthly", "monthly_high", "run",
    "rate", "unit", "cost_per_unit", "basis", "price_as_of", "price_source",
)  # fmt: skip
_NUMERIC = (0, 5, 7, 9, 11, 12, 13, 14, 15, 17)


def table(answer: Recommendation, format: str) -> str:
    """CSV for spreadsheets, or a Markdown table under the headline."""
    rows = []
    for o in answer.options:
        speed = o.speed
        rows.append(
            [
                str(o.rank), str(o.tie_group), o.type.provider, o.offer.region, o.type.name,
                str(o.instances), o.device.name, f"{o.type.devices * o.instances:g}",
                o.offer.option, price_text(o.price), answer.currency,
                *(money_text(part, answer.currency) for part in o.monthly),
                "" if o.run is None else money_text(o.run.expected, answer.currency),
                "" if speed is None else f"{speed.rate.expected:.6g}",
                unit_of(answer, speed),
                "" if o.per_unit is None else f"{significant(o.per_unit.expected, 6):f}",
                "" if speed is None else speed.basis,
                o.offer.as_of, o.offer.source,
            ]
        )  # fmt: skip
    body = render_table(format, HEADERS, rows, _NUMERIC)
    return body if format == "csv" else f"{markdown_safe(headline(answer))}\n\n{body}"
