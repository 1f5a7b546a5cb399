"""Seeds as people type them."""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from gossamer.core.errors import SeedError
from gossamer.core.url import Spelling, Url, is_address

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:(?!\d)")
"""A scheme; `localhost:8000` has none."""
_NAMED = 10
"""Mistakes that are named."""


def gather_seeds(given: Iterable[str | Iterable[str]]) -> list[str]:
    """Seeds as a program gives them: one by one, or in lists.

    >>> gather_seeds(["https://a.test/", ["https://b.test/", "https://c.test/"]])
    ['https://a.test/', 'https://b.test/', 'https://c.test/']
    """
    seeds = list[str]()
    for one in given:
        is_list = not isinstance(one, str | bytes | Path) and isinstance(one, Iterable)
        seeds += one if is_list else [one]  # type: ignore[list-item]
    for seed in seeds:
        if not isinstance(seed, str):
            kind = type(seed).__name__
            raise SeedError(f'seed {seed!r} is {kind}, not text; write e.g. "https://example.org/"')
    return seeds


def read_seeds(
    texts: Iterable[str], spelling: Spelling, schemes: Iterable[str] = ("http", "https")
) -> list[Url]:
    """The URLs that are meant; a missing scheme is https, or http for an address or localhost."""
    return check_seeds([(text, repr(text.strip())) for text in texts], spelling, schemes)


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
    url = spelling.parse(text if _SCHEME.match(text) else _guess_scheme(text))
    has_place = url is not None and (url.host or url.scheme == "file")
    return url if url is not None and has_place and url.text.startswith(schemes) else None


def _guess_scheme(text: str) -> str:
    authority = text.partition("/")[0]
    host = authority.rpartition(":")[0] or authority
    scheme = "http" if host == "localhost" or is_address(host) else "https"
    return f"{scheme}://{text}"
