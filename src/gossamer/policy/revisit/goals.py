"""Goals of the policies: the worth of visits to pages with known rates.

Visits at even distance to pages that change at chance times; complete pages are visited at a part of their
changes (see `policies.py`). Each function gives a number for each page; sums and weights are the caller's.
"""

import numpy as np

from gossamer.policy.revisit.population import Floats, Given


def freshness(rates: Given, visits: Given, complete: Given = False, lasting: Given = 0.0) -> Floats:
    """The part of the time that the copy is as the page is; of its content, if some outlives changes.

    >>> freshness([1.0, 1.0], [1.0, 0.0]).round(3).tolist()
    [0.632, 0.0]
    """
    stays = np.asarray(lasting, np.float64)
    often, visited, changes = _see(rates, visits)
    r = changes * (1 - stays)
    with np.errstate(all="ignore"):
        sampled = np.where(visited > 0, -np.expm1(-r) / r, 0.0)
        part = np.minimum(visited / often, 1.0)
        heard = part / (1 - stays * (1 - part))
    return np.where(often > 0, np.where(complete, heard, sampled), 1.0)


def age(rates: Given, visits: Given, complete: Given = False) -> Floats:
    """Days, on average over time, since the copy went out of date (0 while it is fresh)."""
    rates, visits, r = _see(rates, visits)
    with np.errstate(all="ignore"):
        exact = (0.5 - 1 / r - np.expm1(-r) / r**2) / visits
        sampled = np.where(r < 1e-3, r * (1 / 6 - r / 24) / visits, exact)
        heard = np.maximum(1 / visits - 1 / rates, 0.0)
        known = np.where(visits > 0, np.where(complete, heard, sampled), np.inf)
    return np.where(rates > 0, known, 0.0)


def captured(rates: Given, visits: Given, complete: Given = False) -> Floats:
    """Updates per day that are seen."""
    rates, visits, r = _see(rates, visits)
    with np.errstate(all="ignore"):
        sampled = np.where(visits > 0, visits * -np.expm1(-r), 0.0)
    return np.where(complete, np.minimum(visits, rates), sampled)


def missed(rates: Given, visits: Given, complete: Given = False) -> Floats:
    """The harmonic penalty, on average over time: the n-th change missed costs 1/n (visits by chance)."""
    rates, visits, r = _see(rates, visits)
    with np.errstate(all="ignore"):
        part = np.minimum(visits / rates, 1.0)
        known = np.where(complete, -np.log(part), np.log1p(r))
    return np.where(rates > 0, known, 0.0)


def _see(rates: Given, visits: Given) -> tuple[Floats, Floats, Floats]:
    """Both as arrays, and the changes between two visits."""
    each, often = np.asarray(rates, np.float64), np.asarray(visits, np.float64)
    with np.errstate(all="ignore"):
        return each, often, each / often
