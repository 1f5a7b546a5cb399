import errno
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from gossamer.core.disk import disk_files
from gossamer.core.page_batch import PageBatch
from gossamer.core.records import Judged, Original
from gossamer.core.settings import StoreSettings
from gossamer.output import Store, StoreState
from tests.core.disk.broken import BrokenSystem
from tests.output.output_samples import (
    check_with_warcio,
    end,
    index_lines,
    kept,
    member_at,
    open_store,
    query,
    url,
)

SETTINGS = StoreSettings(max_stored_pages=10, warc_size=3000, rows=40)
PLACES = "url, warc_file, warc_offset, warc_length, is_retired"


def worth(keys: NDArray[np.uint64]) -> NDArray[np.float64]:
    """A page is worth its number."""
    return np.array([NUMBERS[key] for key in keys.tolist()], np.float64)


NUMBERS = {url(f"http://example.com/{number}").key: number for number in range(200)}


def visits(count: int, start: int = 0) -> list[Judged]:
    texts = (f"http://example.com/{number}" for number in range(start, start + count))
    return [kept(text, payload=text.encode() * 20) for text in texts]


def retire(store: Store, *, is_last: bool = True) -> StoreState | None:
    """What the ring does; returns the state of the commit in between."""
    if not store.choose_retired(worth, is_last=is_last):
        return None
    between = commit(store)
    store.retire()
    commit(store)
    return between


def commit(store: Store) -> StoreState:
    state = store.commit()
    store.tidy()
    return state


def stored(out: Path) -> Iterator[int]:
    for text, file, offset, length, is_retired in query(out, "pages", PLACES):
        assert (file is None) == is_retired
        if file is not None:
            entry = {"filename": file, "offset": str(offset), "length": str(length)}
            assert f"WARC-Target-URI: {text}\r\n".encode() in member_at(out, entry)
            yield int(text.rpartition("/")[2])


def assert_in_order(out: Path, pages: int, most: int) -> None:
    assert sorted(stored(out)) == [*range(pages - most, pages)], "the most valuable"
    assert len(query(out, "pages", "url")) == pages
    lines = index_lines(out)
    assert [surt for surt, _, _ in lines] == sorted(surt for surt, _, _ in lines)
    assert len(lines) == most
    for surt, _, entry in lines:
        number = re.findall(r"\d+$", surt)[0]
        assert f"WARC-Target-URI: http://example.com/{number}\r\n".encode() in member_at(out, entry)
    assert check_with_warcio(out) == 0


def test_in_the_end_no_more_than_so_many_are_stored(tmp_path: Path) -> None:
    store = open_store(tmp_path, SETTINGS)
    store.write(PageBatch(visits(50)))
    retire(store)
    assert store.statistics().retired == 40
    size = sum(path.stat().st_size for path in (tmp_path / "warc").glob("*.warc.gz"))
    assert store.statistics().warc_bytes == size
    end(store)
    assert_in_order(tmp_path, 50, 10)


def test_meanwhile_files_go_that_are_mostly_retired(tmp_path: Path) -> None:
    store = open_store(tmp_path, SETTINGS)
    for start in range(0, 100, 2):
        store.write(PageBatch(visits(2, start)))
        retire(store, is_last=False)
        assert store.statistics().retired >= start + 2 - 2 * 10 - 2
    state = commit(store)
    store.close()
    store = open_store(tmp_path, SETTINGS, state=state)
    store.write(PageBatch(visits(20, 100)))
    retire(store)
    assert store.statistics().retired == 110
    end(store)
    assert_in_order(tmp_path, 120, 10)


def test_failures_go_first(tmp_path: Path) -> None:
    store = open_store(tmp_path, SETTINGS)
    store.write(PageBatch(visits(10)))
    store.write(
        PageBatch([kept(f"http://example.com/{n}", page={"status": 404}) for n in range(100, 105)])
    )
    retire(store)
    end(store)
    assert sorted(stored(tmp_path)) == [*range(10)]


def test_a_stored_page_leans_on_no_other(tmp_path: Path) -> None:
    original = kept("http://example.com/1", payload=b"the same" * 9)
    store = open_store(tmp_path, SETTINGS)
    twin = kept(
        "http://example.com/2",
        payload=b"the same" * 9,
        original=Original("http://example.com/1", original.document.page.started),
    )
    store.write(PageBatch([original, twin]))
    end(store)
    assert [entry["mime"] for _, _, entry in index_lines(tmp_path)] == ["text/html"] * 2


def test_whenever_it_is_interrupted_it_is_completed_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk fails at one call after the other, and the store is opened again each time."""
    fails_from, is_through = 0, False
    while not is_through:
        out = tmp_path / str(fails_from)
        store = open_store(out, SETTINGS)
        store.write(PageBatch(visits(50)))
        state = commit(store)
        monkeypatch.setattr(disk_files, "system", BrokenSystem(errno.EIO, fails_from))
        try:
            assert store.choose_retired(worth, is_last=True)
            state = store.commit()
            store.tidy()
            store.retire()
            state = store.commit()
            store.tidy()
            is_through = True
        except OSError:
            pass
        monkeypatch.setattr(disk_files, "system", disk_files.System())
        store = open_store(out, SETTINGS, state=state)
        retire(store)
        assert store.statistics().retired == 40
        end(store)
        assert_in_order(out, 50, 10)
        fails_from += 1
    assert fails_from > 20


class Names(disk_files.System):
    """Knows which names are not durable yet; fails at one of the calls that make them so."""

    def __init__(self) -> None:
        self.fails_at = 0
        self.not_durable: set[Path] = set()

    def rename(self, source: Path, target: Path) -> None:
        super().rename(source, target)
        self.not_durable.add(target)

    def sync_folder(self, folder: Path) -> None:
        self.fails_at -= 1
        if self.fails_at == 0:
            raise OSError(errno.EIO, "killed")
        self.not_durable = {one for one in self.not_durable if one.parent != folder}

    def delete(self, path: Path) -> None:
        if path.name.endswith(".warc.gz"):
            pages = {one.name for one in self.not_durable if one.parent.name == "pages"}
            assert not pages, f"{path.name} goes, and a power cut could undo {pages}"
        super().delete(path)


def test_rows_are_durable_before_the_files_go_that_they_led_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also when they were rewritten before a crash, and their names were not durable (seed 9100254)."""
    names = Names()
    monkeypatch.setattr(disk_files, "system", names)
    for moment in range(1, 20):
        out = tmp_path / str(moment)
        store = open_store(out, SETTINGS)
        store.write(PageBatch(visits(50)))
        commit(store)
        assert store.choose_retired(worth, is_last=True)
        state = commit(store)
        names.fails_at = moment
        with suppress(OSError):
            store.retire()
            commit(store)
        is_through = names.fails_at > 0
        names.fails_at = 0
        if is_through:
            break
        open_store(out, SETTINGS, state=state)
    assert moment > 5
