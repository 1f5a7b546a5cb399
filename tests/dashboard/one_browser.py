"""One browser for all tests of a process; its event loop is noticed only by the tests that use it."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Browser


class OneBrowser:
    """A running browser and the event loop of Playwright, which drives it.

    Between calls, Playwright's loop is suspended on a stack of its own (a greenlet). Python notes for each
    thread which loop runs, and knows nothing of greenlets: for as long as the browser is there, `asyncio.run`
    would refuse to begin in this thread. Therefore the note is put back when a test begins to use the
    browser, and taken away when it ends.
    """

    def __init__(self, browser: "Browser") -> None:
        self._browser = browser
        self._loop = asyncio.get_running_loop()
        self.pause()

    @contextmanager
    def at_work(self) -> Iterator["Browser"]:
        """The browser, for the time of one test."""
        self.resume()
        try:
            yield self._browser
        finally:
            self.pause()

    def resume(self) -> None:
        """Note that Playwright's loop runs."""
        asyncio._set_running_loop(self._loop)

    def pause(self) -> None:
        """Let others run loops."""
        asyncio._set_running_loop(None)
