"""Fetchers for schemes other than http and https; each is switched on by name.

One is a callable from a visit and the time to a page. That of `file:` is here. Other packages add theirs
with an entry point in the group `gossamer.fetchers`, named after the scheme.
"""

from collections import deque
from collections.abc import Callable, Mapping
from pathlib import Path
from urllib.parse import unquote

from gossamer.core.clock import Clock
from gossamer.core.entry_points import find_entry_points
from gossamer.core.errors import SettingsError
from gossamer.core.mistakes import Mistakes
from gossamer.core.outcomes import Outcome
from gossamer.core.records import Page, Visit
from gossamer.core.settings import FetchSettings
from gossamer.pipeline.fetch.file_backend import FileAnswer, list_folder, read_regular

SchemeFetcher = Callable[[Visit, float], Page]

_HTTP = frozenset({"http", "https"})
_MOST_WAITING = 256


def open_schemes(settings: FetchSettings, clock: Clock) -> "SchemeBackend | None":
    """The fetchers that the settings switch on; None when there are none, as in nearly all crawls."""
    chosen: dict[str, SchemeFetcher] = {}
    for scheme in settings.schemes:
        if scheme == "file":
            chosen[scheme] = _fetch_file(settings.max_body)
        elif scheme not in _HTTP:
            chosen[scheme] = _load(scheme)
    return SchemeBackend(chosen, clock) if chosen else None


class SchemeBackend:
    """Calls the fetcher of a visit's scheme, one after the other."""

    is_local = True

    def __init__(self, fetchers: Mapping[str, SchemeFetcher], clock: Clock) -> None:
        self._fetchers = fetchers
        self._clock = clock
        self._waiting: deque[Visit] = deque()

    def wants(self, visit: Visit) -> bool:
        return visit.url.scheme in self._fetchers

    @property
    def in_flight(self) -> int:
        return len(self._waiting)

    def free_slots(self) -> int:
        return _MOST_WAITING - len(self._waiting)

    def start(
        self, visit: Visit, address: str, fields: tuple[str, ...] = (), most: int | None = None
    ) -> None:
        self._waiting.append(visit)

    def finished(self) -> list[Page]:
        waiting, self._waiting = self._waiting, deque()
        return [self._fetchers[visit.url.scheme](visit, self._clock.now()) for visit in waiting]

    def hosts_in_flight(self) -> dict[str, float]:
        return {}

    def next_timeout(self) -> float | None:
        return 0.0 if self._waiting else None

    def tick(self) -> None:
        """These fetchers answer when they are called."""

    def close(self) -> None:
        self._waiting.clear()


def _fetch_file(most: int) -> SchemeFetcher:
    """Files of this machine as pages: `file:///some/folder/`. What cannot be read is a 404 or a 403."""

    def fetch(visit: Visit, now: float) -> Page:
        path = Path(unquote(visit.url.text.partition("://")[2].partition("?")[0]))
        return _read_file(path, most).page(visit, now)

    return fetch


def _read_file(path: Path, most: int) -> FileAnswer:
    try:
        if path.is_dir():
            return FileAnswer(200, "text/html; charset=utf-8", list_folder(path))
        return read_regular(path.resolve(strict=True), most)
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return FileAnswer(404, "text/plain", b"")
    except (OSError, RuntimeError):
        return FileAnswer(403, "text/plain", b"")


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
