"""Numbers that were met lately: a filter for what is said again and again."""

from array import array

_PLACES = 1 << 18


class Popular:
    """Remembers numbers in a table of fixed size. Each number has one place, where the latest one stays.

    Two megabytes of memory. Links to a popular page stand on most pages of a site, so most of what a
    partition finds for its neighbours it has just told them.

    >>> popular = Popular()
    >>> popular.is_known(7), popular.is_known(7), popular.is_known(8)
    (False, True, False)
    """

    def __init__(self, places: int = _PLACES) -> None:
        assert not places & (places - 1), "a power of two"
        self._places = array("Q", bytes(8 * places))
        self._places[0] = 1  # an empty place must not look like one that was taken by 0
        self._mask = places - 1
        self.hits = 0

    def is_known(self, number: int) -> bool:
        """Was it met lately? From now on it was."""
        place = number & self._mask
        if self._places[place] == number:
            self.hits += 1
            return True
        self._places[place] = number
        return False
