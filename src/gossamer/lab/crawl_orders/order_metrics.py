"""Measures of an order, by Cho et al. (1998, section 3) and Olston and Najork (2010, 4)."""

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from gossamer.lab.crawl_orders.known_web import Nodes
from gossamer.policy.order.policy_batches import Scores

POINTS = 200


class Curve(Struct, frozen=True):
    """A measure as the crawl goes on."""

    name: str
    crawled: Scores
    """The part of all pages that was fetched."""
    value: Scores

    def at(self, part: float) -> float:
        """The value when this part was fetched."""
        return float(np.interp(part, self.crawled, self.value))

    def reaches(self, value: float) -> float:
        """The part that had to be fetched to get this value; 2 when it was not reached."""
        enough = np.flatnonzero(self.value >= value)
        return float(self.crawled[enough[0]]) if len(enough) else 2.0

    @property
    def mean(self) -> float:
        """The area under the curve."""
        return float(np.trapezoid(self.value, self.crawled))


def threshold(name: str, order: Nodes, is_hot: NDArray[np.bool_], total: int = 0) -> Curve:
    """P_ST: the part of all hot pages that was fetched (crawl and stop with threshold).

    >>> curve = threshold("", np.array([2, 0, 1, 3]), np.array([True, False, True, False]))
    >>> curve.at(0.25), curve.at(0.5)
    (0.5, 1.0)
    """
    return coverage(name, order, is_hot.astype(float), total)


def coverage(name: str, order: Nodes, weights: Scores, total: int = 0) -> Curve:
    """WC: the part of all weight that was fetched (weighted coverage)."""
    gained = np.concatenate(([0.0], np.cumsum(weights[order]))) / max(weights.sum(), 1e-300)
    total = total or len(weights)
    places = _places(len(order))
    return Curve(name, places / total, gained[places])


def crawl_and_stop(name: str, order: Nodes, importance: Scores, total: int = 0) -> Curve:
    """P_CS: of K pages fetched, how many are among the best K?

    >>> crawl_and_stop("", np.array([1, 0]), np.array([5.0, 3.0])).value.tolist()
    [0.0, 1.0]
    """
    bars = np.sort(importance)[::-1]
    gained = importance[order]
    places = _places(len(order))[1:]
    values = [float(np.count_nonzero(gained[:k] >= bars[k - 1]) / k) for k in places.tolist()]
    return Curve(name, places / (total or len(importance)), np.array(values))


def limited_buffer(kept: Nodes, importance: Scores) -> float:
    """P_BC: of the B pages that were kept, how many are among the best B?

    >>> limited_buffer(np.array([0, 2]), np.array([5.0, 3.0, 1.0]))
    0.5
    """
    bar = np.sort(importance)[::-1][len(kept) - 1]
    return float(np.count_nonzero(importance[kept] >= bar) / len(kept))


def ideal(importance: Scores) -> Nodes:
    """The order with full knowledge of the web."""
    return np.argsort(-importance, kind="stable")


def random_line(name: str = "random") -> Curve:
    """The average curve of a random order: P_ST and WC grow as the crawl does."""
    return Curve(name, np.array([0.0, 1.0]), np.array([0.0, 1.0]))


def rank_correlation(one: Scores, other: Scores) -> float:
    """Spearman's: 1 when both put pages in the same order; equals share a mean rank.

    >>> rank_correlation(np.array([1.0, 2.0, 3.0]), np.array([10.0, 20.0, 90.0]))
    1.0
    """
    return float(np.corrcoef(_ranks(one), _ranks(other))[0, 1])


def _ranks(values: Scores) -> Scores:
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return (last - (counts - 1) / 2.0)[inverse]


def _places(count: int) -> NDArray[np.int64]:
    """The places to measure a curve at."""
    return np.unique(np.linspace(0, count, POINTS + 1).astype(np.int64))
