"""Decide whether a page changed since the last visit, and how much.

Bytes may differ while a reader sees the same: other markup, a counter, a date, an advertisement, the id of
a session. Such near-identical copies are no change (Olston and Najork, 2010, footnote 3 of chapter 5).
"""

from enum import StrEnum

from msgspec import Struct
from xxhash import xxh3_64

from gossamer.core.page_links import as_links
from gossamer.core.records import Document, Judged
from gossamer.core.text_words import WordReader
from gossamer.policy.revisit.page_memory import PageMemory
from gossamer.policy.revisit.text_sketch import changed_places, draw_sketch

_STEADY = 0.8
"""How much of what was known of fragments that last counts at the next change."""


class ChangeKind(StrEnum):
    """Kinds of change."""

    NOTHING = "nothing"
    """By the server's word (304), or byte for byte."""
    MARKUP = "markup"
    """The text is the same."""
    MINOR = "minor"
    """Hardly anything: a counter, a date."""
    TEXT = "text"
    LINKS = "links"
    """Links came or went, and hardly anything else."""


class PageChange(Struct, frozen=True):
    """The changes that a repeated visit found."""

    kind: ChangeKind
    extent: float = 0.0
    """The part of the text that is another one."""

    @property
    def is_change(self) -> bool:
        return self.kind in _CHANGES


_CHANGES = frozenset({ChangeKind.TEXT, ChangeKind.LINKS})


class PageComparison:
    """Compares pages with what is remembered of them."""

    def __init__(self, minor: float) -> None:
        """`minor` is the part of a text up to which other words are no change."""
        self._minor = minor
        self._reader = WordReader()

    def compare(self, judged: Judged, memory: PageMemory) -> PageChange:
        """Compare a page with the last visit, and remember its present state. What is seen is remembered
        from now on."""
        if judged.document.page.status == 304 or (judged.digest and judged.digest == memory.digest):
            return PageChange(ChangeKind.NOTHING)
        before = PageMemory(text=memory.text, links=memory.links, sketch=memory.sketch)
        self.remember(judged, memory)
        if memory.text == before.text and memory.links == before.links and memory.text:
            return PageChange(ChangeKind.MARKUP)
        if judged.document.entries and not memory.text and memory.links == before.links:
            return PageChange(
                ChangeKind.MARKUP
            )  # a sitemap with other dates: it names the same pages
        extent, places = changed_places(before.sketch, memory.sketch)
        if extent > self._minor or not memory.sketch:
            _note_churn(memory, places)
            return PageChange(ChangeKind.TEXT, extent)
        if memory.links != before.links:
            return PageChange(ChangeKind.LINKS, extent)
        return PageChange(ChangeKind.MINOR, extent)

    def remember(self, judged: Judged, memory: PageMemory) -> None:
        """Remember the present state of the page."""
        document = judged.document
        memory.digest, memory.text = judged.digest, judged.text_print
        self._reader.begin()
        words = self._reader.read(document.text_utf8, document.url).numbers
        memory.sketch = draw_sketch(words)
        memory.links = _print_links(document)


def _note_churn(memory: PageMemory, places: int) -> None:
    """Note how much of the last change's content is still there (Olston and Pandey, WWW 2008)."""
    if memory.churned:
        replaced = (memory.churned & places).bit_count() / memory.churned.bit_count()
        share = 1 - _STEADY if memory.changes > 1 else 1.0
        memory.lasting += share * (1 - replaced - memory.lasting)
    memory.churned = places


def _print_links(document: Document) -> int:
    """The print of where a page leads, in whatever order; a redirect leads to one place."""
    keys = {target.key for target in as_links(document.links).targets}
    if document.page.location:
        return xxh3_64(document.page.location.encode("utf-8", "surrogatepass")).intdigest()
    printed = xxh3_64()
    for key in sorted(keys):
        printed.update(key.to_bytes(8, "little"))
    return printed.intdigest() if keys else 0
