"""The components of one partition, in one record: the ring is the only place where they meet."""

from collections.abc import Iterator

from msgspec import Struct

from gossamer.analyzers.duplicates.content_protocol import ContentTest
from gossamer.analyzers.redundancy.redundancy_filter import RedundancyFilter
from gossamer.core.analyzer_protocol import Analyzer
from gossamer.core.clock import Clock
from gossamer.core.durable import Durable
from gossamer.core.mistakes import Mistakes
from gossamer.core.neighbour_protocol import Alone, Neighbours
from gossamer.core.poller import Poller
from gossamer.core.protocols import DurableFrontier, DurableSeen, Fetching, Resolving
from gossamer.core.url import Spelling
from gossamer.engine.blocked import Blocked
from gossamer.engine.inbox import Inbox
from gossamer.engine.set_aside import OutOfScope
from gossamer.output import KnownCrawl, Store
from gossamer.output.versions import History
from gossamer.pipeline.frontier import AddressTurns
from gossamer.pipeline.parse import Parsers
from gossamer.pipeline.robots import Gate
from gossamer.pipeline.scope import Scope
from gossamer.policy.budget import Admission
from gossamer.policy.order import Ordering
from gossamer.policy.revisit import Revisits


class StatefulComponents(Struct, frozen=True, kw_only=True):
    """The components that keep something in `state/`. A new one needs a line here and one in `builder.py`."""

    frontier: DurableFrontier
    seen: DurableSeen
    admission: Admission
    content: ContentTest
    history: History
    redundancy: RedundancyFilter
    ordering: Ordering
    inbox: Inbox
    blocked: Blocked
    out_of_scope: OutOfScope
    revisits: Revisits | None = None
    """When pages are due again; None when each is visited once."""
    optional: tuple[Analyzer, ...] = ()
    """Analyzers that settings switch on."""

    def with_state(self) -> Iterator[Durable]:
        """All components with state, in the order in which they are replayed."""
        for field in StatefulComponents.__struct_fields__:
            component = getattr(self, field)
            if isinstance(component, tuple):
                yield from component
            elif component is not None:
                yield component


class Components(StatefulComponents, frozen=True, kw_only=True):
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
    """What an earlier crawl stored."""
    analyzers: tuple[Analyzer, ...] = ()
    """All that judge pages, in the order in which they look at them."""
    neighbours: Neighbours = Alone()
    """The other partitions."""

    def with_state(self) -> Iterator[Durable]:
        yield from (self.gate, self.scope, self.store, self.neighbours)
        yield from super().with_state()
