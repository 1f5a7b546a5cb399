"""Reading the pages of a crawl without processes of their own."""

from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, Self

from gossamer.text import text_chunk


class ReadHere:
    """Stands where a pool of processes stands, and does at once what it is asked to."""

    def __init__(self, _workers: int, _context: object, _begin: object, where: Any) -> None:
        text_chunk._reader = text_chunk.ChunkReader(*where)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        text_chunk._reader = None

    def submit(self, work: Callable[[Any], Any], what: Any) -> Future[Any]:
        done = Future[Any]()
        done.set_result(work(what))
        return done
