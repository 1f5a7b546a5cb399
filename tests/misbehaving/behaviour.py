"""What a behaviour is, what is expected of a crawler that meets it, and the book of all."""

from collections.abc import Callable, Collection
from dataclasses import dataclass

from gossamer.core.outcomes import Outcome, Refusal, Truncation
from gossamer.core.records import Page
from tests.misbehaving.connection import Connection, Request

Misbehave = Callable[[Connection, Request], None]


@dataclass(frozen=True)
class Expectation:
    """The documented outcome: what the record of the visit must say."""

    outcomes: Collection[Outcome]
    """Any of these; more than one only where the order of packets decides."""
    status: int | None = None
    truncated: Truncation = Truncation.NONE
    body: bytes | None = None
    """Exactly this decoded body; None does not say."""
    is_explained: bool = False
    """The page's `detail` must tell a person what was wrong."""
    location: str | None = None
    """Where a redirect points to."""
    says: str = ""
    """Words that the explanation must contain, to show that the reason is the right one."""
    ring: Outcome | Refusal | None = None
    """What the whole crawl, which follows redirects and reads robots.txt, must record further."""

    @property
    def takes_time(self) -> bool:
        """Is it the documented outcome that time runs out?"""
        is_late = {Outcome.TIMEOUT, Outcome.CONNECT_TIMEOUT}.intersection(self.outcomes)
        return bool(is_late) or self.truncated is Truncation.TIME

    def complaints(self, page: Page) -> list[str]:
        """How a page differs from what is documented; nothing when it does not."""
        checks = [
            (page.outcome in self.outcomes, "outcome", page.outcome, sorted(self.outcomes)),
            (self.status in (None, page.status), "status", page.status, self.status),
            (page.truncated == self.truncated, "truncated", page.truncated, self.truncated),
            (self.body in (None, page.body), "body", _short(page.body), _short(self.body)),
            (self.location in (None, page.location), "location", page.location, self.location),
            (not self.is_explained or page.detail, "detail", page.detail, "an explanation"),
            (self.says in page.detail, "detail", page.detail, self.says),
        ]
        return [
            f"{what} is {was!r} instead of {wanted!r} (detail: {page.detail!r})"
            for fits, what, was, wanted in checks
            if not fits
        ]


def _short(body: bytes | None) -> bytes | None:
    return body if body is None or len(body) < 100 else body[:97] + b"..."


def answered(
    status: int = 200,
    *,
    body: bytes | None = None,
    truncated: Truncation = Truncation.NONE,
    is_explained: bool = False,
    location: str | None = None,
    ring: Outcome | Refusal | None = None,
) -> Expectation:
    """A response arrived, perhaps in part."""
    return Expectation(
        {Outcome.FETCHED}, status, truncated, body, is_explained, location, ring=ring
    )


def failed(
    *outcomes: Outcome, says: str = "", ring: Outcome | Refusal | None = None
) -> Expectation:
    """No response that could be kept."""
    return Expectation(set(outcomes), is_explained=True, says=says, ring=ring)


@dataclass(frozen=True)
class Behaviour:
    """One named way to misbehave."""

    name: str
    description: str
    expect: Expectation
    misbehave: Misbehave
    door: str = "plain"
    path: str = ""
    """Where it is found; empty is the behaviour's name."""
    visits: int = 1
    """How many visits, one after the other, it takes to see it; each must end as documented."""
    rest: float = 0.0
    """Seconds between two visits, for what is promised only at a polite pace."""

    @property
    def label(self) -> str:
        """The first label of its host name: each behaviour is a host of its own."""
        return self.name.replace("_", "-")


BEHAVIOURS: dict[str, Behaviour] = {}
"""All behaviours by name."""


def behaviour(
    description: str,
    expect: Expectation,
    *,
    door: str = "plain",
    path: str = "",
    visits: int = 1,
    rest: float = 0.0,
) -> Callable[[Misbehave], Misbehave]:
    """Enter a function into the book of behaviours, under its own name."""

    def enter(misbehave: Misbehave) -> Misbehave:
        name = misbehave.__name__
        add(Behaviour(name, description, expect, misbehave, door, path or "/" + name, visits, rest))
        return misbehave

    return enter


def add(new: Behaviour) -> None:
    assert new.name not in BEHAVIOURS, f"two behaviours called {new.name}"
    BEHAVIOURS[new.name] = new


def add_answer(
    name: str, description: str, raw: bytes, expect: Expectation, *, path: str = ""
) -> None:
    """Enter a behaviour that sends fixed bytes and closes the connection."""

    def misbehave(connection: Connection, request: Request) -> None:
        connection.send(raw)

    add(Behaviour(name, description, expect, misbehave, path=path or "/" + name))
