"""Read the budgets of the last checkpoint without changing anything."""

from collections.abc import Callable

import msgspec

from gossamer.core.settings import BudgetSettings
from gossamer.core.url.domain import pay_level_domain
from gossamer.policy.budget.admission import AdmissionManifest
from gossamer.policy.budget.budget_functions import find_function
from gossamer.policy.budget.delays import delays
from gossamer.policy.budget.domain_degrees import MemoryInDegrees, domain_id
from gossamer.policy.budget.star import Star


def read_delays(settings: BudgetSettings, manifest: bytes) -> Callable[[str], float]:
    """Seconds between two requests to a host, as the budget of its domain asks; 0 when there is none."""
    if not manifest or not settings.delays:
        return lambda host: 0.0
    saved = msgspec.msgpack.decode(manifest, type=AdmissionManifest)
    star = Star(MemoryInDegrees(), find_function(settings), settings.top, saved.star)

    def delay_of(host: str) -> float:
        [budget] = star.budgets([domain_id(pay_level_domain(host))])
        return delays(budget, settings).host

    return delay_of
