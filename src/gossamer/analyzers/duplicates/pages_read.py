"""Which pages were read lately, by the keys of their URLs."""

import numpy as np

_MOST = 1 << 16


class PagesRead:
    """Remembers pages in a table of fixed size; where two meet, the later one stays.

    >>> pages = PagesRead()
    >>> pages.add(7)
    >>> 7 in pages, 8 in pages
    (True, False)
    """

    def __init__(self, most: int = _MOST) -> None:
        self._keys = np.zeros(most, np.uint64)

    def add(self, key: int) -> None:
        self._keys[key % len(self._keys)] = key

    def __contains__(self, key: int) -> bool:
        return key != 0 and int(self._keys[key % len(self._keys)]) == key
