"""Curves as pictures; matplotlib is asked for only here."""

from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from gossamer.core.errors import SettingsError
from gossamer.lab.crawl_orders.order_metrics import Curve

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_COLOURS = ("#0b6e4f", "#c1440e", "#1b4f9c", "#8a3ffc", "#b8860b", "#555555", "#d81b60", "#00838f")
_STYLES = {"ideal": ("#222222", "--"), "random": ("#999999", ":")}


def plot(
    path: Path,
    title: str,
    curves: Sequence[Curve],
    *,
    y: str,
    x: str = "part of the web fetched",
    dashed: Sequence[Curve] = (),
    kinds: Sequence[str] = ("svg",),
) -> None:
    """Write one picture, in each of the formats named; `dashed` have the colour of their namesakes."""
    figure, axes = _begin()
    colours = _draw(axes, curves)
    for curve in dashed:
        colour = colours.get(curve.name, "#222222")
        axes.plot(curve.crawled, curve.value, "--", color=colour, linewidth=1.0)
    axes.set(title=title, xlabel=x, ylabel=y, xlim=(0, 1), ylim=(0, 1.02))
    axes.grid(alpha=0.25)
    axes.legend(loc="lower right", fontsize=8)
    for kind in kinds:
        metadata = {"Date": None} if kind == "svg" else None
        figure.savefig(path.with_suffix(f".{kind}"), metadata=metadata)
    _end(figure)


def _draw(axes: "Axes", curves: Sequence[Curve]) -> Mapping[str, str]:
    colours: dict[str, str] = {}
    for curve in curves:
        colour, style = _STYLES.get(curve.name, (_COLOURS[len(colours) % len(_COLOURS)], "-"))
        if curve.name not in _STYLES:
            colours[curve.name] = colour
        axes.plot(curve.crawled, curve.value, style, color=colour, label=curve.name, linewidth=1.4)
    return colours


def check_matplotlib() -> None:
    """Say so early when there can be no pictures."""
    if find_spec("matplotlib") is None:
        raise SettingsError("plots need matplotlib; install it with: pip install 'gossamer[lab]'")


def _begin() -> tuple["Figure", "Axes"]:
    check_matplotlib()
    import matplotlib as mpl

    mpl.use("Agg")
    mpl.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "gossamer", "path.simplify": True})
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(6.4, 4.0), layout="constrained")
    return figure, axes


def _end(figure: "Figure") -> None:
    from matplotlib import pyplot

    pyplot.close(figure)
