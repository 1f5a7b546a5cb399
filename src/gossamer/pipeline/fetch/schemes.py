"""Fetchers for schemes other than http and https; each is switched on by name.

One is a callable from a visit and the time to a page. Other packages add theirs with an entry
point in the group `gossamer.fetchers`, named after the scheme.
"""

from collections.abc import Callable
from functools import partial

from gossamer.core.entry_points import find_entry_points
from gossamer.core.errors import SettingsError
from gossamer.core.mistakes import Mistakes
from gossamer.core.outcomes import Outcome
from gossamer.core.records import Page, Visit
from gossamer.core.settings import FetchSettings
from gossamer.pipeline.fetch.file_fetch import fetch_file

SchemeFetcher = Callable[[Visit, float], Page]

_HTTP = frozenset({"http", "https"})


def choose_schemes(settings: FetchSettings) -> dict[str, SchemeFetcher]:
    """The fetchers that the settings switch on, by scheme."""
    chosen: dict[str, SchemeFetcher] = {}
    for scheme in settings.schemes:
        if scheme == "file":
            chosen[scheme] = partial(fetch_file, limit=settings.max_body)
        elif scheme not in _HTTP:
            chosen[scheme] = _load(scheme)
    return chosen


def _load(scheme: str) -> SchemeFetcher:
    for entry in find_entry_points("gossamer.fetchers"):
        if entry.name != scheme:
            continue
        try:
            return _guard(entry.load(), scheme)
        except Exception as error:
            raise SettingsError(
                f"fetch.schemes: the fetcher for {scheme} cannot be loaded ({error}); "
                "repair or remove its package"
            ) from None
    raise SettingsError(
        f"fetch.schemes: there is no fetcher for {scheme!r}; known are http, https and file"
    )


def _guard(fetcher: SchemeFetcher, scheme: str) -> SchemeFetcher:
    """The same fetcher, except that a visit at which it fails has a page that says so."""
    mistakes, what = Mistakes(), f"the fetcher for {scheme}"

    def fetch(visit: Visit, now: float) -> Page:
        try:
            page = fetcher(visit, now)
            if isinstance(page, Page) and page.visit is visit:
                return page
            raise TypeError(f"it returned {page!r:.80}, not the page of this visit")
        except Exception as error:  # code of a package: the crawl goes on
            said = mistakes.note(what, visit.url.text, error)
            return Page(visit, Outcome.BAD_RESPONSE, now, detail=said)

    return fetch
