"""Fetchers for schemes other than http and https; each is switched on by name.

One is a callable from a visit and the time to a page. Other packages add theirs with an entry
point in the group `gossamer.fetchers`, named after the scheme.
"""

from collections.abc import Callable
from functools import partial
from importlib.metadata import entry_points

from gossamer.base.errors import SettingsError
from gossamer.base.records import Page, Visit
from gossamer.base.settings import FetchSettings
from gossamer.cycle.fetch.file import fetch_file

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
    for entry in entry_points(group="gossamer.fetchers", name=scheme):
        fetcher: SchemeFetcher = entry.load()
        return fetcher
    raise SettingsError(
        f"fetch.schemes: there is no fetcher for {scheme!r}; known are http, https and file"
    )
