"""A store that is left alone at any moment, and taken up again at its last commit recorded."""

import errno
import random
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from hashlib import sha1
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gossamer.core.disk import disk_files
from gossamer.core.errors import DamageError
from gossamer.core.outcomes import Outcome
from gossamer.core.page_batch import PageBatch
from gossamer.core.records import Judged, Link, Original, Via
from gossamer.core.settings import StoreSettings
from gossamer.output import Store, StoreState, cdxj, warc_archive
from gossamer.output.digest import base32
from tests.output.disk import Disk
from tests.output.output_samples import (
    START,
    check_with_warcio,
    end,
    failure,
    fields_of,
    index_lines,
    kept,
    member_at,
    open_store,
    query,
    records,
    url,
    warc_files,
)

TINY = StoreSettings(rows=20, warc_size=2000)
SLOW = settings(
    max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@pytest.fixture(autouse=True)
def tiny_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """A few lines go through all stages of the index."""
    monkeypatch.setattr(warc_archive, "CdxjIndex", partial(cdxj.CdxjIndex, lines_per_run=4))
    monkeypatch.setattr(cdxj, "_RUNS_PER_MERGE", 2)


@pytest.fixture(autouse=True)
def same_disk_afterwards() -> Iterator[None]:
    before = disk_files.system
    yield
    disk_files.system = before


class Incarnation:
    """A store through crashes, and a plain list of what should be in it."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.out = folder
        self.chance = random.Random(seed)
        self.disk = disk_files.system = Disk(folder, self.chance)
        self.state = StoreState()
        self.safe: list[Judged] = []
        """Written before the commit recorded."""
        self._fresh: list[Judged] = []
        self._number = 0
        self.store = self.open()

    def write(self, count: int) -> None:
        batch = [self._visit() for _ in range(count)]
        self.store.write(PageBatch(batch))
        self._fresh += batch

    def commit(self) -> None:
        self.state = self.store.commit()
        self.safe += self._fresh
        self._fresh = []

    def tidy(self) -> None:
        self.store.tidy()

    def publish(self) -> None:
        """Show what is recorded, and look at it."""
        self.commit()
        self.tidy()
        self.store.publish()
        check_tables(self.out, self.safe)

    def finish(self) -> None:
        self.store.finish()

    def crash(self, within_commit: bool = False) -> None:
        if within_commit:
            self.store.commit()  # durable, but not recorded
        self.disk.cut_power()
        if self.chance.random() < 0.5:
            self.disk.scatter_garbage()
        self._fresh = []
        self._number = len(self.safe)  # what was lost is visited again
        self.disk.heal()
        self.store = self.open()

    def trouble(self, calls: int, error: int) -> None:
        self.disk.fail_after(calls, error)

    def close(self) -> None:
        self.disk.heal()
        self.finish()
        self.commit()
        self.tidy()
        self.store.close()

    def open(self) -> Store:
        return open_store(self.out, TINY, state=self.state)

    def _visit(self) -> Judged:
        self._number += 1
        return visit(self._number, self.chance)


def visit(number: int, chance: random.Random) -> Judged:
    """One of many kinds; its payload tells which of several visits to the same URL it is."""
    where = f"http://host{number % 3}.example/{number}"
    if number % 7 == 0:
        return failure(Outcome.TIMEOUT, where)
    more: dict[str, Any] = {}
    if number % 11 == 0:
        more["visit"] = {"via": Via.ROBOTS}
    if number % 5 == 0:
        more |= {"original": Original("http://first.example/", START)}
    if number % 3 == 0:
        more["title"] = "odd \ud800"
    links = [Link(where, url(f"{where}/{n}"), anchor="\udc80" * n) for n in range(number % 4)]
    return kept(where, chance.randbytes(chance.randrange(1, 400)), links=tuple(links), **more)


def check(life: Incarnation) -> None:
    """Is what was committed there, each thing once, and nothing else?"""
    out, visits = life.out, life.safe
    captures = [x for x in visits if x.document.page.outcome is Outcome.FETCHED]
    pages, links = check_tables(out, visits)
    check_archive(out, captures)
    check_statistics(life, pages, links, len(captures))
    check_nothing_else_is_left(out)


def check_tables(out: Path, visits: list[Judged]) -> tuple[int, int]:
    """Are the rows of these visits there, each once? Returns how many of pages and of links."""
    pages = [x for x in visits if x.document.page.visit.via is not Via.ROBOTS]
    links = [link.target.text for x in pages for link in x.document.links]
    check_pages(out, pages)
    assert sorted(x for (x,) in query(out, "links", "target")) == sorted(links)
    return len(pages), len(links)


def check_pages(out: Path, pages: list[Judged]) -> None:
    rows = query(out, "pages", "url, digest, warc_file, warc_offset, warc_length")
    assert Counter((where, digest) for where, digest, *_ in rows) == Counter(
        (x.document.url, digest_of(x) or None) for x in pages
    )
    for where, _, name, offset, length in rows:
        if name:
            leads_to(out, where, {"filename": name, "offset": offset, "length": length})


def check_archive(out: Path, captures: list[Judged]) -> None:
    wanted = Counter((x.document.url, digest_of(x)) for x in captures)
    entries = [entry for *_, entry in index_lines(out)]
    assert Counter((entry["url"], "sha1:" + entry["digest"]) for entry in entries) == wanted
    for entry in entries:
        assert entry["digest"].encode() in leads_to(out, entry["url"], entry)
    found = fields_of(out, "response") + fields_of(out, "revisit")
    assert Counter((x["WARC-Target-URI"], x["WARC-Payload-Digest"]) for x in found) == wanted
    requests = Counter(x["WARC-Target-URI"] for x in fields_of(out, "request"))
    assert requests == Counter(x.document.url for x in captures)
    identities = Counter(record.record_id for record in records(out))
    assert set(identities.values()) <= {1}
    assert check_with_warcio(out) == 0
    lines = (out / "warc" / "index.cdxj").read_bytes().splitlines()
    assert lines == sorted(lines)


def leads_to(out: Path, where: str, entry: dict[str, str]) -> bytes:
    record = member_at(out, entry)
    assert record.startswith(b"WARC/1.1\r\nWARC-Type: re")
    assert b"WARC-Type: request" not in record
    assert f"WARC-Target-URI: {where}\r\n".encode() in record
    return record


def digest_of(visit: Judged) -> str:
    is_fetched = visit.document.page.outcome is Outcome.FETCHED
    return "sha1:" + base32(sha1(visit.document.page.payload).digest()) if is_fetched else ""


def check_statistics(life: Incarnation, pages: int, links: int, captures: int) -> None:
    found = life.store.statistics()
    assert (found.pages, found.links) == (pages, links)
    assert found.records == 2 * captures + len(warc_files(life.out))
    assert found.warc_files == len(warc_files(life.out))
    assert found.warc_bytes == sum(path.stat().st_size for path in warc_files(life.out))
    tables = list(life.out.rglob("*.parquet"))
    assert found.table_files == len(tables)
    assert found.table_bytes == sum(path.stat().st_size for path in tables)


def check_nothing_else_is_left(out: Path) -> None:
    names = [path.name for path in out.rglob("*") if path.is_file()]
    assert [name for name in names if name.startswith(".")] == []
    assert sum(name.endswith(".spool") for name in names) == 3


WRITE = st.tuples(st.just("write"), st.integers(1, 6))
CRASH = st.tuples(st.just("crash"), st.booleans())
TROUBLE = st.tuples(
    st.just("trouble"), st.integers(0, 12), st.sampled_from([errno.ENOSPC, errno.EIO])
)
PLAIN = [st.tuples(st.just(name)) for name in ("commit", "tidy", "publish", "finish")]
SEEDS = st.integers(0, 1 << 30)


@SLOW
@given(st.lists(st.one_of(WRITE, WRITE, CRASH, *PLAIN), min_size=3, max_size=40), SEEDS)
def test_a_crash_at_any_moment_loses_and_doubles_nothing(
    steps: list[tuple[Any, ...]], seed: int
) -> None:
    with a_life(seed) as life:
        for name, *given in steps:
            getattr(life, name)(*given)
        life.crash()
        life.write(3)
        life.close()
        check(life)


@SLOW
@given(st.lists(st.one_of(WRITE, WRITE, CRASH, TROUBLE, *PLAIN), min_size=3, max_size=40), SEEDS)
def test_a_failing_disk_is_told_and_the_last_commit_stands(
    steps: list[tuple[Any, ...]], seed: int
) -> None:
    with a_life(seed) as life:
        for name, *given in steps:
            told = meets_an_error(partial(getattr(life, name), *given))
            assert told == life.disk.has_failed
            if told:
                life.crash()
        life.crash()
        life.write(3)
        life.close()
        check(life)


@SLOW
@given(st.lists(st.one_of(WRITE, WRITE, TROUBLE, *PLAIN), min_size=3, max_size=40), SEEDS)
def test_a_store_that_waits_for_room_gets_everything(
    steps: list[tuple[Any, ...]], seed: int
) -> None:
    with a_life(seed) as life:
        for name, *given in steps:
            if name == "write":  # a batch that broke off is not given again, so it must not
                life.disk.heal()
            if meets_an_error(partial(getattr(life, name), *given)):
                life.disk.heal()
                getattr(life, name)(*given)
        life.disk.heal()
        life.commit()
        life.crash()
        life.close()
        check(life)


@contextmanager
def a_life(seed: int) -> Iterator[Incarnation]:
    """In a folder of its own."""
    with tempfile.TemporaryDirectory() as folder:
        life = Incarnation(Path(folder), seed)
        try:
            yield life
        finally:
            life.disk.cut_power()


def meets_an_error(step: Callable[[], object]) -> bool:
    """Does the step meet an error of the disk, and no other?"""
    try:
        step()
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EIO):
            raise
        return True
    return False


def test_a_crash_between_finish_and_commit_doubles_nothing(tmp_path: Path) -> None:
    life = Incarnation(tmp_path, 1)
    life.write(23)
    life.commit()
    life.tidy()
    life.finish()
    life.crash()
    life.close()
    assert len(life.safe) == 23
    check(life)


def test_lines_of_an_index_that_was_not_committed_lead_nowhere_and_go(tmp_path: Path) -> None:
    life = Incarnation(tmp_path, 2)
    life.write(10)
    life.commit()
    life.write(10)
    life.finish()  # with all twenty
    life.tidy()
    life.crash()
    life.write(2)
    life.close()
    assert len(life.safe) == 12
    check(life)


def test_a_crash_between_record_and_tidy_still_brings_the_index(tmp_path: Path) -> None:
    life = Incarnation(tmp_path, 3)
    life.write(23)
    life.finish()
    life.commit()
    life.crash()
    life.store.close()
    check_archive(tmp_path, [x for x in life.safe if digest_of(x)])


def test_a_crawl_that_ended_can_go_on_again_and_again(tmp_path: Path) -> None:
    life = Incarnation(tmp_path, 4)
    for _ in range(4):
        life.write(9)
        life.close()
        check(life)
        life.crash()
    life.close()
    check(life)


def test_an_error_while_opening_leaves_all_as_it_was(tmp_path: Path) -> None:
    life = Incarnation(tmp_path, 5)
    life.write(23)
    life.finish()
    life.commit()
    life.disk.cut_power()
    failures = 0
    for calls in range(50):
        life.disk.fail_after(calls, errno.EIO)
        failures += meets_an_error(life.open)
        life.disk.cut_power()
    assert failures >= 4
    life.crash()
    life.close()
    check(life)


@pytest.mark.parametrize("missing", ["pages-000000.spool", "*.warc.gz"])
def test_a_file_that_lost_what_was_committed_is_not_passed_over(
    tmp_path: Path, missing: str
) -> None:
    store = open_store(tmp_path)
    store.write(PageBatch([kept()]))
    state = store.commit()
    store.close()
    (path,) = tmp_path.rglob(missing)
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(DamageError, match="shorter"):
        open_store(tmp_path, state=state)


def contents(out: Path, is_wanted: Callable[[Path], bool]) -> dict[Path, bytes]:
    found = (path for path in out.rglob("*") if path.is_file())
    return {path: path.read_bytes() for path in found if is_wanted(path)}


def test_opening_touches_no_file_of_another_partition(tmp_path: Path) -> None:
    chance = random.Random(7)
    others = {number: open_store(tmp_path, TINY, partition=number) for number in (1, 10)}
    for number, store in others.items():
        store.write(PageBatch([visit(n, chance) for n in range(100 * number, 100 * number + 23)]))
        store.commit()
        (tmp_path / "pages" / f".{number:05}-00009.parquet.tmp").write_bytes(b"half")
    own = open_store(tmp_path, TINY)
    own.write(PageBatch([visit(n, chance) for n in range(23)]))
    state = own.commit()
    own.write(PageBatch([visit(n, chance) for n in range(23, 46)]))

    def is_of_others(path: Path) -> bool:
        name = str(path.relative_to(tmp_path))
        return "00001-" in name or "00010-" in name or "/00001/" in name or "/00010/" in name

    before = contents(tmp_path, is_of_others)
    assert len(before) > 20
    end(open_store(tmp_path, TINY, state=state))
    assert contents(tmp_path, is_of_others) == before
    for store in others.values():
        end(store)
    assert len(query(tmp_path, "pages", "distinct url")) > 3 * 15
    entries = [entry for *_, entry in index_lines(tmp_path)]
    assert len({entry["url"] for entry in entries}) == len(entries) > 3 * 15
    for entry in entries:
        leads_to(tmp_path, entry["url"], entry)
    assert check_with_warcio(tmp_path) == 0


def test_a_new_store_starts_empty_whatever_lies_there(tmp_path: Path) -> None:
    life = Incarnation(tmp_path, 8)
    life.write(23)
    life.crash()  # no commit was ever recorded
    life.write(2)
    life.close()
    assert len(life.safe) == 2
    check(life)


def test_what_is_off_for_a_while_loses_nothing(tmp_path: Path) -> None:
    off = StoreSettings(warc=False, links=False)
    link = Link("http://a.test/", url("http://b.test/"))
    state = StoreState()
    for number, chosen in enumerate([TINY, off, off, TINY]):
        store = open_store(tmp_path, chosen, state=state)
        store.write(
            PageBatch([kept(f"http://a.test/{number}/{n}", links=(link,)) for n in range(30)])
        )
        before, state = state, end(store)
        if chosen is off:
            assert (state.archive, state.links) == (before.archive, before.links)
    assert len(query(tmp_path, "pages", "url")) == 120
    assert len(query(tmp_path, "links", "target")) == 60
    kept_visits = {entry["url"].split("/")[3] for *_, entry in index_lines(tmp_path)}
    assert kept_visits == {"0", "3"}
    assert len(fields_of(tmp_path, "response")) == len(index_lines(tmp_path)) == 60
    assert check_with_warcio(tmp_path) == 0


def test_nothing_refers_to_what_passed_by_while_the_archive_was_off(tmp_path: Path) -> None:
    def visit_again(store: Store, first: float) -> None:
        original = Original("http://first.example/", first)
        store.write(PageBatch([kept(original=original)]))

    store = open_store(tmp_path, StoreSettings(warc=False))
    state = end(store)  # at START, by the clock of these stores
    store = open_store(tmp_path, state=state)
    visit_again(store, START - 1)
    visit_again(store, START + 1)
    state = end(store)
    assert (len(fields_of(tmp_path, "response")), len(fields_of(tmp_path, "revisit"))) == (1, 1)
    store = open_store(tmp_path, state=state)  # and it is remembered
    visit_again(store, START - 1)
    end(store)
    assert (len(fields_of(tmp_path, "response")), len(fields_of(tmp_path, "revisit"))) == (2, 1)


def test_two_stores_with_the_same_settings_share_no_identity(tmp_path: Path) -> None:
    found = []
    for name in ("one", "other"):
        store = open_store(tmp_path / name)
        store.write(PageBatch([kept(), kept("http://example.com/2")]))
        end(store)
        found += [record.record_id for record in records(tmp_path / name)]
    assert len(found) == len(set(found)) == 10
