"""A small web that is shared by several policies, as partitions of a crawl share it.

Each writes down what happens to it, dies now and then, and is made again from its last dump and what was
written down since. Rank updates are under way for a while, and arrive once.
"""

import random
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from gossamer.policy.order import Crawled, Keys, Policy, Waiting
from gossamer.policy.order.drum_accounts import DrumAccounts
from gossamer.policy.order.drum_backlink import DrumBacklinks
from gossamer.policy.order.drum_opic import DrumOpic
from gossamer.policy.order.policy_batches import HERE
from gossamer.policy.order.rank_updates import decode_received, decode_sent, encode
from tests.policy.order.feeding import Links, keys
from tests.present import present

Step = Callable[[Policy], object]


def _was_sent(policy: Policy, sent: bytes) -> None:
    policy.was_sent(decode_sent(sent))


def _score(policy: Policy, waiting: Waiting) -> None:
    policy.score(waiting)


def owner(page: int, partitions: int) -> int:
    return page * 7919 % 101 % partitions


class Part:
    """One of the policies, with a journal."""

    def __init__(self, make: Callable[[], Policy], number: int, partitions: int) -> None:
        self._make, self._place = make, (number, partitions)
        self._dumped: bytes | None = None
        self._journal: list[tuple[str, Step]] = []
        self.policy = self._new()

    def do(self, kind: str, step: Step) -> None:
        step(self.policy)
        self._journal.append((kind, step))

    def send(self) -> list[bytes]:
        """What there is for others, recorded."""
        number, _ = self._place
        sent = [encode(one, number) for one in self.policy.rank_updates()]
        self._journal += [("sent", partial(_was_sent, sent=one)) for one in sent]
        return sent

    def checkpoint(self) -> None:
        self._dumped = self.policy.dump()
        self.policy.checkpoint_published()
        self._journal = []

    def crash(self, chance: random.Random) -> None:
        """It goes on from its last dump; pages that waited may begin to do so a little later this time."""
        self.policy.close()
        self.policy = self._new()
        if self._dumped is not None:
            self.policy.load(self._dumped)
        late: list[Step] = []
        for kind, step in self._journal:
            if kind == "score" and chance.random() < 0.3:
                late.append(step)
            else:
                step(self.policy)
        for step in late:
            step(self.policy)
        self.policy.revised()

    def _new(self) -> Policy:
        policy = self._make()
        policy.join(*self._place)
        return policy


class Shared:
    """A crawl of a whole web, whose pages all wait from the start; page 0 is the seed."""

    def __init__(
        self, makes: Sequence[Callable[[], Policy]], links: Links, seed: int, crashes: float = 0.0
    ) -> None:
        self._links, self._crashes = links, crashes
        self._chance = random.Random(seed)
        self.parts = [Part(make, number, len(makes)) for number, make in enumerate(makes)]
        self.under_way: dict[tuple[int, int], deque[bytes]] = {}
        self.rank_updates = 0

    def pages_of(self, number: int) -> list[int]:
        return [page for page in self._links if owner(page, len(self.parts)) == number]

    def wait(self) -> None:
        """All pages begin to wait."""
        for number, part in enumerate(self.parts):
            pages = self.pages_of(number)
            depths = np.array([int(page != 0) for page in pages])
            waiting = Waiting(keys(*pages), depths)
            part.do("score", partial(_score, waiting=waiting))

    def run(self) -> None:
        """Fetch all pages; sooner or later this and that happens in between."""
        self.wait()
        todo = [*self._links]
        self._chance.shuffle(todo)
        for page in todo:
            self.fetch(page)
            if self._chance.random() < 0.5:
                self._something()

    def fetch(self, page: int) -> None:
        number = owner(page, len(self.parts))
        crawled = self._crawled(page, number)
        self.parts[number].do("learn", lambda it: it.learn(crawled))

    def settle(self) -> None:
        """Until nobody has anything for anybody."""
        for part in self.parts:
            if isinstance(part.policy, DrumAccounts):
                for _ in range(3):
                    part.policy.merge()
        while any(part.policy.has_rank_updates for part in self.parts) or any(
            self.under_way.values()
        ):
            self._send_all()
            while any(self.under_way.values()):
                self._deliver()

    def in_rank_updates(self) -> float:
        """What is under way."""
        rank_updates = [decode_sent(one) for line in self.under_way.values() for one in line]
        return float(sum(one.amounts.sum() + one.aside[:1].sum() for one in rank_updates))

    def _something(self) -> None:
        part = self._chance.choice(self.parts)
        if self._chance.random() < self._crashes:
            part.crash(self._chance)
        elif self._chance.random() < 0.2:
            part.checkpoint()
        elif self._chance.random() < 0.2 and isinstance(part.policy, DrumAccounts):
            part.policy.merge()
        elif self._chance.random() < 0.5:
            self._send_all()
        elif any(self.under_way.values()):
            self._deliver()

    def _send_all(self) -> None:
        for number, part in enumerate(self.parts):
            for rank_update in part.send():
                line = number, decode_sent(rank_update).partition
                self.under_way.setdefault(line, deque()).append(rank_update)
                self.rank_updates += 1

    def _deliver(self) -> None:
        """The next of some line."""
        line = self._chance.choice(
            [line for line, rank_updates in self.under_way.items() if rank_updates]
        )
        rank_update = self.under_way[line].popleft()
        self.parts[line[1]].do("received", lambda it: it.receive(decode_received(rank_update)))

    def _crawled(self, page: int, number: int) -> Crawled:
        targets = self._links[page]
        owners = [owner(target, len(self.parts)) for target in targets]
        there = [HERE if one == number else one for one in owners]
        return Crawled(
            keys(page),
            np.array([0, len(targets)]),
            keys(*targets),
            owners=np.array(there, np.int64),
        )


def worth(shared: Shared) -> dict[int, float]:
    """What every page is worth, by its owner."""
    return {
        page: score
        for number, part in enumerate(shared.parts)
        for page, score in _worth(part.policy, shared.pages_of(number)).items()
    }


def _worth(policy: Policy, pages: Sequence[int]) -> dict[int, float]:
    wanted: Keys = keys(*pages)
    return dict(zip(pages, policy.worth(wanted).tolist(), strict=True))


def read_column(policy: DrumBacklinks | DrumOpic, pages: list[int], name: str) -> dict[int, float]:
    """What is in the accounts on disk."""
    policy.merge()
    policy.merge()
    policy.revised()
    policy._accounts.check(keys(*pages), [b"?"] * len(pages))
    policy._accounts.merge()
    found: dict[int, float] = {}
    for answers in policy._accounts.answers():
        found.update(
            zip(answers.keys.tolist(), present(answers.values)[name].tolist(), strict=True)
        )
    assert len(found) == len(pages)
    return found


def cash_on_disk(policy: DrumOpic, pages: list[int]) -> float:
    """All the cash there is, that which is due to other partitions included."""
    cash = sum(read_column(policy, pages, "cash").values())
    bank, pile = policy._bank, policy._pile
    return cash + bank.dividend * bank.members + bank.due + (pile.total() if pile else 0.0)
