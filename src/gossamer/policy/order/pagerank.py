"""PageRank IR′ of the pages known so far (Cho et al. 1998)."""

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from gossamer.core.kernel import kernel
from gossamer.policy.order.array_packing import pack, pack_parts, unpack, unpack_parts
from gossamer.policy.order.backlinks import look_up
from gossamer.policy.order.linkrows import LinkRows
from gossamer.policy.order.order_protocol import OrderStatistics, Policy
from gossamer.policy.order.policy_batches import (
    Crawled,
    Keys,
    Needs,
    Numbers,
    Revised,
    Scores,
    Waiting,
)
from gossamer.policy.order.policy_pages import ABROAD, Pages
from gossamer.policy.order.random_surfer import rank_pages, rank_part
from gossamer.policy.order.rank_updates import RankUpdate
from gossamer.policy.order.roster import stretch

Jump = Literal["all", "seeds", "none"]

_FIRST_INTERVAL = 16
"""Pages fetched before ranks are computed for the first time."""


class PageRank(Policy):
    """The page with the highest rank comes first.

    Ranks are computed again when the crawl has grown by `growth`. In between a page that is fetched
    gives each page it links to its share at once, as far as its own rank is known: computing now and
    then without that is much worse (Olston and Najork 2010, section 4.1).

    Variants: `jump` is where the surfer goes when he is bored: to `all` pages, to the `seeds` (pages that
    are trusted), or nowhere (`none`: no random jumps, as in OPIC). `external` counts only links
    between hosts.

    In one of several partitions a rank is in units of what a page has that nobody links to, so that all
    partitions agree on the scale. Each computes the ranks of its own pages with what pages elsewhere
    were last known to give them, and tells the others by how much its gifts have changed: block by block
    this goes to the PageRank of the whole web. Of pages abroad `_ranks` holds what pages here give them.
    """

    def __init__(
        self,
        damping: float = 0.9,
        growth: float = 0.1,
        jump: Jump = "all",
        external: bool = False,
        tolerance: float = 1e-3,
        grain: float = 0.0,
    ) -> None:
        self.needs = Needs.LINKS | Needs.SITES if external else Needs.LINKS
        self._damping = 1.0 if jump == "none" else damping
        self.travels = self._damping < 1.0  # else only the web as a whole has a scale
        self._growth = growth
        self._to_seeds = jump == "seeds"
        self._external = external
        self._tolerance = tolerance
        self._pages = Pages(grain)
        self._rows = LinkRows()
        self._ranks: Scores = np.zeros(0)
        self._seeds: Numbers = np.zeros(0, np.int64)
        self._floor = 1.0
        """What a page has that nobody is known to link to."""
        self._next = _FIRST_INTERVAL
        self._computed = 0
        self._is_part = False
        """Is it one of several partitions?"""
        self._given: Scores = np.zeros(0)
        """What pages elsewhere give to a page here; of pages abroad, what their owner knows of."""
        self._unsettled = 0.0
        """How much of that has changed since ranks were computed."""

    @property
    def computed(self) -> int:
        """The number of times that ranks were computed."""
        return self._computed

    def learn(self, crawled: Crawled) -> None:
        if self._external:
            crawled = keep_external(crawled)
        is_again, known = self._pages.are_fetched(crawled.pages), len(self._pages)
        sources, offsets, targets = self._pages.take(crawled)
        self._grow()
        if self._is_part:  # the floor of pages abroad is their owner's to give
            self._ranks[known : len(self._pages)][self._pages.state[known:] == ABROAD] = 0.0
        self._rows.append(sources, offsets, targets)
        _give(sources, is_again, offsets, targets, self._ranks, self._damping)
        self._pages.touch(targets)
        if len(self._rows) >= self._next:
            self.compute()

    def learn_again(self, crawled: Crawled) -> None:
        """A page has its new row only; what it gave to others is undone when ranks are computed."""
        self.learn(crawled)

    def score(self, waiting: Waiting) -> Scores:
        numbers = self._pages.await_turn(waiting.keys)
        self._grow()
        if self._to_seeds and not waiting.depths.all():
            self._add_seeds(numbers[waiting.depths == 0])
        scores: Scores = self._ranks[numbers]
        self._pages.mark_reported(numbers, scores)
        return scores

    def revised(self) -> Revised:
        numbers = self._pages.take_touched()
        return self._pages.revise(numbers, self._ranks[numbers])

    def worth(self, keys: Keys) -> Scores:
        return look_up(self._ranks, self._pages.find(keys))

    def compute(self) -> None:
        """Compute all ranks now."""
        count = len(self._pages)
        if self._is_part:
            self._compute_part()
        else:
            self._ranks[:count], self._floor = rank_pages(
                *self._rows.latest(),
                self._ranks[:count],
                self._damping,
                self._jump(),
                self._tolerance,
            )
        if self._to_seeds:
            self._floor = 0.0
        self._ranks[count:] = self._floor
        self._pages.touch_all()
        self._next = max(
            len(self._rows) + _FIRST_INTERVAL, int(len(self._rows) * (1 + self._growth))
        )
        self._computed += 1

    # In one of several partitions.

    def join(self, partition: int, partitions: int) -> None:
        self._is_part = True

    @property
    def has_rank_updates(self) -> bool:
        return self._pages.has_due

    def rank_updates(self) -> list[RankUpdate]:
        found = []
        for partition, numbers in self._pages.take_due():
            changes = self._ranks[numbers] - self._given[numbers]
            is_notable = np.abs(changes) > self._tolerance * np.maximum(self._ranks[numbers], 1.0)
            if is_notable.any():
                keys = self._pages.keys[numbers[is_notable]]
                found.append(RankUpdate(partition, keys, changes[is_notable]))
                self.was_sent(found[-1])
        return found

    def receive(self, rank_update: RankUpdate) -> None:
        numbers = self._pages.meet(rank_update.keys)
        self._grow()
        self._given[numbers] += rank_update.amounts
        self._ranks[numbers] += rank_update.amounts
        self._pages.touch(numbers)
        self._unsettled += float(np.abs(rank_update.amounts).sum())
        if self._unsettled > self._growth * len(self._pages):
            self.compute()

    def was_sent(self, rank_update: RankUpdate) -> None:
        self._given[self._pages.find(rank_update.keys)] += rank_update.amounts

    def _compute_part(self) -> None:
        count = len(self._pages)
        is_abroad = self._pages.state == ABROAD
        base = np.where(is_abroad, 0.0, self._given[:count])
        if self._to_seeds:
            base[self._seeds] += 1.0
        else:
            base[~is_abroad] += 1.0
        rows, ranks = self._rows.latest(), self._ranks[:count]
        self._ranks[:count] = rank_part(*rows, ranks, base, self._damping, self._tolerance)
        self._unsettled = 0.0

    # What it knows.

    def statistics(self) -> OrderStatistics:
        return OrderStatistics(len(self._pages), self._rows.links, self._computed)

    def dump(self) -> bytes:
        progress = np.array([self._next, self._computed])
        columns = pack(
            self._ranks[: len(self._pages)], np.array([self._floor]), self._seeds, progress
        )
        parts = [self._pages.dump(), self._rows.dump(), columns]
        if self._is_part:
            parts.append(pack(self._given[: len(self._pages)], np.array([self._unsettled])))
        return pack_parts(*parts)

    def load(self, state: bytes) -> None:
        pages, rows, columns, *abroad = unpack_parts(state)
        self._pages.load(pages)
        self._rows.load(rows)
        self._ranks, floor, self._seeds, progress = unpack(columns)
        self._floor = float(floor[0])
        self._next, self._computed = (int(number) for number in progress)
        for part in abroad:
            self._given, unsettled = unpack(part)
            self._unsettled = float(unsettled[0])
        self._grow()

    def _jump(self) -> Scores | None:
        if not self._to_seeds or not len(self._seeds):
            return None
        jump = np.zeros(len(self._pages))
        jump[self._seeds] = 1.0 / len(self._seeds)
        return jump

    def _add_seeds(self, numbers: Numbers) -> None:
        self._seeds = np.union1d(self._seeds, numbers)
        self._ranks[numbers] = np.maximum(self._ranks[numbers], 1.0)

    def _grow(self) -> None:
        self._ranks = stretch(self._ranks, len(self._pages), fill=self._floor)
        if self._is_part:
            self._given = stretch(self._given, len(self._pages))


