"""Admit URLs to the frontier: the interface of this component towards the ring."""

from collections.abc import Iterable, Sequence
from typing import Protocol

import msgspec
from msgspec import Struct
from msgspec.structs import astuple

from gossamer.core.durable import Durable
from gossamer.core.neighbour_protocol import Edge
from gossamer.core.records import Candidate, Via
from gossamer.core.request import RequestUrl
from gossamer.core.settings import BudgetSettings, Settings
from gossamer.core.url.domain import pay_level_domain
from gossamer.policy.budget.beast import Beast
from gossamer.policy.budget.delays import Delays, delays, longest_round
from gossamer.policy.budget.domain_degrees import domain_id
from gossamer.policy.budget.queue_protocol import QueueStore
from gossamer.policy.budget.star import Star, TopDomain

_RELEASE = 1000
"""Candidates released in one turn of the ring, so that no turn takes long …"""
_SPLIT = 5000
"""… and URLs of QF that are looked at."""
BUSY = -1
"""Some host that has URLs may be asked now."""
_TOP = 20
"""Domains shown by `statistics`."""

_NAMED = frozenset({Via.SEED, Via.REQUEST})
"""URLs that came like this were named by the user."""


class _RequestCandidate(Candidate, frozen=True, gc=False):
    """A candidate whose URL is read with what is sent there."""

    url: RequestUrl


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Candidate).decode
_decode_request = msgspec.msgpack.Decoder(_RequestCandidate).decode

_decode_edges = msgspec.msgpack.Decoder(list[Edge]).decode


class BudgetStatistics(Struct, frozen=True):
    deferred: int = 0
    """URLs that wait for a later round."""
    overflow: int = 0
    """Of these, the ones in QF."""
    round: int = 0
    queues: int = 0
    """Rounds open at a time: the paper's j."""
    edges: int = 0
    """Unique links from one pay-level domain to another."""
    top: tuple[TopDomain, ...] = ()
    """Those with the most links from others."""
    disk_bytes: int = 0


class Admission(Durable, Protocol):
    """Lets new URLs through to the frontier, now or later, each exactly once."""

    name: str = "budget"

    is_budgeted: bool
    """Does it want to know who links to whom?"""
    longest_delay: float
    """The longest delay between two requests to a host that it asks for."""

    def observe(self, source: str, targets: Iterable[str]) -> None:
        """A page of the host `source` links to pages of these hosts."""

    def admit(
        self, candidates: Sequence[Candidate], waiting: int, now: float, hosts: int = BUSY
    ) -> list[Candidate]:
        """Offer new candidates, or none; returns those whose turn it is, earlier ones among them.

        `waiting` is the number of URLs that wait in the frontier. `hosts` is the number of their
        hosts when none of them may be asked at the moment, `BUSY` when one may.
        """

    @property
    def is_dry(self) -> bool:
        """Will nothing more come out, unless something is offered?"""

    def delays(self, host: str) -> Delays | None:
        """The delays between two requests to this host and to its server; None: no opinion."""

    def __len__(self) -> int:
        """URLs that are kept back."""

    def statistics(self) -> BudgetStatistics: ...


class FreeAdmission(Admission):
    """No budgets: everybody may go at once."""

    is_budgeted = False
    longest_delay = 0.0

    @property
    def is_dry(self) -> bool:
        return True

    def observe(self, source: str, targets: Iterable[str]) -> None:
        """Links do not matter here."""

    def admit(
        self, candidates: Sequence[Candidate], waiting: int, now: float, hosts: int = BUSY
    ) -> list[Candidate]:
        return list(candidates)

    def delays(self, host: str) -> Delays | None:
        return None

    def __len__(self) -> int:
        return 0

    def statistics(self) -> BudgetStatistics:
        return BudgetStatistics()


class AdmissionManifest(Struct, frozen=True):
    star: bytes
    beast: bytes
    queue_store: bytes


