"""What those read who have no copy of the archive."""

from pathlib import Path

import pytest

from gossamer.cluster.storage import RemoteStorageError, StorageArchive
from gossamer.cluster.storage.object_storage import FolderStorage
from gossamer.cluster.storage.partition_files import Tree
from gossamer.cluster.storage.partition_storage import storage_folder
from gossamer.cluster.storage.uploader import Shipper
from gossamer.core.directory import Directory

NAME = "gossamer-20260101000000-00002-00000.warc.gz"


def test_bytes_of_an_archive_that_grows(tmp_path: Path) -> None:
    """They are in several commit bundles, which go when the crawl tidies up."""
    directory = Directory(tmp_path / "crawl", 2)
    directory.state.mkdir(parents=True)
    (tmp_path / "crawl" / "warc").mkdir()
    shipper = Shipper(FolderStorage(tmp_path / "storage"), storage_folder(2), Tree(directory), 1)
    archive, data = StorageArchive(f"file://{tmp_path / 'storage'}"), bytearray()
    for number in range(12):
        data += bytes([number]) * (100 + number)
        (tmp_path / "crawl" / "warc" / NAME).write_bytes(data)
        shipper.ship(is_checkpoint=number % 3 == 2)
        for start in range(0, len(data), 70):
            size = min(250, len(data) - start)
            assert archive.read(NAME, start, size) == data[start : start + size]
    with pytest.raises(RemoteStorageError, match=f"{NAME} has no byte {len(data) + 1}"):
        archive.read(NAME, 0, len(data) + 1)
