"""How old a price is, and what that does to the answer.

The clock starts at the day a later source last showed the same price, else at the day of
the price itself. File times say nothing. Limits are the design's: markets move in weeks,
list prices in months, commitments are honoured for years.
"""

import datetime
from functools import lru_cache
from typing import NamedTuple

from gpuadvisor.catalog.model import CAPACITY_BLOCK, COMMITMENTS, SPOT

FRESH = "fresh"
WARN = "warn"
WIDEN = "widen"

WIDEN_FACTOR = 0.15
"""Share by which both ends of a stale range move outward (design notes, cost science 7)."""

MARKET_LIMITS = (30, 90)
LIST_LIMITS = (180, 365)
COMMITMENT_LIMITS = (365, 540)


class Staleness(NamedTuple):
    """`widen` is the factor for the low end (1 - x) and high end (1 + x); 0 if not due."""

    age_days: int
    level: str
    widen: float


def limits(option: str, tier: str) -> tuple[int, int]:
    """Days after which to warn, and to widen, for a purchase option at a provider's tier.

    Capacity blocks count as a market: AWS resets their rates each quarter.
    """
    if option in (SPOT, CAPACITY_BLOCK) or tier == "marketplace":
        return MARKET_LIMITS
    if option in COMMITMENTS:
        return COMMITMENT_LIMITS
    return LIST_LIMITS


@lru_cache(maxsize=1024)  # a catalog has few dates and many offers
def staleness(
    option: str, tier: str, as_of: str, confirmed_on: str | None, today: datetime.date
) -> Staleness:
    """Age in days of a price and what it calls for; dates are ISO text.

    A price dated after `today` (an old quote reproduced from a new catalog) has age zero.
    """
    seen = datetime.date.fromisoformat(max(confirmed_on or as_of, as_of))
    age = max((today - seen).days, 0)
    warn_after, widen_after = limits(option, tier)
    if age > widen_after:
        return Staleness(age, WIDEN, WIDEN_FACTOR)
    return Staleness(age, WARN if age > warn_after else FRESH, 0.0)
