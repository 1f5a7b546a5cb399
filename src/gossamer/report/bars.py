"""Counts as bars."""

from collections.abc import Iterator, Sequence

from gossamer.graph.picture.svg import PALETTE, document, shape, text

_WIDTH, _ROW, _LEFT, _RIGHT, _TOP = 560.0, 22.0, 150.0, 70.0, 34.0


def draw_bars(title: str, bars: Sequence[tuple[str, int]]) -> str:
    """One bar below the other, with its name before it and its count behind it."""
    return document(_WIDTH, _TOP + _ROW * len(bars) + 8, title, _parts(title, bars))


def _parts(title: str, bars: Sequence[tuple[str, int]]) -> Iterator[str]:
    yield text(14, 20, title, anchor="start")
    most = max((count for _, count in bars), default=0) or 1
    for place, (name, count) in enumerate(bars):
        y = _TOP + _ROW * place
        width = (_WIDTH - _LEFT - _RIGHT) * count / most
        yield text(_LEFT - 8, y + 14, name, kind="soft", anchor="end")
        yield shape("rect", x=_LEFT, y=y + 2, width=width, height=_ROW - 6, fill=PALETTE[0])
        yield text(_LEFT + width + 6, y + 14, f"{count:,}", kind="soft", anchor="start")
