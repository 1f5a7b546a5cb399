"""Questions to other servers: is this the site's key? will this hub send what is new?

Each is asked in a thread, with libcurl as in a crawl: the address is resolved by our own resolver, the guard
looks at it before a socket is opened, nothing is redirected, and there is a time limit. No login and no
cookie goes along.
"""

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pycurl
from msgspec.structs import replace

from gossamer.core.agent import name_agent
from gossamer.core.clock import SystemClock
from gossamer.core.outcomes import Outcome
from gossamer.core.poller import Poller
from gossamer.core.protocols import Resolving, Whereabouts
from gossamer.core.records import Page, Via, Visit
from gossamer.core.settings import Settings
from gossamer.core.url import Url
from gossamer.engine.world import RealWorld
from gossamer.pipeline.fetch import Fetcher
from gossamer.pipeline.fetch.address_guard import Guard
from gossamer.pipeline.fetch.transfer import Transfer

AT_ONCE = 8
"""Questions under way; others wait for them."""
_SECONDS = 15.0
_FORM = ("Content-Type: application/x-www-form-urlencoded",)


class Asker:
    """Asks one question at a time in each of some threads."""

    def __init__(self, settings: Settings) -> None:
        self._dns = settings.dns
        self._fetch = replace(
            settings.fetch, timeout=_SECONDS, connect_timeout=_SECONDS, logins={}, cookies={}
        )
        self._agent = name_agent(settings.agent)
        self._threads = ThreadPoolExecutor(AT_ONCE, "gossamer-ask")

    async def get(self, url: Url, most: int) -> Page:
        """Fetch the body of a URL, up to this many bytes."""
        return await asyncio.get_running_loop().run_in_executor(
            self._threads, self._ask, url, b"", most
        )

    async def post(self, url: Url, form: bytes) -> Page:
        """Send a form, and return the answer."""
        return await asyncio.get_running_loop().run_in_executor(
            self._threads, self._ask, url, form, 1 << 16
        )

    def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _ask(self, url: Url, form: bytes, most: int) -> Page:
        clock, visit, poller = SystemClock(), Visit(url, via=Via.PUSH), Poller()
        resolver = RealWorld().resolver(self._fetch, self._dns, poller)
        fetcher = Fetcher(self._fetch, self._agent, poller, clock)
        try:
            found = _resolve(url.host, resolver, poller)
            if found.outcome is not None:
                return Page(visit, found.outcome, clock.now(), detail=found.detail)
            address = found.addresses[0]
            if refusal := fetcher.refuses(url.host, address):
                return Page(visit, Outcome.PRIVATE_ADDRESS, clock.now(), detail=refusal)
            return self._exchange(visit, address, form, most)
        finally:
            fetcher.close()
            resolver.close()
            poller.close()

    def _exchange(self, visit: Visit, address: str, form: bytes, most: int) -> Page:
        guard = Guard(self._fetch.allow_private, self._fetch.allow_addresses)
        transfer = Transfer(self._fetch, self._agent, guard, lambda: None)
        transfer.begin(visit, address, _FORM if form else (), SystemClock().now(), most)
        if form:
            transfer.curl.setopt(pycurl.POSTFIELDS, form)
        try:
            transfer.curl.perform()
        except pycurl.error as error:
            return transfer.end(*error.args)
        else:
            return transfer.end(0, "")
        finally:
            transfer.curl.close()


def _resolve(host: str, resolver: Resolving, poller: Poller) -> Whereabouts:
    answer = resolver.lookup(host)
    if answer is None:
        resolver.start(host)
    while answer is None:
        wait = resolver.next_timeout()
        poller.wait(1.0 if wait is None else min(wait, 1.0))
        resolver.tick()
        resolver.finished()
        answer = resolver.lookup(host)
    return answer
