"""Pages of a living web to try things on, and how to ask for them without sockets."""

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from gossamer.lab.living_web import LivingWeb, Rhythm
from gossamer.lab.living_web.ornaments import ornaments_of
from gossamer.lab.server.conditional import read_conditions
from gossamer.lab.server.web_http import AskedPage, respond
from tests.lab.wire import Reply, decode, split_reply

BEFORE = 1e-7
"""Less than a second before something, in days."""


def web_of(seed: int = 7, pages: int = 1500, hosts: int = 25) -> LivingWeb:
    return LivingWeb(seed, pages, hosts)


def ask(web: LivingWeb, url: str, *fields: str) -> Reply:
    """What comes back for a URL."""
    host = url.removeprefix("http://").partition("/")[0]
    asked = AskedPage("GET", host, web.locate(url)[1], conditions=read_conditions(fields))
    steps = respond(web, asked).steps
    return decode(split_reply(b"".join(step for step in steps if isinstance(step, bytes))))


def body_on(web: LivingWeb, page: int, day: float) -> bytes:
    """The body of a page on a day, wherever it is then."""
    still = web.on(day)
    reply = ask(still, still.url_on(*web.evolution.place(page), day))
    assert reply.status == 200
    return reply.body


def changing_pages(web: LivingWeb, count: int, *, are_plain: bool) -> list[int]:
    """Pages that are there for half a year and change, some of each kind."""
    evolution = web.evolution
    counts = evolution.changes(0, 180).counts()
    found: list[int] = []
    for kind in Rhythm:
        fits = (
            (evolution.born == 0)
            & (evolution.gone > 180)
            & (counts > 3)
            & (evolution.fates.kind == kind)
        )
        found += [
            page
            for page in np.flatnonzero(fits).tolist()
            if ornaments_of(web.seed, page).is_plain == are_plain
        ][:count]
    assert len(found) >= 3 * count
    return found


def spans(web: LivingWeb, page: int) -> Iterator[tuple[float, float]]:
    """From each of the first changes of a page to the next one."""
    times = web.evolution.changes(0, 180).of(page)[:6].tolist()
    yield from pairwise(times)
