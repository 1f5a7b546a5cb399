"""Rows of a table that are looked for by a text."""

from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet

from gossamer.core.errors import DamageError
from gossamer.output.parquet_batches import find_rows


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "00000-00000.parquet"
    rows = pa.table({"url": [f"u{n % 50}" for n in range(20_000)], "title": ["a title"] * 20_000})
    parquet.write_table(
        rows,
        path,
        compression="none",
        use_dictionary=False,
        write_statistics=False,
        write_page_checksum=True,
    )
    return path


def damage(file: Path) -> None:
    """Change the column of titles, so that whoever reads it is told."""
    content = bytearray(file.read_bytes())
    place = content.index(b"a title")
    content[place : place + 7] = b"a TITLE"
    file.write_bytes(content)


def test_rows_come_in_their_order_with_all_columns(file: Path) -> None:
    found = [*find_rows(file, ["title", "url", "missing"], "url", "u7")]
    assert sum(batch.num_rows for batch in found) == 400
    for batch in found:
        assert batch.schema.names == ["title", "url", "missing"]
        assert set(batch.column("url").to_pylist()) == {"u7"}
        assert set(batch.column("missing").to_pylist()) == {None}


def test_other_columns_are_not_read_where_the_text_does_not_stand(file: Path) -> None:
    damage(file)
    assert [*find_rows(file, ["url", "title"], "url", "never")] == []
    with pytest.raises(DamageError):
        list(find_rows(file, ["url", "title"], "url", "u7"))
