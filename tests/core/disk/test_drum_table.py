"""The table of a resident DRUM against a dict."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from gossamer.core.disk.drum.drum_table import DrumTable
from tests.examples import examples

numbers = st.lists(st.integers(0, 60), unique=True, min_size=1, max_size=40)
INVERSE = pow(0x9E3779B97F4A7C15, -1, 2**64)


def colliding(number: int) -> int:
    """A key whose place in the table is the number's lowest bits, whatever the table's size."""
    return (number % 8 << 60 | number) * INVERSE % 2**64


@settings(max_examples=examples(100), deadline=None)
@given(st.lists(st.tuples(st.booleans(), numbers), max_size=30), st.booleans())
def test_as_a_dict(steps: list[tuple[bool, list[int]]], is_colliding: bool) -> None:
    table = DrumTable(np.dtype(np.int64))
    model: dict[int, int] = {}
    for turn, (is_entry, chosen) in enumerate(steps):
        names = [colliding(number) if is_colliding else number for number in chosen]
        keys = np.array(names, np.uint64)
        table.make_room(len(keys))
        places, known = table.find(keys)
        assert known.tolist() == [name in model for name in names]
        values = table.values_at(places, known)
        assert values is not None
        assert values.tolist() == [model.get(name, 0) for name in names]
        if is_entry:
            new = ~known
            table.change(places[known], np.full(known.sum(), turn))
            table.enter(keys[new], places[new], np.full(new.sum(), turn))
            model |= dict.fromkeys(names, turn)
        else:
            table.remove(places[known])
            for name in names:
                model.pop(name, None)
    keys, values = table.items()
    assert values is not None
    assert list(zip(keys.tolist(), values.tolist(), strict=True)) == sorted(model.items())
    assert len(table) == len(model)


def test_it_grows_and_clears_away() -> None:
    table = DrumTable(None)
    for start in range(0, 100_000, 1000):
        keys = np.arange(start, start + 1000, dtype=np.uint64)
        table.make_room(1000)
        table.enter(keys, table.find(keys)[0], None)
        table.remove(table.find(keys[:900])[0])
    assert len(table) == 10_000
    assert table.nbytes < 9 * 2**16, "removed keys take no room in the end"
    assert table.find(np.arange(100_000, dtype=np.uint64))[1].sum() == 10_000
