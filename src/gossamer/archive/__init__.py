"""A crawl that has been stored, read again: its pages as documents, its tables.

In comes a crawl directory, which is not changed; the crawl may be running, or have been killed. Out come the
documents that the crawl yielded, made again from the archive.

    committed_rows       which files and rows were recorded when it was opened
    page_rows            rows of the pages table: one after the other, or by URL
    latest_rows          which rows are versions of a page, and which of these are the latest
    stored_message       a record of the archive becomes an HTTP message again, decoded as the crawl did
    original_responses   for a copy the archive has only a pointer; this finds the original
    page_history         all visits of a page, in order
    version_differences  what is new in a version
    stored_crawl         rows and records become documents

Invariants:
- Only what is recorded counts: rows and captures after the last commit may still vanish.
- Nothing is changed, and no lock is taken.
- A record that is damaged or missing costs its own document only, and that says so.
"""

from gossamer.archive.page_rows import CommittedPages
from gossamer.archive.stored_crawl import TABLES, StoredCrawl
from gossamer.archive.stored_crawl import open_crawl as open

__all__ = ["TABLES", "CommittedPages", "StoredCrawl", "open"]
