"""The pages of a crawl that people may begin with, as WACZ lists them."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import msgspec
from pyarrow import compute
from xxhash import xxh3_64_hexdigest

from gossamer.archive import StoredCrawl
from gossamer.core.parquet import read_dataset

_COLUMNS = ["url", "title", "fetched_at", "depth", "is_soft_error"]
_PAGES = ("text/html", "application/xhtml+xml", "application/pdf")
"""Media types of what is shown as a page."""


class PageLists:
    """Two lists, as lines of JSON: where the crawl began, and all other pages."""

    def __init__(self, crawl: StoredCrawl) -> None:
        self.seeds = [_head("pages", "Seeds")]
        self.others = [_head("extra", "Other pages")]
        self.first: tuple[str, str] | None = None
        """The page that is shown first, and its time."""
        for row in _rows(crawl):
            time = row["fetched_at"].astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
            line = _encode(
                {
                    "id": xxh3_64_hexdigest(f"{time} {row['url']}".encode()),
                    "url": row["url"],
                    "title": row["title"] or row["url"],
                    "ts": time,
                }
            )
            if row["depth"] == 0:
                self.first = self.first or (row["url"], time)
                self.seeds.append(line)
            else:
                self.others.append(line)


def _rows(crawl: StoredCrawl) -> Iterator[dict[str, Any]]:
    """Read the fetched pages with a record in the archive, in the order of the crawl's tables."""
    field = compute.field
    wanted = (
        (field("status") == 200) & field("media_type").isin(_PAGES) & field("warc_file").is_valid()
    )
    for batch in read_dataset(crawl.pages, crawl.path / "pages", columns=_COLUMNS, filter=wanted):
        for row in batch.to_pylist():
            if not row["is_soft_error"]:
                yield row


def _head(name: str, title: str) -> bytes:
    return _encode({"format": "json-pages-1.0", "id": name, "title": title})


def _encode(fields: dict[str, str]) -> bytes:
    return msgspec.json.encode(fields) + b"\n"


def now_text(now: float) -> str:
    """A time as WACZ writes it.

    >>> now_text(1_800_000_000.0)
    '2027-01-15T08:00:00Z'
    """
    return datetime.fromtimestamp(now, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
