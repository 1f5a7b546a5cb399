"""Ctrl-C while a crawl is at work: it is not torn, it ends by itself."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def deferred(tell: Callable[[], None]) -> Iterator[None]:
    """For as long as this lasts, an interrupt only calls `tell`; a second one is raised at once.

    A program that handles interrupts in its own way, an event loop say, goes on doing so. Other threads
    than the main one never see any.
    """
    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return

    def interrupt(number: int, frame: Any) -> None:
        signal.signal(number, signal.default_int_handler)
        tell()

    signal.signal(signal.SIGINT, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
