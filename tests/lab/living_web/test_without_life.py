"""A web without life is what it was before there were living ones."""

from collections.abc import Iterable
from hashlib import sha256

from gossamer.lab import HOSTILE, Web
from gossamer.lab.server.web_http import AskedPage, respond


def digest(web: Web, urls: Iterable[str]) -> str:
    """The fingerprint of all that is sent for these URLs."""
    found = sha256()
    for url in urls:
        host = url.removeprefix("http://").partition("/")[0]
        for step in respond(web, AskedPage("GET", host, web.locate(url)[1])).steps:
            found.update(step if isinstance(step, bytes) else repr(step).encode())
    return found.hexdigest()[:16]


def test_a_web_without_life_is_the_same_byte_for_byte() -> None:
    found = []
    for behaviours in ((), HOSTILE):
        web = Web(7, 120, 6, behaviours=behaviours)
        others = {f"{web.origin(site)}/robots.txt" for site in range(6)}
        found.append(digest(web, sorted({*web.expected(), *others, f"{web.origin(0)}/nothing"})))
    assert found == ["c1270a11c6d4715b", "91466f88fe121ca8"]
