"""The equations behind the optima, solved for one page: how many changes between two visits.

Visits at even distance I to a page that changes λ times a day see r = λI changes between them. The
derivatives of freshness and of age by the number of visits contain r only in these two forms (Cho and
Garcia-Molina, Synchronizing a database to improve freshness, SIGMOD 2000; Effective page refresh policies for
web crawlers, TODS 2003):

    gain(r) = 1 − (1 + r) e^−r       from 0 to 1
    drag(r) = r²/2 − gain(r)         from 0 without end
"""

import math

from gossamer.core.kernel import inner_kernel

_SMALL = 1e-3
"""Below it, series are more exact than the formula."""
_STEPS = 20
_EXACT = 1e-14


@inner_kernel
def gain(r: float) -> float:
    if r < _SMALL:
        return r * r * (1 / 2 - r * (1 / 3 - r * (1 / 8 - r / 30)))
    return -math.expm1(-r) - r * math.exp(-r)


@inner_kernel
def invert_gain(y: float) -> float:
    """The r whose gain is y, for 0 < y < 1.

    1 + r is −W(−(1 − y)/e) on the lower branch of Lambert's function: near y = 0 its series is used, then
    Newton's steps on log(1 + r) − r.
    """
    s = math.sqrt(2 * y)
    r = s * (1 + s * (1 / 3 + s * (11 / 72 + s * 43 / 540)))
    if s < _SMALL:
        return r
    log = -math.log1p(-y)
    if y > 0.5:
        r = log + math.log1p(log + math.log1p(log))
    for _ in range(_STEPS):
        step = (math.log1p(r) - r + log) * (1 + r) / r
        r += step
        if abs(step) <= _EXACT * r:
            break
    return r


@inner_kernel
def invert_drag(z: float) -> float:
    """The r whose drag is z, for 0 < z: Newton's steps; the function is convex, so they cannot miss."""
    c = (3 * z) ** (1 / 3)
    r = c * (1 + c / 8) if z < 1 else math.sqrt(2 * (z + 1))
    for _ in range(_STEPS):
        step = (_drag(r) - z) / (r * -math.expm1(-r))
        r -= step
        if abs(step) <= _EXACT * r:
            break
    return r


@inner_kernel
def _drag(r: float) -> float:
    if r < 0.02:
        return r * r * r * (1 / 3 - r * (1 / 8 - r * (1 / 30 - r * (1 / 144 - r / 840))))
    return r * r / 2 - gain(r)
