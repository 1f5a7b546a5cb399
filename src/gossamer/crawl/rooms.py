"""The rooms of one partition, in one record: the ring is the only place where they meet."""

from collections.abc import Iterator

from msgspec import Struct

from gossamer.base.clock import Clock
from gossamer.base.durable import Durable
from gossamer.base.mistakes import Mistakes
from gossamer.base.neighbours import Alone, Neighbours
from gossamer.base.poller import Poller
from gossamer.base.protocols import DurableFrontier, DurableSeen, Fetching, Resolving
from gossamer.base.url import Spelling
from gossamer.crawl.blocked import Blocked
from gossamer.crawl.inbox import Inbox
from gossamer.crawl.kept_apart import OutOfScope
from gossamer.cycle.content import ContentTest
from gossamer.cycle.frontier import AddressTurns
from gossamer.cycle.parse import Parsers
from gossamer.cycle.robots import Gate
from gossamer.cycle.scope import Scope, Watch
from gossamer.harvest.history import History
from gossamer.harvest.store import KnownCrawl, Store
from gossamer.policy.budget import Admission
from gossamer.policy.order import Ordering
from gossamer.policy.revisit import Revisits


class StateRooms(Struct, frozen=True, kw_only=True):
    """The rooms that keep something in `state/`. A new one needs a line here and one in `build.py`."""

    frontier: DurableFrontier
    seen: DurableSeen
    admission: Admission
    content: ContentTest
    history: History
    watch: Watch
    ordering: Ordering
    inbox: Inbox
    blocked: Blocked
    out_of_scope: OutOfScope
    revisits: Revisits | None = None
    """When pages are due again; None when each is visited once."""

    def with_state(self) -> Iterator[Durable]:
        """All rooms with state, in the order in which they are replayed."""
        for field in StateRooms.__struct_fields__:
            if (room := getattr(self, field)) is not None:
                yield room


class Rooms(StateRooms, frozen=True, kw_only=True):
    """All parts of one partition."""

    clock: Clock
    poller: Poller
    spelling: Spelling
    resolver: Resolving
    gate: Gate
    fetcher: Fetching
    parsers: Parsers
    store: Store
    scope: Scope
    mistakes: Mistakes
    """What functions raise that a program brought along."""
    turns: AddressTurns | None = None
    """Turns at servers' addresses; None when nobody has to wait."""
    known: KnownCrawl | None = None
    """What an earlier crawl brought home."""
    neighbours: Neighbours = Alone()
    """The other partitions."""

    def with_state(self) -> Iterator[Durable]:
        yield from (self.gate, self.scope, self.store, self.neighbours)
        yield from super().with_state()
