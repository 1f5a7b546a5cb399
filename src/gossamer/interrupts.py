"""Ctrl-C in a program that crawls, as a notebook sends it: held back while a turn of the ring is under way.

A `KeyboardInterrupt` is raised between any two steps. In the midst of a turn, what is in memory agrees with
nothing that could be put on record: all since the last commit would be lost, and tables and index with it.
"""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType, TracebackType
from typing import Self


class Interrupts:
    """Use it with `with`, around work that is not to be cut in two; raises the interrupt in the end.

    Who does not want to wait interrupts again: the second is not held back. A program with a handler of
    its own is left alone, and so is a thread, which gets no interrupts.

    >>> with Interrupts() as interrupts:
    ...     interrupts.has_come
    False
    """

    def __init__(self) -> None:
        self.has_come = False
        self._is_held_back = False

    def __enter__(self) -> Self:
        self._hold_back()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._let_through()
        if self.has_come and kind in (None, GeneratorExit):
            raise KeyboardInterrupt

    @contextmanager
    def let_through(self) -> Iterator[None]:
        """While somebody else is at work."""
        self._let_through()
        try:
            yield
        finally:
            self._hold_back()

    def _hold_back(self) -> None:
        if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
            return
        try:
            signal.signal(signal.SIGINT, self._take)
        except ValueError:  # this is not the main thread
            return
        self._is_held_back = True

    def _let_through(self) -> None:
        if self._is_held_back:
            self._is_held_back = False
            signal.signal(signal.SIGINT, signal.default_int_handler)

    def _take(self, number: int, frame: FrameType | None) -> None:
        if self.has_come:
            raise KeyboardInterrupt
        self.has_come = True
