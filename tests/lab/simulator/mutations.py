"""Faults that are put into the code on purpose: would the simulator notice?

Each breaks one promise, as a mistake in the code would. `test_mutations.py` plays seeds with it until the
simulator says so.
"""

import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from typing import Any
from unittest.mock import patch

from gossamer.cluster.mailbox import Mailbox
from gossamer.core.disk import journal
from gossamer.core.disk.disk_files import AppendOnlyFile
from gossamer.engine import host_delays, ledger, recorder, solo, stream
from gossamer.engine.blocked import Blocked
from gossamer.engine.control import command_journal
from gossamer.lab.simulator.simulated_disk import SimulatedDisk
from gossamer.lab.simulator.simulated_folders import Folders
from gossamer.lab.simulator.simulation_runs import play_all
from gossamer.output.page_limit import Keeper
from gossamer.pipeline.dns.dns_cache import Cache
from gossamer.pipeline.frontier import AddressTurns, DiskFrontier
from gossamer.pipeline.robots import Gate, Verdict
from gossamer.pipeline.seen import DiskSeen

SURROUNDINGS = {"PYTHONHASHSEED": "0", "NUMPY_MADVISE_HUGEPAGE": "0"}
"""Hashes are fixed, else a simulation begins again with this. Its many small crawls touch little of their
large tables: in huge pages each touch would clear two megabytes."""

JOBS = int(os.environ.get("GOSSAMER_JOBS", "1"))
"""Simulations at a time. Most faults show in the first one, and those beside it are played for nothing."""

Mutation = Callable[[], AbstractContextManager[Any]]


def no_fsync() -> AbstractContextManager[Any]:
    """What was synced is not durable."""
    return patch.object(SimulatedDisk, "_forget", lambda self, descriptor: None)


def batches_dropped() -> AbstractContextManager[Any]:
    """Some batches are acknowledged and recorded, but nobody takes them in."""
    receive = Mailbox.receive

    def drop(self: Mailbox, partition: int, number: int, body: bytes) -> Any:
        messages = receive(self, partition, number, body)
        return [] if number % 3 == 0 else messages

    return patch.object(Mailbox, "receive", drop)


@contextmanager
def rests_forgotten() -> Iterator[None]:
    """A resumed crawl does not know how long hosts have to rest."""
    patches: list[AbstractContextManager[Any]] = [
        patch.object(host_delays.HostDelays, "replay", lambda *_: None),
        patch.object(recorder, "delay_known_hosts", lambda *_: {}),
        patch.object(recorder, "delay_unknown_hosts", lambda *_: 0.0),
    ]
    with ExitStack() as stack:
        for one in patches:
            stack.enter_context(one)
        yield


def robots_ignored() -> AbstractContextManager[Any]:
    return patch.object(Gate, "verdict", lambda *_: Verdict.ALLOWED)


def crawl_delay_ignored() -> AbstractContextManager[Any]:
    return patch.object(Gate, "delay", lambda *_: 0.0)


def journal_not_replayed() -> AbstractContextManager[Any]:
    """What came after the last checkpoint is forgotten, though it is recorded."""
    return patch.object(ledger, "replay", lambda *_: iter(()))


def ended_visits_forgotten() -> AbstractContextManager[Any]:
    """A resumed crawl makes visits again that are recorded."""
    return patch.object(DiskFrontier, "skip", lambda *_: None)


def urls_released_twice() -> AbstractContextManager[Any]:
    """The seen set lets everything through."""
    return patch.object(DiskSeen, "admit", lambda self, candidates: list(candidates))


def found_urls_not_noted() -> AbstractContextManager[Any]:
    """URLs are in the frontier, but not in the journal."""
    return patch.object(stream.Stream, "note_offered", lambda *_: None)


def acknowledged_too_early() -> AbstractContextManager[Any]:
    """A neighbour is told that a batch is recorded before it is."""

    def early(self: Mailbox) -> list[tuple[int, int]]:
        ready, self._unacknowledged = self._unacknowledged, set()
        return [(one, self._marks.get(one, 0)) for one in ready]

    return patch.object(Mailbox, "to_acknowledge", early)


def torn_tails_kept() -> AbstractContextManager[Any]:
    """What a crash left behind at the end of a file is not cut off."""

    def keep(self: AppendOnlyFile) -> None:
        import os

        self._on_disk = self.length = os.lseek(self._descriptor, 0, os.SEEK_END)

    return patch.object(AppendOnlyFile, "_cut_back", keep)


def hosts_not_rested() -> AbstractContextManager[Any]:
    """A host may be asked again at once."""
    return patch.object(host_delays.HostDelays, "_delay_until", lambda self, host, ready, now: 0.0)


def addresses_not_rested() -> AbstractContextManager[Any]:
    """A server of many names may be asked for all of them at once."""

    def enter(self: AddressTurns, address: str, *_: Any) -> bool:
        self._state(address).active += 1
        return True

    return patch.object(AddressTurns, "enter", enter)


def limit_not_kept() -> AbstractContextManager[Any]:
    """Visits begin without a look at how many pages are still wanted."""
    return patch.object(
        solo.Solo, "_free_slots", lambda self, ring: ring.components.fetcher.free_slots()
    )


def folders_not_synced() -> AbstractContextManager[Any]:
    """A file that is complete has its name, until the power fails."""
    return patch.object(Folders, "sync", lambda *_: None)


