"""The random surfer: PageRank by power iteration over rows of links (Cho et al. 1998, section 2).

    IR(p) = (1 - d) + d · [IR(t1)/c1 + … + IR(tn)/cn]

A page without links, and one whose links are not known yet, counts as linking to every page. Ranks
have a mean of 1 then. With `jump`, weights with a sum of 1, the surfer does not jump to all pages
alike, but to those of weight; so he does from a page without links.
"""

import numpy as np
from numpy.typing import NDArray

from gossamer.core.kernel import kernel
from gossamer.policy.order.policy_batches import Numbers, Scores

Compact = NDArray[np.int32]


def rank_pages(
    sources: Compact,
    offsets: Numbers,
    targets: Compact,
    ranks: Scores,
    damping: float = 0.9,
    jump: Scores | None = None,
    tolerance: float = 1e-3,
    most_steps: int = 100,
) -> tuple[Scores, float]:
    """The ranks of all pages, from a first guess on; and what a page has that nobody links to.

    Row `i` of links belongs to page `sources[i]`; no page has two rows. It ends when a step changes
    less than `tolerance` of all rank, or after `most_steps`.

    >>> ring = np.arange(3, dtype=np.int32), np.arange(4), np.array([1, 2, 0], np.int32)
    >>> rank_pages(*ring, np.array([2.0, 1.0, 0.0]), tolerance=1e-6)[0].round(3).tolist()
    [1.0, 1.0, 1.0]
    """
    count = len(ranks)
    old, new = ranks * (count / ranks.sum()), np.empty(count)
    has_links = np.zeros(count, np.bool_)
    has_links[sources[np.diff(offsets) > 0]] = True
    floor = 1.0
    for _ in range(most_steps):
        loose = float(old[~has_links].sum())
        floor = (1.0 - damping) + damping * loose / count
        new[:] = floor if jump is None else floor * count * jump
        _step(sources, offsets, targets, old, new, damping)
        change = float(np.abs(new - old).sum())
        old, new = new, old
        if change <= tolerance * count:
            break
    return old, floor


def rank_part(
    sources: Compact,
    offsets: Numbers,
    targets: Compact,
    ranks: Scores,
    base: Scores,
    damping: float = 0.9,
    tolerance: float = 1e-3,
    most_steps: int = 100,
) -> Scores:
    """The ranks of pages of a larger web, from a first guess on.

    `base` is what each page has from elsewhere: from jumps, and by links of pages that are not here.
    The scale is that of `base`: without a sum that is fixed, the parts of a web agree on it by themselves.

    >>> pair = np.array([0], np.int32), np.array([0, 1]), np.array([1], np.int32)
    >>> rank_part(*pair, np.ones(2), base=np.array([1.0, 3.0]), tolerance=1e-6).tolist()
    [1.0, 3.9]
    """
    old, new = ranks.copy(), np.empty(len(ranks))
    for _ in range(most_steps):
        new[:] = base
        _step(sources, offsets, targets, old, new, damping)
        change = float(np.abs(new - old).sum())
        old, new = new, old
        if change <= tolerance * float(old.sum()):
            break
    return old


@kernel
def _step(
    sources: Compact, offsets: Numbers, targets: Compact, old: Scores, new: Scores, damping: float
) -> None:
    for row in range(len(sources)):
        first, end = offsets[row], offsets[row + 1]
        if first < end:
            share = damping * old[sources[row]] / (end - first)
            for at in range(first, end):
                new[targets[at]] += share
