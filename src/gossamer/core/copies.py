"""Pages that are like another one, in whichever way."""

from enum import StrEnum

from msgspec import Struct


class CopyKind(StrEnum):
    """Kinds of likeness: the same body, the same text, a similar text."""

    SAME = "same"
    """Byte for byte."""
    TEXT = "text"
    """The same text in other markup."""
    NEAR = "near"
    """Nearly the same text."""


class FoundCopy(Struct, frozen=True):
    """A page that was found to be like an earlier one when its row had been written."""

    url: str
    date: float
    """When it was fetched, in seconds since 1970."""
    kind: CopyKind
    first: str
    """The URL of the earlier page, and its key."""
    group: int
    similarity: float
