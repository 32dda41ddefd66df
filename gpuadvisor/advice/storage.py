"""Storage and traffic beside machines, in the answer's currency."""

from collections.abc import Sequence
from decimal import Decimal
from typing import NamedTuple

from gpuadvisor.advice.result import MoneyRange
from gpuadvisor.catalog.store import Catalog
from gpuadvisor.cost.exchange import Exchange
from gpuadvisor.cost.storage import StorageBill, Want, storage_bill


class Beside(NamedTuple):
    """The storage bill of a place, and machines and storage together.

    `whole` is None where a price of either is unknown.
    """

    bill: StorageBill
    whole: MoneyRange | None


def priced_storage(
    catalog: Catalog,
    wants: Sequence[Want],
    provider: str,
    region: str,
    exchange: Exchange,
    currency: str,
) -> StorageBill:
    """The catalog's prices, which are in USD, converted."""

    def converted(amount: Decimal | None) -> Decimal | None:
        return None if amount is None else exchange.convert(amount, "USD", currency).value

    bill = storage_bill(catalog.documents("storage"), provider, region, wants)
    return StorageBill(
        tuple(line._replace(monthly=converted(line.monthly)) for line in bill.lines),
        converted(bill.monthly),
        converted(bill.kept),
        converted(bill.all_hot),
    )


def beside(bill: StorageBill, machines: MoneyRange) -> Beside:
    """Machines and storage on one bill."""
    if bill.monthly is None:
        return Beside(bill, None)
    low, expected, high = (part + bill.monthly for part in machines)
    return Beside(bill, MoneyRange(low, expected, high))
