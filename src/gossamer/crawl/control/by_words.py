"""Orders in words, for programs and for the command line."""

from pathlib import Path

from gossamer.crawl.control.client import SECONDS
from gossamer.crawl.control.client import tell as tell_order
from gossamer.crawl.control.messages import Reply
from gossamer.crawl.control.words import read_order


def tell(
    directory: str | Path, *words: object, origin: str = "python", seconds: float = SECONDS
) -> Reply:
    """Tell a crawl what to do from now on.

    >>> tell("nowhere", "block", "example.org")
    Traceback (most recent call last):
    gossamer.base.errors.DirectoryError: nowhere holds no crawl; give the directory that was named with -o

    The words are those of `gossamer tell`. When this returns, the order is on record: it stays in force when
    the crawl is killed and resumed. A crawl that does not run goes by it as soon as it is resumed; the reply
    says which. An order that makes no sense is a `GossamerError`.

    The crawl must run in another process or thread. Within the loop over a crawl, use `Crawl.tell`.
    """
    return tell_order(directory, read_order([str(word) for word in words]), origin, seconds)
