"""Worth of the visits of a crawl, by the goal of each policy, and the error of its rates."""

import numpy as np
from msgspec import Struct

from gossamer.core.kernel import kernel
from gossamer.lab.freshness.freshness_webs import KnownWeb
from gossamer.lab.freshness.year import Ints, RateSnapshot, VirtualYear
from gossamer.lab.living_web import averages, captured
from gossamer.policy.revisit.population import Floats


class YearsWorth(Struct, frozen=True):
    """Measures of a crawl over a span of days."""

    freshness: float
    """The part of all copies that is as the page is, on average over time."""
    age: float
    """Days since copies went out of date, on average over time."""
    captured: float
    """The part of all changes that a visit saw before the next one came."""
    per_visit: float
    """The same changes for each visit: the others were in vain."""
    content: float
    """The part of the content of all copies that is as it is on the page, on average over time."""
    penalty: float
    """What missed changes cost, on average over time: the n-th one of a copy costs 1/n."""
    visits: float
    """Visits per day."""


class RateError(Struct, frozen=True):
    """The error of estimated rates at a moment."""

    day: float
    error: float
    """The root of the mean squared error, as a part of the mean rate."""
    bias: float
    """The mean rate as it was thought to be, as a part of the true one."""
    close: float
    """The part of pages that change whose rate was right by a factor of two."""


def judge(web: KnownWeb, year: VirtualYear, begin: float, end: float) -> YearsWorth:
    """Measure a crawl from one day to another."""
    changes, visits = web.changes, year.visits
    found = averages(changes, visits, begin, end)
    in_span = (changes.times > begin) & (changes.times <= end)
    seen = captured(changes, visits)[in_span]
    made = ((visits.times > begin) & (visits.times <= end)).sum()
    lost, penalty = _losses_of(web, year, begin, end)
    held = max(float(found.held.sum()), 1e-9)
    return YearsWorth(
        freshness=found.freshness(),
        age=found.age(),
        captured=float(seen.mean()) if len(seen) else 1.0,
        per_visit=float(seen.sum() / max(made, 1)),
        content=1 - lost / held,
        penalty=penalty / held,
        visits=float(made) / (end - begin),
    )


def _losses_of(web: KnownWeb, year: VirtualYear, begin: float, end: float) -> tuple[float, float]:
    """Content that is out of date, and penalties; added up over pages and days in which there was a copy."""
    changes, visits = web.changes, year.visits
    pages = (changes.offsets, changes.times, changes.born, changes.gone, web.lasting)
    return _add_up(*pages, visits.offsets, visits.times, begin, end)


def err(web: KnownWeb, snapshot: RateSnapshot) -> RateError:
    """Measure the error of rates, of pages that were known and there."""
    known = ~np.isnan(snapshot.rates) & web.changes.is_alive(snapshot.day)
    thought, true = snapshot.rates[known], web.rates[known]
    mean = float(true.mean()) if len(true) else 0.0
    if mean <= 0:
        return RateError(snapshot.day, np.nan, np.nan, np.nan)
    ratios = thought[true > 0] / true[true > 0]
    return RateError(
        snapshot.day,
        float(np.sqrt(np.mean((thought - true) ** 2))) / mean,
        float(thought.mean()) / mean,
        float(np.mean((ratios > 0.5) & (ratios < 2.0))),
    )


@kernel
def _add_up(
    offsets: Ints,
    times: Floats,
    born: Floats,
    gone: Floats,
    lasting: Floats,
    visit_offsets: Ints,
    visits: Floats,
    begin: float,
    end: float,
) -> tuple[float, float]:
    """Each change after a visit takes its part until the next visit; the end of a page takes all the rest."""
    lost, penalty = 0.0, 0.0
    for page in range(len(born)):
        change, last_change = offsets[page], offsets[page + 1]
        last_visit = visit_offsets[page + 1]
        for visit in range(visit_offsets[page], last_visit):
            since = visits[visit]
            until = min(visits[visit + 1], end) if visit + 1 < last_visit else end
            if since < born[page] or since >= gone[page]:
                continue
            while change < last_change and times[change] <= since:
                change += 1
            missed, left = 1, 1.0
            while change < last_change and times[change] < until:
                days = max(until - max(times[change], begin), 0.0)
                penalty += days / missed
                lost += days * left * (1 - lasting[page])
                missed, left = missed + 1, left * lasting[page]
                change += 1
            days = max(until - max(gone[page], begin), 0.0)
            penalty += days / missed
            lost += days * left
    return lost, penalty
