"""WARC, CDXJ, Parquet: what a crawl leaves behind, in files that every tool of the field opens.

In comes each finished visit as a `Judged`: the document, the digest of its payload, and whether the
same content was met before. Out come files, and nothing goes back into the ring:

    Judged ▶ archive ──▶ warc/*.warc.gz      a capture and its request per response
         │          └──▶ warc/index.cdxj     one line per capture
         ├─────────────▶ pages/*.parquet     one row per visit, failures too
         └─────────────▶ links/*.parquet     one row per link

When the number of stored pages is limited, `page_limit` retires the least valuable: `kept_pages` knows which
are there, `retirement` writes files again without them. Their rows stay.

`earlier_crawl` reads the tables of an earlier crawl, so that unchanged pages need neither be sent nor
stored again.

`store` is the entry point. `warc_archive` joins `warc_record` (what a WARC record says), `warc_file` (the
files) and `cdxj` (the index). `parquet_table` grows a Parquet table whose columns `pages_table` and
`links_table` describe; links are packed as they come, and `packed_rows` makes columns of them when a file
is written.

Invariants:
- A WARC file is only appended to, or written again under another name. Every other file
  appears under its name complete or not at all.
- A record is one gzip member. A capture and its request stand in the same file, in this order.
- After `commit`, all that was written before it survives a crash: records in their WARC files, rows
  and index lines in finished files or in the `spool`. What was written after it vanishes in a crash.
- Between a commit and the next write, `publish` lets the tables show all that is recorded. A reader of
  all files of a table sees no row twice, at any moment.
- The tables are complete after `finish`, the index after the `commit` and `tidy` that follow it.
- What a visit to a robots.txt brought is archived and indexed, but is no row of a table.
- Memory is bounded by `rows` table rows, 1 GiB of packed links and 100,000 index lines; no body and no
  URL of a link is kept after `write`.
"""

from gossamer.output.earlier_crawl import KnownCrawl, check_known
from gossamer.output.store import Store, StoreState, StoreStatistics, read_store_state

__all__ = [
    "KnownCrawl",
    "Store",
    "StoreState",
    "StoreStatistics",
    "check_known",
    "read_store_state",
]
