"""OPIC with its cash on disk: increments go to a DRUM and are summed up in batches.

The side file, sort and merge of Olston and Najork (2010, section 4.3). While all accounts fit into memory
a DRUM answers at once, and this is `opic.py`, except that pages of one batch give what they had before
it. Later an answer comes with the next merge: then the page gives, the pages it gives to are updated, and
the merge after that one tells which of them have become richer.
"""

from itertools import pairwise
from pathlib import Path

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from gossamer.core.disk.drum import Answers
from gossamer.policy.order.array_packing import pack_parts, unpack_parts
from gossamer.policy.order.bank import DIVIDEND, MEMBERS, Bank, pay
from gossamer.policy.order.drum_accounts import FETCHED, WAITING, DrumAccounts
from gossamer.policy.order.pending_updates import Pile
from gossamer.policy.order.policy_batches import (
    HERE,
    NO_SCORES,
    Crawled,
    Keys,
    Needs,
    Numbers,
    Revised,
    Scores,
)
from gossamer.policy.order.policy_batches import Waiting as WaitingPages
from gossamer.policy.order.rank_updates import RankUpdate
from gossamer.policy.order.roster import Roster, stretch

_GIVER, _GIVER_ABROAD, _TAKER = b"g", b"a", b"t"
"""What an answer is about: a page that gives (then its targets follow, and of one that gives to other
partitions also who owns each), or one that gets something (then the sum follows)."""
_REMEMBERED = 1 << 18
"""Pages whose last known cash is at hand when they are scored."""


class _State(Struct, array_like=True):
    accounts: bytes
    dividend: float
    members: int
    abroad: bytes = b""


