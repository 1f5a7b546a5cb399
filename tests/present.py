"""What may be missing elsewhere and is there in a test, so that the types say so, too."""

from typing import TypeVar

from gossamer.core import url
from gossamer.core.url import Url

Thing = TypeVar("Thing")


def present(thing: Thing | None) -> Thing:
    """The thing, which is there."""
    assert thing is not None
    return thing


def parse(text: str) -> Url:
    """The URL that a text is."""
    return present(url.parse(text))


def as_a(kind: type[Thing], thing: object) -> Thing:
    """The thing, which is of this kind."""
    assert isinstance(thing, kind)
    return thing
