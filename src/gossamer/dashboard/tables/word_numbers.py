"""Words by number, for columns in which few words stand again and again."""

from collections.abc import Iterable
from threading import Lock

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray


class WordNumbers:
    """Numbers from 0 on, in the order in which words come. The first is the empty word: nothing is said.

    >>> words = WordNumbers()
    >>> words.numbers(pa.array(["b", None, "a", "b"])).tolist(), words[2], words.find("a"), words.find("c")
    ([1, 0, 2, 1], 'a', 2, -1)
    """

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {"": 0}
        self._words: list[str] = [""]
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._words)

    def __getitem__(self, number: int) -> str:
        return self._words[number]

    @property
    def words(self) -> list[str]:
        """All of them; do not change the list."""
        return self._words

    def find(self, word: str) -> int:
        """Its number; -1 when it never came."""
        return self._numbers.get(word, -1)

    def ranks(self) -> NDArray[np.int64]:
        """The place of each word by the alphabet, by its number."""
        words = self._words[:]
        ranks = np.empty(len(words), np.int64)
        ranks[sorted(range(len(words)), key=words.__getitem__)] = np.arange(len(words))
        return ranks

    def numbers(self, column: "pa.Array | pa.ChunkedArray") -> NDArray[np.int64]:
        """The numbers of a column's words; new ones are taken in."""
        if isinstance(column, pa.ChunkedArray):
            column = column.combine_chunks()
        if isinstance(column, pa.ChunkedArray):  # of no chunk at all
            return np.zeros(0, np.int64)
        if pa.types.is_null(column.type):
            return np.zeros(len(column), np.int64)
        if not pa.types.is_dictionary(column.type):
            column = column.dictionary_encode()
        known = self._take(column.dictionary.to_pylist())
        places = column.indices.cast(pa.int64()).fill_null(-1).to_numpy(zero_copy_only=False)
        found: NDArray[np.int64] = np.append(known, 0)[places]
        return found

    def _take(self, words: Iterable[str | None]) -> NDArray[np.int64]:
        numbers = []
        with self._lock:
            for word in words:
                number = self._numbers.setdefault(word or "", len(self._words))
                if number == len(self._words):
                    self._words.append(word or "")
                numbers.append(number)
        return np.array(numbers, np.int64)
