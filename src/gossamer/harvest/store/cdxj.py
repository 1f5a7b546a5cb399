"""The CDXJ index: which record of which WARC file holds a URL as it was at a time.

One line per capture, `SURT timestamp {json}`, sorted by bytes, with the fields that pywb's
cdx-indexer writes. While a crawl runs, lines are collected in sorted runs on disk, so that memory
stays bounded; at the end the runs are merged into one file that appears all at once.
"""

from collections.abc import Iterable
from contextlib import ExitStack
from heapq import merge
from pathlib import Path
from typing import BinaryIO

import msgspec
from msgspec import Struct

from gossamer.base.records import Kept
from gossamer.harvest.store.date import timestamp14
from gossamer.harvest.store.files import next_serial, write_whole
from gossamer.harvest.store.record import Kind
from gossamer.harvest.store.text import well_formed
from gossamer.harvest.store.warc import Place

_LINES_PER_RUN = 100_000
_RUNS_PER_MERGE = 64
"""Files open at a time; more runs than this are merged in several rounds."""


class Entry(Struct, frozen=True, omit_defaults=True):
    """The JSON part of a line. All values are strings, as pywb has them."""

    url: str
    mime: str
    length: str
    offset: str
    filename: str
    status: str = ""
    digest: str = ""


_encode = msgspec.json.Encoder().encode


def index_line(kept: Kept, kind: Kind, digest: str, place: Place) -> bytes:
    """The line for one capture; `digest` is the payload's, spelled with its `sha1:`."""
    page = kept.document.page
    url = page.visit.url
    is_response = kind is Kind.RESPONSE
    entry = Entry(
        url=well_formed(url.text),
        mime=_mime(kept) if is_response else "warc/revisit",
        length=str(place.length),
        offset=str(place.offset),
        filename=place.file,
        # By convention only responses tell their status: what a revisit replays is another's.
        status=str(page.status) if is_response and page.status else "",
        digest=digest[5:],
    )
    key = f"{url.surt} {timestamp14(int(page.started))} "
    return key.encode("utf-8", "replace") + _encode(entry) + b"\n"


def _mime(kept: Kept) -> str:
    document = kept.document
    return well_formed(document.media_type or document.page.media_type) or "unk"


class CdxjIndex:
    """Collects the lines of one partition and sorts them into `index.cdxj`."""

    def __init__(self, folder: Path, partition: int, lines_per_run: int = _LINES_PER_RUN) -> None:
        self._folder = folder
        self._prefix = f".cdxj-{partition:05}-"
        self._serial = next_serial(folder, self._prefix + "*.run")
        self._limit = lines_per_run
        self._lines: list[bytes] = []
        self._runs: list[Path] = []

    def add(self, line: bytes) -> None:
        self._lines.append(line)
        if len(self._lines) >= self._limit:
            self._write_run()

    def close(self) -> None:
        """Merge all runs, and what an earlier crawl left in the index, into the index."""
        self._lines.sort()
        while len(self._runs) > _RUNS_PER_MERGE:
            self._merge_some_runs()
        index = self._folder / "index.cdxj"
        earlier = [index] if index.exists() else []
        write_whole(index, lambda file: _merge([*earlier, *self._runs], self._lines, file))
        self._drop(self._runs)
        self._lines = []
        self._runs = []

    def _write_run(self) -> None:
        self._lines.sort()
        run = self._next_run()
        with open(run, "xb") as file:
            file.writelines(self._lines)
        self._runs.append(run)
        self._lines = []

    def _merge_some_runs(self) -> None:
        some, self._runs = self._runs[:_RUNS_PER_MERGE], self._runs[_RUNS_PER_MERGE:]
        run = self._next_run()
        with open(run, "xb") as file:
            _merge(some, [], file)
        self._runs.append(run)
        self._drop(some)

    def _next_run(self) -> Path:
        run = self._folder / f"{self._prefix}{self._serial:05}.run"
        self._serial += 1
        return run

    def _drop(self, runs: list[Path]) -> None:
        for run in runs:
            run.unlink()


def _merge(runs: list[Path], lines: list[bytes], file: BinaryIO) -> None:
    with ExitStack() as stack:
        sources: list[Iterable[bytes]] = [stack.enter_context(open(run, "rb")) for run in runs]
        file.writelines(merge(*sources, lines))
