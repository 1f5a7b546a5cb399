"""How many pages per second the store writes, beside fastwarc's own writer and warcio.

    python -m benchmarks.store [PAGES]

Every writer gets the same pages on the same core: a response and a request record each, digests
included, one gzip member per record. The whole store also writes the index and both tables, and
makes all of it durable every thousand pages.
"""

import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from hashlib import sha1
from io import BytesIO
from pathlib import Path

from fastwarc.stream_io import GzipWriter
from fastwarc.warc import WarcRecord, WarcRecordType
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from gossamer.core.clock import SystemClock
from gossamer.core.outcomes import Outcome
from gossamer.core.page_batch import PageBatch
from gossamer.core.records import Document, Headers, Judged, Link, Page, Visit
from gossamer.core.settings import StoreSettings
from gossamer.core.url import Url, parse
from gossamer.output import Store
from gossamer.output.digest import payload_digest
from gossamer.output.warc_archive import Archive, ArchiveState
from gossamer.output.warc_date import warc_date

REAL_PAGES = Path("/usr/share/doc/postgresql-doc-15/html")
LINKS = 21
BATCH = 50
COMMIT = 1000
"""Pages from one group commit to the next: about those of a second."""
REQUEST = (
    b"GET %b HTTP/1.1\r\nHost: www.example.com\r\n"
    b"User-Agent: Gossamer/0.1 (+https://example.org/crawl)\r\n"
    b"Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8\r\n"
    b"Accept-Encoding: gzip, deflate, br, zstd\r\n\r\n"
)

Writer = Callable[[list[Judged], Path], None]


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 5000
    pages = make_pages(count)
    size = sum(len(kept.document.page.payload) for kept in pages) / count
    print(f"{count} pages of {size / 1024:.1f} KB, {LINKS} links each")
    print(f"{'writer':<34}{'us/page':>9}{'pages/s':>9}{'WARC bytes/page':>17}")
    for name, writer in WRITERS.items():
        seconds, written = measure(writer, pages)
        each = seconds / count
        print(f"{name:<34}{each * 1e6:9.1f}{1 / each:9.0f}{written / count:17.0f}")


def make_pages(count: int) -> list[Judged]:
    """Real pages when the machine has them, made-up ones of the same size otherwise."""
    bodies = [path.read_bytes() for path in sorted(REAL_PAGES.glob("*.html"))[:400]]
    bodies = bodies or list(_made_up_bodies(400))
    chance = random.Random(5)
    hosts = [f"www.host{number}.example" for number in range(300)]
    return [
        _make_page(number, bodies[number % len(bodies)], hosts, chance) for number in range(count)
    ]


def _made_up_bodies(count: int) -> Iterator[bytes]:
    chance = random.Random(3)
    words = ["".join(chance.choices("etaoinshrdlu", k=chance.randint(2, 9))) for _ in range(3000)]
    for _ in range(count):
        yield f"<p>{' '.join(chance.choices(words, k=2400))}</p>".encode()


def _make_page(number: int, body: bytes, hosts: list[str], chance: random.Random) -> Judged:
    url = _url(f"http://{hosts[number % 300]}/docs/chapter/page-{number}.html")
    head = (
        "HTTP/1.1 200 OK\r\nServer: nginx/1.24.0\r\nDate: Mon, 02 Mar 2026 10:00:00 GMT\r\n"
        f"Content-Type: text/html; charset=utf-8\r\nContent-Length: {len(body)}\r\n"
        f'ETag: "{number:x}-5f"\r\nConnection: keep-alive\r\nVary: Accept-Encoding\r\n\r\n'
    )
    page = Page(
        Visit(url, depth=3, source=f"http://{hosts[number % 300]}/docs/"),
        Outcome.FETCHED,
        started=1772445600 + number / 1000,
        seconds=0.05,
        status=200,
        headers=Headers([("Content-Type", "text/html; charset=utf-8")]),
        request=REQUEST % url.text.encode(),
        head=head.encode(),
        payload=body,
        body=body,
        address="192.0.2.17",
    )
    links = tuple(_make_link(url, hosts, chance) for _ in range(LINKS))
    document = Document(page, "Chapter of a manual", "utf-8", "text/html", links)
    return Judged(document, sha1(body).digest())


def _make_link(source: Url, hosts: list[str], chance: random.Random) -> Link:
    host = source.host if chance.random() < 0.8 else chance.choice(hosts)
    target = int(chance.paretovariate(0.5)) % 100_000
    anchor = " ".join(chance.choices(["about", "the", "query", "planner", "index", "of"], k=4))
    return Link(source.text, _url(f"http://{host}/docs/chapter/page-{target}.html"), anchor=anchor)


