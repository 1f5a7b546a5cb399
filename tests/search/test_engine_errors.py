"""What the engine of the index says becomes one line, by what is the matter."""

import shutil
from pathlib import Path

import pytest

from gossamer.core.errors import DirectoryError
from gossamer.search.shard import reporting_errors
from gossamer.search.shard_files import begin_listing, check_shard

WRITER_KILLED = (
    "An error occurred in a thread: 'An index writer was killed.. A worker thread encountered an error "
    "(io::Error most likely) or panicked.'"
)


def fail(said: str) -> None:
    raise ValueError(said)


@pytest.mark.parametrize(
    ("said", "free", "error", "told_as"),
    [
        ("An IO error occurred: 'No space left on device (os error 28)'", 1 << 40, OSError, "No space"),
        (WRITER_KILLED, 1 << 20, OSError, "No space left on device"),
        (WRITER_KILLED, 1 << 40, DirectoryError, "cannot be written; check the disk"),
        ("Data corrupted: bad footer", 1 << 20, DirectoryError, "is damaged; rebuild the index"),
    ],
)  # fmt: skip
def test_an_error_is_told_by_its_cause(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    said: str,
    free: int,
    error: type[Exception],
    told_as: str,
) -> None:
    usage = shutil.disk_usage(tmp_path)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=free))
    with pytest.raises(error, match=told_as) as found:
        reporting_errors(tmp_path, lambda: fail(said))
    assert str(tmp_path) in str(found.value)


def test_a_shard_is_never_there_without_its_manifest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever was killed in between left a shard that the next run refused."""
    folder = tmp_path / "index" / "00000"
    with monkeypatch.context() as patch:
        patch.setattr("gossamer.search.shard_files.write_manifest", lambda *_, **__: fail(""))
        with pytest.raises(ValueError, match=r"^$"):
            begin_listing(folder)
    assert not folder.exists()
    begin_listing(folder)
    assert check_shard(folder, is_listed=True)
    assert [one.name for one in folder.parent.iterdir()] == ["00000"], "nothing else is left"
