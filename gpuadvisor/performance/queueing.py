"""Waiting: how long requests queue, and how many servers keep the wait short.

Rates are per second and times in seconds, or any other pair of inverse units. A server is
whatever serves one request at a time: a replica, a process, a stream. Textbook formulas
(Erlang 1917; Kleinrock 1975; Allen 1990; Kingman 1961; Halfin and Whitt 1981); the batching
bound is Inoue's (arXiv 1912.06322). Design notes F16 to F23.
"""

from math import erf, exp, inf, isclose, log, pi, sqrt
from typing import NamedTuple

BATCHED_P99_OVER_MEAN = 2.2
"""p99 over mean latency of a dynamic batching server: 1.67 to 2.2 in simulation (design notes
F20), the upper end taken."""

MOST_SERVERS = 1_000_000


def erlang_b(servers: int, load: float) -> float:
    """Probability that a request finds all servers busy and is lost. `load` is in servers."""
    blocked = 1.0
    for k in range(1, servers + 1):
        blocked = load * blocked / (k + load * blocked)
    return blocked


def erlang_c(servers: int, load: float) -> float:
    """Probability that a request has to wait (M/M/c); 1 where the load is not carried."""
    if load >= servers:
        return 1.0
    return _erlang_c(servers, load, erlang_b(servers, load))


def _erlang_c(servers: int, load: float, blocked: float) -> float:
    return blocked / (1.0 - load / servers * (1.0 - blocked))


class Queue(NamedTuple):
    """`servers` of `service_rate` each under Poisson `arrivals`.

    `variation` is (ca2 + cs2) / 2 of the squared coefficients of variation of arrivals and
    service: 1 is M/M/c, 0.5 a fixed service time. Waits scale with it (Allen and Cunneen).
    """

    servers: int
    arrivals: float
    service_rate: float
    variation: float = 1.0

    @property
    def load(self) -> float:
        """Busy servers on average."""
        return self.arrivals / self.service_rate

    @property
    def spare(self) -> float:
        """Rate that is left: servers x service rate - arrivals."""
        return self.servers * self.service_rate - self.arrivals

    def mean_wait(self) -> float:
        """Mean time before service begins; infinite where the load is not carried."""
        if self.spare <= 0:
            return inf
        return self.variation * erlang_c(self.servers, self.load) / self.spare

    def wait_percentile(self, share: float) -> float:
        """The wait that `share` of requests stays within, 0.99 for p99."""
        if self.spare <= 0:
            return inf
        waiting = erlang_c(self.servers, self.load)
        if waiting <= 1.0 - share:
            return 0.0
        return self.variation * log(waiting / (1.0 - share)) / self.spare

    def response_tail(self, time: float) -> float:
        """Probability that waiting and service (exponential) together take longer (M/M/c)."""
        if self.spare <= 0:
            return 1.0
        mu, spare = self.service_rate, self.spare
        waiting = erlang_c(self.servers, self.load)
        if isclose(spare, mu, rel_tol=1e-9):
            return exp(-mu * time) * (1.0 + waiting * mu * time)
        both = (spare * exp(-mu * time) - mu * exp(-spare * time)) / (spare - mu)
        return (1.0 - waiting) * exp(-mu * time) + waiting * both


def kingman(utilisation: float, variation: float, service_time: float) -> float:
    """Mean wait at one server, rho / (1 - rho) x (ca2 + cs2) / 2 x S (Kingman 1961)."""
    if utilisation >= 1.0:
        return inf
    return utilisation / (1.0 - utilisation) * variation * service_time


def servers_for_wait(
    arrivals: float, service_rate: float, wait: float, share: float = 0.99, variation: float = 1.0
) -> int | None:
    """The fewest servers at which `share` of requests wait no longer than `wait`.

    None beyond a million. Erlang's recursion runs on from one number of servers to the next.
    """
    load = arrivals / service_rate
    if load >= MOST_SERVERS:
        return None
    servers = int(load) + 1
    blocked = erlang_b(servers, load)
    while servers <= MOST_SERVERS:
        waiting = _erlang_c(servers, load, blocked)
        spare = servers * service_rate - arrivals
        if waiting <= 1.0 - share or variation * log(waiting / (1.0 - share)) <= wait * spare:
            return servers
        servers += 1
        blocked = load * blocked / (servers + load * blocked)
    return None


