"""Redirects: to a neighbour, in chains, in circles, to other hosts, to forbidden paths."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from gossamer.lab.behaviours.behaviour import Leaf, LeafBehaviour
from gossamer.lab.url_answer import Answer

if TYPE_CHECKING:
    from gossamer.lab.simulated_web import Web

_STATUSES = (301, 302, 303, 307, 308)


def _leaf_url(web: Web, site: int, index: int, folder: str) -> str:
    return web.leaf_link(site, index, folder).url


def _local(web: Web, site: int, index: int) -> str:
    return web.url(site, web.draw("redirect", site, index) % web.size(site))


def _abroad(web: Web, site: int, index: int) -> str:
    other = web.neighbour(site)
    return web.url(other, web.draw("redirect", site, index) % web.size(other))


def _to(folder: str) -> Callable[[Web, int, int], str]:
    return lambda web, site, index: _leaf_url(web, site, index, folder)


_TARGETS: dict[str, Callable[[Web, int, int], str]] = {
    "moved": _local,
    "moved/abroad": _abroad,
    "chain/1": _to("chain/2"),
    "chain/2": _to("chain/3"),
    "chain/3": _to("moved/abroad"),
    "circle/a": _to("circle/b"),
    "circle/b": _to("circle/c"),
    "circle/c": _to("circle/a"),
    "circle/self": _to("circle/self"),
    # Where the `robots` behaviour is off, this path is not found.
    "moved/hidden": _to("private"),
}


@dataclass(frozen=True)
class Redirects(LeafBehaviour):
    """Pages that are elsewhere; chains have four hops, circles three or one."""

    name: ClassVar[str] = "redirects"
    folders: ClassVar[tuple[str, ...]] = tuple(_TARGETS)
    leaves: ClassVar[tuple[Leaf, ...]] = tuple(
        Leaf(folder)
        for folder in (
            "moved",
            "moved/abroad",
            "chain/1",
            "circle/a",
            "circle/self",
            "moved/hidden",
        )
    )

    def answer(self, web: Web, site: int, folder: str, target: str) -> Answer | None:
        index = web.leaf_index(site, folder, ".html", target)
        if index < 0:
            return None
        status = _STATUSES[web.draw("redirect status", site, index) % len(_STATUSES)]
        location = _TARGETS[folder](web, site, index)
        return Answer(
            site,
            index,
            folder,
            status=status,
            location=location,
            content=f"It is at {location} now.\n".encode(),
            media_type="text/plain",
        )
