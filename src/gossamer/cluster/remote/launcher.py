"""Start workers of partitions on other machines."""

from collections.abc import Collection
from typing import NamedTuple, Protocol

from gossamer.cluster.carrier import Live


class Ticket(NamedTuple):
    """The data that an incarnation needs to find its supervisor, with a secret. Who has it may call; keep
    it secret."""

    name: str
    """What people see."""
    host: str
    port: int
    secret: bytes
    incarnation: str
    has_tls: bool = False
    """Must the connection be encrypted?"""
    node: str = ""
    """What the cluster calls the place where the incarnation is, which it is told there."""


class IncarnationEnded(NamedTuple):
    """The end of an incarnation, as far as its launcher knows."""

    status: int
    said: str = ""
    """Why it could not begin."""
    may_pass: bool = False
    """Was it the network, so that another try may help?"""


class Launched(Protocol):
    """An incarnation that was started, or will be when there is room for it."""

    @property
    def place(self) -> str:
        """The machine that it was sent to; empty when that is not known."""

    def ended(self) -> IncarnationEnded | None:
        """The end of the incarnation; None if it is running, as far as is known. It may be wrong: networks
        break."""

    @property
    def is_astray(self) -> bool:
        """Was it sent to a machine that is out of reach by now, as it seems, while others are not?"""

    def kill(self) -> None:
        """End it, if it can be reached."""

    def give_up(self) -> None:
        """Its lease has run out without a word from it: its machine may be out of reach."""


class Launcher(Protocol):
    """Finds room for lives, where there are the fewest."""

    def places(self) -> Collection[str]:
        """All machines that have room and can be reached; none when that is not known. Does not wait."""

    def launch(self, ticket: Ticket, live: Live) -> Launched:
        """Have `attend(ticket, live)` called somewhere. Does not wait."""

    def close(self) -> None:
        """No incarnation is left."""
