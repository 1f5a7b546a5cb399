"""What a ring is sent of orders."""

import msgspec
import pytest

from gossamer.engine.control.active_commands import ActiveCommands
from gossamer.engine.control.commands import AddSeeds, RecordedCommand, RevisitNow
from gossamer.engine.ring_commands import NO_COMMANDS, StandingCommands

MEGABYTE = 1 << 20


def ordered(number: int, size: int) -> RecordedCommand:
    """An order of about so many bytes."""
    url = "http://a.test/".ljust(1000, "x")
    order = AddSeeds if number % 2 else RevisitNow
    return RecordedCommand(number, 0.0, "test", order((url,) * max(1, size // 1000)))


@pytest.mark.parametrize(
    ("sizes", "portions"),
    [
        ([1000] * 600, [250, 250, 100]),
        ([2 * MEGABYTE] * 9, [3, 3, 3]),
        ([20 * MEGABYTE, 10, 10, 20 * MEGABYTE], [1, 2, 1]),
        ([1000] * 260 + [7 * MEGABYTE] * 2, [250, 11, 1]),
    ],
    ids=["many", "large", "huge", "mixed"],
)
def test_orders_are_sent_in_portions(sizes: list[int], portions: list[int]) -> None:
    """By their number, and by their size: each goes into one frame."""
    once = tuple(ordered(number, size) for number, size in enumerate(sizes, 1))
    sent = list(StandingCommands(ActiveCommands(len(once)), once).portions())
    assert [len(one.once) for one in sent] == portions
    assert sum((one.once for one in sent), ()) == once
    assert {one.active_commands.number for one in sent} == {len(once)}
    assert all(len(msgspec.msgpack.encode(one)) < 9 * MEGABYTE for one in sent if len(one.once) > 1)


def test_what_is_in_force_is_sent_without_orders_that_happen_once() -> None:
    assert list(NO_COMMANDS.portions()) == [NO_COMMANDS]
