"""A table with a file that cannot be read: the others are shown, and what is wrong is said."""

from pathlib import Path

import pytest

from tests.dashboard.faces import shown


@pytest.mark.parametrize(
    ("table", "path"), [("pages", "/pages"), ("pages", "/hosts"), ("links", "/links")]
)
def test_a_damaged_file_is_named(finished_copy: Path, table: str, path: str) -> None:
    [file] = (finished_copy / table).glob("*.parquet")
    damaged = file.with_name("00000-00099.parquet")
    damaged.write_bytes(file.read_bytes()[:1000])
    with shown(finished_copy) as visitor:
        page, json = visitor.get(path), visitor.get(f"/api{path}").json
    assert page.status == 200
    assert json["paging"]["unread"] == 0
    assert [damaged.name in line for line in json["damaged"]] == [True]
    assert f"{damaged.name} is not a Parquet file" in page.text
