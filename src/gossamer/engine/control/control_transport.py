"""Transport of requests to the command handler: a socket for a real crawl (`control_socket.py`), a script
for a simulated one.
"""

from typing import Protocol


class Entrance(Protocol):
    """Lines of JSON in, lines of JSON out. No call waits."""

    def received(self) -> list[tuple[int, bytes]]:
        """Requests that came since the last call, each with the number of who sent it."""

    def say(self, number: int, line: bytes) -> None:
        """Answer one of them."""

    def close(self) -> None:
        """Nobody is let in any more."""

    def leave(self) -> None:
        """Close what a copy of the process inherited (fork), and leave the rest to its owner."""
