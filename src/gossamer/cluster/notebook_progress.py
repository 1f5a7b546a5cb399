"""Progress of a crawl in a notebook: one line below the cell, redrawn in place.

A notebook is known by the kernel that runs this process; where there is none, nothing is loaded or shown.
"""

import sys
from collections.abc import Callable
from typing import Any

from gossamer.core.clock import Clock
from gossamer.core.quantities import write_bytes, write_duration
from gossamer.engine.summary import Summary

_EVERY = 1.0
"""Seconds between two updates."""


class NotebookProgress:
    """The line below one cell."""

    def __init__(self, show: Callable[..., Any], clock: Clock) -> None:
        self._show, self._clock = show, clock
        self._line: Any = None
        self._due = clock.now()

    @classmethod
    def open(cls, clock: Clock) -> "NotebookProgress | None":
        """The display of the notebook that this process works for; None elsewhere."""
        module = sys.modules.get("IPython")
        if module is None or "ipykernel" not in sys.modules or module.get_ipython() is None:
            return None
        from importlib import import_module

        return cls(import_module("IPython.display").display, clock)

    @property
    def is_due(self) -> bool:
        return self._clock.now() >= self._due

    def show(self, summary: Summary) -> None:
        """Draw the line, or draw it again."""
        self._due = self._clock.now() + _EVERY
        text = {"text/plain": describe_progress(summary)}
        if self._line is None:
            self._line = self._show(text, raw=True, display_id=True)
        else:
            self._line.update(text, raw=True)


def describe_progress(summary: Summary) -> str:
    """Describe the progress of a crawl in one line.

    >>> from gossamer.engine.summary import NOTHING
    >>> describe_progress(NOTHING)
    'gossamer: 0 pages, 0 B, 0 waiting, 0 errors, 0.0s'
    """
    parts = [
        f"{summary.pages:,} pages",
        write_bytes(summary.bytes),
        f"{summary.waiting:,} waiting",
        f"{sum(summary.errors.values()):,} errors",
        write_duration(summary.seconds),
    ]
    if summary.stopped_by:
        parts.append(f"stopped by: {summary.stopped_by}")
    elif summary.wait_seconds > _EVERY:
        parts.append(f"next try in {write_duration(summary.wait_seconds)}")
    return f"gossamer: {', '.join(parts)}"