class BudgetedAdmission(Admission):
    """STAR gives budgets, BEAST keeps to them.

    A round is over when all its URLs have gone to the frontier and hardly any is left there; only
    then comes the next. So a domain that could be fetched fast, for it has many hosts, gets no
    more than its share while the others still wait for their politeness delays. But who takes
    longer than any budget and delay of ours explain does not hold up the rest. And when nobody may
    be asked at the moment, but hosts have run out of URLs that have more of them put off, the next
    round takes nothing away from anybody, so it begins early.
    """

    is_budgeted = True

    def __init__(
        self, settings: BudgetSettings, star: Star, beast: Beast, queue_store: QueueStore
    ) -> None:
        self._settings = settings
        self.longest_delay = settings.host_delay if settings.delays else 0.0
        self._star = star
        self._beast = beast
        self._queue_store = queue_store
        self._began = 0.0
        """When the round began, or was taken up again; 0 before anything happened."""
        self._most_hosts = 0
        """Hosts that had URLs in the frontier at a time, in this round."""
        self._edges: list[Edge] = []
        """Who linked to whom since the last commit."""

    def observe(self, source: str, targets: Iterable[str]) -> None:
        targets = list(targets)
        self._edges.append((source, targets))
        self._learn(source, targets)

    def _learn(self, source: str, targets: Iterable[str]) -> None:
        domains = {pay_level_domain(host) for host in set(targets)}
        self._star.observe(pay_level_domain(source), domains)

    def admit(
        self, candidates: Sequence[Candidate], waiting: int, now: float, hosts: int = BUSY
    ) -> list[Candidate]:
        self._most_hosts = max(self._most_hosts, hosts)
        if candidates:
            self._file(candidates)
        if self._beast.is_splitting:
            self._beast.split(_SPLIT)
        records = self._beast.release(_RELEASE)
        if not records and self._is_round_over(waiting, now, hosts):
            self._begin_round(now)
            records = self._beast.release(_RELEASE)
        found = list(map(_decode, records))
        if Via.REQUEST in {candidate.via for candidate in found}:
            pairs = zip(found, records, strict=True)
            return [
                _read_request(data) if candidate.via is Via.REQUEST else candidate
                for candidate, data in pairs
            ]
        return found

    @property
    def is_dry(self) -> bool:
        return self._beast.is_dry

    def delays(self, host: str) -> Delays | None:
        if not self._settings.delays:
            return None
        [budget] = self._star.budgets([domain_id(pay_level_domain(host))])
        return delays(budget, self._settings)

    def __len__(self) -> int:
        return len(self._beast)

    def statistics(self) -> BudgetStatistics:
        beast = self._beast.statistics()
        return BudgetStatistics(
            deferred=beast.waiting + beast.overflow,
            overflow=beast.overflow,
            round=beast.round,
            queues=beast.queues,
            edges=self._star.edges,
            top=self._star.top(_TOP),
            disk_bytes=self.disk_bytes,
        )

    @property
    def disk_bytes(self) -> int:
        return self._star.disk_bytes + self._queue_store.disk_bytes

    # Recorded.

    def note(self) -> bytes:
        return _encode(self._edges) if self._edges else b""

    def noted(self) -> None:
        self._edges.clear()

    def replay(self, notes: Sequence[bytes]) -> None:
        for note in notes:
            for source, targets in _decode_edges(note):
                self._learn(source, targets)

    def checkpoint(self) -> bytes:
        beast = self._beast.checkpoint()  # before the queue store's, for it puts something there
        return msgspec.msgpack.encode(
            AdmissionManifest(self._star.checkpoint(), beast, self._queue_store.checkpoint())
        )

    def checkpoint_published(self) -> None:
        self._star.checkpoint_published()
        self._queue_store.checkpoint_published()

    def verify(self) -> None:
        self._star.verify()
        self._queue_store.verify()

    def close(self) -> None:
        self._star.close()
        self._queue_store.close()

    def _file(self, candidates: Sequence[Candidate]) -> None:
        seeds = {candidate.url.domain for candidate in candidates if candidate.via in _NAMED}
        if seeds:
            self._star.observe_seeds(seeds)
        records = list(map(_encode, candidates))
        self._beast.file(
            records, [domain_id(pay_level_domain(candidate.url.host)) for candidate in candidates]
        )

    def _is_round_over(self, waiting: int, now: float, hosts: int) -> bool:
        settings = self._settings
        if not self._beast.is_round_read:
            return False
        if waiting <= max(settings.least_tail, settings.tail * self._beast.released):
            return True
        has_idle_hosts = BUSY < hosts < settings.busy_hosts * self._most_hosts
        if has_idle_hosts and waiting <= settings.most_waiting:
            return True
        self._began = self._began or now
        return now - self._began >= longest_round(settings)

    def _begin_round(self, now: float) -> None:
        """Go on to the next round that has something to give, at most to a split of QF."""
        beast = self._beast
        if not len(beast):
            return
        self._began = now
        self._most_hosts = 0
        if self._star.refresh(is_urgent=beast.is_dry):
            beast.reconsider()
        while beast.is_round_read and not beast.is_dry:
            beast.next_round()
        if beast.is_splitting:
            beast.split(_SPLIT)


def _read_request(record: bytes) -> Candidate:
    return Candidate(*astuple(_decode_request(record)))


def has_budgets(settings: Settings) -> bool:
    """Do domains have budgets in this crawl? By default in broad crawls only.

    >>> has_budgets(Settings())
    False
    """
    kind = settings.budget.kind
    return kind == "on" or (kind == "auto" and settings.scope.kind == "all")
