"""Picture of the links among hosts: the larger a circle, the higher its rank."""

from collections.abc import Iterator, Sequence

import numpy as np
from msgspec import Struct

from gossamer.graph.picture.force_layout import Points, lay_out
from gossamer.graph.picture.svg import PALETTE, Frame, document, haloed, shape
from gossamer.graph.rank.arcs import Arcs, Values

_SIZE, _EDGE = 900.0, 70.0
_LARGEST = 34.0
_MOST_LINKS = 800


class Node(Struct, frozen=True):
    """A circle, and what is said about it."""

    name: str
    rank: float
    colour: str
    """Nodes with the same word have the same colour."""
    says: str


def draw_hosts(title: str, nodes: Sequence[Node], arcs: Arcs, frame: Frame = document) -> str:
    """Nodes, the highest rank first, and the links among them; of many links the heaviest."""
    ranks = np.array([node.rank for node in nodes])
    radii = np.sqrt(ranks / max(float(ranks.max(initial=0.0)), 1e-12))
    places = _EDGE + (lay_out(arcs, radii) + 1) / 2 * (_SIZE - 2 * _EDGE)
    sizes, colours = 4 + radii * (_LARGEST - 4), _colours(nodes)
    parts = [*_links(arcs, places, nodes, colours), *_circles(nodes, places, sizes, colours)]
    parts += _names(nodes, places, sizes)
    return frame(_SIZE, _SIZE, title, parts)


def _colours(nodes: Sequence[Node]) -> list[str]:
    """The first words have colours of their own."""
    order = {word: number for number, word in enumerate(dict.fromkeys(one.colour for one in nodes))}
    return [PALETTE[order[node.colour] % len(PALETTE)] for node in nodes]


def _links(
    arcs: Arcs, places: Points, nodes: Sequence[Node], colours: Sequence[str]
) -> Iterator[str]:
    """Links turn right on their way, so that both directions are seen; faint, for there are many."""
    sources, weights = arcs.sources(), arcs.weights if len(arcs.weights) else np.ones(arcs.links)
    most = float(np.log1p(weights.max(initial=0.0))) or 1.0
    for at in np.argsort(-weights, kind="stable")[:_MOST_LINKS][::-1].tolist():
        one, other = int(sources[at]), int(arcs.targets[at])
        (x, y), (to_x, to_y) = places[one], places[other]
        bend_x, bend_y = (x + to_x) / 2 - (to_y - y) * 0.12, (y + to_y) / 2 + (to_x - x) * 0.12
        strength = float(np.log1p(weights[at])) / most
        yield shape(
            "path",
            d=f"M{x:.1f} {y:.1f} Q{bend_x:.1f} {bend_y:.1f} {to_x:.1f} {to_y:.1f}",
            fill="none",
            stroke=colours[one],
            stroke_opacity=0.12 + 0.5 * strength,
            stroke_width=0.6 + 2.4 * strength,
            says=f"{nodes[one].name} → {nodes[other].name}: {weights[at]:,.0f} links",
        )


def _circles(
    nodes: Sequence[Node], places: Points, sizes: Values, colours: Sequence[str]
) -> Iterator[str]:
    rows = zip(nodes, places.tolist(), sizes.tolist(), colours, strict=True)
    for node, (x, y), size, colour in rows:
        yield shape("circle", cx=x, cy=y, r=size, fill=colour, fill_opacity=0.9, says=node.says)


def _names(nodes: Sequence[Node], places: Points, sizes: Values) -> Iterator[str]:
    """The highest ranks first; a name that would stand on another is left out."""
    taken: list[tuple[float, float, float]] = []
    for node, (x, y), size in zip(nodes, places.tolist(), sizes.tolist(), strict=True):
        half, line = 3.6 * len(node.name), y + size + 12
        if all(abs(line - its) > 13 or abs(x - at) > half + far for at, its, far in taken):
            taken.append((x, line, half))
            yield haloed(x, line, node.name, kind="soft" if size < 12 else "")
