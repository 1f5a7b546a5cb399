"""What starts lives of partitions on other machines."""

from typing import NamedTuple, Protocol

from gossamer.cluster.carrier import Live


class Ticket(NamedTuple):
    """What a life needs to find its supervisor. Who has it may call; keep it secret."""

    name: str
    """What people see."""
    host: str
    port: int
    secret: bytes
    life: str
    has_tls: bool = False
    """Must the line be encrypted?"""


class LifeEnded(NamedTuple):
    """How a life ended, as far as its launcher knows."""

    status: int
    said: str = ""
    """Why it could not begin."""
    may_pass: bool = False
    """Was it the network, so that another try may help?"""


class Launched(Protocol):
    """A life that was started, or will be when there is room for it."""

    def ended(self) -> LifeEnded | None:
        """How it ended; None if it has not, as far as is known. It may be wrong: networks break."""

    def kill(self) -> None:
        """End it, if it can be reached."""


class Launcher(Protocol):
    """Finds room for lives."""

    def launch(self, ticket: Ticket, live: Live) -> Launched:
        """Have `attend(ticket, live)` called somewhere. Does not wait."""

    def close(self) -> None:
        """No life is left."""
