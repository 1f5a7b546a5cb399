"""Corners of the web without an end: a calendar, session ids, folders in folders, a shop's filters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from gossamer.lab.behaviours.behaviour import Behaviour
from gossamer.lab.behaviours.sparse_behaviour import sparse_page
from gossamer.lab.url_answer import Answer, LabLink

if TYPE_CHECKING:
    from gossamer.lab.simulated_web import Web


@dataclass(frozen=True)
class Calendar(Behaviour):
    """`/calendar/2024-05` links to the months before and after, for ever. One host in `every`."""

    name: ClassVar[str] = "calendar"
    folders: ClassVar[tuple[str, ...]] = ("calendar",)
    is_finite: ClassVar[bool] = False
    every: int = 3

    def _month(self, web: Web, site: int, month: int, anchor: str) -> LabLink:
        year, place = divmod(month, 12)
        return LabLink(f"{web.origin(site)}/calendar/{year:04}-{place + 1:02}", anchor)

    def links(self, web: Web, site: int, index: int) -> Sequence[LabLink]:
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
        title, text = f"{_MONTHS[number % 12]} {year}", "There are no events in this month."
        return sparse_page(site, f"calendar {year}-{month}", title, text, around)


_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)


@dataclass(frozen=True)
class Sessions(Behaviour):
    """`/account/item-3.html?sid=…` gives every visitor of every page new ids. One host in `every`."""

    name: ClassVar[str] = "sessions"
    folders: ClassVar[tuple[str, ...]] = ("account",)
    is_finite: ClassVar[bool] = False
    every: int = 3
    items: int = 8

    def _item(self, web: Web, site: int, item: int, session: int) -> LabLink:
        url = f"{web.origin(site)}/account/item-{item}.html?sid={session:016x}"
        return LabLink(url, f"Item {item}")

    def links(self, web: Web, site: int, index: int) -> Sequence[LabLink]:
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
        text = f"Item {item} of those in your account, which nobody but you can see."
        return sparse_page(site, f"item {item}", f"Item {item}", text, links)


@dataclass(frozen=True)
class Repeats(Behaviour):
    """`/forum/topic/reply/topic/reply/…`: a relative link that goes ever deeper. One host in `every`."""

    name: ClassVar[str] = "repeats"
    folders: ClassVar[tuple[str, ...]] = ("forum/*",)
    is_finite: ClassVar[bool] = False
    every: int = 3

    def links(self, web: Web, site: int, index: int) -> Sequence[LabLink]:
        if index or web.draw("repeats", site) % self.every:
            return ()
        return (LabLink(f"{web.origin(site)}/forum/topic/", "Forum"),)

    def answer(self, web: Web, site: int, folder: str, target: str) -> Answer | None:
        steps = target.removeprefix("/forum/").removesuffix("/").split("/")
        if not target.endswith("/") or not {"topic", "reply"}.issuperset(steps):
            return None
        links = [
            LabLink(f"{web.origin(site)}{target}{step}/", step.title())
            for step in ("topic", "reply")
        ]
        text = f"Nobody has written anything about {steps[-1]} yet. Be the first."
        return sparse_page(site, f"forum {len(steps)}", "Forum", text, links)


_FACETS = {
    "colour": ("red", "green", "blue", "black", "white", "yellow"),
    "size": ("s", "m", "l", "xl", "xxl"),
    "brand": ("acme", "globex", "initech", "umbrella"),
    "material": ("cotton", "wool", "linen", "silk"),
    "sort": ("price", "name", "date", "rating"),
}


@dataclass(frozen=True)
class Facets(Behaviour):
    """`/shop/list?colour=red&size=m&page=2`: a shop whose filters go with each other. One host in `every`.

    Its pages have no end, and all of them list the same dozen things in other orders.
    """

    name: ClassVar[str] = "facets"
    folders: ClassVar[tuple[str, ...]] = ("shop",)
    is_finite: ClassVar[bool] = False
    every: int = 3

    def links(self, web: Web, site: int, index: int) -> Sequence[LabLink]:
        if index or web.draw("facets", site) % self.every:
            return ()
        return (LabLink(f"{web.origin(site)}/shop/list?page=1", "Shop"),)

    def answer(self, web: Web, site: int, folder: str, target: str) -> Answer | None:
        path, _, query = target.partition("?")
        chosen = dict(pair.split("=", 1) for pair in query.split("&") if "=" in pair)
        page = chosen.pop("page", "1")
        if path != "/shop/list" or not (chosen.keys() <= _FACETS.keys() and _is_number(page)):
            return None
        links = [
            LabLink(self._url(web, site, {**chosen, name: value}, 1), f"{name} {value}")
            for name, values in _FACETS.items()
            for value in values
        ]
        links.append(LabLink(self._url(web, site, chosen, int(page) + 1), "More"))
        text = "Our shop has coats, hats, gloves, scarves and shoes for every weather."
        return sparse_page(site, f"shop {query}", "Shop", text, links)

    def _url(self, web: Web, site: int, chosen: dict[str, str], page: int) -> str:
        wishes = [f"{name}={chosen[name]}" for name in _FACETS if name in chosen]
        return f"{web.origin(site)}/shop/list?{'&'.join([*wishes, f'page={page}'])}"


def _is_number(digits: str) -> bool:
    return digits.isdecimal() and digits.isascii() and len(digits) < 10
