"""The identity of a crawl, in `crawl.toml` and in what lies beside it."""

from pathlib import Path

import pytest

from gossamer.core.crawl_identity import (
    check_belongs,
    check_manifest_belongs,
    identity_of,
    read_last_line,
    with_last_line,
)
from gossamer.core.disk.disk_manifest import MANIFEST, ManifestWriter, crawl_named_in, read_manifest
from gossamer.core.errors import DamageError

OWN, OTHER = "00112233445566ff", "ff00112233445566"
_OLDER = b"[crawl]\n# This line is the last: a file that ends before it was cut short.\n"


def begin(crawl: Path, partition: str, identity: str) -> Path:
    """The settings of a crawl, and the manifest of a partition."""
    (crawl / "crawl.toml").write_bytes(with_last_line("[crawl]\n", OWN))
    path = crawl / "state" / partition / "output" / MANIFEST
    writer = ManifestWriter(path, crawl=identity)
    writer.commit()
    writer.close()
    return path


def test_a_file_that_was_cut_short_has_no_last_line() -> None:
    text = with_last_line("[crawl]\nmax_pages = 7\n", OWN)
    assert all(read_last_line(text[:length]) is None for length in range(len(text) - 1))


def test_a_change_by_hand_is_seen_and_changes_no_identity() -> None:
    text = with_last_line("[crawl]\nmax_pages = 7\n", OWN)
    changed = text.replace(b"= 7", b"= 8")
    last = read_last_line(changed + b"\n\n")
    assert last is not None
    assert (last.crawl, last.is_of(text)) == (OWN, True)
    assert not last.is_of(changed)


def test_settings_of_an_earlier_version_name_no_crawl(tmp_path: Path) -> None:
    (tmp_path / "crawl.toml").write_bytes(_OLDER)
    last = read_last_line(_OLDER)
    assert last is not None
    assert last.is_of(_OLDER)
    assert identity_of(tmp_path) == ""
    check_belongs(tmp_path, tmp_path / "file", "")
    with pytest.raises(DamageError):
        check_belongs(tmp_path, tmp_path / "file", OWN)


def test_partitions_are_witnesses(tmp_path: Path) -> None:
    """A file is refused that names another crawl; so are settings that no partition has."""
    begin(tmp_path, "00000", OWN)
    with pytest.raises(DamageError, match=r"status\.json belongs to another crawl"):
        check_belongs(tmp_path, tmp_path / "status.json", OTHER)
    (tmp_path / "crawl.toml").write_bytes(with_last_line("[crawl]\n", OTHER))
    with pytest.raises(DamageError, match=r"crawl\.toml belongs to another crawl"):
        check_belongs(tmp_path, tmp_path / "status.json", OWN)


def test_a_manifest_that_a_power_cut_emptied_is_no_stranger(tmp_path: Path) -> None:
    """The simulator had crawls refused: the first line is durable with the first commit only."""
    path = begin(tmp_path, "00000", OWN)
    assert crawl_named_in(path) == OWN
    path.write_bytes(b'{"cra')
    manifest = read_manifest(path)
    assert manifest is not None
    check_manifest_belongs(tmp_path, path, manifest.crawl)
    check_manifest_belongs(tmp_path, path, crawl_named_in(path))


def test_a_manifest_goes_on_with_the_identity_that_it_has(tmp_path: Path) -> None:
    writer = ManifestWriter(tmp_path / MANIFEST, crawl=OWN)
    state = writer.commit()
    writer.close()
    ManifestWriter(tmp_path / MANIFEST, state, OTHER).close()
    manifest = read_manifest(tmp_path / MANIFEST)
    assert manifest is not None
    assert (manifest.crawl, manifest.names) == (OWN, [])
