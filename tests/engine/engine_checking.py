"""Is a crawl directory in order? As other tools see it."""

import gzip
import json
from pathlib import Path

from fastwarc.warc import ArchiveIterator, WarcRecordType
from warcio.checker import Checker

from tests.engine.engine_crawling import query


def assert_valid(out: Path) -> None:
    """WARC files pass warcio's check, every index line leads to its record, the tables agree."""
    for path in (out / "warc").glob("*.warc.gz"):
        assert _passes_warcio(path), f"{path} is not valid"
    records = _assert_index(out)
    pages = query(
        out,
        "select url, warc_file, warc_offset, warc_length from pages where warc_file is not null",
    )
    for url, file, offset, length in pages:
        assert records[file, offset] == (url, length)
    assert len({row[1:3] for row in pages}) == len(pages)
    [(orphans,)] = query(
        out, "select count(*) from links where source not in (select url from pages)"
    )
    assert orphans == 0


def _passes_warcio(path: Path) -> bool:
    class Arguments:
        inputs = (str(path),)
        verbose = False

    checker = Checker(Arguments())
    checker.process_all()
    return bool(checker.exit_value == 0)


def _assert_index(out: Path) -> dict[tuple[str, int], tuple[str, int]]:
    lines = (out / "warc" / "index.cdxj").read_bytes().splitlines()
    assert lines == sorted(set(lines)), "the index is sorted and has no line twice"
    captures = {}
    for line in lines:
        entry = json.loads(line.split(b" ", 2)[2])
        captures[entry["filename"], int(entry["offset"])] = (entry["url"], int(entry["length"]))
    written = 0
    for path in (out / "warc").glob("*.warc.gz"):
        data = path.read_bytes()
        written += _count_captures(path)
        for (file, offset), (url, length) in captures.items():
            if file == path.name:
                record = gzip.decompress(data[offset : offset + length])
                assert f"WARC-Target-URI: {url}\r\n".encode() in record
    assert written == len(captures), "every capture is in the index"
    return captures


def _count_captures(path: Path) -> int:
    kinds = WarcRecordType.response | WarcRecordType.revisit
    with path.open("rb") as stream:
        return sum(1 for _ in ArchiveIterator(stream, record_types=kinds, parse_http=False))
