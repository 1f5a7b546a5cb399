"""Pictures of records, as SVG within a page: no script, and styles by the classes of the style sheet."""

from collections.abc import Iterator, Sequence
from functools import lru_cache

import numpy as np
from markupsafe import Markup

from gossamer.dashboard.views.graph_hosts import GraphHosts
from gossamer.dashboard.views.graph_near import GraphNear, Neighbour
from gossamer.dashboard.web.dashboard_urls import address
from gossamer.dashboard.web.harmless_text import plain
from gossamer.graph.picture.bow_tie_picture import draw_bow_tie
from gossamer.graph.picture.host_picture import Node, draw_hosts
from gossamer.graph.picture.svg import haloed, inline, shape, text
from gossamer.graph.rank.arcs import arcs_of
from gossamer.graph.rank.bow_tie import Place
from gossamer.graph.rank.web_shape import WebShape

_WIDTH, _ROW = 960.0, 26.0
_LEFT, _RIGHT, _MIDDLE = 360.0, 600.0, 480.0
_LONGEST = 44
"""Characters of a name."""


def bow_tie_picture(found: WebShape) -> Markup:
    counts = {place: found.bow_tie.get(place.name.lower(), 0) for place in Place}
    return Markup(draw_bow_tie(counts, inline))


@lru_cache(8)
def hosts_picture(found: GraphHosts) -> Markup:
    """The places of circles are found by trial, which takes a while: a picture is kept."""
    nodes = [
        Node(
            plain(host.host, 60),
            host.rank,
            host.domain,
            f"{plain(host.host, 200)}: {host.pages:,} pages, linked to by {host.supporters:,} hosts",
        )
        for host in found.hosts
    ]
    arcs = arcs_of(
        np.array([link.source for link in found.links], np.int64),
        np.array([link.target for link in found.links], np.int64),
        len(nodes),
        np.array([link.links for link in found.links], np.float64),
    )
    return Markup(draw_hosts("Who links to whom among hosts", nodes, arcs, inline))


def near_picture(found: GraphNear) -> Markup:
    """Draw the links around a page or host: sources on the left, targets on the right."""
    rows = max(len(found.incoming), len(found.outgoing), 2)
    height = rows * _ROW + 60
    middle = height / 2 + 8
    parts = [
        *_heads(found),
        *_curves(found.incoming, _LEFT, middle, height, is_in=True),
        *_curves(found.outgoing, _RIGHT, middle, height, is_in=False),
        shape("circle", cx=_MIDDLE, cy=middle, r=13, class_="node here", says=found.name),
        haloed(_MIDDLE, middle + 32, _short(found.name, 40), kind="strong"),
        *_names(found, found.incoming, _LEFT, height, is_in=True),
        *_names(found, found.outgoing, _RIGHT, height, is_in=False),
    ]
    picture = inline(_WIDTH, height, f"Links around {plain(found.name, 200)}", parts)
    return Markup(picture.replace('role="img"', 'role="group"', 1))  # it has links within


def _heads(found: GraphNear) -> Iterator[str]:
    yield text(_LEFT, 18, f"{found.incoming_count:,} link there", anchor="end")
    yield text(_RIGHT, 18, f"it links to {found.outgoing_count:,}", anchor="start")


def _levels(count: int, height: float) -> Iterator[float]:
    """The rows of one side, in the middle of the picture."""
    top = (height + 30 - count * _ROW) / 2
    yield from (top + (row + 0.5) * _ROW for row in range(count))


def _curves(
    some: Sequence[Neighbour], side: float, middle: float, height: float, *, is_in: bool
) -> Iterator[str]:
    most = max((neighbour.weight for neighbour in some), default=1) or 1
    edge = _MIDDLE - 14 if is_in else _MIDDLE + 14
    bend = (side + edge) / 2
    for neighbour, y in zip(some, _levels(len(some), height), strict=True):
        yield shape(
            "path",
            d=f"M{side:g} {y:g} C{bend:g} {y:g} {bend:g} {middle:g} {edge:g} {middle:g}",
            class_="edge",
            stroke_width=1 + 4 * float(np.log1p(neighbour.weight) / np.log1p(most)),
        )


def _names(
    found: GraphNear, some: Sequence[Neighbour], side: float, height: float, *, is_in: bool
) -> Iterator[str]:
    for neighbour, y in zip(some, _levels(len(some), height), strict=True):
        asked = {"host": neighbour.name} if found.is_host else {"url": neighbour.name}
        name = text(
            side + (-12 if is_in else 12),
            y + 4,
            _short(neighbour.name),
            anchor="end" if is_in else "start",
        )
        dot = shape(
            "circle", cx=side, cy=y, r=5, class_="node both" if neighbour.is_both else "node"
        )
        target = Markup.escape(address("/graph/near", **asked))
        yield f'<a href="{target}">{shape_title(neighbour.name)}{dot}{name}</a>'


def shape_title(words: str) -> str:
    return str(Markup("<title>{}</title>").format(plain(words, 300)))


def _short(name: str, longest: int = _LONGEST) -> str:
    """A name with its beginning and its end.

    >>> _short("http://a.test/" + "b" * 60, 20)
    'a.test/bbbb…bbbbbbbb'
    """
    name = plain(name).removeprefix("http://").removeprefix("https://")
    if len(name) <= longest:
        return name
    return f"{name[: longest * 3 // 5 - 1]}…{name[-(longest * 2 // 5) :]}"


PICTURES = {
    "bow_tie_picture": bow_tie_picture,
    "hosts_picture": hosts_picture,
    "near_picture": near_picture,
}
"""By the names that templates use."""
