"""The present rate of a figure: one definition for the whole crawl, partitions and machines."""

from gossamer.engine.timeline import Timeline

_PRESENT = 15.0
"""Seconds that count as the present."""


def rate(timeline: Timeline, name: str, present: float, partition: int | None = None) -> float:
    """For each second of the last ones; 0 when nothing was noted for a while."""
    recent = timeline.since(present - _PRESENT)
    if len(recent) < 2:
        return 0.0
    figures = recent.column(name, partition)
    took = max(1e-3, float(recent.times[-1] - recent.times[0]))
    return max(0.0, float(figures[-1] - figures[0]) / took)
