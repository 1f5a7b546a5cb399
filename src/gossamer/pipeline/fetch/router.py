"""The fetch router: gives each visit to the backend that wants it, and all others to libcurl.

A crawl that has no backend beside libcurl has no router, so it costs such a crawl nothing.
"""

from collections.abc import Sequence

from gossamer.core.clock import Clock
from gossamer.core.errors import SettingsError
from gossamer.core.poller import Poller
from gossamer.core.protocols import Fetching
from gossamer.core.records import Page, Visit
from gossamer.core.settings import FetchSettings
from gossamer.pipeline.fetch.backend import BACKENDS, Backend
from gossamer.pipeline.fetch.fetcher import Fetcher
from gossamer.pipeline.fetch.schemes import open_schemes


def open_fetcher(
    settings: FetchSettings, user_agent: str, poller: Poller, clock: Clock
) -> Fetching:
    """Open the fetcher by the settings: libcurl, or a router before it and the other backends."""
    backends = open_backends(settings, poller, clock)
    fetcher = Fetcher(settings, user_agent, poller, clock)
    return Router(fetcher, backends) if backends else fetcher


def open_backends(settings: FetchSettings, poller: Poller, clock: Clock) -> list[Backend]:
    """The backends beside libcurl, in the order in which they are asked whether they want a visit."""
    routes: dict[str, dict[str, str]] = {}
    for host, route in settings.routes.items():
        name, _, argument = route.partition(":")
        if name not in BACKENDS:
            raise SettingsError(
                f"fetch.routes: {route!r} names no backend; known are {', '.join(BACKENDS)}: "
                f'write e.g. {host} = "files:/srv/site"'
            )
        routes.setdefault(name, {})[host.lower()] = argument
    backends = [BACKENDS[name](hosts, settings, poller, clock) for name, hosts in routes.items()]
    schemes = open_schemes(settings, clock)
    return backends if schemes is None else [*backends, schemes]


class Router:
    """Fulfils `Fetching` by several backends; a visit that its backend has no room for waits outside."""

    def __init__(self, http: Fetching, backends: Sequence[Backend]) -> None:
        self._http = http
        self._backends = backends
        self._all: Sequence[Backend | Fetching] = (http, *backends)
        self._turned_away: dict[Backend, dict[str, None]] = {backend: {} for backend in backends}
        """Hosts of visits for which a backend had no room."""

    # How the engine finds out about backends.

    @property
    def routing(self) -> "Router":
        return self

    def is_local(self, visit: Visit) -> bool:
        """Is nobody asked for it?"""
        backend = self._choose(visit)
        return backend is not None and backend.is_local

    def has_slot_for(self, visit: Visit) -> bool:
        """May it be started now? If not, `called` names its host when there is room."""
        backend = self._choose(visit)
        if backend is None or backend.free_slots() > 0:
            return True
        self._turned_away[backend][visit.url.host] = None
        return False

    def called(self) -> list[str]:
        """Hosts whose visits were turned away and may come again, since the last call."""
        found: list[str] = []
        for backend, hosts in self._turned_away.items():
            some = list(hosts)[: max(0, backend.free_slots())] if hosts else []
            for host in some:
                del hosts[host]
            found += some
        return found

    def _choose(self, visit: Visit) -> Backend | None:
        """None stands for libcurl."""
        for backend in self._backends:
            if backend.wants(visit):
                return backend
        return None

    # As any fetcher.

    @property
    def in_flight(self) -> int:
        return sum(one.in_flight for one in self._all)

    def free_slots(self) -> int:
        return self._http.free_slots()

    def refuses(self, host: str, address: str) -> str:
        return self._http.refuses(host, address)

    def start(
        self, visit: Visit, address: str, fields: tuple[str, ...] = (), most: int | None = None
    ) -> None:
        (self._choose(visit) or self._http).start(visit, address, fields, most)

    def finished(self) -> list[Page]:
        return [page for one in self._all for page in one.finished()]

    def hosts_in_flight(self) -> dict[str, float]:
        return {host: since for one in self._all for host, since in one.hosts_in_flight().items()}

    def next_timeout(self) -> float | None:
        times = [time for one in self._all if (time := one.next_timeout()) is not None]
        return min(times, default=None)

    def tick(self) -> None:
        for one in self._all:
            one.tick()

    def close(self) -> None:
        for one in self._all:
            one.close()
