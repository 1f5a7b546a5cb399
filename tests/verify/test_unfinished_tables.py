"""Tables that a killed crawl had not finished: readers read them, so `gossamer verify` looks into them."""

from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet as parquet
import pytest

from gossamer.core.disk.disk_manifest import MANIFEST, ManifestWriter
from gossamer.output.items_table import ITEMS
from gossamer.output.parquet_table import StoredTable, TableState
from gossamer.verify.unfinished import inspect_unfinished

DAMAGED = r"is damaged|is not a Parquet file"
ROWS: list[Any] = [("http://a.test/", 1_000_000 * n, 0, f'{{"n":{n}}}') for n in range(60)]


class Table:
    """A table of items that a crawl writes until it is killed."""

    def __init__(self, folder: Path, limit: int = 1000, state: TableState | None = None) -> None:
        self.work = folder / "work"
        self._manifest = ManifestWriter(self.work / MANIFEST)
        places = (folder / "items", self.work)
        state = TableState() if state is None else state
        self.stored = StoredTable(ITEMS, *places, limit, 0, state, self._manifest)

    def add(self, rows: list[Any]) -> None:
        self.stored.add(rows, len(rows))

    def commit(self) -> TableState:
        return self.stored.commit()

    def publish(self) -> Path:
        self.stored.commit()
        self.stored.publish()
        return self.file

    @property
    def file(self) -> Path:
        return max(self.stored.folder.glob("*.parquet"))

    def look(self, rows: list[Any]) -> str:
        return inspect_unfinished(self.file, self.work, ITEMS, rows)

    def kill(self) -> None:
        self.stored.close()
        self._manifest.close()


def test_each_byte_of_a_published_file_is_looked_at(tmp_path: Path) -> None:
    """Those of its footer too, for which Parquet has no checksum."""
    table = Table(tmp_path)
    table.add(ROWS)
    file = table.publish()
    assert "60 rows" in table.look(ROWS)
    data, writer = file.read_bytes(), writer_of(file)
    for place in range(len(data)):
        file.write_bytes(data[:place] + bytes([data[place] ^ 4]) + data[place + 1 :])
        if writer_of(file) not in {None, writer}:
            continue  # another version would write the same rows in another way
        with pytest.raises(ValueError, match=DAMAGED):
            table.look(ROWS)
    for length in (0, 1, len(data) // 2, len(data) - 1):
        file.write_bytes(data[:length])
        with pytest.raises(ValueError, match="is not a Parquet file"):
            table.look(ROWS)


def writer_of(file: Path) -> str | None:
    """Which version wrote it, by its own word; None if it cannot be read."""
    try:
        return str(parquet.read_metadata(file).created_by)
    except (pyarrow.ArrowException, OSError, ValueError):
        return None


def test_a_file_published_before_the_last_commits_is_in_order(tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.add(ROWS[:20])
    table.publish()
    table.add(ROWS[20:])
    table.commit()
    assert "20 rows" in table.look(ROWS)
    with pytest.raises(ValueError, match="other rows than the spool"):
        table.look(ROWS[1:])


def test_a_file_that_was_complete_but_not_on_record_is_compared_with_the_manifest(
    tmp_path: Path,
) -> None:
    table = Table(tmp_path, limit=60)
    table.add(ROWS[:30])
    table.commit()
    table.add(ROWS[30:])
    file = table.file
    assert "60 rows" in table.look(ROWS[:30])
    data = file.read_bytes()
    for place in range(len(data) - 300, len(data)):
        file.write_bytes(data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :])
        with pytest.raises(ValueError, match=DAMAGED):
            table.look(ROWS[:30])


def test_rows_that_a_crash_took_back_are_not_seen_after_a_resume(tmp_path: Path) -> None:
    """A file was complete, the commit after it never came: its rows come again, maybe in another order."""
    table = Table(tmp_path, limit=60)
    table.add(ROWS[:30])
    state = table.commit()
    table.add(ROWS[30:])
    table.kill()
    again = Table(tmp_path, limit=60, state=state)
    assert "30 rows" in again.look(ROWS[:30])
    again.add(ROWS[:5])
    again.commit()
    again.kill()
    assert "30 rows" in again.look(ROWS[:30] + ROWS[:5])
