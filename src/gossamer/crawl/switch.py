"""The switch of a crawl: whoever holds it can stop or pause it, between two turns."""


class Switch:
    """Stops for one reason, the first; pauses as often as one likes."""

    def __init__(self) -> None:
        self.stopped_by = ""
        """Why it is to stop, or has stopped; empty while it runs."""
        self.is_paused = False

    def stop(self, reason: str) -> None:
        """End the crawl after the turn that is under way."""
        self.stopped_by = self.stopped_by or reason
