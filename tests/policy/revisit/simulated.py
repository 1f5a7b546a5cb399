"""Pages that change at chance times, and what visits see of them; drawn with a seed."""

import numpy as np
import numpy.typing as npt

from gossamer.policy.revisit import Sight, Sightings, sight

Floats = npt.NDArray[np.float64]


def visits_of(
    chance: np.random.Generator,
    rates: Floats,
    visits: int,
    *,
    even: bool = True,
    dates: bool = False,
) -> Sightings:
    """So many visits to each page, a day apart, or a day on average."""
    shape = (len(rates), visits)
    intervals = np.ones(shape) if even else chance.exponential(1.0, shape)
    ago = chance.exponential(1.0, shape) / rates[:, None]  # from the visit back to the last change
    changed = np.where(ago < intervals, Sight.DATED if dates else Sight.CHANGED, Sight.UNCHANGED)
    return sight(intervals, changed, np.where(ago < intervals, ago, 0.0) if dates else 0.0)


def error_of(found: Floats, rates: Floats) -> float:
    """The root of the mean squared error."""
    return float(np.sqrt(np.mean((found - rates) ** 2)))
