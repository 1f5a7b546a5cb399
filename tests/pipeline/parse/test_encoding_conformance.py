"""The encoding cases of html5lib, and the labels of the Encoding Standard."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from gossamer.pipeline.parse.encodings import sniff_encoding
from gossamer.pipeline.parse.labels import _LABELS, decode, encoding_of
from tests.conformance_report import ConformanceReport


def cases(folder: Path) -> Iterator[tuple[str, bytes, str]]:
    for path in sorted(folder.glob("*.dat")):
        parts = path.read_bytes().split(b"#data\n")[1:]
        for number, part in enumerate(parts):
            data, _, encoding = part.partition(b"\n#encoding\n")
            yield f"{path.name} {number}", data, encoding.split(b"\n")[0].decode().lower()


def test_html5lib(conformance_data: Path, conformance_report: ConformanceReport) -> None:
    with conformance_report("encoding sniffing (html5lib)", {}) as suite:
        for name, data, wanted in cases(conformance_data / "html" / "encoding"):
            suite.check(name, sniff_encoding(data), encoding_of(wanted) or wanted)


@pytest.mark.parametrize("encoding", sorted(_LABELS))
def test_every_encoding_decodes_anything(encoding: str) -> None:
    text = decode(bytes(range(256)), encoding)
    assert text
    if encoding not in ("replacement", "utf-16be", "utf-16le"):
        assert "abcxyz" in decode(b"abcxyz", encoding)
