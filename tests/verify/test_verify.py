"""`gossamer verify`: what is in order is said to be, and each damage is one line."""

import gzip
import json
import os
import random
import re
import shutil
import signal
import struct
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pyarrow.parquet as parquet
import pytest
from msgspec.structs import replace

from gossamer import Crawl
from gossamer.cli import run
from gossamer.core.directory import Directory
from gossamer.core.errors import GossamerError
from gossamer.core.settings import BudgetSettings
from gossamer.engine.ledger import Ledger
from gossamer.engine.recorder import Recorder
from gossamer.lab import ServedWeb, Web, serve
from gossamer.output import read_store_state
from gossamer.output.spool import read_spool
from gossamer.verify import Finding, inspect
from tests.copying import copy_crawl
from tests.engine.engine_crawling import crawl
from tests.engine.engine_forks import command
from tests.engine.moments import commit_each_turn


@pytest.fixture(scope="module")
def served() -> Iterator[ServedWeb]:
    with serve(Web(seed=5, pages=400, hosts=20)) as served:
        yield served


@pytest.fixture(scope="module")
def finished(served: ServedWeb, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("finished") / "out"
    crawl(served, out, retries=0, max_pages=50)
    # Several files of each kind, so that one can be missing between others.
    several = {"store.rows": 800, "store.warc_size": 200_000, "crawl.max_pages": 0}
    Crawl.resume(out, changes=several).run()
    for pattern in ("warc/*.warc.gz", "pages/*.parquet", "links/*.parquet"):
        assert len(list(out.glob(pattern))) >= 3
    return out


@pytest.fixture(scope="module")
def killed(served: ServedWeb, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A crawl that was ended by SIGKILL when something was recorded, and more under way."""
    out = tmp_path_factory.mktemp("killed") / "out"
    commit = Recorder.commit

    def commit_and_die(self: Recorder, *arguments: Any, **named: Any) -> None:
        commit(self, *arguments, **named)
        if _has_rows_on_record(out):
            os.killpg(0, signal.SIGKILL)

    with commit_each_turn(), patch.object(Recorder, "commit", commit_and_die):
        ended = command(
            *("crawl", served.seed_url, "-o", str(out), "-q", "--partitions", "1"),
            *("--scope", "all", "--dns", served.dns_address, "--allow-private", "--delay", "0.3"),
            *("--set", "politeness.retries=0"),
        )
    assert ended.status == -signal.SIGKILL, ended.err
    return out


def _has_rows_on_record(out: Path) -> bool:
    state = Directory(out).state
    try:
        store = read_store_state(Ledger.read(state).latest("output"))
    except (GossamerError, OSError):  # it is just being made, or replaced
        return False
    return min(store.pages.spool.length, store.links.spool.length) > 0


@pytest.fixture
def copy(finished: Path, tmp_path: Path) -> Path:
    return copy_crawl(finished, tmp_path / "copy")


@pytest.fixture
def killed_copy(killed: Path, tmp_path: Path) -> Path:
    return copy_crawl(killed, tmp_path / "copy")


def problems(out: Path) -> list[Finding]:
    return [finding for finding in inspect(out) if finding.is_problem]


def contents(out: Path) -> dict[str, bytes]:
    """All files, but for the lock, which says who took it last."""
    files = (path for path in out.rglob("*") if path.is_file() and path.name != "lock")
    return {str(path.relative_to(out)): path.read_bytes() for path in files}


def test_a_finished_crawl_is_in_order(finished: Path, capfd: pytest.CaptureFixture[str]) -> None:
    before = contents(finished)
    assert run(["verify", str(finished)]) == 0
    said = capfd.readouterr().out.splitlines()
    assert said[-1] == "all in order"
    assert all(line.startswith("ok ") for line in said[:-1])
    assert sum("warc/gossamer-" in line for line in said) >= 1
    assert sum("pages/00000-" in line for line in said) >= 1
    assert not any("wait" in line and "spool" in line for line in said)
    assert contents(finished) == before, "nothing is changed"


def test_a_killed_crawl_is_in_order(killed: Path, capfd: pytest.CaptureFixture[str]) -> None:
    before = contents(killed)
    assert run(["verify", str(killed)]) == 0
    said = capfd.readouterr().out
    store = read_store_state(Ledger.read(Directory(killed).state).latest("output"))
    spools = Directory(killed).state / "output"
    pages = read_spool(spools, "pages", store.pages.spool)
    links = read_spool(spools, "links", store.links.spool)
    assert f"ok   pages spool: {len(pages)} rows are not in a table yet" in said
    assert (
        f"ok   links spool: {sum(len(page[1]) for page in links)} rows are not in a table yet"
        in said
    )
    assert "lines are not in the index yet" in said
    assert contents(killed) == before, "nothing is changed"


def test_what_came_after_the_last_commit_is_in_order(
    killed_copy: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    [warc] = killed_copy.glob("warc/*.warc.gz")
    record = Ledger.read(Directory(killed_copy).state)
    length = read_store_state(record.latest("output")).archive.warc.length
    torn = gzip.compress(b"WARC/1.1\r\n")[:-3]
    warc.write_bytes(warc.read_bytes()[:length] + torn)
    (killed_copy / "warc" / "gossamer-20300101000000-00000-00001.warc.gz").write_bytes(b"half")
    assert run(["verify", str(killed_copy)]) == 0
    said = capfd.readouterr().out
    assert f"{len(torn)} bytes after the last commit will be cut off" in said
    assert said.count("begun after the last commit; a resumed crawl writes it again") == 1
    assert re.search(
        r"ok   pages/00000-00000.parquet: \d+ rows of a file that is not finished", said
    )


@pytest.mark.parametrize("table", ["pages", "links"])
def test_tables_that_were_not_finished_are_looked_into(killed_copy: Path, table: str) -> None:
    """No manifest names them recorded, and readers read them."""
    file = killed_copy / table / "00000-00000.parquet"
    data = file.read_bytes()
    for place in range(7, len(data), max(len(data) // 12, 1)):
        file.write_bytes(data[:place] + bytes([data[place] ^ 4]) + data[place + 1 :])
        [found] = problems(killed_copy)
        assert found.what == f"{table}/00000-00000.parquet"
    file.write_bytes(data)
    assert problems(killed_copy) == []


def test_a_killed_crawl_that_was_resumed_is_in_order(killed_copy: Path) -> None:
    Crawl.resume(killed_copy, changes={"crawl.max_pages": 1}).run()
    assert problems(killed_copy) == []


def test_what_waits_is_what_the_summary_says(served: ServedWeb, tmp_path: Path) -> None:
    out, budget = tmp_path / "out", BudgetSettings(kind="on", lowest=1, highest=2)
    summary = crawl(served, out, budget, max_pages=30, retries=0)
    assert summary.deferred > 0, "some are over their budget"
    [state] = [finding.said for finding in inspect(out) if finding.what == "state"]
    assert state.startswith(f"{summary.unique_urls} URLs known, {summary.waiting} waiting")


def test_parts_that_were_off_for_a_while_are_in_order(served: ServedWeb, tmp_path: Path) -> None:
    crawl(served, tmp_path / "out", max_pages=20, retries=0)
    off = {"store.warc": False, "store.links": False, "crawl.max_pages": 40}
    Crawl.resume(tmp_path / "out", changes=off).run()
    assert problems(tmp_path / "out") == []
    on = {"store.warc": True, "store.links": True, "crawl.max_pages": 60}
    Crawl.resume(tmp_path / "out", changes=on).run()
    assert problems(tmp_path / "out") == []


def one(out: Path, pattern: str) -> Path:
    """The last file of a kind."""
    return max(path for path in out.glob(pattern) if path.stat().st_size)


def first(out: Path, pattern: str) -> Path:
    return min(path for path in out.glob(pattern) if path.stat().st_size)


def cut(out: Path, pattern: str) -> None:
    path = one(out, pattern)
    path.write_bytes(path.read_bytes()[:-5])


_GZIP = b"\x1f\x8b\x08\x00"
_IN_THE_DATA = 20
"""Bytes from the start of a record to its compressed data, at least."""


def flip(out: Path, pattern: str) -> None:
    path = one(out, pattern)
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 0x55
    path.write_bytes(data)


def flip_in_record(out: Path, pattern: str) -> None:
    """Where the middle byte falls is chance, and some bytes of a gzip header mean nothing."""
    path = one(out, pattern)
    data = bytearray(path.read_bytes())
    data[data.rindex(_GZIP, 0, len(data) // 2) + _IN_THE_DATA] ^= 0x55
    path.write_bytes(data)


def remove(out: Path, pattern: str) -> None:
    one(out, pattern).unlink()


def overwrite(out: Path, pattern: str, data: bytes = b"garbage\n") -> None:
    one(out, pattern).write_bytes(data)


def last_capture(out: Path, warc: Path) -> tuple[int, int]:
    """Where it is, and its length."""
    lines = (out / "warc" / "index.cdxj").read_text().splitlines()
    entries = (json.loads(line.split(" ", 2)[2]) for line in lines)
    return max(
        (int(entry["offset"]), int(entry["length"]))
        for entry in entries
        if entry["filename"] == warc.name
    )


def lose_a_request(out: Path) -> None:
    """It is the last record of its file, so that nothing that leads there is wrong."""
    path = first(out, "warc/*.warc.gz")
    os.truncate(path, sum(last_capture(out, path)))


def lie_in_a_record(out: Path) -> None:
    path = first(out, "warc/*.warc.gz")
    start, length = last_capture(out, path)
    data = path.read_bytes()
    record = gzip.decompress(data[start : start + length])
    other = record[:-10] + bytes(byte ^ 1 for byte in record[-10:-4]) + record[-4:]
    path.write_bytes(data[:start] + gzip.compress(other) + data[start + length :])


def join_records(out: Path) -> None:
    """One member with all records of the file."""
    path = first(out, "warc/*.warc.gz")
    path.write_bytes(gzip.compress(gzip.decompress(path.read_bytes())))


def lose_a_line(out: Path) -> None:
    path = out / "warc" / "index.cdxj"
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-1]))


def swap_lines(out: Path) -> None:
    path = out / "warc" / "index.cdxj"
    first, second, *rest = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([second, first, *rest]))


def mislead_a_line(out: Path) -> None:
    path = out / "warc" / "index.cdxj"
    first, *rest = path.read_bytes().splitlines(keepends=True)
    surt, date, _ = first.split(b" ", 2)
    entry = {**json.loads(first.split(b" ", 2)[2]), "offset": "1"}
    path.write_bytes(b" ".join([surt, date, json.dumps(entry).encode()]) + b"\n" + b"".join(rest))


def lose_a_row(out: Path, table: str) -> None:
    path = one(out, f"{table}/*.parquet")
    rows = parquet.read_table(path)
    parquet.write_table(rows.slice(1), path)


def double_rows(out: Path) -> None:
    shutil.copy(one(out, "pages/*.parquet"), out / "pages" / "copy.parquet")


def write_nonsense(room: str) -> Callable[[Path], None]:
    """Have a component note what it cannot read, in a journal that is in order."""

    def write(out: Path) -> None:
        state = Directory(out).state
        record = Ledger.read(state)
        ledger = Ledger(state, record.checkpoint.number)
        ledger.commit({room: b"\xc1"}, record.progress)
        ledger.close()

    return write


def forget_urls(out: Path) -> None:
    """The checkpoint of a crawl that knows no URL."""
    state = Directory(out).state
    checkpoint = Ledger.read_checkpoint(state)
    ledger = Ledger(state, checkpoint.number)
    ledger.publish(replace(checkpoint, components={**checkpoint.components, "seen": b""}))
    ledger.close()


DAMAGE: dict[str, tuple[Callable[[Path], object], str]] = {
    "a WARC file is cut short": (lambda out: cut(out, "warc/*.warc.gz"), "bytes, but"),
    "a WARC file is damaged": (
        lambda out: flip_in_record(out, "warc/*.warc.gz"),
        "is damaged|digest|not a WARC",
    ),
    "the last WARC file is missing": (
        lambda out: remove(out, "warc/*.warc.gz"),
        "is recorded, but",
    ),
    "the first WARC file is missing": (
        lambda out: first(out, "warc/*.warc.gz").unlink(),
        "number 0 is recorded, but it is missing",
    ),
    "a WARC file is garbage": (
        lambda out: overwrite(out, "warc/*.warc.gz", random.Random(1).randbytes(4 << 20)),
        "the member at byte 0 is damaged",
    ),
    "a record is lost": (lose_a_request, "were written to it|its checksum is wrong"),
    "a record is not what it says": (lie_in_a_record, "does not match its digest"),
    "records are not apart": (
        join_records,
        "the record at byte 0 does not have the length in its header",
    ),
    "the index is missing": (lambda out: remove(out, "warc/index.cdxj"), "is missing; "),
    "the index is empty": (lambda out: overwrite(out, "warc/index.cdxj", b""), "written to it"),
    "the index is garbage": (
        lambda out: overwrite(out, "warc/index.cdxj"),
        "line 1 is not an index entry",
    ),
    "a line of the index is lost": (lose_a_line, "written to it"),
    "lines of the index are swapped": (swap_lines, "line 2 is out of order"),
    "a line of the index misleads": (mislead_a_line, "line 1 points to no capture"),
    "a file of pages is missing": (lambda out: remove(out, "pages/*.parquet"), "is recorded, but"),
    "the first file of links is missing": (
        lambda out: first(out, "links/*.parquet").unlink(),
        "number 0 is recorded, but it is missing",
    ),
    "a file of pages is garbage": (
        lambda out: overwrite(out, "pages/*.parquet"),
        "is not a Parquet file",
    ),
    "a file of links is cut short": (
        lambda out: cut(out, "links/*.parquet"),
        "is not a Parquet file",
    ),
    "a file of links is empty": (
        lambda out: overwrite(out, "links/*.parquet", b""),
        "is not a Parquet file",
    ),
    "a row of pages is lost": (
        lambda out: lose_a_row(out, "pages"),
        "were written to it|its checksum is wrong",
    ),
    "a row of links is lost": (
        lambda out: lose_a_row(out, "links"),
        "were written to it|its checksum is wrong",
    ),
    "a file is there twice": (double_rows, "does not belong to this crawl"),
    "the checkpoint is damaged": (lambda out: flip(out, "state/00000/checkpoint"), "is damaged"),
    "the checkpoint is empty": (
        lambda out: overwrite(out, "state/00000/checkpoint", b""),
        "is damaged",
    ),
    "the checkpoint is missing": (
        lambda out: remove(out, "state/00000/checkpoint"),
        "checkpoint is missing",
    ),
    "the whole state is missing": (
        lambda out: shutil.rmtree(out / "state"),
        "checkpoint is missing",
    ),
    "known URLs are cut short": (
        lambda out: cut(out, "state/00000/seen/*"),
        "restore it from a copy of the crawl directory",
    ),
    "known contents are cut short": (
        lambda out: cut(out, "state/00000/content/originals.log"),
        "is shorter than",
    ),
    **{
        f"{room} noted nonsense": (write_nonsense(room), "has an entry that cannot be decoded")
        for room in ("stream", "output", "counters", "stranded")
    },
    "URLs are forgotten": (forget_urls, "pages were fetched, but no more than 0 URLs are known"),
}


@pytest.mark.parametrize("name", DAMAGE)
def test_each_damage_is_one_line(name: str, copy: Path, capfd: pytest.CaptureFixture[str]) -> None:
    do_damage, said = DAMAGE[name]
    do_damage(copy)
    check_one_line(copy, said, capfd)


KILLED_DAMAGE: dict[str, tuple[Callable[[Path], object], str]] = {
    "rows in the spool are lost": (
        lambda out: cut_to_half(out, "state/00000/output/pages-*.spool"),
        "is shorter than",
    ),
    "rows in the spool are garbage": (
        lambda out: spoil(out, "state/00000/output/links-*.spool"),
        "is damaged at",
    ),
    "lines in the spool are missing": (
        lambda out: remove(out, "state/00000/output/index-*.spool"),
        "is missing",
    ),
    "a folder is in the way of the next file": (
        lambda out: become_a_folder(out / "links" / "00000-00000.parquet"),
        "is a folder",
    ),
    "the WARC file is shorter than recorded": (
        lambda out: cut_to_half(out, "warc/*.warc.gz"),
        "bytes, but",
    ),
}


def become_a_folder(path: Path) -> None:
    path.unlink(missing_ok=True)
    path.mkdir()


def cut_to_half(out: Path, pattern: str) -> None:
    path = one(out, pattern)
    os.truncate(path, path.stat().st_size // 2)


def spoil(out: Path, pattern: str) -> None:
    """Its first batch is said to be very long, and begins with a byte that means nothing."""
    path = one(out, pattern)
    path.write_bytes(struct.pack("<IB", 1 << 30, 0xC1) + path.read_bytes()[5:])


@pytest.mark.parametrize("name", KILLED_DAMAGE)
def test_each_damage_of_a_killed_crawl_is_one_line(
    name: str, killed_copy: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    do_damage, said = KILLED_DAMAGE[name]
    do_damage(killed_copy)
    check_one_line(killed_copy, said, capfd)


def check_one_line(out: Path, said: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["verify", str(out)]) == 1
    written = capfd.readouterr()
    bad = [line for line in written.out.splitlines() if line.startswith("BAD")]
    assert len(bad) == 1, written.out
    assert re.search(said, bad[0]), bad[0]
    assert written.out.splitlines()[-1] == "1 problem"
    assert written.err == ""


def test_a_large_state_is_not_opened_and_that_is_said(copy: Path) -> None:
    cut(copy, "state/00000/content/originals.log")
    *_, last = [one for one in inspect(copy, copied=0) if one.what == "state"]
    assert "too much to copy, so nothing else was opened" in last.said
    assert not last.is_problem


def test_what_a_killed_inspection_left_behind_goes(copy: Path) -> None:
    left = copy / "state" / "inspection" / "state" / "00000" / "seen"
    left.mkdir(parents=True)
    (left / "old").write_bytes(b"x")
    assert problems(copy) == []
    assert not (copy / "state" / "inspection").exists()


def test_a_folder_that_holds_no_crawl_is_one_line(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run(["verify", str(tmp_path)]) == 1
    assert len(capfd.readouterr().err.splitlines()) == 1
