"""Commands in words, for programs and for the command line."""

from pathlib import Path

from gossamer.engine.control.command_words import read_command
from gossamer.engine.control.control_client import SECONDS
from gossamer.engine.control.control_client import send_command as deliver_command
from gossamer.engine.control.control_messages import Reply


def send_command(
    directory: str | Path, *words: object, origin: str = "python", seconds: float = SECONDS
) -> Reply:
    """Tell a crawl what to do from now on.

    >>> send_command("nowhere", "block", "example.org")
    Traceback (most recent call last):
    gossamer.core.errors.DirectoryError: nowhere holds no crawl; give the directory that was named with -o

    The words are those of `gossamer control`. When this returns, the command is recorded: it stays active
    when the crawl is killed and resumed. A crawl that does not run goes by it as soon as it is resumed;
    the reply says which. A command that makes no sense is a `GossamerError`.

    The crawl must run in another process or thread. Within the loop over a crawl, use `Crawl.send_command`.
    """
    return deliver_command(directory, read_command([str(word) for word in words]), origin, seconds)
