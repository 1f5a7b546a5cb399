"""Differences between visits that are no changes: quotes of the hour, dates, counters, session ids."""

from datetime import UTC, datetime
from typing import NamedTuple

from gossamer.lab.living_web.rhythm import DAY
from gossamer.lab.seeded_chance import draw

_HOUR, _REQUEST, _WHOLE_DAY = 1 / 24, 1e-6 / DAY, 1.0
_QUOTES = (_HOUR, _HOUR, _REQUEST, _REQUEST, _WHOLE_DAY)


class Ornaments(NamedTuple):
    """Parts of a page besides its text."""

    quote: float = 0.0
    """Days for which a quote stays; 0 is no quote."""
    has_date: bool = False
    has_counter: bool = False
    has_session: bool = False

    @property
    def is_plain(self) -> bool:
        return not any(self)


def ornaments_of(seed: int, page: int) -> Ornaments:
    """Two pages of five have a quote, one in five a date, one in eight each of the others."""
    chance = draw(seed, "ornaments", page)
    kind = chance % 12
    return Ornaments(
        quote=_QUOTES[kind] if kind < len(_QUOTES) else 0.0,
        has_date=(chance >> 8) % 5 == 0,
        has_counter=(chance >> 16) % 8 == 0,
        has_session=(chance >> 24) % 8 == 0,
    )


def write_head(
    seed: int, page: int, moment: float, epoch: float, paragraphs: tuple[bytes, ...]
) -> bytes:
    """Write the part above the text: the date, and a quote."""
    shown, pieces = ornaments_of(seed, page), list[bytes]()
    if shown.has_date:
        now = datetime.fromtimestamp(epoch + moment * DAY, UTC)
        pieces.append(f'<p class="date">{now:%Y-%m-%d %H:%M} UTC</p>\n'.encode())
    if shown.quote:
        turn = int(moment / shown.quote)
        number = draw(seed, f"quote {page}", turn >> 32, turn & 0xFFFFFFFF)
        words = paragraphs[number & 255].removeprefix(b"<p>").split(b". ")[0].partition(b"</p>")[0]
        quote = b"<q>%b</q> (%d)" % (words, number >> 40)
        pieces.append(b'<aside class="quote">%b</aside>\n' % quote)
    return b"".join(pieces)


def write_foot(seed: int, page: int, moment: float) -> bytes:
    """Write the part below the text: a counter, and the id of a session."""
    shown, pieces = ornaments_of(seed, page), list[bytes]()
    if shown.has_counter:
        visitors = draw(seed, "visitors", page)
        seen = visitors % 100_000 + int(moment * (1 + visitors % 997))
        pieces.append(b'<p class="counter">Visitors: %d</p>\n' % seen)
    if shown.has_session:
        turn = int(moment / _REQUEST)
        session = draw(seed, f"session {page}", turn >> 32, turn & 0xFFFFFFFF)
        pieces.append(b'<input type="hidden" name="session" value="%016x">\n' % session)
    return b"".join(pieces)
