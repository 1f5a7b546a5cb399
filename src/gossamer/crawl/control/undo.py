"""What takes an order back: decided when the order is taken, for only then is it known what was before."""

from collections.abc import Sequence

import msgspec

from gossamer.base.settings import Settings
from gossamer.crawl.control.in_force import InForce
from gossamer.crawl.control.orders import (
    BlockUrls,
    Change,
    DelayHost,
    GoOn,
    Order,
    Ordered,
    Pause,
    Prioritise,
    UnblockUrls,
    say,
)
from gossamer.crawl.control.patterns import OrderError


def inverse(order: Order, in_force: InForce, settings: Settings) -> Order | None:
    """What brings back what was in force before this order; None when it changes nothing, or happens once.

    >>> say(inverse(BlockUrls("a.test"), InForce(), Settings()))
    'unblock a.test'
    >>> say(inverse(Change("politeness.delay", 2), InForce(), Settings()))
    'set politeness.delay=1.0'
    """
    match order:
        case Pause():
            return None if in_force.is_paused else GoOn()
        case GoOn():
            return Pause() if in_force.is_paused else None
        case BlockUrls(what):
            return None if what in in_force.blocked else UnblockUrls(what)
        case UnblockUrls(what):
            return BlockUrls(what) if what in in_force.blocked else None
        case DelayHost(host, seconds):
            before, _ = in_force.delays.get(host, (None, 0))
            return None if before == seconds else DelayHost(host, before)
        case Prioritise(what, level):
            place, _ = in_force.priorities.get(what, (None, 0))
            return None if place == level else Prioritise(what, place)
        case Change(name, value):
            section, _, field = name.partition(".")
            was = msgspec.to_builtins(getattr(getattr(settings, section), field))
            return None if was == value else Change(name, was)
    return None


def find_undo(number: int, history: Sequence[Ordered]) -> Ordered:
    """The order that is meant by its number; without one, the last that can be taken back and was not."""
    undone = {one.undoes for one in history}
    if number:
        found = next((one for one in history if one.number == number), None)
        if found is None:
            raise OrderError(f"undo: there is no order {number} on record; see `gossamer log DIR`")
        if found.undo is None:
            raise OrderError(
                f"undo: order {number}, {say(found.order)[:100]}, cannot be taken back"
            )
        if number in undone:
            raise OrderError(
                f"undo: order {number}, {say(found.order)[:100]}, was taken back already"
            )
        return found
    for one in reversed(history):
        if one.undo is not None and not one.undoes and one.number not in undone:
            return one
    raise OrderError("undo: no order is on record that can be taken back")
