"""Processes that read pages for a run that was killed: they end with it, and add nothing afterwards."""

import os
import pickle
import select
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from pyarrow import parquet

from gossamer.core.directory import Directory
from gossamer.core.disk.disk_manifest import MANIFEST
from gossamer.text import build_texts
from gossamer.text.text_chunk import Chunk, ChunkReader
from gossamer.verify import inspect
from tests.engine.static import serve_static
from tests.text.sites import CONTENT, crawl, rows

_MOST = 60_000
"""Milliseconds until a process that should have ended is said to live on."""


@pytest.fixture
def out(tmp_path: Path) -> Path:
    with serve_static(CONTENT) as site:
        crawl(site, tmp_path / "out").run()
    return tmp_path / "out"


@pytest.fixture
def reading(out: Path) -> Iterator["subprocess.Popen[bytes]"]:
    """A run of which a worker reads pages, and does not come to an end."""
    code = "import sys, pathlib; from tests.text.sites import build_and_wait as build\n"
    code += "if __name__ == '__main__': build(pathlib.Path(sys.argv[1]))"
    process = subprocess.Popen([sys.executable, "-c", code, str(out)])
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def wait_for_worker(out: Path, process: "subprocess.Popen[bytes]") -> int:
    """A descriptor of the worker's process."""
    place = out.parent / "pid"
    while not place.exists():
        assert process.poll() is None, "it ended before it had read anything"
        select.select([], [], [], 0.05)
    return os.pidfd_open(int(place.read_text()))


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_workers_end_with_the_run(
    out: Path, reading: "subprocess.Popen[bytes]", number: signal.Signals
) -> None:
    worker = wait_for_worker(out, reading)
    reading.send_signal(number)
    reading.wait()
    poll = select.poll()
    poll.register(worker, select.POLLIN)
    ended = poll.poll(_MOST)
    if not ended:
        signal.pidfd_send_signal(worker, signal.SIGKILL)
    os.close(worker)
    assert ended


def test_who_outlives_its_run_adds_nothing_to_the_next(
    out: Path, reading: "subprocess.Popen[bytes]"
) -> None:
    """However late the kernel ends it."""
    os.close(wait_for_worker(out, reading))
    reading.kill()
    reading.wait()
    chunk: Chunk = pickle.loads((out.parent / "chunk").read_bytes())
    *_, last = build_texts(out, workers=1)
    before = rows(out, "digest")
    with suppress(OSError):
        ChunkReader(out, Directory(out).look()).process(chunk)
    assert rows(out, "digest") == before
    assert last.pages == len(before) == len(set(before))
    assert not [*(out / "text").glob(".*")]


def test_rows_that_an_earlier_version_repeated_are_found_and_deleted(out: Path) -> None:
    list(build_texts(out, workers=1))
    before = rows(out, "digest")
    [file] = (out / "text").glob("*.parquet")
    (out / "text" / MANIFEST).unlink()
    parquet.write_table(parquet.read_table(file).replace_schema_metadata(), file)
    shutil.copy(file, out / "text" / "00000-00007.parquet")
    assert len(rows(out, "digest")) == 2 * len(before)
    problems = [one.said for one in inspect(out) if one.is_problem]
    assert len(problems) == 1
    assert problems[0].startswith("5 rows repeat a page")
    *_, last = build_texts(out, workers=1)
    assert (last.pages, last.before) == (0, 5)
    assert rows(out, "digest") == before
    assert not [one for one in inspect(out) if one.is_problem]
