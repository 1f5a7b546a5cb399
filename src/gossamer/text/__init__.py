"""Every page of a crawl read deeply, as a table: what a text index is made of.

In comes a crawl directory that nobody else uses, out come `text/*.parquet` in it, one row per distinct
page that was kept, and how far it has come.

    pages/*.parquet ─▶ capture_plan: captures whose digest has no row yet; for unchanged pages,
                       captures of earlier crawls (`gossamer.engine.earlier_crawls`)
    warc/*.warc.gz  ─▶ capture: a record becomes a page again, decoded as the crawl did
                       text_chunk: pages become rows, rows become a file; in several processes. Of main texts,
                       what the pages of a host share is left out: those of a chunk are compared
                       text_build: hands out chunks, survives the death of a process

Invariants:
- Only what is recorded counts: rows and captures after the last commit may still vanish.
- A file appears complete or not at all, so a build that was killed loses its last chunks and nothing else;
  the next one reads those, and what was crawled meanwhile.
- A page that kills its process gets a row that says so, and is not tried again.
- Memory is bounded by the chunks under way, 8 bytes per page that has a row and 32 per unchanged page.
"""

from gossamer.text.text_build import BuildProgress, build_texts

__all__ = ["BuildProgress", "build_texts"]
