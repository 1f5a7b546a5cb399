from pathlib import Path

import pytest

from gossamer.base.errors import DirectoryError
from gossamer.base.records import Headers, Link, Original
from gossamer.base.url import Spelling
from gossamer.harvest.store import Known
from tests.harvest.store.samples import START, end, kept, open_store, store_all, url

PAGE = url("http://example.com/")


def test_it_knows_validators_and_links(tmp_path: Path) -> None:
    link = Link(PAGE.text, url("http://example.com/b"), anchor="b", position="footer")
    headers = Headers([("ETag", '"x"')])
    store_all(tmp_path, kept(links=(link,), page={"headers": headers}))
    known = Known(tmp_path, Spelling())
    found = known.validators(PAGE)
    assert found is not None
    assert found.etag == '"x"'
    assert known.original(PAGE) == Original(PAGE.text, START)
    [again] = known.links(PAGE)
    assert again == link


def test_a_crawl_that_found_nothing_is_known(tmp_path: Path) -> None:
    end(open_store(tmp_path))
    assert len(Known(tmp_path, Spelling())) == 0


def test_a_crawl_without_any_table_file_yet_is_one_clear_line(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    store.write([kept()])
    store.commit()
    store.close()
    assert list((tmp_path / "pages").iterdir()) == []
    with pytest.raises(DirectoryError, match="has no pages table; --known names"):
        Known(tmp_path, Spelling())


def test_a_damaged_table_is_one_clear_line(tmp_path: Path) -> None:
    store_all(tmp_path, kept())
    for path in tmp_path.glob("links/*.parquet"):
        path.write_bytes(b"PAR1 no table PAR1")
    with pytest.raises(DirectoryError, match="has no links table"):
        Known(tmp_path, Spelling())
