"""The cheapest way to serve two million pages a month in each part of the world.

Run from the repository's root: python examples/python-api/cheapest_per_region.py
"""

from gpuadvisor import load_catalog, recommend
from gpuadvisor.catalog.errors import AdvisorError
from gpuadvisor.report.messages import render


def main() -> None:
    """Print a line per part of the world."""
    catalog = load_catalog()
    for part in ("us", "eu", "asia", "cn"):
        request = {
            "workload": "ocr",
            "units_per_month": "2e6",
            "region": part,
            "purchase": "on_demand",
            "today": "2026-11-30",
        }
        try:
            answer = recommend(request, catalog)
        except AdvisorError as error:  # a person's mistake, or nothing known there
            print(f"{part:5} {render(error.message)}")
            continue
        if not answer.options:
            print(f"{part:5} nothing serves this")
            continue
        best = answer.options[0]
        where = f"{best.type.provider} {best.offer.region}"
        month = f"{best.monthly.expected:,.2f} {answer.currency}"
        print(f"{part:5} {best.type.name:28} {where:24} {month:>12} a month")


if __name__ == "__main__":
    main()