class DrumOpic(DrumAccounts):
    """The `Opic` order for crawls of any size; `grain` is the growth of a page's cash that is told."""

    needs = Needs.LINKS
    travels = True
    account = np.dtype([("cash", "<f8"), ("history", "<f8"), ("state", "<u1")])

    def __init__(
        self, folder: Path, memory: int = 64 << 20, damping: float = 0.9, grain: float = 0.1
    ) -> None:
        super().__init__(folder, memory)
        self._damping = damping
        self._step = np.log1p(grain)
        self._bank = Bank()
        self._pile: Pile | None = None
        """Cash for pages of other partitions, if there are any."""
        self._recent = Roster()
        self._recent_cash: Scores = np.zeros(0)
        self._richer: list[tuple[Keys, Scores]] = []

    def learn(self, crawled: Crawled) -> None:
        """Ask what each page has; it gives when the answer is there."""
        offsets = crawled.offsets.tolist()
        data = [_giver(crawled, first, end) for first, end in pairwise(offsets)]
        for part in self._parts(len(crawled)):
            changes = self._changes(len(crawled.pages[part]), state=FETCHED)
            self._accounts.check_update(crawled.pages[part], changes, data[part])
        self._settle()

    def learn_again(self, crawled: Crawled) -> None:
        """Share the cash that a page got since among its present links; the cash given before is spent."""
        self.learn(crawled)

    def score(self, waiting: WaitingPages) -> Scores:
        """The cash that was last known; that of pages long unheard of comes with `revised`."""
        cash = np.where(waiting.depths == 0, 1.0, 0.0) - self._bank.dividend
        self._bank.enrol(len(waiting))
        for part in self._parts(len(waiting)):
            changes = self._changes(len(waiting.keys[part]), cash=cash[part], state=WAITING)
            self._accounts.update(waiting.keys[part], changes)
        return cash + self._known_cash(waiting.keys)

    def revised(self) -> Revised:
        self._settle()
        if not self._richer:
            return Revised()
        keys = np.concatenate([keys for keys, _ in self._richer])
        cash = np.concatenate([cash for _, cash in self._richer])
        self._richer = []
        distinct, last = np.unique(keys[::-1], return_index=True)
        return Revised(distinct, cash[::-1][last])

    # In one of several partitions.

    def join(self, partition: int, partitions: int) -> None:
        self._pile = Pile()
        self._bank.join(partition, partitions)

    @property
    def has_rank_updates(self) -> bool:
        return self._pile is not None and (self._pile.has_news or self._bank.has_news)

    def rank_updates(self) -> list[RankUpdate]:
        return self._bank.enclose(self._pile.take()) if self._pile is not None else []

    def receive(self, rank_update: RankUpdate) -> None:
        self._credit(rank_update.keys, rank_update.amounts)
        self._bank.receive(rank_update)
        self._settle()

    def was_sent(self, rank_update: RankUpdate) -> None:
        assert self._pile is not None
        self._pile.was_sent(rank_update)
        self._bank.was_sent(rank_update)

    # Recorded.

    def dump(self) -> bytes:
        self._settle()
        abroad = b"" if self._pile is None else pack_parts(self._pile.dump(), self._bank.dump())
        bank = self._bank
        state = _State(self._accounts.checkpoint(), bank.dividend, int(bank.members), abroad)
        return msgspec.msgpack.encode(state)

    def load(self, state: bytes) -> None:
        before = msgspec.msgpack.decode(state, type=_State)
        self._accounts = self._open(before.accounts)
        self._bank.sums[DIVIDEND], self._bank.sums[MEMBERS] = before.dividend, before.members
        if self._pile is not None and before.abroad:
            pile, bank = unpack_parts(before.abroad)
            self._pile.load(pile)
            self._bank.load(bank)

    # Inside.

    def _settle(self) -> None:
        """Take all answers; while accounts are in memory, giving brings new answers at once."""
        while taken := [answers for answers in self._accounts.answers() if len(answers)]:
            for answers in taken:
                self._take(answers)

    def _take(self, answers: Answers[bytes]) -> None:
        values = answers.values
        assert values is not None
        data = answers.aux.select(np.ones(len(answers), np.bool_))
        gives = np.array([one[:1] != _TAKER for one in data], np.bool_)
        for at in np.flatnonzero(gives).tolist():
            self._give(answers.keys[at : at + 1], float(values["cash"][at]), *_targets(data[at]))
        takers = np.flatnonzero(~gives)
        if len(takers):
            sums = np.array([np.frombuffer(data[at], np.float64, offset=1)[0] for at in takers])
            self._note(answers.keys[takers], values[takers], sums)

    def _give(self, giver: Keys, cash: float, targets: Keys, owners: Numbers) -> None:
        given = cash + self._bank.dividend
        self._accounts.update(giver, self._changes(1, cash=-given, history=given))
        places = _distinct(targets, giver[0])
        kept_back = given
        if len(places):
            share = self._damping * given / len(places)
            kept_back = (1.0 - self._damping) * given
            is_abroad = owners[places] != HERE
            abroad, here = places[is_abroad], places[~is_abroad]
            self._credit(targets[here], np.full(len(here), share))
            if self._pile is not None:
                self._pile.add(owners[abroad], targets[abroad], np.full(len(abroad), share))
        pay(self._bank.sums, kept_back)

    def _credit(self, keys: Keys, sums: Scores) -> None:
        """Pages get something, and are looked at again once they have it."""
        data = [_TAKER + one.tobytes() for one in sums]
        for part in self._parts(len(keys)):
            changes = self._changes(len(keys[part]), cash=sums[part])
            self._accounts.check_update(keys[part], changes, data[part])

    def _note(self, keys: Keys, before: NDArray[np.void], sums: Scores) -> None:
        """Some pages got something: remember their cash, and tell if it is notably more."""
        cash = before["cash"] + sums
        self._remember(keys, cash)
        old, new = before["cash"] + self._bank.dividend, cash + self._bank.dividend
        is_notable = self._rung(new) != self._rung(old)
        is_reported = (before["state"] == WAITING) & is_notable
        if is_reported.any():
            self._richer.append((keys[is_reported], cash[is_reported]))

    def _rung(self, wealth: Scores) -> Scores:
        """A ladder of sums, each a grain larger than the one before."""
        rungs: Scores = np.log(np.maximum(wealth, 1e-300))
        return np.floor(rungs / self._step) if self._step else rungs

    def _remember(self, keys: Keys, cash: Scores) -> None:
        if len(self._recent) > _REMEMBERED:
            self._recent, self._recent_cash = Roster(), np.zeros(0)
        numbers = self._recent.number(keys)
        self._recent_cash = stretch(self._recent_cash, len(self._recent))
        self._recent_cash[numbers] = cash

    def _known_cash(self, keys: Keys) -> Scores:
        numbers = self._recent.find(keys)
        known = self._recent_cash[np.maximum(numbers, 0)] if len(self._recent) else NO_SCORES
        return np.where(numbers >= 0, known, 0.0) if len(known) else np.zeros(len(keys))


def _giver(crawled: Crawled, first: int, end: int) -> bytes:
    """The links of a page, to be read by `_targets`."""
    targets = crawled.targets[first:end].tobytes()
    if not len(crawled.owners):
        return _GIVER + targets
    return _GIVER_ABROAD + targets + crawled.owners[first:end].astype(np.int16).tobytes()


def _targets(giver: bytes) -> tuple[Keys, Numbers]:
    """Whom a page links to, and who owns them."""
    if giver[:1] == _GIVER:
        targets = np.frombuffer(giver, np.uint64, offset=1)
        return targets, np.full(len(targets), HERE)
    count = len(giver) // (8 + 2)
    targets = np.frombuffer(giver, np.uint64, count, offset=1)
    return targets, np.frombuffer(giver, np.int16, count, offset=1 + 8 * count).astype(np.int64)


def _distinct(targets: Keys, giver: np.uint64) -> Numbers:
    """The first place of each target, in the order they came; the giver is none."""
    _, first = np.unique(targets, return_index=True)
    first = np.sort(first)
    places: Numbers = first[targets[first] != giver]
    return places
