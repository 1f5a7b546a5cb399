"""A way to share visits that a package brought along: what it raises does not end the crawl."""

import numpy as np

from gossamer.core.mistakes import Mistakes
from gossamer.policy.revisit.policies import Allocation, Uniform
from gossamer.policy.revisit.population import Floats, Population


class GuardedAllocation:
    """Asks it, and shares alike where it fails."""

    def __init__(self, allocation: Allocation, mistakes: Mistakes) -> None:
        self._allocation, self._mistakes = allocation, mistakes

    def visits(self, price: float, pages: Population) -> Floats:
        try:
            return _fit(self._allocation.visits(price, pages), len(pages.rates))
        except Exception as error:  # code of a package: the crawl goes on
            self._mistakes.note("the revisit policy", f"price {price:g}", error)
            return Uniform().visits(price, pages)


def _fit(visits: Floats, pages: int) -> Floats:
    given = np.asarray(visits, np.float64)
    if given.shape != (pages,) or not (given >= 0).all():
        raise ValueError("it has to return a number from 0 on for each page")
    return given
