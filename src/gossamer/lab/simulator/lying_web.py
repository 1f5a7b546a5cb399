"""A simulated web whose hosts may lie for a while, and that remembers what it said."""

from collections.abc import Iterable

from gossamer.lab.behaviours import Behaviour
from gossamer.lab.simulated_web import Web
from gossamer.lab.url_answer import Answer

Place = tuple[int, str]
"""A host's number, and what it is asked for."""


class LyingWeb(Web):
    """The truth about it is what was said last: that is what a crawl has recorded."""

    def __init__(
        self, seed: int, pages: int, hosts: int, behaviours: Iterable[str | Behaviour]
    ) -> None:
        super().__init__(seed, pages, hosts, behaviours=behaviours)
        self._lies: dict[Place, Answer] = {}
        self.stamp = b""
        """What all pages have at their end: it changes, and their links do not."""

    def say(self, kind: str, host: str, target: str) -> None:
        """Choose what a host answers from now on, to one request; an empty kind is the truth.

        Rules for robots are always true, wherever they are: with others, other pages would be allowed.
        """
        site = self.site_named(host)
        place = (site, target)
        self._lies.pop(place, None)
        if self.answer_at(site, target).kind == "robots":
            return
        if kind == "astray":
            elsewhere = self.origin(self.neighbour(site)) + target
            self._lies[place] = Answer(site, 0, kind, status=302, location=elsewhere)
        elif kind == "garbled":
            self._lies[place] = Answer(site, 0, kind, content=b"\x89PNG, but not really\0" * 9)

    def answer_at(self, site: int, target: str) -> Answer:
        return self._lies.get((site, target)) or super().answer_at(site, target)

    def body_of(self, answer: Answer) -> bytes:
        body = super().body_of(answer)
        return body + self.stamp if answer.is_ordinary else body