def keep_external(crawled: Crawled) -> Crawled:
    """The same pages with only those links that lead to another host.

    >>> batch = Crawled(
    ...     np.array([1], np.uint64), np.array([0, 2]), np.array([2, 3], np.uint64),
    ...     hosts=np.array([7], np.uint64), target_hosts=np.array([7, 8], np.uint64),
    ... )
    >>> keep_external(batch).targets.tolist()
    [3]
    """
    lengths = np.diff(crawled.offsets)
    is_external = np.repeat(crawled.hosts, lengths) != crawled.target_hosts
    kept = np.concatenate(([0], np.cumsum(is_external)))
    owners = crawled.owners[is_external] if len(crawled.owners) else crawled.owners
    return Crawled(
        crawled.pages, kept[crawled.offsets], crawled.targets[is_external], owners=owners
    )


@kernel
def _give(
    sources: Numbers,
    is_again: NDArray[np.bool_],
    offsets: Numbers,
    targets: Numbers,
    ranks: Scores,
    damping: float,
) -> None:
    """Each page gives its rank to those it links to, unless it did so before."""
    for row in range(len(sources)):
        first, end = offsets[row], offsets[row + 1]
        if first < end and not is_again[row]:
            share = damping * ranks[sources[row]] / (end - first)
            for at in range(first, end):
                ranks[targets[at]] += share
