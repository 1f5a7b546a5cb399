"""Check the state that a resume needs."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import gettempdir, mkdtemp

import msgspec
from msgspec.structs import replace

from gossamer.analyzers.duplicates.content_seen import Content
from gossamer.analyzers.duplicates.duplicates_state import ContentState, read_content_state
from gossamer.analyzers.duplicates.file_compaction import generation_folder_of
from gossamer.analyzers.duplicates.originals import Originals
from gossamer.cluster.consistency import read_reach
from gossamer.cluster.mailbox import Mailbox
from gossamer.core.directory import Directory
from gossamer.core.errors import DamageError
from gossamer.core.neighbour_protocol import Neighbours
from gossamer.core.settings import Settings
from gossamer.core.url import Spelling
from gossamer.engine.builder import Builder, Plugins
from gossamer.engine.counters import Counters
from gossamer.engine.ledger import Ledger, Record
from gossamer.engine.retried_seeds import UnreachedSeeds
from gossamer.engine.seeds import read_seeds
from gossamer.engine.stream import Stream, read_passed
from gossamer.engine.world import RealWorld
from gossamer.output import Store, read_store_state
from gossamer.verify.finding import Finding, attempt, problem

COPIED = 1 << 30
_APART = frozenset({"journal", "output", "disk_cache", "known"})
"""Folders of a partition that are looked at elsewhere, or made again when they are gone."""


def read_record(directory: Directory) -> Record:
    """Read checkpoint and journal, and all notes whose components are not opened later."""
    record = Ledger.read(directory.state)
    try:
        read_passed(record.state(Stream.name), record.notes(Stream.name))
        read_store_state(record.latest(Store.name))
        read_reach(record.state(Neighbours.name), record.notes(Neighbours.name))
        Counters(record.latest(Counters.name))
        UnreachedSeeds(record.state(UnreachedSeeds.name)).replay(record.notes(UnreachedSeeds.name))
    except msgspec.MsgspecError as error:
        raise DamageError(
            directory.state, f"has an entry that cannot be decoded: {error}"
        ) from None
    return record


def inspect_state(
    directory: Directory,
    settings: Settings,
    record: Record,
    pages: int,
    limit: int,
    what: str = "state",
) -> Finding:
    """Open everything as a resumed crawl would, in a copy, for opening cuts off what came too late."""
    passed = read_passed(record.state(Stream.name), record.notes(Stream.name))
    noted = f"{len(passed.ended) + len(passed.ended_again)} visits in the journal"
    offered = len(passed.offered)
    size = sum(map(_size, _folders(directory)))
    if size > limit:
        said = f"{noted}; its {size >> 20} MB are too much to copy, so nothing else was opened"
        return Finding(what, said, is_partial=True)
    work = _place_of_copy(directory, size)
    if work is None:
        said = f"checking it needs a copy of {size:,} bytes, and neither {directory.path} nor "
        return problem(
            what, f"{said}{gettempdir()} has that much free space; free some and verify again"
        )

    def look() -> str:
        with _copy(directory, work) as copy:
            return f"{_open(copy, settings, record, pages, offered)}, {noted}"

    finding, _ = attempt(what, look)
    return replace(finding, said=finding.said.replace(str(work), str(directory.path)))


def _open(copy: Directory, settings: Settings, record: Record, pages: int, offered: int) -> str:
    seeds = read_seeds(settings.crawl.seeds, Spelling(settings.url.rules), settings.fetch.schemes)
    # What an earlier crawl stored is no part of this one's state.
    alone = replace(settings, crawl=replace(settings.crawl, known=""))
    builder = Builder(alone, seeds, Plugins(), RealWorld())
    components = builder.build_state(copy, record)
    for room in components.with_state():
        room.replay(record.notes(room.name))
        room.verify()
    repairs = [record.repair] if record.repair else []
    repairs += components.content.repairs
    seen, waiting = (
        components.seen.statistics(),
        len(components.frontier) + len(components.admission),
    )
    for room in components.with_state():
        room.close()
    unsent = _open_mailbox(copy, settings, record)
    repairs += _open_shared(copy, read_content_state(record.latest(Content.name)))
    if repairs:
        raise ValueError("; ".join(repairs))
    most = seen.known + seen.undecided + offered
    if pages > most and not settings.revisit.continuous:  # there each URL may have many visits
        raise ValueError(f"{pages} pages were fetched, but no more than {most} URLs are known")
    return f"{seen.known} URLs known, {waiting} waiting{unsent}"


def _open_mailbox(copy: Directory, settings: Settings, record: Record) -> str:
    """Open the messages to other partitions, if there are any."""
    others = [one for one in range(settings.crawl.partitions) if one != copy.partition]
    if not others:
        return ""
    state, notes = record.state(Neighbours.name), record.notes(Neighbours.name)
    mailbox = Mailbox(copy.state / "exchange", others, state, notes)
    try:
        return f", {mailbox.read_all()} batches for other partitions"
    finally:
        mailbox.close()


def _open_shared(copy: Directory, state: ContentState) -> list[str]:
    """Open the contents that other partitions met first; returns the repairs that a resumed crawl would
    make."""
    folder = copy.state / "content" / "shared"
    if not folder.exists() and state.shared == (0, 0):
        return []
    shared = Originals(generation_folder_of(folder, state.shared_generation), *state.shared)
    try:
        shared.verify()
        return shared.repairs
    finally:
        shared.close()


def _place_of_copy(directory: Directory, size: int) -> Path | None:
    """Find space for a copy: on the same disk, or else where temporary files are.

    A copy that a killed inspection left behind goes first.
    """
    beside = directory.path / "state" / "inspection"
    shutil.rmtree(beside, ignore_errors=True)
    for folder in (directory.path, Path(gettempdir())):
        if size <= shutil.disk_usage(folder).free // 2:
            return beside if folder == directory.path else Path(mkdtemp(prefix="gossamer-"))
    return None


@contextmanager
def _copy(directory: Directory, work: Path) -> Iterator[Directory]:
    """A copy, in a folder that is deleted afterwards."""
    try:
        copy = Directory(work, directory.partition)
        for folder in _folders(directory):
            shutil.copytree(folder, copy.state / folder.name)
        yield copy
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _folders(directory: Directory) -> list[Path]:
    folders = directory.state.iterdir() if directory.state.is_dir() else ()
    return [folder for folder in folders if folder.is_dir() and folder.name not in _APART]


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
