"""The report of a partition to the supervisor: several times a second while pages come, else now and then."""

from msgspec import Struct

from gossamer.core.errors import GossamerError
from gossamer.engine.summary import Summary


class Report(Struct, frozen=True, array_like=True):
    pages: int
    """Answered visits, those of earlier runs included."""
    unused: int
    """Pages of its quota that it could give back."""
    wants_pages: bool
    """Could it use more than its quota?"""
    is_idle: bool
    """Is nothing left to do?"""
    is_done: bool
    """Is it idle, or on hold for longer than `politeness.patience`, and were all its messages received?"""
    heard: int
    """How many frames it has received from the others since it was started."""
    probe: int
    """The number of the last probe that it knows of."""
    seconds_delayed: float
    seconds_before: float
    """For how long the crawl had run when it was last started."""
    summary: Summary
    is_last: bool = False
    mistakes: int = 0
    """Errors in functions that the program brought along, since it was last started."""
    done: int = 0
    """The number of the last order that happens once, as far as it is recorded there."""
    obeys: int = 0
    """The number of the last order that it goes by."""
    begun: int = 0
    """Pages that count for `crawl.max_pages`, and visits under way."""
    requisites: int = 0
    """Of the answered visits, those of requisites."""
    wants_requisites: bool = False
    """Is something left that fetched pages need?"""
    can_give_up: bool = False
    """Is all that is left waiting for servers that did not answer when they were tried a last time?"""


class Failure(Struct, frozen=True, array_like=True):
    """The reason why a healthy partition cannot continue: a full disk, a wrong setting."""

    message: str
    errno: int | None = None
    """Of an error of the operating system or of a file, which may have no number: then 0."""
    file: str = ""
    can_go_on: bool = False
    """Could a resumed crawl succeed without any change?"""


def describe(error: BaseException) -> Failure:
    """Describe an error so that the supervisor can raise a similar one."""
    if isinstance(error, GossamerError):
        return Failure(str(error))
    if not isinstance(error, OSError):
        what = f"{type(error).__name__}: {error}".removesuffix(": ")
        return Failure(f"a function of the program raised {what}", can_go_on=True)
    return Failure(error.strerror or str(error), error.errno or 0, str(error.filename or ""))
