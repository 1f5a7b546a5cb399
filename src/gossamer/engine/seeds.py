"""Seeds as people type them."""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from gossamer.core.errors import SeedError
from gossamer.core.records import Candidate, Via
from gossamer.core.request import Request, RequestUrl, is_request_line, parse
from gossamer.core.settings import FetchSettings
from gossamer.core.url import Spelling, Url, is_address

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:(?!\d)")
"""A scheme; `localhost:8000` has none."""
_WEB = ("http:", "https:")
_NAMED = 10
"""Mistakes that are named."""


Seed = str | Request
"""A URL as people type it, or a request with a method, a body or a session."""


def gather_seeds(given: Iterable[Seed | Iterable[Seed]]) -> list[str]:
    """Seeds as a program gives them: one by one, or in lists; a request becomes a line of text.

    >>> gather_seeds(["https://a.test/", ["https://b.test/", "https://c.test/"]])
    ['https://a.test/', 'https://b.test/', 'https://c.test/']
    """
    seeds = list[Seed]()
    for one in given:
        if isinstance(one, str | bytes | Path | Request) or not isinstance(one, Iterable):
            seeds.append(one)
        else:
            seeds += one
    return list(map(as_line, seeds))


def as_line(seed: Seed) -> str:
    """A seed as it stands in settings, commands and lists."""
    if isinstance(seed, Request):
        return seed.line
    if not isinstance(seed, str):
        kind = type(seed).__name__
        raise SeedError(f'seed {seed!r} is {kind}, not text; write e.g. "https://example.org/"')
    return seed


def check_sessions(seeds: Iterable[Url], settings: FetchSettings) -> None:
    """Refuse a request in a name of which nothing is known: it would be made in nobody's name."""
    known = {*settings.logins, *settings.cookies}
    for seed in seeds:
        session = seed.sent.session if isinstance(seed, RequestUrl) else ""
        if session and (name := f"{session}@{seed.host}") not in known:
            raise SeedError(
                f"request to {seed.text:.200}: session {session!r} has no login or cookies; "
                f'set fetch.cookies or fetch.logins for "{name}"'
            )


def as_candidate(seed: Url) -> Candidate:
    """The candidate offered to the crawl for a seed."""
    return Candidate(seed, via=Via.REQUEST if isinstance(seed, RequestUrl) else Via.SEED)


def read_seeds(
    texts: Iterable[str], spelling: Spelling, schemes: Iterable[str] = ("http", "https")
) -> list[Url]:
    """The URLs that are meant; a missing scheme is https, or http for an address or localhost."""
    return check_seeds([(text, repr(text.strip())) for text in texts], spelling, schemes)


def read_seeds_again(texts: Iterable[str], spelling: Spelling) -> list[Url]:
    """The same for seeds that were checked when they were given; what is none any more is left out."""
    found = (_read_seed(text.strip(), spelling, ("",)) for text in texts)
    return [url for url in found if url is not None]


def check_seeds(
    texts: Sequence[tuple[str, str]], spelling: Spelling, schemes: Iterable[str]
) -> list[Url]:
    """The same for texts with names. One error names all texts that are not URLs, to correct them at once."""
    known = tuple(f"{scheme}:" for scheme in schemes)
    seeds = [_read_seed(text.strip(), spelling, known) for text, _ in texts]
    bad = [name for (_, name), seed in zip(texts, seeds, strict=True) if seed is None]
    if bad:
        raise SeedError(_complain(bad))
    if not seeds:
        raise SeedError("no seed given; give at least one URL, e.g. https://example.org/")
    return [seed for seed in seeds if seed is not None]


def _complain(bad: Sequence[str]) -> str:
    """
    >>> _complain(["'a b'"])
    "seed 'a b' is not an http or https URL; write e.g. https://example.org/"
    """
    advice = "write e.g. https://example.org/"
    if len(bad) == 1:
        return f"seed {bad[0]} is not an http or https URL; {advice}"
    more = f" and {len(bad) - _NAMED} more" if len(bad) > _NAMED else ""
    return f"seeds {'; '.join(bad[:_NAMED])}{more} are not http or https URLs; {advice}"


def _read_seed(text: str, spelling: Spelling, schemes: tuple[str, ...]) -> Url | None:
    """The URL that is meant; None when it cannot be fetched."""
    if is_request_line(text):
        url = parse(text, spelling)
        return url if url is not None and url.text.startswith(_WEB) else None
    url = spelling.parse(text if _SCHEME.match(text) else _guess_scheme(text))
    has_place = url is not None and (url.host or url.scheme == "file")
    return url if url is not None and has_place and url.text.startswith(schemes) else None


def _guess_scheme(text: str) -> str:
    authority = text.partition("/")[0]
    host = authority.rpartition(":")[0] or authority
    scheme = "http" if host == "localhost" or is_address(host) else "https"
    return f"{scheme}://{text}"
