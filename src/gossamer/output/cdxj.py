"""The CDXJ index: which record of which WARC file holds a URL as it was at a time.

One line per capture, `SURT timestamp {json}`, sorted by bytes, with the fields that pywb's
cdx-indexer writes; a request with a body has its method and body in the key. While a crawl runs, lines are
collected in sorted runs on disk, so that memory stays bounded; at the end the runs are merged into one file
that appears all at once, when the commit that speaks of it is recorded: until then a crash may undo what it
leads to. All partitions of a crawl share the index; each adds its lines in turn, under a lock.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from heapq import merge
from itertools import groupby
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace
from xxhash import xxh3_64

from gossamer.core.disk.disk_files import check_length, delete, lock_folder, open_file, write_whole
from gossamer.core.disk.disk_manifest import replace_listed
from gossamer.core.errors import DamageError
from gossamer.core.records import Judged
from gossamer.core.request import RequestUrl
from gossamer.output.numbered_files import delete_from, serial_of
from gossamer.output.spool import Spool, SpoolState, pack, unpack
from gossamer.output.utf8_text import well_formed
from gossamer.output.warc_date import timestamp14
from gossamer.output.warc_file import RecordPlace
from gossamer.output.warc_record import RecordKind

_LINES_PER_RUN = 100_000
_RUNS_PER_MERGE = 64
"""Files open at a time; more runs than this are merged in several rounds."""


class IndexEntry(Struct, frozen=True, omit_defaults=True):
    """The JSON part of a line. All values are strings, as pywb has them."""

    url: str
    mime: str
    length: str
    offset: str
    filename: str
    status: str = ""
    digest: str = ""
    method: str = ""
    """Of a request that was more than a URL."""
    requestBody: str = ""  # noqa: N815 (as cdxj-indexer and pywb spell it)
    """What the key has beside the URL."""


_encode = msgspec.json.Encoder().encode


def index_line(
    judged: Judged,
    kind: RecordKind,
    digest: str,
    place: RecordPlace,
    secret_fields: Sequence[str] = (),
) -> bytes:
    """The line for one capture; `digest` is the payload's, spelled with its `sha1:`."""
    page = judged.document.page
    url = page.visit.url
    is_response = kind is RecordKind.RESPONSE
    entry = IndexEntry(
        url=well_formed(url.text),
        mime=_mime(judged) if is_response else "warc/revisit",
        length=str(place.length),
        offset=str(place.offset),
        filename=place.file,
        # By convention only responses tell their status: what a revisit replays is another's.
        status=str(page.status) if is_response and page.status else "",
        digest=digest[5:],
    )
    if isinstance(url, RequestUrl) and (query := url.written_query(secret_fields)):
        method, _, body = query.removeprefix("__wb_method=").partition("&")
        entry = replace(entry, method=method, requestBody=well_formed(body))
        key = f"{url.surt_of(query)} {timestamp14(int(page.started))} "
    else:
        key = f"{url.surt} {timestamp14(int(page.started))} "
    return key.encode("utf-8", "replace") + _encode(entry) + b"\n"


def _mime(judged: Judged) -> str:
    document = judged.document
    return well_formed(document.media_type or document.page.media_type) or "unk"


class CdxjState(Struct, frozen=True, array_like=True):
    serial: int = 0
    runs: tuple[int, ...] = ()
    merged: tuple[int, ...] = ()
    """Runs that go into the index; those no longer there are in it."""
    spool: SpoolState = SpoolState()
    checks: dict[int, int] = {}
    """Checksums of all these runs."""
    is_published: bool = False
    """Are lines of this partition in the index?"""


