"""Ctrl-C while a crawl is at work: it is not torn, it ends by itself."""

import _signal  # type: ignore[import-not-found]
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
    if not is_main or _handler_of(_NUMBER) is not signal.default_int_handler:
        yield
        return

    def interrupt(number: int, frame: Any) -> None:
        _handle(number, signal.default_int_handler)
        tell()

    _handle(_NUMBER, interrupt)
    try:
        yield
    finally:
        _handle(_NUMBER, signal.default_int_handler)


_NUMBER = int(signal.SIGINT)
_handle, _handler_of = _signal.signal, _signal.getsignal
"""What `signal` itself calls, after it has looked up each handler as a member of an enumeration, in vain.
That takes ten times as long as all else here, and would be paid with every turn of a crawl."""