def _url(text: str) -> Url:
    url = parse(text)
    assert url is not None
    return url


def measure(writer: Writer, pages: list[Judged]) -> tuple[float, int]:
    """The best of three runs, in CPU seconds, and the bytes of WARC written."""
    best = float("inf")
    for _ in range(3):
        with tempfile.TemporaryDirectory() as folder:
            start = time.process_time()
            writer(pages, Path(folder))
            best = min(best, time.process_time() - start)
            written = sum(path.stat().st_size for path in Path(folder).rglob("*.warc.gz"))
    return best, written


def write_everything(pages: list[Judged], out: Path) -> None:
    _write_with_store(pages, out, StoreSettings())


def write_tables_only(pages: list[Judged], out: Path) -> None:
    _write_with_store(pages, out, StoreSettings(warc=False))


def write_archive_only(pages: list[Judged], out: Path) -> None:
    clock = SystemClock()
    archive = Archive(out / "warc", StoreSettings(), clock, b"", out / "work", 0, ArchiveState())
    for number, kept in enumerate(pages, 1):
        archive.keep(kept, payload_digest(kept))
        if number % COMMIT == 0:
            archive.commit()
            archive.tidy()
    _end(archive)


def _write_with_store(pages: list[Judged], out: Path, settings: StoreSettings) -> None:
    store = Store(
        out,
        settings,
        SystemClock(),
        crawl_toml="",
        user_agent="Gossamer/0.1",
        operator="",
    )
    for start in range(0, len(pages), BATCH):
        store.write(PageBatch(pages[start : start + BATCH]))
        if (start + BATCH) % COMMIT == 0:
            store.commit()
            store.tidy()
    _end(store)


def _end(part: Store | Archive) -> None:
    part.finish()
    part.commit()
    part.tidy()
    part.close()


def write_with_fastwarc(pages: list[Judged], out: Path, level: int) -> None:
    with open(out / "fastwarc.warc.gz", "wb") as file:
        writer = GzipWriter(file, compression_level=level)
        for kept in pages:
            page = kept.document.page
            response = _fastwarc_record(page, WarcRecordType.response, page.head + page.payload)
            response.write(writer, checksum_data=True, payload_digest=kept.digest)
            writer.finish()  # ends the gzip member
            request = _fastwarc_record(page, WarcRecordType.request, page.request)
            request.headers.append("WARC-Concurrent-To", response.record_id)
            request.write(writer, checksum_data=True)
            writer.finish()
        writer.close()


def _fastwarc_record(page: Page, kind: WarcRecordType, block: bytes) -> WarcRecord:
    record = WarcRecord()
    record.init_headers(kind, content_length=len(block))
    record.is_http = True
    record.headers.set("WARC-Date", warc_date(page.started))
    record.headers.append("WARC-Target-URI", page.url)
    record.headers.append("WARC-IP-Address", page.address)
    record.set_bytes_content(block)
    return record


def write_with_warcio(pages: list[Judged], out: Path) -> None:
    with open(out / "warcio.warc.gz", "wb") as file:
        writer = WARCWriter(file, gzip=True, warc_version="1.1")
        for kept in pages:
            page = kept.document.page
            fields = {"WARC-IP-Address": page.address, "WARC-Date": warc_date(page.started)}
            status, *lines = page.head.decode().split("\r\n")
            headers = [tuple(line.split(": ", 1)) for line in lines if line]
            response = writer.create_warc_record(
                page.url,
                "response",
                payload=BytesIO(page.payload),
                length=len(page.payload),
                http_headers=StatusAndHeaders(status[9:], headers, protocol="HTTP/1.1"),
                warc_headers_dict=fields,
            )
            request = writer.create_warc_record(
                page.url, "request", payload=BytesIO(page.request), length=len(page.request)
            )
            writer.write_request_response_pair(request, response)


WRITERS: dict[str, Writer] = {
    "the store, all of it": write_everything,
    "its tables only": write_tables_only,
    "its archive only (records, index)": write_archive_only,
    "fastwarc level 1 (records only)": partial(write_with_fastwarc, level=1),
    "fastwarc level 2 (records only)": partial(write_with_fastwarc, level=2),
    "warcio (records only)": write_with_warcio,
}

if __name__ == "__main__":
    main()
