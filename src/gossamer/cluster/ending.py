"""Is a crawl of several partitions over?

It is over when all partitions are done and nothing is under way between them. One round of questions cannot
show this: a partition that was done when it was asked may have received something since. So all are asked
twice. What was sent and not received yet is in the sender's outbox or among its open questions, and a
partition with such things is not done. If all were done in both rounds, and none received anything between
its two answers, then all were done at the moment between the rounds, and nothing was under way. (Counting
until two rounds agree is Mattern's, "Algorithms for distributed termination detection", 1987.)
"""

from collections.abc import Sequence

from gossamer.cluster.partition_report import Report


class Ending:
    """Says when to ask, and when it is over."""

    def __init__(self) -> None:
        self._probe = 0
        self._is_probing = False
        self._received: list[int] | None = None
        """How much each partition had received in the round before."""
        self.is_over = False

    def interrupt(self) -> None:
        """A partition has died, or is not done: begin again."""
        self._is_probing, self._received, self.is_over = False, None, False

    def consider(self, reports: Sequence[Report]) -> int:
        """Look at everybody's last report; returns the number of a new probe, or 0."""
        if not all(report.is_done for report in reports):
            self.interrupt()
            return 0
        if not self._is_probing:
            self._is_probing = True
            return self._next_probe()
        if any(report.probe < self._probe for report in reports):
            return 0
        before, self._received = self._received, [report.heard for report in reports]
        self.is_over = before == self._received
        return 0 if self.is_over else self._next_probe()

    def _next_probe(self) -> int:
        self._probe += 1
        return self._probe
