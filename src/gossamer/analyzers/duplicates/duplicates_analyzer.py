"""Say in columns what the content test found out, and what is to be done about copies."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from gossamer.core.analyzer_protocol import Analyzer
from gossamer.core.outcomes import Outcome, Refusal
from gossamer.core.page_batch import Annotations, PageBatch
from gossamer.core.records import Compared, Judged
from gossamer.core.settings import ScopeSettings, Settings


class DuplicateAnalyzer(Analyzer):
    """Reads `compared`, the content test's own column."""

    name = "duplicates"

    def __init__(self, scope: ScopeSettings) -> None:
        self._scope = scope

    def look(self, batch: PageBatch) -> Annotations:
        compared: Sequence[Compared] = batch.columns["compared"]
        columns: dict[str, list[Any]] = {}
        for place, one in enumerate(compared):
            if one.duplicate_of is None and one.same_text_as is None and one.similar_to is None:
                if one.is_variant:
                    batch.pages[place] = replace(batch.pages[place], is_variant=True)
                continue
            if _has_moved(one):
                one = replace(one, duplicate_of=None)
                columns.setdefault("compared", [*compared])[place] = one
            batch.pages[place] = self._judge(one, batch.pages[place])
            for name, value in _describe(one):
                columns.setdefault(name, [None] * len(compared))[place] = value
        return columns

    def count(self, batch: PageBatch) -> Mapping[str, int]:
        """A page counts once, by the most that it has in common with another, as in `gossamer duplicates`."""
        found: dict[str, int] = {}
        if _COUNTED.keys().isdisjoint(batch.columns):
            return found
        said = zip(*map(batch.said, _COUNTED), strict=True)
        for judged, like in zip(batch.pages, said, strict=True):
            page = judged.document.page
            is_counted = page.outcome is Outcome.FETCHED and not page.visit.is_return
            if not (is_counted and (page.status == 200 or judged.is_unchanged)):
                continue
            for name, value in zip(_COUNTED.values(), like, strict=True):
                if value is not None:
                    found[name] = found.get(name, 0) + 1
                    break
        return found

    def change(self, settings: Settings) -> None:
        self._scope = settings.scope

    def _judge(self, one: Compared, judged: Judged) -> Judged:
        return replace(
            judged,
            original=one.duplicate_of if one.is_same_payload else None,
            is_lesser=one.is_duplicate,
            is_variant=one.is_variant,
            refusal=self._refuse(one),
        )

    def _refuse(self, one: Compared) -> Refusal | None:
        """The reason why the links of a page are not followed; the target of a redirect is no link."""
        if one.document.page.location:
            return None
        if one.is_duplicate and not self._scope.follow_duplicates:
            return Refusal.DUPLICATE_CONTENT
        similar = one.similar_to
        if similar is not None and 0 <= self._scope.follow_near < similar.streak:
            return Refusal.NEAR_DUPLICATE
        return None


_COUNTED = {
    "duplicate_of": "duplicates",
    "same_text_as": "same_text",
    "near_of": "near_duplicates",
}
"""Columns, and the counts of pages that have something there."""


def _has_moved(one: Compared) -> bool:
    """Did the page move here from where the same was met? It is no copy of what it was at its old place."""
    visit, original = one.document.page.visit, one.duplicate_of
    has_past = bool(visit.memory) and not visit.is_return
    return has_past and original is not None and original.url == visit.source


def _describe(one: Compared) -> list[tuple[str, Any]]:
    said: list[tuple[str, Any]] = []
    if one.is_duplicate and one.duplicate_of is not None:
        said.append(("duplicate_of", one.duplicate_of.url))
    if one.same_text_as is not None:
        said.append(("same_text_as", one.same_text_as.url))
    if (near := one.similar_to) is not None:
        said += [("near_of", near.original.url), ("near_group", near.group)]
        said.append(("similarity", near.similarity))
    return said
