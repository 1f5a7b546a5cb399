"""The contracts that interchangeable parts fulfil.

Each has one conformance suite in `tests/conformance/`, and every implementation passes it: the one in
memory, the one on disk, and a third party's.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from msgspec import Struct
from numpy.typing import ArrayLike

from gossamer.core.disk.disk_cache import DiskCache
from gossamer.core.durable import Durable
from gossamer.core.outcomes import Outcome
from gossamer.core.records import Candidate, Page, Visit
from gossamer.core.url import Url


class FrontierStatistics(Struct, frozen=True):
    waiting: int
    """URLs not yet leased."""
    leased: int
    hosts: int
    """Hosts with a waiting or leased URL."""
    held: int
    """Hosts on hold until something (an address, a robots.txt) is known."""
    levels: tuple[int, ...]
    """URLs waiting in each front queue, best first."""
    scheduled: int = 0
    """URLs that are due at a time to come; they do not wait yet."""


class HostView(Struct, frozen=True):
    """The frontier's view of a host."""

    name: str
    waiting: int
    """URLs behind the front queues."""
    is_estimate: bool
    ready: float
    """From when on it may be asked, in seconds since 1970."""
    level: int
    """Of the URL that comes next; -1 when none waits."""
    is_held: bool = False
    """Does it wait for an address, a robots.txt or its server's turn?"""
    leased: int = 0


class WaitingView(Struct, frozen=True):
    """A URL that waits."""

    visit: Visit
    ready: float
    """From when on its host may be asked."""
    is_in_front: bool = False
    """Does it still stand in a front queue?"""


class Frontier(Protocol):
    """URLs that wait, and when each host may be asked again.

    A leased visit ends by exactly one of `done`, `retry`, `postpone` and `hold`.
    """

    def put(self, candidates: Sequence[Candidate], levels: Sequence[int]) -> None:
        """Take in new URLs, each with its priority level: 0 is the best.

        A level below 0 is *express*: others wait for this URL, so it is leased as soon as its host may be
        asked, whatever is on hold.
        """

    def schedule(self, candidates: Sequence[Candidate], times: Sequence[float]) -> None:
        """Take in URLs that are due at a time to come, each with its time.

        They are let in by `let_in` only. Until then they do not count as waiting.
        """

    def let_in(self, now: float, most: int, level: int) -> int:
        """Let URLs in whose time has come, the earliest first, at most this many; returns how many.

        From now on they wait, at this level.
        """

    def next_due(self) -> float | None:
        """The time when the next scheduled URL is due, or shortly before; None when there is none."""

    def lease(self, now: float) -> Visit | None:
        """Hand out a URL whose host may be asked now, or None when no host may."""

    def done(self, visit: Visit, ready: float) -> None:
        """The visit is over; its host may be asked again from `ready` on."""

    def retry(self, visit: Visit, again: float, ready: float) -> None:
        """The visit is to be tried again from `again` on; its host may be asked from `ready` on."""

    def postpone(self, visit: Visit, again: float) -> None:
        """The visit was not tried: it waits until `again`, and its host goes on without it."""

    def hold(self, visit: Visit) -> None:
        """Take the visit back, first in its host's line, and lease none of this host until `free`.

        Express visits are leased all the same, unless the one that is taken back is one.
        """

    def free(self, host: str, ready: float) -> None:
        """End a hold; the host may be asked from `ready` on."""

    def relevel(self, keys: ArrayLike, levels: ArrayLike) -> None:
        """Give waiting URLs other levels, by the keys of the URLs; keys that do not wait are passed over.

        A URL goes last in its new level. It may go late: an implementation may collect changes until
        it is worth looking through all that waits. A URL that is leased, express, or to be tried again
        keeps its level.
        """

    def next_ready(self) -> float | None:
        """The time when `lease` may next return a URL; None when it cannot be known."""

    def __len__(self) -> int:
        """The number of waiting URLs, not counting the leased."""

    def statistics(self) -> FrontierStatistics: ...


