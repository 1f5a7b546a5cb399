"""A lane: who has waited long enough."""

from typing import Any, cast

from gossamer.pipeline.dns.dns_channel import Channel
from gossamer.pipeline.dns.lane import Lane, Pending


class Silent:
    """A channel on which nobody ever answers."""

    asked = open = 0
    is_spent = False

    def ask(self, *_: Any) -> None:
        """It is asked, and that is all."""


def make_lane(wait: float) -> Lane:
    return Lane(wait, 10, lambda patience: cast(Channel, Silent()), lambda *_: None)


def test_who_was_asked_for_twice_is_over_once() -> None:
    """A name is asked for again, for one kind of address, while its first question is under way."""
    lane, pending = make_lane(1.0), Pending("a.test", "a.test", "a.test")
    lane.ask(pending, 0.0)
    lane.ask(pending, 0.5)
    assert lane.next_expiry() == 1.5, "the last question counts"
    assert lane.expired(1.2) == []
    assert lane.expired(9.0) == [pending]
    assert lane.expired(9.0) == []
    assert lane.next_expiry() is None


def test_who_is_asked_for_in_a_later_lane_is_over_there() -> None:
    first, second = make_lane(1.0), make_lane(3.0)
    pending = Pending("a.test", "a.test", "a.test")
    first.ask(pending, 0.0)
    second.ask(pending, 1.0)
    assert first.expired(9.0) == []
    assert second.expired(9.0) == [pending]
