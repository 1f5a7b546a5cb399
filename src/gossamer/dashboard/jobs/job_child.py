"""The process that builds an index or a graph, and prints how far it is: one line of JSON each time.

`python -m gossamer.dashboard.jobs.job_child index DIR PID`. It ends with the server, whose process is PID.
"""

import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec

from gossamer.cluster.die_with_parent import die_with
from gossamer.core.directory import Directory
from gossamer.core.errors import GossamerError
from gossamer.dashboard.jobs.background_jobs import JobProgress

_MODEST = 10
"""How much less claim to the processor it has than a crawl, at least."""
_GRAPH_MEMORY = 256 << 20
"""Bytes that links and URLs take up at a time."""
_PAUSE = 0.2
"""Seconds between two lines, so that nobody is swamped."""


def build_index(crawl: Path) -> Iterator[JobProgress]:
    """Read the pages that were not read yet, in one process, and bring the index up to date."""
    try:
        import tantivy  # noqa: F401
    except ImportError:
        raise GossamerError(
            "the index needs the library tantivy; install it with: pip install 'gossamer[search]'"
        ) from None
    from gossamer.archive.committed_rows import CommittedRows
    from gossamer.search.build import build_in_processes
    from gossamer.text import build_texts

    settings = Directory(crawl).look().search
    record = CommittedRows(Directory(crawl))
    for read in build_texts(crawl, 1, is_latest=True, record=record):
        yield JobProgress("reading pages", read.visits, read.total)
    for made in build_in_processes(crawl, settings.memory << 20, 1, settings, record=record):
        yield JobProgress(made.step, made.done, made.total)


def build_graph(crawl: Path) -> Iterator[JobProgress]:
    """Build the graph, or merge in what is new."""
    from gossamer.graph import Choice
    from gossamer.graph.build import GraphBuilder

    for made in GraphBuilder(crawl, Choice(True, False), _GRAPH_MEMORY, False).run():
        yield JobProgress(made.step, made.done, made.total)


def main(name: str, crawl: str, parent: str) -> int:
    die_with(int(parent))
    os.nice(_MODEST)
    build, said = (build_index if name == "index" else build_graph), 0.0
    try:
        for progress in build(Path(crawl)):
            if time.monotonic() - said > _PAUSE:
                print(msgspec.json.encode(progress).decode(), flush=True)
                said = time.monotonic()
    except GossamerError as error:
        print(f"gossamer: {error}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"gossamer: {error.filename or name}: {error.strerror or error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
