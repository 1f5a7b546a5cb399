"""Homes by their URLs, and storages that fail."""

from collections.abc import Iterable
from pathlib import Path

import pytest

from gossamer.cluster.storage.object_storage import FolderStorage, RemoteStorageError, open_storage
from gossamer.cluster.storage.retrying_storage import PAUSES, RetryingStorage
from tests.needs import needs


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("file://", "names no folder"),
        ("file://elsewhere/path", "names no folder"),
        ("s3://", "is not complete"),
        ("nonsense://bucket/path", "cannot be used|needs another library"),
    ],
)
def test_urls_that_name_no_home_are_refused_in_one_line(url: str, said: str) -> None:
    pytest.importorskip("fsspec", reason=needs("storage", "fsspec is not installed"))
    with pytest.raises(RemoteStorageError, match=said) as caught:
        open_storage(url)
    assert url in str(caught.value)
    assert "\n" not in str(caught.value)


def test_names_with_spaces_in_a_url_are_decoded(tmp_path: Path) -> None:
    storage = open_storage(f"file://{tmp_path}/my%20home")
    storage.put("a/b", b"x")
    assert (tmp_path / "my home" / "a" / "b").read_bytes() == b"x"


class Failing(FolderStorage):
    """Fails some times."""

    def __init__(self, path: Path, failures: int) -> None:
        super().__init__(path)
        self.failures = failures

    def put(self, name: str, data: bytes) -> None:
        if self.failures:
            self.failures -= 1
            raise ConnectionError("reset by peer")
        super().put(name, data)

    def delete(self, names: Iterable[str]) -> None:
        raise FileNotFoundError("never there")


def test_what_fails_is_tried_again(tmp_path: Path) -> None:
    pauses: list[float] = []
    storage = RetryingStorage(Failing(tmp_path, failures=2), pauses.append)
    storage.put("a", b"x")
    assert storage.get("a") == b"x"
    assert pauses == list(PAUSES[:2])


def test_what_fails_again_and_again_is_told_in_one_line(tmp_path: Path) -> None:
    pauses: list[float] = []
    storage = RetryingStorage(Failing(tmp_path, failures=99), pauses.append)
    with pytest.raises(RemoteStorageError, match="cannot be used: reset by peer"):
        storage.put("a", b"x")
    assert pauses == list(PAUSES)


def test_what_is_not_there_is_not_waited_for(tmp_path: Path) -> None:
    pauses: list[float] = []
    storage = RetryingStorage(Failing(tmp_path, failures=0), pauses.append)
    with pytest.raises(FileNotFoundError):
        storage.get("nothing")
    assert not pauses


def test_parts_of_uploads_that_were_killed_are_deleted(tmp_path: Path) -> None:
    """Only where the one who asks sends anything: in other folders somebody else may be at it."""
    storage = open_storage(tmp_path.as_uri())
    for name in ("crawl.toml", "state/00000/1", "warc/a.warc.gz", "index/a"):
        storage.put(name, b"whole")
    parts = [".status.json.tmp", "state/00000/.2.tmp", "warc/.b.warc.gz.tmp", "index/.b.tmp"]
    for name in parts:
        (tmp_path / name).write_bytes(b"half")
    storage.delete_parts(["", "state", "warc"])
    assert [name for name in parts if (tmp_path / name).exists()] == ["index/.b.tmp"]
    for name in ("crawl.toml", "state/00000/1", "warc/a.warc.gz", "index/a"):
        assert storage.get(name) == b"whole"
