"""Shards of one index, made by several processes of a machine at once.

Each process makes some shards as it would alone: it looks at all pages and links, and reads and writes those
of its own shards only. They have nothing in common but the manifest. So whichever of them is killed, and
when, the next call makes up for it.
"""

import os
import signal
from collections.abc import Iterator, Sequence
from functools import reduce
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

from gossamer.archive.committed_rows import CommittedRows
from gossamer.cluster.die_with_parent import die_with
from gossamer.core.directory import Directory
from gossamer.core.errors import DirectoryError, GossamerError
from gossamer.core.settings import SearchSettings
from gossamer.search.build.index_build import IndexProgress, build_index, make_room, shards_alone

_LAST_STEP = "done"


def build_in_processes(
    path: Path,
    memory: int,
    processes: int,
    settings: SearchSettings | None = None,
    *,
    rebuild: bool = False,
    first_tier: float = 0.0,
    only: Sequence[int] = (),
    record: CommittedRows | None = None,
) -> Iterator[IndexProgress]:
    """As `build_index`, with the shards dealt out to this many processes. They share the memory."""
    shards = [*only] or [*range(max(1, Directory(path).partitions))]
    record = record or CommittedRows(Directory(path))
    count = min(processes, len(shards))
    if count <= 1:
        yield from build_index(
            path, memory, settings, rebuild=rebuild, first_tier=first_tier, only=only, record=record
        )
        return
    if rebuild and (path / "index").is_dir():
        with shards_alone(path, shards):
            make_room(path / "index", only)
    knobs = {"first_tier": first_tier, "record": record}
    builders = [
        _Builder(path, memory // count, settings, {**knobs, "only": shards[number::count]})
        for number in range(count)
    ]
    try:
        yield from _follow(builders)
    finally:
        for builder in builders:
            builder.end()


def _follow(builders: "list[_Builder]") -> Iterator[IndexProgress]:
    """Yield the progress of all processes until the last is done."""
    busy = {builder.line: builder for builder in builders}
    while busy:
        for line in wait([*busy]):
            builder = busy[line]  # type: ignore[index]
            builder.receive()
            if builder.last.step == _LAST_STEP:
                del busy[builder.line]
        yield reduce(_sum, (builder.last for builder in builders))


def _sum(one: IndexProgress, other: IndexProgress) -> IndexProgress:
    """Together they are at the step of the one that is not done."""
    return IndexProgress(
        other.step if one.step == _LAST_STEP else one.step,
        one.done + other.done,
        one.total + other.total,
        one.written + other.written,
        one.removed + other.removed,
        one.without_text + other.without_text,
    )


class _Builder:
    """A process that makes some shards."""

    def __init__(
        self, path: Path, memory: int, settings: SearchSettings | None, knobs: dict[str, Any]
    ) -> None:
        context = get_context("spawn")  # a fork would have only one of this process's threads
        self._path, self._shards = path, knobs["only"]
        self.last = IndexProgress("beginning", 0, 0)
        self.line, theirs = context.Pipe(duplex=False)
        self._process = context.Process(
            target=_build, args=(theirs, os.getpid(), path, memory, settings, knobs), daemon=True
        )
        self._process.start()
        theirs.close()

    def receive(self) -> None:
        """Take what it says next: how far it is, or why it cannot go on."""
        try:
            said = self.line.recv()
        except EOFError:
            said = (
                f"the process that makes {self._path / 'index'}, shard {self._shards[0]}, has crashed; "
                "run the command again to continue"
            )
        if isinstance(said, str):
            raise DirectoryError(said)
        self.last = said

    def end(self) -> None:
        self._process.kill()  # nothing is lost by it
        self._process.join()
        self.line.close()


def _build(
    line: Connection,
    parent: int,
    path: Path,
    memory: int,
    settings: SearchSettings | None,
    knobs: dict[str, Any],
) -> None:
    """The whole life of such a process; Ctrl-C is for the one that started it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    die_with(parent)
    try:
        for progress in build_index(path, memory, settings, **knobs):
            line.send(progress)
    except GossamerError as error:
        line.send(str(error))
