"""Requests of a page to the robots that read it: meta robots and X-Robots-Tag, which the parser has read."""

from collections.abc import Iterator
from operator import attrgetter

from gossamer.core.analyzer_protocol import (
    Analyzer,
    AnalyzerPlace,
    Declaration,
    Fact,
    PageColumn,
    PageRow,
)
from gossamer.core.outcomes import Refusal
from gossamer.core.page_batch import Annotations, PageBatch
from gossamer.core.settings import Settings


class DirectiveAnalyzer(Analyzer):
    """Has the links of a page not followed that asks for it, if `scope.nofollow` is on."""

    name = "directives"

    def __init__(self, place: AnalyzerPlace) -> None:
        self._applies_nofollow = place.settings.scope.nofollow

    def look(self, batch: PageBatch) -> Annotations:
        followable = list(map(_IS_FOLLOWABLE, batch.pages))
        if self._applies_nofollow and not all(followable):
            for place, may_follow in enumerate(followable):
                if not (may_follow or batch.pages[place].document.page.location):
                    batch.refuse_links(place, Refusal.NOFOLLOW)
        return {
            "is_indexable": list(map(_IS_INDEXABLE, batch.pages)),
            "is_followable": followable,
        }

    def change(self, settings: Settings) -> None:
        self._applies_nofollow = settings.scope.nofollow


_IS_INDEXABLE = attrgetter("document.is_indexable")
_IS_FOLLOWABLE = attrgetter("document.is_followable")


def _explain(page: PageRow) -> Iterator[Fact]:
    if page["is_indexable"] is False:
        yield "asks", "not to be kept in an index (noindex)"
    if page["is_followable"] is False:
        yield "asks", "for its links not to be followed (nofollow)"


DIRECTIVES = Declaration(
    name="directives",
    about="Reads the robots directives of pages (meta robots, X-Robots-Tag).",
    columns=(
        PageColumn(
            "is_indexable",
            "bool",
            "False when the page asks not to be kept in an index (meta robots, X-Robots-Tag).",
            after="is_soft_error",
            default=True,
            lasts=False,
        ),
        PageColumn(
            "is_followable",
            "bool",
            "False when the page asks for its links not to be followed.",
            after="redirect_refused",
            default=True,
            lasts=False,
        ),
    ),
    refusals=(Refusal.NOFOLLOW,),
    explain=_explain,
    build=DirectiveAnalyzer,
)
