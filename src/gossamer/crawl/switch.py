"""The switch of a crawl: stops or pauses it between two turns."""


class Switch:
    """The first reason to stop counts. Pauses may begin and end any number of times."""

    def __init__(self) -> None:
        self.stopped_by = ""
        """Why it is to stop, or has stopped; empty while it runs."""
        self.is_paused = False

    def stop(self, reason: str) -> None:
        """End the crawl after the turn that is under way."""
        self.stopped_by = self.stopped_by or reason
