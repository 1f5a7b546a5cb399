"""Asks one question at a time of the web's servers, as a crawl would ask them."""

from types import TracebackType

from gossamer.core.agent import name_agent
from gossamer.core.clock import SystemClock
from gossamer.core.poller import Poller
from gossamer.core.records import Page, Via, Visit
from gossamer.core.settings import Settings
from gossamer.core.url import Url
from gossamer.pipeline.dns import NameAnswer, Resolver
from gossamer.pipeline.fetch import Fetcher
from gossamer.pipeline.robots import ENOUGH, Explanation, Gate


class Probe:
    """Resolver, fetcher and robots gate without a ring around them; waits for each answer."""

    def __init__(self, settings: Settings) -> None:
        self._clock, self._poller = SystemClock(), Poller()
        self._resolver = Resolver(settings.dns, self._poller, self._clock)
        agent = name_agent(settings.agent)
        self._fetcher = Fetcher(settings.fetch, agent, self._poller, self._clock)
        self._gate = Gate(settings.robots, settings.agent.product)
        self.last_seconds = 0.0
        """How long the last exchange took."""

    def resolve(self, host: str) -> NameAnswer:
        answer = self._resolver.lookup(host)
        if answer is None:
            self._resolver.start(host)
        while answer is None:
            self._wait()
            self._resolver.finished()
            answer = self._resolver.lookup(host)
        return answer

    def explain_robots(self, url: Url) -> Explanation:
        """Fetch the origin's robots.txt, wherever it was moved to, and say what it means for a URL."""
        target: Url | None = self._gate.request(url.origin)
        while target is not None:
            answer = self.resolve(target.host)
            if answer.outcome is not None:
                page = Page(Visit(target), answer.outcome, self._clock.now(), detail=answer.detail)
            else:
                page = self._fetch(target, answer.addresses[0])
            target = self._gate.learn(url.origin, page, self._clock.now())
        return self._gate.explain(url, self._clock.now())

    def refuses(self, host: str, address: str) -> str:
        """The reason why this address must not be asked; empty when it may be."""
        return self._fetcher.refuses(host, address)

    def crawl_delay(self, url: Url) -> float:
        return self._gate.delay(url.origin)

    def _fetch(self, url: Url, address: str) -> Page:
        self._fetcher.start(Visit(url, via=Via.ROBOTS), address, most=ENOUGH)
        while not (pages := self._fetcher.finished()):
            self._wait()
        self.last_seconds = pages[0].seconds
        return pages[0]

    def _wait(self) -> None:
        wishes = [1.0, self._resolver.next_timeout(), self._fetcher.next_timeout()]
        self._poller.wait(min(wish for wish in wishes if wish is not None))
        self._resolver.tick()
        self._fetcher.tick()

    def __enter__(self) -> "Probe":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._fetcher.close()
        self._resolver.close()
        self._poller.close()
