"""Budget functions: from a domain's standing to the pages it may have in a round.

IRLbot's F(d) (Lee et al., 2008, section 5.2): by varying it, a crawl takes popular domains only,
treats all alike, or leans towards the popular, as IRLbot's own crawl did (section 7.2).
"""

from collections.abc import Callable
from difflib import get_close_matches

from msgspec import Struct

from gossamer.core.entry_points import find_entry_points
from gossamer.core.errors import SettingsError
from gossamer.core.mistakes import Mistakes
from gossamer.core.settings import BudgetSettings


class DomainStanding(Struct, frozen=True, gc=False):
    """The reputation of a domain."""

    in_degree: int = 0
    """Other pay-level domains that link to it."""
    rank: int = 0
    """1 for the domain with the highest in-degree; 0 for one that does not rank.
    Domains with the same in-degree share the worst of their ranks."""
    ranked: int = 0
    """How many domains rank at all."""


UNRANKED = DomainStanding()

BudgetFunction = Callable[[DomainStanding], int]


def equal(settings: BudgetSettings) -> BudgetFunction:
    """The same for every domain.

    >>> equal(BudgetSettings())(DomainStanding(in_degree=5000, rank=1, ranked=10_000))
    10
    """
    return lambda standing: settings.lowest


def popular(settings: BudgetSettings) -> BudgetFunction:
    """As much as there is for domains that rank, nothing for others: their URLs wait until they do.

    >>> popular(BudgetSettings())(UNRANKED)
    0
    """
    return lambda standing: settings.highest if standing.rank else 0


def interpolated(settings: BudgetSettings) -> BudgetFunction:
    """IRLbot's: linear in the rank, from the highest budget to the lowest; the lowest for others.

    While fewer domains rank than could, the best ones get less than the highest: with IRLbot's
    numbers, a domain gets one page more for each that it outranks. So nobody is made a giant for
    being known early.

    >>> budget = interpolated(BudgetSettings())
    >>> [budget(DomainStanding(1, rank, 10_000)) for rank in (1, 5_000, 10_000)], budget(UNRANKED)
    ([10000, 5005, 10], 10)
    >>> budget(DomainStanding(1, 1, ranked=50))
    58
    """
    lowest, spread = settings.lowest, settings.highest - settings.lowest
    steps = max(1, settings.top - 1)

    def budget(standing: DomainStanding) -> int:
        return lowest + spread * (standing.ranked - standing.rank) // steps

    return budget


_BUILT_IN = {"interpolated": interpolated, "equal": equal, "popular": popular}


def find_function(settings: BudgetSettings, mistakes: Mistakes | None = None) -> BudgetFunction:
    """The function that the settings name: one of these, or one of an installed package.

    A package registers, in the group `gossamer.budget_functions`, a callable that takes the
    settings and returns the function. A domain at which it fails has the lowest budget.
    """
    name = settings.function
    if name in _BUILT_IN:
        return _BUILT_IN[name](settings)
    known = {entry.name: entry for entry in find_entry_points("gossamer.budget_functions")}
    if name not in known:
        raise SettingsError(_unknown(name, [*_BUILT_IN, *known]))
    try:
        function: BudgetFunction = known[name].load()(settings)
    except Exception as error:
        raise SettingsError(
            f"budget.function: {name} cannot be loaded ({error}); repair or remove its package, or "
            f"choose {' or '.join(_BUILT_IN)}"
        ) from None
    return _guard(function, settings.lowest, mistakes or Mistakes())


def _guard(function: BudgetFunction, lowest: int, mistakes: Mistakes) -> BudgetFunction:
    def budget(standing: DomainStanding) -> int:
        try:
            return int(function(standing))
        except Exception as error:  # code of a package: the crawl goes on
            mistakes.note("the budget function", f"rank {standing.rank}", error)
            mistakes.counts["budget_error"] += 1
            return lowest

    return budget


def _unknown(name: str, known: list[str]) -> str:
    near = get_close_matches(name, known, n=1, cutoff=0.0)
    return f"budget.function: no function {name!r}; did you mean {near[0]!r}? Known: {', '.join(known)}."
