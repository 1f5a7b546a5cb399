"""Histories of real pages."""

import gzip
from pathlib import Path

import numpy as np
import pytest

from gossamer.core.errors import SettingsError
from gossamer.lab.living_web import Histories, averages, read_histories, visits_of
from tests.needs import needs

LINES = b"""{"page": 1, "born": 0, "changes": [3.5]}
{"page": 0, "born": 2.25, "changes": [2.25, 9.0, 4.0, 4.0]}
"""


@pytest.mark.parametrize("name", ["pages.jsonl", "pages.jsonl.gz"])
def test_a_file_is_read(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(gzip.compress(LINES) if name.endswith(".gz") else LINES)
    histories = read_histories(path)
    assert (len(histories), histories.end) == (2, 9.0)
    assert histories.born.tolist() == [2.25, 0.0]
    table = histories.changes(0, 20)
    assert [table.of(page).tolist() for page in range(2)] == [[4.0, 9.0], [3.5]]
    assert histories.changes(4.0, 9.0).times.tolist() == [9.0]


def test_a_record_of_nothing() -> None:
    assert len(Histories([]).changes(0, 5).times) == 0


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"not json\n", "it must have the history of a page in each line"),
        (b'{"page": 1}\n', "it must have the history of a page in each line"),
        (b"\x1f\x8b\x08", "cannot be read"),
        (None, "cannot be read"),
    ],
)
def test_what_is_no_record_is_refused(tmp_path: Path, data: bytes | None, message: str) -> None:
    path = tmp_path / ("pages.jsonl.gz" if data and data[0] == 0x1F else "pages.jsonl")
    if data is not None:
        path.write_bytes(data)
    with pytest.raises(SettingsError, match=message):
        read_histories(path)


def test_real_pages(conformance_data: Path) -> None:
    path = conformance_data / "changes" / "releases.jsonl.gz"
    if not path.is_file():
        pytest.skip(needs("data", "there are no histories of real pages among the data"))
    histories = read_histories(path)
    table = histories.changes(0, 2557)
    assert len(table) > 500
    counts = table.counts()
    assert counts.max() > 50 * np.median(counts)
    assert all((np.diff(table.of(page)) > 0).all() for page in range(len(table)))
    weekly = np.arange(0, 2557, 7.0)
    visits = visits_of(
        len(table), np.repeat(np.arange(len(table)), len(weekly)), np.tile(weekly, len(table))
    )
    assert 0.9 < averages(table, visits, 0, 2557).freshness() < 1
