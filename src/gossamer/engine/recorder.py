"""Record the work of the ring, and continue a resumed crawl from the record.

All components with state are the same here: each is asked for its note, told that it is recorded,
checkpointed, and given its notes again. See `core/durable.py`.
"""

from collections.abc import Sequence
from math import inf

from gossamer.core.durable import Durable
from gossamer.core.settings import Settings
from gossamer.core.url import parse
from gossamer.engine.host_delays import HostDelays
from gossamer.engine.ledger import Checkpoint, Ledger, Progress, Record
from gossamer.engine.retried_seeds import manner_of
from gossamer.engine.stateful_components import Components
from gossamer.engine.stream import Stream
from gossamer.pipeline.frontier import UNSEEN, delay_known_hosts, delay_unknown_hosts


class Recorder:
    """Commits, checkpoints, and catches up."""

    def __init__(
        self,
        components: Components,
        parts: Sequence[Durable],
        stream: Stream,
        host_delays: HostDelays,
        settings: Settings,
        ledger: Ledger,
    ) -> None:
        """`parts` is all that is recorded, in the order in which it is replayed."""
        self._components = components
        self.parts = parts
        self._stream = stream
        self._host_delays = host_delays
        self._politeness = settings.politeness
        self._timeout = settings.fetch.timeout
        self._server_delay = settings.budget.server_delay
        self._ledger = ledger
        self.manner = manner_of(settings)
        self.progress = Progress()
        self.delayed_until = 0.0
        """After a crash, no host is asked before this time."""
        self._unseen = UNSEEN
        """Visits may begin until this many seconds after the next commit; longer where commits are slow."""
        self._safe_until = inf
        self.is_clean = False
        """Has nothing happened since the last commit?"""

    @property
    def journal_bytes(self) -> int:
        """Bytes in the journal since the last checkpoint, roughly."""
        return self._ledger.length

    @property
    def is_overdue(self) -> bool:
        """Is the last commit so long ago that a visit begun now would be forgotten in a crash?"""
        return bool(self._politeness.delay) and self._components.clock.now() > self._safe_until

    def commit(self, seconds: float, ended_by: str = "") -> None:
        """Group commit: what was done so far survives a crash."""
        clock = self._components.clock
        self._hand_over_rank_updates()
        progress = Progress(
            clock.now(),
            seconds,
            self._components.fetcher.hosts_in_flight(),
            bool(ended_by),
            ended_by,
            self.manner,
            self._unseen,
        )
        self._ledger.commit(
            {component.name: component.note() for component in self.parts}, progress
        )
        for component in self.parts:
            component.noted()
        self.is_clean = True
        self.progress = progress
        self._safe_until = progress.time + self._unseen
        self._unseen = max(UNSEEN, 2 * (clock.now() - progress.time) + 1)

    def checkpoint(self, seconds: float, ended_by: str = "") -> None:
        """Make everything durable, so that the journal can begin again."""
        self.commit(seconds, ended_by)
        number = self._ledger.rotate()
        components = {component.name: component.checkpoint() for component in self.parts}
        self._ledger.publish(Checkpoint(number, components, self.progress))
        for component in self.parts:
            component.checkpoint_published()

    def retire(self, seconds: float, is_last: bool = False) -> None:
        """Let go of the least valuable pages, when more are stored than there may be."""
        store = self._components.store
        if store.choose_retired(self._components.ordering.worth, is_last=is_last):
            self.commit(seconds)
            store.retire()
            self.commit(seconds)

    def catch_up(self, record: Record) -> None:
        """Do again what the journal noted since the checkpoint."""
        for component in self.parts:
            component.replay(record.notes(component.name))
            record.noted.pop(component.name, None)  # a long journal takes up much memory
        self.progress = record.progress
        self._delay_after_crash(record.progress)
        self._delay_after_end(record.progress)

    def close(self) -> None:
        self._ledger.close()

    def _hand_over_rank_updates(self) -> None:
        """Give neighbours what our links bring to pages of theirs."""
        for partition, rank_update, noted in self._components.ordering.rank_updates():
            self._components.neighbours.hand_over(partition, rank_update)
            self._stream.note_learned(noted)

    def _delay_after_crash(self, progress: Progress) -> None:
        """It is not known which hosts were asked after the last commit: wait long enough for all of them."""
        frontier, politeness = self._components.frontier, self._politeness
        ended = self._latest_end(progress)
        delays = [(_host(origin), delay) for origin, delay in self._components.gate.crawl_delays()]
        unsure = delay_known_hosts(
            progress.time, progress.in_flight, delays, politeness, progress.unseen, ended
        )
        for host, ready in unsure.items():
            frontier.free(host, ready)
        for host, seconds in self._host_delays.delays.items():  # orders, whatever the settings say
            if progress.time and (not progress.is_clean or host in progress.in_flight):
                frontier.free(host, max(progress.time + progress.unseen, ended) + seconds)
        if not progress.is_clean:
            budgeted = self._host_delays.longest_budgeted
            self.delayed_until = delay_unknown_hosts(
                progress.time, politeness, budgeted, progress.unseen, ended
            )
            frontier.delay_all_hosts(self.delayed_until)

    def _latest_end(self, progress: Progress) -> float:
        """The latest possible end of the last request before a crash; 0 for a crawl that was not killed.

        It began in time, but the process may have lived on without a commit for as long as its disk was slow.
        """
        if progress.is_clean:
            return 0.0
        return min(self._components.clock.now(), progress.time + progress.unseen + self._timeout)

    def _delay_after_end(self, progress: Progress) -> None:
        """Let all servers rest: which of them was asked last is not recorded.

        How long ago that was cannot be read from the clock, which may have been set meanwhile.
        """
        politeness = self._politeness
        if politeness.delay and progress.time:
            budgeted = self._server_delay if self._host_delays.longest_budgeted else 0.0
            delay = max(politeness.address_delay, budgeted)
            self._components.frontier.delay_all_hosts(self._components.clock.now() + delay)


def _host(origin: str) -> str:
    url = parse(origin)
    return url.host if url is not None else ""