class DurableFrontier(Frontier, Durable, Protocol):
    """A frontier that survives a crash."""

    def skip(self, keys: Iterable[int], again: Iterable[int] = ()) -> None:
        """Drop each of these URLs when its turn comes, as often as it is named: it was visited already."""

    def delay_all_hosts(self, until: float) -> None:
        """Lease nothing before this time."""

    def prefer(self, find: Callable[[Url], int | None] | None, *, is_new: bool) -> None:
        """Give waiting URLs the levels that `find` says, whatever `relevel` says; it knows most URLs not.

        `is_new`: all that waits is looked through for it, sooner or later. None ends it.
        """

    def lease_only(self, level: int | None) -> None:
        """From now on, lease nothing but express visits and what is better than this level; None ends it."""

    def first_ready(self, level: int) -> float | None:
        """The time when the first URL that is better than this level may be fetched; None when none waits."""

    def call_back(self, is_wanted: Callable[[Visit], bool], now: float) -> None:
        """Have visits that are to be tried later tried as soon as their hosts may be asked."""

    def view_all(self, most: int) -> tuple[list[Visit], set[str]] | None:
        """All URLs to be tried later, and the hosts of all others that wait; None when there are more."""

    @property
    def is_moving(self) -> bool:
        """Are there URLs left that were not looked at since `prefer` was called?"""

    def view_host(self, name: str) -> HostView:
        """The state of a host."""

    def view_hosts(self, most: int) -> tuple[list[HostView], bool]:
        """The hosts with the most URLs, and whether all were looked at."""

    def view_origins(self, name: str) -> set[str]:
        """Origins of URLs of a host that come next."""

    def view_next(self, most: int, host: str, now: float) -> list[WaitingView]:
        """The next URLs, of one host or of all; then the first ones in the front queues."""

    def count(self, is_meant: Callable[[Visit], bool]) -> tuple[int, int, bool]:
        """Count the waiting URLs that match, and all that wait; and tell whether this is an estimate."""


class SeenStatistics(Struct, frozen=True):
    known: int
    """Different URLs met."""
    offered: int
    """URLs asked about."""
    undecided: int = 0
    """URLs kept back until a merge decides."""


class Seen(Protocol):
    """Releases each URL once.

    An implementation on disk answers late, in batches: `admit` may return candidates offered
    earlier and keep back the ones offered now. `settle` brings out all that is kept back.
    """

    def admit(self, candidates: Sequence[Candidate]) -> list[Candidate]:
        """Offer candidates; returns those that are known by now to be new."""

    def settle(self) -> list[Candidate]:
        """Decide all that was kept back, and return what of it is new."""

    def statistics(self) -> SeenStatistics: ...


class DurableSeen(Seen, Durable, Protocol):
    """A seen set that survives a crash."""

    @property
    def answers_at_once(self) -> bool:
        """Does `admit` keep nothing back?"""

    @property
    def is_settling(self) -> bool:
        """Is there something new that `admit` and `settle` have not returned yet?"""


class Routing(Protocol):
    """Questions of the engine where several backends make visits, some of them with little room."""

    def is_local(self, visit: Visit) -> bool:
        """Is nobody asked for it? Then it needs no address, no permission by robots.txt and no turn."""

    def has_slot_for(self, visit: Visit) -> bool:
        """May it be started now? If not, `called` names its host when there is room."""

    def called(self) -> list[str]:
        """Hosts whose visits were turned away and may come again, since the last call."""


class Fetching(Protocol):
    """Exchanges with servers, many at once; filled by `start`, emptied by `finished`. Nothing waits."""

    @property
    def routing(self) -> Routing | None:
        """None where one backend makes all visits."""

    @property
    def in_flight(self) -> int:
        """Exchanges whose pages were not handed out yet."""

    def free_slots(self) -> int:
        """The number of exchanges that may be started now."""

    def refuses(self, host: str, address: str) -> str:
        """The reason why a host at this address must not be asked; empty when it may be."""

    def start(
        self, visit: Visit, address: str, fields: tuple[str, ...] = (), most: int | None = None
    ) -> None:
        """Begin an exchange with the server at an address, with more header lines if need be.

        After `most` bytes of the payload it is ended: nobody wants more of it.
        """

    def finished(self) -> list[Page]:
        """The pages of exchanges that ended since the last call."""

    def hosts_in_flight(self) -> dict[str, float]:
        """The hosts that are being asked, and since when."""

    def next_timeout(self) -> float | None:
        """Seconds until `tick` wants to be called; None when it need not be."""

    def tick(self) -> None:
        """Do what is due."""

    def close(self) -> None:
        """Drop what is under way."""


class Whereabouts(Protocol):
    """The addresses of a host, or the reason why there are none."""

    @property
    def addresses(self) -> tuple[str, ...]: ...

    @property
    def outcome(self) -> Outcome | None: ...

    @property
    def detail(self) -> str: ...


class Resolving(Protocol):
    """Names to addresses; filled by `start`, emptied by `finished`. Nothing waits."""

    def lookup(self, host: str) -> Whereabouts | None:
        """The known answer for the host; None when a lookup has to be started first."""

    def start(self, host: str) -> None:
        """Begin to resolve the host, unless that is under way; `finished` will name it."""

    @property
    def has_news(self) -> bool:
        """Are names being resolved, or resolved without anybody knowing yet?"""

    def finished(self) -> list[str]:
        """The hosts that settled, answered or given up, since the last call."""

    def next_timeout(self) -> float | None:
        """Seconds until `tick` has something to do; None when only a socket can bring news."""

    def tick(self) -> None:
        """Do what is due."""

    def move_in(self, disk_cache: DiskCache) -> None:
        """From now on, keep there what memory has no room for."""

    def close(self) -> None:
        """Drop what is under way."""
