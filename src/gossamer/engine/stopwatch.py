"""For how long a crawl has run, all its runs together."""

from gossamer.core.clock import Clock


class Stopwatch:
    """Runs from `start` to `stop`; `before` are the seconds of earlier runs."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._began = self._ended = 0.0
        self.before = 0.0

    def start(self) -> None:
        self._began, self._ended = self._clock.now(), 0.0

    def stop(self) -> None:
        """The first stop counts."""
        self._ended = self._ended or self._clock.now()

    @property
    def has_stopped(self) -> bool:
        return bool(self._ended)

    @property
    def seconds(self) -> float:
        """Seconds of all runs, until now or until the stop."""
        return self.before + (self._ended or self._clock.now()) - self._began
