"""Tables that are looked at while they grow."""

from collections import Counter
from pathlib import Path

import pytest

from gossamer.core.disk import disk_files
from gossamer.core.page_batch import PageBatch
from gossamer.core.records import Judged, Link
from gossamer.core.settings import StoreSettings
from gossamer.output import Store, StoreState
from tests.output.output_samples import end, kept, open_store, query, url

SETTINGS = StoreSettings(rows=40, warc_size=3000)
"""Ten pages or forty links make a file."""


def visits(count: int, first: int = 0) -> list[Judged]:
    return [_visit(f"http://example.com/{n}") for n in range(first, first + count)]


def _visit(where: str) -> Judged:
    return kept(
        where, where.encode(), links=tuple(Link(where, url(f"{where}/{n}")) for n in (1, 2))
    )


def publish(store: Store) -> StoreState:
    state = store.commit()
    store.tidy()
    store.publish()
    return state


def seen(out: Path) -> Counter[str]:
    """What a reader sees who opens all files."""
    return Counter(where for (where,) in query(out, "pages", "url"))


def names(out: Path, table: str = "pages") -> list[str]:
    return sorted(path.name for path in (out / table).iterdir())


def wanted(count: int) -> Counter[str]:
    return Counter(f"http://example.com/{n}" for n in range(count))


def test_a_table_can_be_read_from_the_beginning(tmp_path: Path) -> None:
    publish(open_store(tmp_path, SETTINGS))
    assert seen(tmp_path) == wanted(0)
    assert query(tmp_path, "links", "target") == []


def test_all_that_is_on_record_is_seen_once_and_nothing_else(tmp_path: Path) -> None:
    store = open_store(tmp_path, SETTINGS)
    for count in range(0, 33, 3):
        publish(store)
        assert seen(tmp_path) == wanted(count)
        assert len(query(tmp_path, "links", "target")) == 2 * count
        store.write(PageBatch(visits(3, count)))
        finished = (count + 3) // 12 * 12  # a full file is there at once
        assert seen(tmp_path) == wanted(max(count, finished))
    end(store)
    assert seen(tmp_path) == wanted(33)
    assert names(tmp_path) == [f"00000-0000{n}.parquet" for n in range(3)], "as many as without it"


def test_when_nothing_is_new_nothing_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = open_store(tmp_path, SETTINGS)
    store.write(PageBatch(visits(3)))
    publish(store)
    monkeypatch.setattr(disk_files, "system", Renames())
    publish(store)
    store.write(PageBatch([]))
    publish(store)
    assert disk_files.system.renamed == []  # type: ignore[attr-defined]
    store.write(PageBatch(visits(1, 3)))
    publish(store)
    assert len(disk_files.system.renamed) == 2, "one file of each table"  # type: ignore[attr-defined]


class Renames(disk_files.System):
    def __init__(self) -> None:
        self.renamed: list[str] = []

    def rename(self, source: Path, target: Path) -> None:
        super().rename(source, target)
        if target.suffix == ".parquet":
            self.renamed.append(target.name)


def test_whatever_is_renamed_no_row_is_missed_or_seen_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = open_store(tmp_path, SETTINGS)
    publish(store)
    looks = LiveQueries(tmp_path)
    monkeypatch.setattr(disk_files, "system", looks)
    for count in range(0, 50, 4):
        store.write(PageBatch(visits(4, count)))
        publish(store)
    end(store)
    assert looks.count > 20
    assert looks.last == wanted(52)


class LiveQueries(disk_files.System):
    """A reader who looks whenever a file of the pages table has been replaced."""

    def __init__(self, out: Path) -> None:
        self._out = out
        self.last: Counter[str] = Counter()
        self.count = 0

    def rename(self, source: Path, target: Path) -> None:
        super().rename(source, target)
        now = seen(self._out)
        assert set(now.values()) <= {1}
        assert now >= self.last
        self.last = now
        self.count += 1


def test_what_was_published_is_seen_after_a_crash_and_goes_on_to_grow(tmp_path: Path) -> None:
    store = open_store(tmp_path, SETTINGS)
    store.write(PageBatch(visits(5)))
    publish(store)
    store.write(PageBatch(visits(2, 5)))
    state = store.commit()
    store.write(PageBatch(visits(2, 7)))  # which no commit knows of
    store = open_store(tmp_path, SETTINGS, state=state)
    assert seen(tmp_path) == wanted(7), "all that is recorded, and no moment without it"
    publish(store)
    assert seen(tmp_path) == wanted(7)
    store.write(PageBatch(visits(20, 7)))
    end(store)
    assert seen(tmp_path) == wanted(27)


@pytest.mark.parametrize("before", [0, 3])
def test_a_full_file_that_no_commit_knows_of_is_not_seen(tmp_path: Path, before: int) -> None:
    store = open_store(tmp_path, SETTINGS)
    store.write(PageBatch(visits(12)))  # a file
    store.write(PageBatch(visits(before, 12)))
    state = publish(store)
    store.write(PageBatch(visits(20, 12 + before)))
    assert len(seen(tmp_path)) > 12 + before
    store = open_store(tmp_path, SETTINGS, state=state)
    publish(store)
    assert seen(tmp_path) == wanted(12 + before)
    end(store)
    assert seen(tmp_path) == wanted(12 + before)


def test_pages_that_are_published_are_not_stored_twice(tmp_path: Path) -> None:
    settings = StoreSettings(rows=400, max_stored_pages=8, warc_size=3000)
    store = open_store(tmp_path, settings)
    store.write(PageBatch(visits(8)))
    state = publish(store)
    store = open_store(tmp_path, settings, state=state)
    assert not store.choose_retired(lambda keys: keys.astype(float), is_last=True)


def test_the_statistics_know_what_is_published(tmp_path: Path) -> None:
    store = open_store(tmp_path, SETTINGS)
    store.write(PageBatch(visits(25)))
    publish(store)
    size = sum(path.stat().st_size for path in tmp_path.rglob("*.parquet"))
    assert store.statistics().table_bytes == size
