"""Politeness, as servers see it: delays between requests to a host and to an address."""

from gossamer.core.settings import Settings
from gossamer.lab.server.request_log import LoggedRequest
from gossamer.lab.simulated_web import Web

_ROUNDING = 1e-6


class Foul(AssertionError):  # noqa: N818 - what a referee calls
    """A promise was broken."""


class PolitenessCheck:
    """Times here are true ones, whatever clock the crawl has."""

    def __init__(self, web: Web, settings: Settings) -> None:
        self._web = web
        self._politeness = settings.politeness
        self._timeout = settings.fetch.timeout
        self._hosts: dict[str, LoggedRequest] = {}
        self._addresses: dict[str, list[LoggedRequest]] = {}
        """Requests to each address since the last crash, those apart that are long over."""
        self._last_start: dict[str, float] = {}
        self._excused: set[str] = set()
        """Hosts that may be asked too soon, once."""

    def note_crash(self) -> None:
        """Close the connections of a process that crashed.

        What was sent before counts as over, though a server may hear of it only now.
        """
        self._addresses.clear()

    def note_jump(self) -> None:
        """A crawl goes on with a clock that was set forwards.

        It cannot tell that from a long pause, so each host that was asked before may be asked once too
        soon. Not so addresses: they rest whenever a crawl goes on.
        """
        self._excused = {*self._hosts}

    def see(self, request: LoggedRequest, is_robots: bool) -> None:
        if self._politeness.delay:  # without one, nobody has asked for manners
            self._check_host(request, is_robots)
            self._check_address(request)

    def _check_host(self, request: LoggedRequest, is_robots: bool) -> None:
        before = self._hosts.get(request.host)
        self._hosts[request.host] = request
        # A Crawl-delay is not known before the robots.txt that asks for it has been read.
        delay = 0.0 if is_robots else self._web.crawl_delay(request.host)
        gap = max(self._politeness.delay, delay)
        if request.host in self._excused:
            self._excused.remove(request.host)
        elif before is not None and request.start - before.end < gap - _ROUNDING:
            raise Foul(
                f"{request.host} was asked again after {request.start - before.end:.3f} s instead of "
                f"{gap} s: {before.path}, then {request.path}"
            )

    def _check_address(self, request: LoggedRequest) -> None:
        address, gap, now = request.address, self._politeness.address_delay, request.start
        last = self._last_start.get(address, 0.0)
        self._last_start[address] = now
        if now - last < gap - _ROUNDING:
            raise Foul(
                f"two requests began at {address} within {now - last:.3f} s instead of {gap} s"
            )
        recent = [
            logged_request
            for logged_request in self._addresses.get(address, ())
            if self._end(logged_request) > now - gap
        ]
        self._addresses[address] = [*recent, request]
        active = sum(self._end(logged_request) > now for logged_request in recent)
        if active >= self._politeness.per_address:
            raise Foul(f"{address} has {active + 1} requests at a time")
        if self._politeness.per_address > 1:  # who has begun by then need not wait for an end
            return
        over = max(
            (
                self._end(logged_request)
                for logged_request in recent
                if self._end(logged_request) <= now
            ),
            default=0.0,
        )
        if over and now - over < gap - _ROUNDING:
            raise Foul(f"{address} was asked {now - over:.3f} s after an answer instead of {gap} s")

    def _end(self, request: LoggedRequest) -> float:
        """The end of a request: no client waits longer than this."""
        return min(request.end, request.start + self._timeout)
