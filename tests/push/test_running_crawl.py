"""Pages that are announced are visited at once by a crawl that runs: real sockets, the simulated web."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import Queue
from threading import Thread
from typing import Any

import gossamer
from gossamer.core.records import Document, Via
from gossamer.core.settings import BudgetSettings
from gossamer.lab import ServedWeb, Web, serve
from tests.engine.engine_crawling import DNS, url_of
from tests.patience import PATIENCE
from tests.push.announcing import KEY, Announcing
from tests.push.hub import serve_hub
from tests.push.posting import listening

PAGES = 12
GAP = 0.05


class RunningCrawl:
    """A continuous crawl in a thread: when it has visited all pages, none is due for a quarter of an hour."""

    def __init__(self, served: ServedWeb, out: Path) -> None:
        dns = DNS(servers=(served.dns_address,))
        settings = gossamer.Settings(dns=dns, budget=BudgetSettings(kind="off"))
        knobs: dict[str, Any] = {
            "soft_errors": False,
            "continuous": True,
            "announced": True,
            "delay": GAP,
        }
        self.job = gossamer.Crawl(
            *(served.seed_url,),
            out=out,
            settings=settings,
            scope="all",
            allow_private=True,
            **knobs,
        )
        self.documents: Queue[Document] = Queue()
        self._thread = Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        for document in self.job:
            self.documents.put(document)

    def visit_all(self, web: Web) -> list[str]:
        """All pages, when each was visited once."""
        left, urls = set(web.reachable().asked), list[str]()
        while left:
            urls.append(self.documents.get(timeout=PATIENCE).url)
            left.discard(urls[-1])
        return urls

    def next_pushed(self) -> str:
        while True:
            document = self.documents.get(timeout=PATIENCE)
            if document.page.visit.via is Via.PUSH:
                return document.url

    def end(self) -> gossamer.Summary:
        self.job.stop("enough")
        self._thread.join(PATIENCE)
        return self.job.summary()


@contextmanager
def crawling(served: ServedWeb, out: Path) -> Iterator[RunningCrawl]:
    crawl = RunningCrawl(served, out)
    try:
        yield crawl
    finally:
        crawl.end()


def test_pages_announced_by_index_now_are_visited_at_once(tmp_path: Path) -> None:
    out, web = tmp_path / "out", Web(seed=3, pages=PAGES, hosts=2, behaviours=(Announcing(),))
    with serve(web) as served, crawling(served, out) as crawl:
        urls = crawl.visit_all(served.web)
        host = urls[2].split("/")[2]
        others = [url for url in urls if url.split("/")[2] == host]
        with listening(out, websub=False) as listener:
            assert listener.index_now(urls[1], KEY) == 200
            assert crawl.next_pushed() == urls[1]
            assert listener.index_many(host, KEY, others) == 200
            assert {crawl.next_pushed() for _ in others} == set(others)
            assert listener.taken == {"indexnow": 1 + len(others)}
            assert listener.refused == {}
        summary = crawl.end()
        asked = [url_of(served, one) for one in served.requests()]
    assert asked.count(urls[1]) == 2 + (urls[1] in others)
    assert summary.scheduled == len(set(urls)), "each page is due once, as before"


def test_a_topic_of_a_hub_is_visited_at_once(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with serve_hub() as hub:
        web = Web(seed=3, pages=PAGES, hosts=2, behaviours=(Announcing(hub.url),))
        with serve(web) as served, crawling(served, out) as crawl:
            urls = crawl.visit_all(served.web)
            with listening(out, hubs_every=0.05) as listener:
                wanted = hub.asked.get(timeout=PATIENCE)
                assert (wanted["status"], wanted["said"]) == ("200", "chäl&lenge")
                assert wanted["hub.topic"] in urls
                assert hub.tell(wanted) == 202
                assert crawl.next_pushed() == wanted["hub.topic"]
                assert listener.taken["websub"] == 1
                assert listener.refused == {}
