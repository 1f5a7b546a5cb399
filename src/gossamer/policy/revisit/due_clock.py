"""The clock by which pages are due: it runs ahead of time while visits would be left over.

Each page is due by a plan that was made at its last visit. When fewer pages are due than the budget has
visits for, those that are next in line have them: the clock is set forward to the next due time. Pages are
planned from what it shows, so that being early is shared by all in proportion to their intervals (self-
clocked fair queueing, Golestani, INFOCOM 1994). When more pages are due than there are visits for, time
catches up with the clock.
"""


class DueClock:
    """Time, or later than that.

    >>> clock = DueClock()
    >>> clock.at(100.0)
    100.0
    >>> clock.set_forward(160.0)
    >>> clock.at(110.0), clock.lead(110.0), clock.at(200.0), clock.lead(200.0)
    (160.0, 50.0, 200.0, 0.0)
    """

    def __init__(self, shown: float = 0.0) -> None:
        self.shown = shown
        """What it was set to last."""

    def at(self, now: float) -> float:
        """The time of the clock: pages that are due by then may be visited."""
        return max(now, self.shown)

    def lead(self, now: float) -> float:
        """By how much it is ahead."""
        return max(self.shown - now, 0.0)

    def set_forward(self, due: float) -> None:
        """Nobody else is due, and there are visits left: it is the turn of the page that is due then."""
        self.shown = max(self.shown, due)
