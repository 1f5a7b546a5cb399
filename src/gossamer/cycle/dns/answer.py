"""What is known about a name."""

from msgspec import Struct

from gossamer.base.outcomes import Outcome


class NameAnswer(Struct, frozen=True, gc=False):
    """The addresses of a host, or the reason why there are none.

    >>> NameAnswer(("192.0.2.1",), expires=60.0).is_good
    True
    """

    addresses: tuple[str, ...]
    """The preferred family first; empty when there is an `outcome`."""
    expires: float
    """Until when this may be believed, in seconds since 1970."""
    outcome: Outcome | None = None
    """None is good; else `DNS_NOT_FOUND` or `DNS_FAILED`."""
    detail: str = ""
    """What a person should know about a failure."""

    @property
    def is_good(self) -> bool:
        return self.outcome is None


class RememberedName(Struct, frozen=True, gc=False):
    """An answer with its name, as a store on disk keeps it."""

    host: str
    answer: NameAnswer


FOREVER = float("inf")
"""When an answer expires that follows from the name alone."""