def arrivals_within(
    servers: int, service_rate: float, wait: float, share: float = 0.99, variation: float = 1.0
) -> float:
    """The highest rate at which `share` of requests wait no longer than `wait`: the other way
    round than `servers_for_wait`, by bisection, since a wait only grows with arrivals."""
    low, high = 0.0, servers * service_rate
    while high - low > 1e-6 * high:
        middle = (low + high) / 2
        if Queue(servers, middle, service_rate, variation).wait_percentile(share) <= wait:
            low = middle
        else:
            high = middle
    return low


# -- square-root staffing -----------------------------------------------------------------------


def square_root_staffing(load: float, beta: float) -> float:
    """Servers for a load at a quality of service `beta`: a + beta sqrt(a)."""
    return load + beta * sqrt(load)


def staffed_wait_probability(beta: float) -> float:
    """Probability of waiting under square-root staffing of a large load (Halfin and Whitt)."""
    below = 0.5 * (1.0 + erf(beta / sqrt(2.0)))
    density = exp(-beta * beta / 2.0) / sqrt(2.0 * pi)
    return 1.0 / (1.0 + beta * below / density)


# -- dynamic batching ---------------------------------------------------------------------------


class BatchServer(NamedTuple):
    """A server that takes all that wait as one batch: b requests take `per_item` b + `fixed`."""

    per_item: float
    fixed: float

    def mean_latency(self, arrivals: float) -> float:
        """Upper bound of the mean latency; infinite from the rate 1 / per_item on.

        The smaller of Inoue's two bounds; tight within 6 % in simulation.
        """
        alpha, t0 = self.per_item, self.fixed
        x = arrivals * alpha
        if x >= 1.0:
            return inf
        late = 1.0 + 2.0 * arrivals * t0 + (1.0 - arrivals * t0) / (1.0 + x)
        first = (alpha + t0) / (2.0 * (1.0 - x)) * late
        second = 1.5 * t0 / (1.0 - x) + alpha / 2.0 * (x + 2.0) / (1.0 - x * x)
        return min(first, second)

    def p99(self, arrivals: float) -> float:
        """The 99th percentile of latency, 2.2 times the mean."""
        return BATCHED_P99_OVER_MEAN * self.mean_latency(arrivals)

    def rate_within(self, p99: float) -> float:
        """The largest rate that keeps the p99; 0 where not even a lone request does."""
        if self.p99(0.0) > p99:
            return 0.0
        low, high = 0.0, 1.0 / self.per_item
        for _ in range(60):
            middle = (low + high) / 2.0
            low, high = (middle, high) if self.p99(middle) <= p99 else (low, middle)
        return low


# -- warm pools and cold starts -----------------------------------------------------------------


def warm_pool(busy: float, wait_probability: float = 0.01) -> int:
    """Servers that must be warm for so few requests to wait, `busy` of them working on average.

    The headroom is no constant share: 140 % at 5 busy servers, 18 % at 100.
    """
    servers = int(busy) + 1
    blocked = erlang_b(servers, busy)
    while _erlang_c(servers, busy, blocked) > wait_probability:
        servers += 1
        blocked = busy * blocked / (servers + busy * blocked)
    return servers


class ScaleToZero(NamedTuple):
    """Share of time that is billed, and share of requests that find no server."""

    billed: float
    cold: float


def scale_to_zero(arrivals: float, timeout: float, boot: float) -> ScaleToZero:
    """One server that stops after `timeout` idle and takes `boot` (billed) to come back."""
    on = (exp(arrivals * timeout) - 1.0) / arrivals + boot
    late = 1.0 + arrivals * boot
    return ScaleToZero(on / (on + 1.0 / arrivals), late / (late + exp(arrivals * timeout) - 1.0))


def cold_start(weight_bytes: float, bytes_per_second: float, boot: float) -> float:
    """Time until a new server answers: boot, then weights at the slowest link's bandwidth."""
    return boot + weight_bytes / bytes_per_second
