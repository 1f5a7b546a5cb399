"""Words in texts, anchors and URLs."""

import re
from collections.abc import Sequence


class OrderVocabulary:
    """The words of a query, counted wherever they stand as whole words, whatever their case.

    An underscore is part of a word in a text, but parts words in a URL.

    >>> OrderVocabulary(("tide", "sea")).count("The sea: Tide after TIDE, seaside_tide")
    [2, 1]
    >>> OrderVocabulary(("tide",)).count_url("http://sea.test/low_tide.html")
    [1]
    """

    def __init__(self, words: Sequence[str]) -> None:
        self.words = tuple(dict.fromkeys(word.lower() for word in words))
        alternatives = "|".join(map(re.escape, sorted(self.words, key=len, reverse=True)))
        self._pattern = re.compile(rf"\b(?:{alternatives})\b", re.IGNORECASE)
        self._place = {word: place for place, word in enumerate(self.words)}

    def count(self, text: str) -> list[int]:
        """Count each word in a text."""
        counts = [0] * len(self.words)
        for word in self._pattern.findall(text):
            counts[self._place[word.lower()]] += 1
        return counts

    def count_url(self, url: str) -> list[int]:
        """Count each word in a URL."""
        return self.count(url.replace("_", " "))

    def total(self, text: str) -> int:
        """Count all of the words in a text."""
        return len(self._pattern.findall(text))
