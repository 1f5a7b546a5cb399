"""The status that a crawl writes: damage of it is seen, wherever it lies."""

import json
import re
from pathlib import Path

import msgspec
import pytest

from gossamer import Crawl
from gossamer.core.directory import Directory
from gossamer.core.errors import DirectoryError
from gossamer.engine.status_file import decode_status, encode_status, read_summary
from gossamer.engine.summary import NOTHING
from gossamer.verify import inspect
from tests.copying import copy_crawl
from tests.engine.test_engine_discovery import Server, server

__all__ = ["server"]


def test_each_byte_counts() -> None:
    data = encode_status(NOTHING)
    assert json.loads(data)["pages"] == 0
    for place in range(len(data)):
        for bit in (1, 16):
            damaged = data[:place] + bytes([data[place] ^ bit]) + data[place + 1 :]
            with pytest.raises(ValueError, match=r"."):
                decode_status(damaged)
    for length in range(len(data)):
        with pytest.raises(ValueError, match=r"."):
            decode_status(data[:length])


def test_a_file_of_an_earlier_version_has_no_checksum() -> None:
    assert decode_status(msgspec.json.encode(NOTHING)) == NOTHING


def test_damage_is_told_and_mended_by_a_resumed_crawl(server: Server, tmp_path: Path) -> None:
    server.page("/", "home")
    server.crawl(tmp_path / "made")
    out = copy_crawl(tmp_path / "made", tmp_path / "out")
    assert not [one for one in inspect(out) if one.is_problem]
    status = Directory(out).status
    status.write_bytes(status.read_bytes().replace(b'"pages":1,', b'"pages":7,'))
    [found] = [one for one in inspect(out) if one.is_problem]
    assert found.what == "status"
    assert "checksum is wrong" in found.said
    with pytest.raises(DirectoryError, match=re.escape("status.json is damaged")):
        read_summary(out)
    Crawl.resume(out).run()
    assert read_summary(out).pages == 1
    assert not [one for one in inspect(out) if one.is_problem]
