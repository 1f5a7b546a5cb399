"""Pages from the archive are the pages that the crawl had."""

from pathlib import Path

import gossamer
from gossamer.archive.committed_rows import CommittedRows
from gossamer.archive.page_rows import CommittedPages
from gossamer.core.directory import Directory
from gossamer.lab import Web, serve
from gossamer.text.capture import read_capture
from gossamer.text.capture_plan import Prints, captures
from tests.engine.engine_crawling import DNS

BEHAVIOURS = ("gzip", "chunked", "charsets", "duplicates", "bad_chunks", "cut_short")


def test_bodies_are_decoded_as_the_crawl_did(tmp_path: Path) -> None:
    out = tmp_path / "out"
    web = Web(seed=4, pages=150, hosts=5, behaviours=BEHAVIOURS)
    with serve(web) as served:
        job = gossamer.Crawl(
            served.seed_url,
            out=out,
            settings=gossamer.Settings(dns=DNS(servers=(served.dns_address,))),
            delay=0,
            scope="all",
            allow_private=True,
            max_pages=120,
        )
        bodies = {document.url: (document.body, document.page.status) for document in job}
    found = [
        capture
        for rows in CommittedPages(CommittedRows(Directory(out))).batches()
        for capture in captures(rows, Prints())
    ]
    assert len(found) > 60
    for capture in found:
        page = read_capture(out / "warc", capture, 1 << 27)
        assert page is not None
        assert (page.body, page.status) == bodies[capture.url]


def test_prints_of_many_digests() -> None:
    prints = Prints(f"sha1:{number}" for number in range(1000))
    assert len(prints) == 1000
    assert not any(prints.add(f"sha1:{number}") for number in range(1000))
    assert all(prints.add(f"sha1:{number}") for number in range(1000, 2000))
    assert len(prints) == 2000
