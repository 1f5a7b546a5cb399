"""The switch of a crawl: stops or pauses it between two turns."""


class RunControl:
    """The first reason to stop counts. Pauses may begin and end any number of times."""

    def __init__(self) -> None:
        self.stopped_by = ""
        """Why it is to stop, or has stopped; empty while it runs."""
        self.is_paused = False
        """By the program that runs it."""
        self.is_pause_requested = False
        """By an order, which outlasts the run."""

    @property
    def is_still(self) -> bool:
        """May no visit begin?"""
        return self.is_paused or self.is_pause_requested

    def stop(self, reason: str) -> None:
        """End the crawl after the turn that is under way."""
        self.stopped_by = self.stopped_by or reason
