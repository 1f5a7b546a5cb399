"""Corners of the web without an end: a calendar, and session ids in URLs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from gossamer.lab.answer import Answer, Link
from gossamer.lab.behaviours.behaviour import Behaviour

if TYPE_CHECKING:
    from gossamer.lab.web import Web


@dataclass(frozen=True)
class Calendar(Behaviour):
    """`/calendar/2024-05` links to the months before and after, for ever. One host in `every`."""

    name: ClassVar[str] = "calendar"
    folders: ClassVar[tuple[str, ...]] = ("calendar",)
    is_finite: ClassVar[bool] = False
    every: int = 3

    def _month(self, web: Web, site: int, month: int, anchor: str) -> Link:
        year, place = divmod(month, 12)
        return Link(f"{web.origin(site)}/calendar/{year:04}-{place + 1:02}", anchor)

    def links(self, web: Web, site: int, index: int) -> Sequence[Link]:
        if index or web.draw("calendar", site) % self.every:
            return ()
        return (self._month(web, site, 2024 * 12 + 4, "Events"),)

    def answer(self, web: Web, site: int, folder: str, target: str) -> Answer | None:
        year, _, month = target.removeprefix("/calendar/").partition("-")
        if not (_is_number(year) and _is_number(month) and 1 <= int(month) <= 12):
            return None
        number = int(year) * 12 + int(month) - 1
        around = (
            self._month(web, site, number + 1, "Next month"),
            self._month(web, site, max(0, number - 1), "Last month"),
            self._month(web, site, number + 12, "Next year"),
        )
        return Answer(site, number % web.size(site), f"calendar {year}-{month}", extra=around)


@dataclass(frozen=True)
class Sessions(Behaviour):
    """`/account/item-3.html?sid=…` gives every visitor of every page new ids. One host in `every`."""

    name: ClassVar[str] = "sessions"
    folders: ClassVar[tuple[str, ...]] = ("account",)
    is_finite: ClassVar[bool] = False
    every: int = 3
    items: int = 8

    def _item(self, web: Web, site: int, item: int, session: int) -> Link:
        url = f"{web.origin(site)}/account/item-{item}.html?sid={session:016x}"
        return Link(url, f"Item {item}")

    def links(self, web: Web, site: int, index: int) -> Sequence[Link]:
        if index or web.draw("sessions", site) % self.every:
            return ()
        return (self._item(web, site, 0, web.draw("session", site)),)

    def answer(self, web: Web, site: int, folder: str, target: str) -> Answer | None:
        path, _, session = target.partition("?sid=")
        item = path.removeprefix("/account/item-").removesuffix(".html")
        if not (_is_number(item) and int(item) < self.items and session):
            return None
        fresh = web.draw(f"session {session}", site, int(item))
        links = [self._item(web, site, number, fresh ^ number) for number in range(self.items)]
        return Answer(site, int(item) % web.size(site), f"item {item}", extra=links)


def _is_number(digits: str) -> bool:
    return digits.isdecimal() and digits.isascii() and len(digits) < 10
