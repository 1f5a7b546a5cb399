"""Compare two versions of a page: words in their context, and links."""

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from msgspec import Struct

from gossamer.core.page_links import as_links
from gossamer.core.records import Document
from gossamer.pipeline.parse.extraction import read_page

_CONTEXT = 6
"""Words before and after a change that are shown."""
_WORDS = 4000
"""Words of a changed part that are compared; comparing takes time that grows with their square."""
_LINES = 20_000
_SHOWN_WORDS = 40
"""Words in a row that are shown; of more, the first and the last."""
_SHOWN_WORD = 100
"""Characters of a word that are shown."""
_PASSAGES = 12
_LINKS = 20


class Version(Struct, frozen=True):
    """The parts that are compared: the text as `gossamer text` reads it, one line per block, and the
    links."""

    title: str
    lines: list[str]
    links: dict[str, None]
    """Their targets, each once, in the order they stand."""


class Difference(Struct, frozen=True):
    """Passages and links that one version has and the other has not."""

    title: str
    """The new title; empty when it is the same."""
    words_added: int
    words_removed: int
    passages: list[str]
    """The first changes in their context: `[-removed-] {+added+}` …"""
    more_passages: int
    """… and how many more there are."""
    links_gained: list[str]
    """The first links that are new …"""
    links_lost: list[str]
    more_links: int
    """… and how many more there are of both."""


def read_version(document: Document) -> Version:
    text = read_page(document).text if document.page.body else ""
    targets = (target.text for target in as_links(document.links).targets)
    return Version(document.title, text.splitlines(), dict.fromkeys(targets))


def compare(before: Version, after: Version) -> Difference:
    """Compare two versions of a page.

    >>> one = Version("A", ["Tea is at five."], {"http://a.test/": None})
    >>> two = Version("A", ["Tea is at six, as ever."], {})
    >>> found = compare(one, two)
    >>> found.passages, found.links_lost
    (['Tea is at [-five.-] {+six, as ever.+}'], ['http://a.test/'])
    """
    parts = [*_changed_parts(before.lines, after.lines)]
    passages = [passage for part in parts for passage in part.passages()]
    gained = [link for link in after.links if link not in before.links]
    lost = [link for link in before.links if link not in after.links]
    return Difference(
        after.title if after.title != before.title else "",
        words_added=sum(len(part.new) - part.same for part in parts),
        words_removed=sum(len(part.old) - part.same for part in parts),
        passages=passages[:_PASSAGES],
        more_passages=max(0, len(passages) - _PASSAGES),
        links_gained=gained[:_LINKS],
        links_lost=lost[:_LINKS],
        more_links=max(0, len(gained) - _LINKS) + max(0, len(lost) - _LINKS),
    )


class _Part:
    """Blocks that are not the same in both versions, word by word."""

    def __init__(self, old: list[str], new: list[str]) -> None:
        self.old, self.new = old, new
        self._matcher = SequenceMatcher(None, old[:_WORDS], new[:_WORDS])

    @property
    def same(self) -> int:
        """Words that are in both; those that were too many to be compared are not."""
        return sum(block.size for block in self._matcher.get_matching_blocks())

    def passages(self) -> Iterator[str]:
        """Changes that stand near each other, with the words around them."""
        for group in self._matcher.get_grouped_opcodes(_CONTEXT):
            yield " ".join(said for code in group for said in self._spell(*code))

    def _spell(
        self, kind: str, old_from: int, old_to: int, new_from: int, new_to: int
    ) -> Iterator[str]:
        old, new = _shorten(self.old[old_from:old_to]), _shorten(self.new[new_from:new_to])
        if kind == "equal":
            yield old
            return
        if old:
            yield f"[-{old}-]"
        if new:
            yield f"{{+{new}+}}"


def _changed_parts(before: Sequence[str], after: Sequence[str]) -> Iterator[_Part]:
    """Blocks that are not the same, with the words that stand before and after them."""
    before, after = before[:_LINES], after[:_LINES]
    blocks = SequenceMatcher(None, before, after)
    for kind, old_from, old_to, new_from, new_to in blocks.get_opcodes():
        if kind != "equal":
            first = before[old_from - 1].split()[-_CONTEXT:] if old_from else []
            last = before[old_to].split()[:_CONTEXT] if old_to < len(before) else []
            old, new = _words(before[old_from:old_to]), _words(after[new_from:new_to])
            yield _Part([*first, *old, *last], [*first, *new, *last])


def _words(lines: Sequence[str]) -> list[str]:
    return [word for line in lines for word in line.split()]


def _shorten(words: Sequence[str]) -> str:
    if len(words) <= _SHOWN_WORDS:
        return " ".join(word[:_SHOWN_WORD] for word in words)
    half = _SHOWN_WORDS // 2
    left_out = f"… {len(words) - 2 * half:,} words …"
    return f"{_shorten(words[:half])} {left_out} {_shorten(words[-half:])}"
