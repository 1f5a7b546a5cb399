"""Say of pages whether they have changed, by what is known of them from before.

What this crawl remembers of a page comes first (`policy.revisit`); of all others, what an earlier crawl has
stored (`output.earlier_crawl`). The columns are those of the analyzer `change`.
"""

from collections.abc import Mapping

from gossamer.core.analyzer_protocol import Analyzer
from gossamer.core.outcomes import Outcome
from gossamer.core.page_batch import Annotations, PageBatch
from gossamer.core.records import Judged
from gossamer.output import KnownCrawl
from gossamer.policy.revisit import Revisits


class Recall(Analyzer):
    """Gives pages that have not changed what was known of them when they were met before."""

    name = "change"

    def __init__(self, known: KnownCrawl | None, revisits: Revisits | None) -> None:
        self._known, self._revisits = known, revisits

    def look(self, batch: PageBatch) -> Annotations:
        for place, judged in enumerate(batch.pages):
            batch.pages[place] = recalled = self._recall(judged)
            if recalled.validators is not None and self._known is not None:
                batch.remember(place, self._known.annotations(recalled))
        return {}

    def count(self, batch: PageBatch) -> Mapping[str, int]:
        is_fetched = (page.document.page.outcome is Outcome.FETCHED for page in batch.pages)
        pairs = zip(is_fetched, batch.pages, strict=True)
        return {"unchanged": sum(fetched and judged.is_unchanged for fetched, judged in pairs)}

    def _recall(self, judged: Judged) -> Judged:
        known, revisits = self._known, self._revisits
        if revisits is not None and judged.document.page.visit.memory:
            recalled = revisits.recall(judged)
            return (
                recalled if known is None or recalled.is_unchanged else known.recall_copy(recalled)
            )
        return judged if known is None else known.recall(judged)
