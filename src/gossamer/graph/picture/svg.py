"""Shapes and words of SVG, in colours for light and dark."""

from collections.abc import Callable, Iterable
from html import escape

PALETTE = ("#2f6db5", "#c2571a", "#2e8b57", "#8a4fbf", "#b8860b", "#c23b6b", "#0f8f9c", "#6b7480")
"""Colours that can be distinguished on light and on dark paper."""

STYLE = """
:root { color-scheme: light dark; }
svg, body { --ink: #1b2330; --soft: #5a6472; --paper: #ffffff; --line: #c8d0d9; }
@media (prefers-color-scheme: dark) {
  svg, body { --ink: #e8ebf0; --soft: #a3adba; --paper: #14181f; --line: #3d4653; }
}
svg text { fill: var(--ink); font: 13px system-ui, sans-serif; }
svg .soft { fill: var(--soft); font-size: 11px; }
svg .halo { fill: none; stroke: var(--paper); stroke-width: 3px; stroke-linejoin: round; }
svg .axis { stroke: var(--line); fill: none; }
svg .paper { fill: var(--paper); }
"""


Frame = Callable[[float, float, str, Iterable[str]], str]
"""Makes a picture of its width, its height, its title and its parts."""


def document(width: float, height: float, title: str, parts: Iterable[str]) -> str:
    """A whole picture; its title is read aloud to those who do not see it.

    >>> document(2, 1, "a < b", ["<g/>"]).splitlines()[1]
    '<title>a &lt; b</title>'
    """
    box = f'viewBox="0 0 {_short(width)} {_short(height)}" role="img"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {box} style="max-width:{_short(width)}px">'
    lines = [head, f"<title>{escape(title)}</title>", f"<style>{STYLE}</style>"]
    lines.append(f'<rect class="paper" width="{_short(width)}" height="{_short(height)}"/>')
    return "\n".join([*lines, *parts, "</svg>"]) + "\n"


def inline(width: float, height: float, title: str, parts: Iterable[str]) -> str:
    """A picture that is a part of a page, which has the styles.

    >>> inline(2, 1, "a < b", ["<g/>"]).splitlines()[1]
    '<title>a &lt; b</title>'
    """
    head = f'<svg viewBox="0 0 {_short(width)} {_short(height)}" role="img" class="picture">'
    return "\n".join([head, f"<title>{escape(title)}</title>", *parts, "</svg>"])


def haloed(x: float, y: float, words: str, *, kind: str = "", anchor: str = "middle") -> str:
    """Words that can be read whatever is behind them."""
    halo = text(x, y, words, kind=f"{kind} halo".strip(), anchor=anchor)
    return halo + text(x, y, words, kind=kind, anchor=anchor)


def text(x: float, y: float, words: str, *, kind: str = "", anchor: str = "middle") -> str:
    """Words in one line; `kind` is a class of the style.

    >>> text(1, 2.26, "R&D", kind="soft")
    '<text x="1" y="2.3" text-anchor="middle" class="soft">R&amp;D</text>'
    """
    also = f' class="{kind}"' if kind else ""
    return (
        f'<text x="{_short(x)}" y="{_short(y)}" text-anchor="{anchor}"{also}>{escape(words)}</text>'
    )


def shape(name: str, *, says: str = "", **attributes: "str | float") -> str:
    """An element; an underscore in a name stands for a hyphen, and `says` is shown to who points at it.

    >>> shape("circle", cx=1.04, r=2, fill_opacity=0.5, says="home")
    '<circle cx="1" r="2" fill-opacity="0.5"><title>home</title></circle>'
    """
    pairs = (
        f'{key.replace("_", "-").rstrip("-")}="{_value(value)}"'
        for key, value in attributes.items()
    )
    inside = f"<title>{escape(says)}</title></{name}>" if says else ""
    return f"<{name} {' '.join(pairs)}{'>' if says else '/>'}{inside}"


def _value(value: "str | float") -> str:
    return escape(value, quote=True) if isinstance(value, str) else _short(value)


def _short(number: float) -> str:
    """One digit after the point is less than a pixel; below 1 it takes three."""
    return (
        f"{number:.3f}".rstrip("0").rstrip(".")
        if 0 < abs(number) < 1
        else f"{number:.1f}".removesuffix(".0")
    )
