"""Corners of the web without an end, noticed by what they bring.

A *pattern* is a host, the shape of a path (`/item/{n}`) and the names of its parameters. In: pages that
were read, and new URLs with the page that named them. Out: how each URL is to be treated.

The *yield* of a pattern is the part of its latest pages that brought something new: text that was not met
before, or links to pages elsewhere that turned out to be new. A pattern whose yield falls is demoted (its
URLs come last), then paused (its URLs are held back, but for samples). It rises again as soon as a
sample is new.

Nothing is dropped. When nothing else is left, what is held is looked at again: all of it, if the pattern
does not lead to ever more of its kind, so that it has an end; some of it otherwise.
"""

from gossamer.analyzers.redundancy.traps.pattern_yield import (
    PatternState,
    Standing,
    UrlPattern,
    describe,
)
from gossamer.analyzers.redundancy.traps.trap_detection import Traps

__all__ = ["PatternState", "Standing", "Traps", "UrlPattern", "describe"]
