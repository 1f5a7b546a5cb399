"""A crawl that has been stored, read again: its pages as documents, its tables.

In comes a crawl directory, which is not changed; the crawl may be running, or have been killed. Out come the
documents that the crawl yielded, made again from the archive.

    rows      which files and rows were recorded when it was opened
    pages     rows of the pages table: one after the other, or by URL
    latest    which rows are versions of a page, and which of these are the latest
    message   a record of the archive becomes an HTTP message again, decoded as the crawl did
    originals for a copy the archive has only a pointer; here is what it points to
    history   what happened to a page, visit after visit; `differences`: what is new in a version
    crawl     rows and records become documents

Invariants:
- Only what is recorded counts: rows and captures after the last commit may still vanish.
- Nothing is changed, and no lock is taken.
- A record that is damaged or missing costs its own document only, and that says so.
"""

from gossamer.archive.page_rows import CommittedPages
from gossamer.archive.stored_crawl import TABLES, StoredCrawl
from gossamer.archive.stored_crawl import open_crawl as open

__all__ = ["TABLES", "CommittedPages", "StoredCrawl", "open"]