class CdxjIndex:
    """Collects the lines of one partition and sorts them into `index.cdxj`."""

    def __init__(
        self,
        folder: Path,
        work: Path,
        partition: int,
        state: CdxjState,
        lines_per_run: int = _LINES_PER_RUN,
    ) -> None:
        self._folder = folder
        self._index = folder / "index.cdxj"
        self._partition = partition
        self._serial = state.serial
        self._limit = lines_per_run
        self._committed = state
        self._checks = dict(state.checks)
        self._is_published = state.is_published
        wanted = {*state.runs, *state.merged}
        delete_from(folder, f".cdxj-{partition:05}-*.run", lambda serial: serial not in wanted)
        self._runs = [self._run(serial) for serial in state.runs]
        for run in self._runs:
            check_length(run, 0)
        self._check_index()
        self._merged: list[Path] = []
        self._publish()
        self._spool = Spool(work, "index", state.spool)
        self._lines: list[bytes] = [unpack(line) for line in self._spool.load()]
        self._spooled = len(self._lines)
        self._done: list[Path] = []
        """Runs whose lines are in another file, as soon as a commit says so."""

    def add(self, line: bytes) -> None:
        self._lines.append(line)
        if len(self._lines) >= self._limit:
            self._write_run()

    def commit(self) -> CdxjState:
        self._spool.append([pack(line) for line in self._lines[self._spooled :]])
        self._spooled = len(self._lines)
        runs, merged = (tuple(map(serial_of, some)) for some in (self._runs, self._merged))
        self._checks = {serial: self._checks[serial] for serial in (*runs, *merged)}
        self._committed = CdxjState(
            self._serial, runs, merged, self._spool.commit(), self._checks, self._is_published
        )
        return self._committed

    def tidy(self) -> None:
        """The last commit is recorded: what it merged is the index, what it does not name can go."""
        self._publish()
        needed = [run for run in self._done if serial_of(run) in self._committed.runs]
        for run in self._done:
            if run not in needed:
                delete(run)
        self._done = needed
        self._spool.tidy()

    def finish(self) -> None:
        """Merge all runs into one, which goes into the index as soon as a commit is recorded."""
        while len(self._runs) > _RUNS_PER_MERGE:
            self._merge_some_runs()
        if self._lines or self._runs or not self._index.exists():
            lines = sorted(self._lines)
            run = self._new_run(self._merged_lines(self._runs, lines))
            self._forget_lines()
            self._done += self._runs
            self._runs = []
            self._merged.append(run)

    def close(self) -> None:
        self._spool.close()

    def _write_run(self) -> None:
        lines = sorted(self._lines)  # the order of those in the spool stays as it is
        run = self._new_run(lines)
        self._forget_lines()
        self._runs.append(run)

    def _forget_lines(self) -> None:
        self._spool.renew()
        self._lines, self._spooled = [], 0

    def _merge_some_runs(self) -> None:
        some = self._runs[:_RUNS_PER_MERGE]
        run = self._new_run(self._merged_lines(some, []))
        self._runs = [*self._runs[_RUNS_PER_MERGE:], run]
        self._done += some

    def _publish(self) -> None:
        runs = [run for run in map(self._run, self._committed.merged) if run.exists()]
        if runs:
            with lock_folder(self._folder):  # other partitions add to the same index
                for run in runs:
                    self._add_to_index(run)
            self._is_published = True
        self._merged = [x for x in self._merged if serial_of(x) not in self._committed.merged]

    def _add_to_index(self, run: Path) -> None:
        """Doing it again, after a crash in between, changes nothing."""
        before = [self._index] if self._index.exists() else []
        lines = self._merged_lines([run, *before], [])
        replace_listed(self._index, lambda file: file.writelines(lines))
        delete(run)

    def _check_index(self) -> None:
        """Check the length of the published index; reading all of it would take too long."""
        is_merged = any(not self._run(serial).exists() for serial in self._committed.merged)
        if (self._is_published or is_merged) and not self._index.is_file():
            raise DamageError(self._index, "is missing")

    def _new_run(self, lines: Iterable[bytes]) -> Path:
        run, check = self._run(self._serial), xxh3_64()
        write_whole(run, lambda file: file.writelines(_checking(lines, check)))
        self._checks[self._serial] = check.intdigest()
        self._serial += 1
        return run

    def _merged_lines(self, runs: list[Path], lines: list[bytes]) -> Iterator[bytes]:
        """Merge sorted lines; a line that stands in two of them, after a crash in between, stays one."""
        with ExitStack() as stack:
            sources: list[Iterable[bytes]] = [
                self._checked(run, stack.enter_context(open_file(run))) for run in runs
            ]
            yield from (line for line, _ in groupby(merge(*sources, lines)))

    def _checked(self, run: Path, lines: Iterable[bytes]) -> Iterator[bytes]:
        """The lines of a file; at the end of a run, `DamageError` when they are not those it was made of."""
        check = xxh3_64()
        yield from _checking(lines, check)
        if run != self._index and check.intdigest() != self._checks[serial_of(run)]:
            raise DamageError(run, "is damaged: its checksum is wrong")

    def _run(self, serial: int) -> Path:
        return self._folder / run_name(self._partition, serial)


def run_name(partition: int, serial: int) -> str:
    """The file name of a run, in the folder of the index."""
    return f".cdxj-{partition:05}-{serial:05}.run"


def _checking(lines: Iterable[bytes], check: xxh3_64) -> Iterator[bytes]:
    """The same lines, while they go into a checksum."""
    for line in lines:
        check.update(line)
        yield line