def failed_reads_ignored() -> AbstractContextManager[Any]:
    """A journal that cannot be read is taken for one that is not there."""
    read = journal.replay

    def ignore(*where: Any) -> Iterator[Any]:
        with suppress(OSError):
            yield from read(*where)

    return patch.object(ledger, "replay", ignore)


def names_kept_for_ever() -> AbstractContextManager[Any]:
    """Memory has no end."""
    return patch.object(Cache, "put", lambda self, host, answer: self._young.update({host: answer}))


def retirement_not_finished() -> AbstractContextManager[Any]:
    """A plan that a crash interrupted is left as it is."""
    return patch.object(Keeper, "_finish_interrupted", lambda self: None)


def everything_kept() -> AbstractContextManager[Any]:
    """Nobody looks how many pages the archive has."""
    return patch.object(Keeper, "choose", lambda *_, **__: False)


def due_pages_not_noted() -> AbstractContextManager[Any]:
    """What is due again is in the frontier, but not in the journal."""
    return patch.object(stream.Stream, "note_scheduled", lambda *_: None)


def due_pages_doubled() -> AbstractContextManager[Any]:
    """A page that was visited again is due at its old time, too, after a crash."""
    skip = DiskFrontier.skip

    def skip_once(self: DiskFrontier, keys: Iterable[int], again: Iterable[int] = ()) -> None:
        skip(self, set(keys) if self.statistics().scheduled == 0 else (), again)

    return patch.object(DiskFrontier, "skip", skip_once)


_FORBIDDEN, _TOO_SOON, _TWICE = "robots.txt forbids", "was asked again after", "asked for twice"


def blocks_ignored() -> AbstractContextManager[Any]:
    """A host that an order blocks is asked all the same."""
    return patch.object(Blocked, "turns_away", lambda self, visit: False)


def commands_forgotten() -> AbstractContextManager[Any]:
    """A resumed crawl does not know what it was told."""
    return patch.object(command_journal, "fold", lambda before, ordered: before)


def unblocked_lost() -> AbstractContextManager[Any]:
    """What waited for the end of a block does not come back."""
    freed = Blocked.freed
    return patch.object(Blocked, "freed", lambda self: freed(self)[:0])


_LOST = r"never (asked for|recorded)|recorded twice|pages were counted|it gave up|does not end"
_DAMAGE = "DamageError"

MUTATIONS: dict[str, tuple[Mutation, str, str]] = {
    "no fsync": (no_fsync, "power", rf"{_LOST}|{_TWICE}|{_TOO_SOON}|DamageError"),
    "batches dropped": (batches_dropped, "exchange", _LOST),
    "rests forgotten": (rests_forgotten, "kills", _TOO_SOON),
    "robots.txt ignored": (robots_ignored, "calm", _FORBIDDEN),
    "Crawl-delay ignored": (crawl_delay_ignored, "calm", _TOO_SOON),
    "journal not replayed": (journal_not_replayed, "power", rf"{_LOST}|{_TOO_SOON}"),
    "ended visits forgotten": (ended_visits_forgotten, "power", rf"{_LOST}|{_TWICE}"),
    "URLs released twice": (urls_released_twice, "calm", _TWICE),
    "found URLs not noted": (found_urls_not_noted, "power", _LOST),
    "acknowledged too early": (acknowledged_too_early, "kills", _LOST),
    "torn tails kept": (torn_tails_kept, "power", rf"{_LOST}|warc|index|pages|links|state"),
    "hosts not rested": (hosts_not_rested, "calm", _TOO_SOON),
    "addresses not rested": (addresses_not_rested, "calm", "two requests began at"),
    "limit not kept": (limit_not_kept, "limit", "max_pages is"),
    "folders not synced": (folders_not_synced, "power", rf"{_LOST}|{_TWICE}|{_TOO_SOON}|{_DAMAGE}"),
    "failed reads ignored": (
        failed_reads_ignored,
        "disk",
        rf"{_LOST}|{_TWICE}|{_TOO_SOON}|{_DAMAGE}",
    ),
    "retirement not finished": (
        retirement_not_finished,
        "retirement",
        rf"{_LOST}|{_DAMAGE}|in the archive|retired pages|warc|index",
    ),
    "everything kept": (everything_kept, "retirement", "may be kept"),
    "due pages not noted": (due_pages_not_noted, "continuous", "pages are due again"),
    "due pages doubled": (due_pages_doubled, "continuous", rf"pages are due again|{_TWICE}"),
    "blocks ignored": (blocks_ignored, "orders", "is stopped by an order"),
    "orders forgotten": (commands_forgotten, "orders", "is stopped by an order"),
    "unblocked URLs lost": (unblocked_lost, "orders", _LOST),
    "names kept for ever": (names_kept_for_ever, "calm", "held in memory"),
}
"""Each with the scenario in which it should show, and the words that the referee has for it."""

_MISTAKES = r"TypeError|AttributeError|ImportError|its process ended|took too long"
"""Words that tell of a fault in a mutation, or in the simulator itself."""


def hunt(name: str, most: int) -> str:
    """Play seeds until somebody notices; returns what was said, or nothing."""
    mutate, scenario, expected = MUTATIONS[name]
    with mutate():
        for tried, story in enumerate(play_all(range(most), scenario, jobs=JOBS), 1):
            assert not re.search(_MISTAKES, story.foul), story.foul
            if re.search(expected, story.foul):
                return f"{name}: found by seed {story.seed} ({tried} played): {story.foul}"
    return ""


if __name__ == "__main__":  # with hashes that the caller has fixed
    print(hunt(sys.argv[1], int(sys.argv[2])))
