"""Delays of a host and a server, given the budget of the domain.

IRLbot (section 6.1) waits 40 seconds per host and 1 second per server for low-ranked domains, and
less the more pages a domain may have, down to a minimum. With `delay = host_delay · lowest / budget`
each host can get through its domain's budget in the same time, `lowest · host_delay` seconds, so
no domain is let in faster than it can be fetched and none clogs the frontier.
"""

from typing import NamedTuple

from gossamer.core.settings import BudgetSettings


class Delays(NamedTuple):
    """Seconds between two requests."""

    host: float
    server: float


def delays(budget: int, settings: BudgetSettings, server_budget: float | None = None) -> Delays:
    """The delays for a domain's hosts, and for a server with this average budget of its domains.

    >>> delays(10, BudgetSettings()), delays(40, BudgetSettings()), delays(10_000, BudgetSettings())
    (Delays(host=40.0, server=1.0), Delays(host=10.0, server=0.25), Delays(host=1.0, server=0.1))
    """
    of_server = budget if server_budget is None else server_budget
    return Delays(
        _scale(settings.host_delay, settings.least_host_delay, settings.lowest, budget),
        _scale(settings.server_delay, settings.least_server_delay, settings.lowest, of_server),
    )


def longest_round(settings: BudgetSettings) -> float:
    """Seconds in which a host that keeps to these delays gets through any budget.

    >>> longest_round(BudgetSettings())
    10000.0
    """
    lowest, highest = settings.lowest, max(settings.lowest, settings.highest)
    return max(budget * delays(budget, settings).host for budget in (lowest, highest))


def _scale(longest: float, least: float, lowest: int, budget: float) -> float:
    if budget <= lowest:
        return longest
    return max(longest * lowest / budget, min(least, longest))
