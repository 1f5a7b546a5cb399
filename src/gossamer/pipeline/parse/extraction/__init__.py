"""Read a page in full, on demand: metadata, dates, language, main text.

In comes a document (its page's bytes count), out goes a `Reading`. Nothing here is on the crawl's way;
`gossamer.read_page` and `gossamer text` ask for it.

    HTML ─▶ outline: a tree, if that is safe ─▶ meta, json_ld, microdata, times ─▶ facts
         │                                   └▶ text: all of it, and the main part
         └▶ wild: tag by tag, where a tree would cost too much
    all else ─▶ the text that its parser found

`metadata_choice` decides between sources that contradict each other; `language` looks at the text.
`shared` compares the main texts of pages that were read together, and leaves out what those of one host
share.

Invariants: no input raises; every collection is bounded (`bounds`), so is the time, since text is only
taken from trees of bounded size and depth. Dates are in UTC, and not in the page's future.
"""

from gossamer.pipeline.parse.extraction.page_reader import read_page
from gossamer.pipeline.parse.extraction.shared import compare_readings, leave_out_shared

__all__ = ["compare_readings", "leave_out_shared", "read_page"]
