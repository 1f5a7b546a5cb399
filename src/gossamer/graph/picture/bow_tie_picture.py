"""The bow-tie, as it is drawn since Broder et al. (2000), with a bar that shows the true proportions."""

from collections.abc import Iterator, Mapping

from gossamer.graph.picture.svg import PALETTE, Frame, document, haloed, shape, text
from gossamer.graph.rank.bow_tie import Place

_WIDTH, _HEIGHT = 860.0, 470.0
_MIDDLE, _LEVEL = _WIDTH / 2, 190.0
_NAMES = {
    Place.CORE: "core (SCC)",
    Place.IN: "IN",
    Place.OUT: "OUT",
    Place.TUBE: "tubes",
    Place.TENDRIL: "tendrils",
    Place.DISCONNECTED: "disconnected",
}
_COLOURS = dict(zip(Place, PALETTE, strict=False))
_SPOTS = {
    Place.CORE: (_MIDDLE, _LEVEL),
    Place.IN: (_MIDDLE - 245, _LEVEL),
    Place.OUT: (_MIDDLE + 245, _LEVEL),
    Place.TUBE: (_MIDDLE, _LEVEL + 138),
    Place.TENDRIL: (_MIDDLE, 32),
    Place.DISCONNECTED: (_MIDDLE - 320, _LEVEL + 165),
}


def draw_bow_tie(counts: Mapping[Place, int], frame: Frame = document) -> str:
    """The picture of a web with this many pages in each place."""
    parts = [*_wings(), *_tentacles(), *_pieces(), *_labels(counts), *_bar(counts)]
    return frame(_WIDTH, _HEIGHT, "The bow-tie of this web", parts)


def _wings() -> Iterator[str]:
    for place, side in ((Place.IN, -1), (Place.OUT, 1)):
        near, far = _MIDDLE + side * 70, _MIDDLE + side * 355
        path = f"M{near} {_LEVEL - 45} L{far} {_LEVEL - 100} Q{far + side * 25} {_LEVEL} {far} {_LEVEL + 100}"
        yield shape(
            "path", d=f"{path} L{near} {_LEVEL + 45} Z", fill=_COLOURS[place], fill_opacity=0.75
        )
    yield shape("circle", cx=_MIDDLE, cy=_LEVEL, r=105, fill=_COLOURS[Place.CORE])


def _tentacles() -> Iterator[str]:
    """Tendrils hang on both wings, tubes lead from one to the other."""
    for x, away in ((-300, -30), (-210, 15), (-160, 40), (160, -40), (210, -15), (300, 30)):
        start, top = (
            _MIDDLE + x,
            _LEVEL - 100 + (110 if abs(x) < 200 else 92 if abs(x) < 250 else 72) / 2,
        )
        curve = f"M{start} {top - 5} c{away} -30 {-away} -45 {away} -75"
        yield _line(curve, Place.TENDRIL, 5)
    tube = f"M{_MIDDLE - 200} {_LEVEL + 68} Q{_MIDDLE} {_LEVEL + 165} {_MIDDLE + 200} {_LEVEL + 68}"
    yield _line(tube, Place.TUBE, 12)


def _line(path: str, place: Place, width: float) -> str:
    return shape(
        "path",
        d=path,
        fill="none",
        stroke=_COLOURS[place],
        stroke_width=width,
        stroke_linecap="round",
    )


def _pieces() -> Iterator[str]:
    for x, y, radius in ((-395, 150, 7), (-372, 172, 4), (-400, 182, 5), (-380, 140, 4)):
        colour = _COLOURS[Place.DISCONNECTED]
        yield shape("circle", cx=_MIDDLE + x, cy=_LEVEL + y, r=radius, fill=colour)


def _labels(counts: Mapping[Place, int]) -> Iterator[str]:
    for place, (x, y) in _SPOTS.items():
        yield haloed(x, y - 4, _NAMES[place])
        yield haloed(x, y + 13, _share(counts, place))


def _bar(counts: Mapping[Place, int]) -> Iterator[str]:
    left, width, top = 30.0, _WIDTH - 60.0, _HEIGHT - 60.0
    total = max(sum(counts.values()), 1)
    for place in (Place.IN, Place.CORE, Place.OUT, Place.TUBE, Place.TENDRIL, Place.DISCONNECTED):
        part = width * counts[place] / total
        says = f"{_NAMES[place]}: {_share(counts, place)}"
        yield shape("rect", x=left, y=top, width=part, height=22, fill=_COLOURS[place], says=says)
        if part > 60:
            yield text(left + part / 2, top + 38, _NAMES[place], kind="soft")
        left += part


def _share(counts: Mapping[Place, int], place: Place) -> str:
    return f"{counts[place]:,} ({counts[place] / max(sum(counts.values()), 1):.1%})"
