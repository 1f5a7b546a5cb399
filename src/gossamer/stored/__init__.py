"""A crawl that has been stored, read again: its pages as documents, its tables.

In comes a crawl directory, which is not changed; the crawl may be running, or have been killed. Out come the
documents that the crawl yielded, made anew from the archive.

    rows      which files and rows were on record when it was opened
    pages     rows of the pages table: one after the other, or by URL
    newest    which rows are versions of a page, and which of these are the newest
    message   a record of the archive becomes an HTTP message again, decoded as the crawl did
    originals for a copy the archive has only a pointer; here is what it points to
    history   what happened to a page, visit after visit; `differences`: what is new in a version
    crawl     rows and records become documents

Invariants:
- Only what is on record counts: rows and captures after the last commit may still vanish.
- Nothing is changed, and no lock is taken.
- A record that is damaged or missing costs its own document only, and that says so.
"""

from gossamer.stored.crawl import TABLES, StoredCrawl
from gossamer.stored.crawl import open_crawl as open
from gossamer.stored.pages import PagesOnRecord

__all__ = ["TABLES", "PagesOnRecord", "StoredCrawl", "open"]
