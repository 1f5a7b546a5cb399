"""What those read who have no copy of the archive."""

from pathlib import Path

import pytest

from gossamer.base.directory import Directory
from gossamer.cluster.home import HomeArchive, HomeError
from gossamer.cluster.home.partition_home import home_folder
from gossamer.cluster.home.shipper import Shipper
from gossamer.cluster.home.storage import FolderStorage
from gossamer.cluster.home.tree import Tree

NAME = "gossamer-20260101000000-00002-00000.warc.gz"


def test_bytes_of_an_archive_that_grows(tmp_path: Path) -> None:
    """They are in several crates, which go when the crawl tidies up."""
    directory = Directory(tmp_path / "crawl", 2)
    directory.state.mkdir(parents=True)
    (tmp_path / "crawl" / "warc").mkdir()
    shipper = Shipper(FolderStorage(tmp_path / "home"), home_folder(2), Tree(directory), 1)
    archive, data = HomeArchive(f"file://{tmp_path / 'home'}"), bytearray()
    for number in range(12):
        data += bytes([number]) * (100 + number)
        (tmp_path / "crawl" / "warc" / NAME).write_bytes(data)
        shipper.ship(is_checkpoint=number % 3 == 2)
        for start in range(0, len(data), 70):
            size = min(250, len(data) - start)
            assert archive.read(NAME, start, size) == data[start : start + size]
    with pytest.raises(HomeError, match=f"{NAME} has no byte {len(data) + 1}"):
        archive.read(NAME, 0, len(data) + 1)
