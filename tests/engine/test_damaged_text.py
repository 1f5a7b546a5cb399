"""Bytes that are no UTF-8, where a file or a message has text: `msgspec` raises another error of these."""

from collections.abc import Callable
from pathlib import Path

import pytest

from gossamer.core.disk import disk_manifest
from gossamer.core.errors import GossamerError
from gossamer.engine.status_file import decode_status
from gossamer.graph.picture.picture_pages import SHAPE_FILE, read_shape
from gossamer.push.subscriptions import _read as read_subscriptions
from gossamer.search import index_manifest

FILES: dict[str, tuple[str, Callable[[Path], object], bytes]] = {
    "manifest": (
        disk_manifest.MANIFEST,
        disk_manifest.read_manifest,
        b'{"file":"a","bytes":1,"crc32":1}\n',
    ),
    "index": (
        index_manifest.MANIFEST,
        lambda path: index_manifest.read_manifest(path.parent),
        b'{"format":"a"}',
    ),
    "shape": (SHAPE_FILE, lambda path: read_shape(path.parent), b'{"laws":{"a":1}}'),
    "subscriptions": ("subscriptions", read_subscriptions, b'[{"topic":"a"}]'),
}


@pytest.mark.parametrize("name", FILES)
def test_text_that_is_no_utf8_is_one_line(tmp_path: Path, name: str) -> None:
    file, read, data = FILES[name]
    (tmp_path / file).write_bytes(data.replace(b'"a"', b'"\xb0"'))
    with pytest.raises(GossamerError) as told:
        read(tmp_path / file)
    assert str(tmp_path / file) in str(told.value)
    assert "\n" not in str(told.value)


def test_a_status_that_is_no_utf8_is_damaged() -> None:
    with pytest.raises(ValueError, match="utf-8"):
        decode_status(b'{"pages":1,"stopped_by":"\xb0"}')
