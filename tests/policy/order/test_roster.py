import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from gossamer.policy.order.roster import Roster

_KEYS = st.lists(st.integers(0, 2**64 - 1) | st.integers(0, 50))


@given(st.lists(_KEYS), _KEYS)
def test_it_numbers_as_a_dictionary_would(batches: list[list[int]], others: list[int]) -> None:
    roster, numbers = Roster(), dict[int, int]()
    for batch in batches:
        expected = [numbers.setdefault(key, len(numbers)) for key in batch]
        assert roster.number(np.array(batch, np.uint64)).tolist() == expected
    found = roster.find(np.array(others, np.uint64)).tolist()
    assert found == [numbers.get(key, -1) for key in others]
    assert roster.keys.tolist() == list(numbers)


def test_it_grows() -> None:
    roster = Roster()
    keys = np.arange(100_000, dtype=np.uint64) << np.uint64(32)
    assert (roster.number(keys) == np.arange(100_000)).all()
    assert (roster.find(keys) == np.arange(100_000)).all()
