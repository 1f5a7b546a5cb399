"""How requests come to the command handler. A real crawl has a socket (`door.py`), a simulated one has a
script."""

from typing import Protocol


class Entrance(Protocol):
    """Lines of JSON in, lines of JSON out. No call waits."""

    def heard(self) -> list[tuple[int, bytes]]:
        """Requests that came since the last call, each with the number of who sent it."""

    def say(self, number: int, line: bytes) -> None:
        """Answer one of them."""

    def close(self) -> None:
        """Nobody is let in any more."""

    def leave(self) -> None:
        """Close what a copy of the process inherited (fork), and leave the rest to its owner."""
