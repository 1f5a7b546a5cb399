"""What a page costs after it has arrived, step by step: parse, content seen, traps, store, links, seen set.

    python -m benchmarks.page [--pages 1000] [--batch 8] [FOLDER …]

Pages of installed documentation go through the components of a crawl in batches, as in a turn of the ring,
but without sockets; CPU time of one core. `reading` is parse + sketch + scope together: what it takes to
understand a page.
"""

import argparse
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from benchmarks.report import Row, print_rows
from benchmarks.sites import SITES
from gossamer.analyzers.duplicates.content_seen import Content
from gossamer.analyzers.redundancy.redundancy_filter import RedundancyFilter
from gossamer.core.clock import SystemClock
from gossamer.core.outcomes import Outcome
from gossamer.core.page_batch import PageBatch
from gossamer.core.page_links import as_links
from gossamer.core.records import Candidate, Headers, Judged, Page, Via, Visit
from gossamer.core.settings import Settings
from gossamer.core.url import Spelling
from gossamer.output import Store
from gossamer.pipeline.parse import Parsers
from gossamer.pipeline.scope import Scope
from gossamer.pipeline.seen import DiskSeen, Lately, pack, unpack

_ROOT = "http://127.0.0.1:8080/"
_FIELDS = [
    ("Server", "nginx"),
    ("Date", "Sun, 15 Nov 2026 10:00:00 GMT"),
    ("Content-Type", "text/html"),
    ("Last-Modified", "Mon, 09 Feb 2026 20:00:00 GMT"),
    ("ETag", '"698a4f2c-35a1"'),
]
_HEAD = b"HTTP/1.1 200 OK\r\n" + b"".join(
    b"%b: %b\r\n" % (a.encode(), b.encode()) for a, b in _FIELDS
)
_REQUEST = b"GET / HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nUser-Agent: Gossamer\r\nAccept: */*\r\n\r\n"

T = TypeVar("T")


class Components:
    """The components behind the fetcher, and a watch on what each takes."""

    def __init__(self, folder: Path, spelling: Spelling) -> None:
        settings = Settings()
        seed = spelling.parse(_ROOT)
        assert seed is not None
        self._parsers = Parsers(spelling, "Gossamer")
        self._content = Content(folder / "content", settings.content)
        self._scope = Scope(settings.scope, [seed], 2048)
        self._redundancy = RedundancyFilter(
            settings.detect, spelling, self._scope, folder / "held", pack, unpack
        )
        store, clock = settings.store, SystemClock()
        self._store = Store(folder, store, clock, crawl_toml="", user_agent="", operator="")
        self._seen, self._lately = DiskSeen(folder / "seen", memory=256 << 20), Lately()
        self.costs: Counter[str] = Counter()

    def take(self, pages: Sequence[Page]) -> None:
        """One turn of the ring, from the pages on."""
        documents = self._time("parse", lambda: self._parsers.parse(pages))
        kept = self._time("content", lambda: self._content.judge(documents))
        kept = self._time("traps", lambda: self._redundancy.look(kept))
        self._time("store", lambda: self._store.write(PageBatch(kept)))
        found = self._time("links", lambda: self._redundancy.respell(self._follow(kept)))
        new = self._time("seen", lambda: self._seen.admit(found))
        self._time("traps", lambda: self._redundancy.note_new(new))

    def commit(self) -> None:
        self._time("commit", self._content.commit)
        self._time("commit", self._store.commit)
        self._time("commit", self._store.tidy)

    def finish(self) -> None:
        self._time("tables", self._store.finish)

    def _follow(self, kept: Sequence[Judged]) -> list[Candidate]:
        found = []
        for one in kept:
            links = as_links(one.document.links)
            for place in self._lately.unmet(links.targets):
                link = links[place]
                if self._scope.judge(link, 2) is None:
                    self._lately.meet(link.target)
                    found.append(
                        Candidate(link.target, 2, Via.LINK, one.document.url, 0, link.anchor)
                    )
        return found

    def _time(self, name: str, work: Callable[[], T]) -> T:
        began = time.process_time()
        result = work()
        self.costs[name] += time.process_time() - began
        return result


def measure(folder: Path, name: str, count: int = 1000, batch: int = 8) -> Row:
    spelling = Spelling()
    pages = _pages(folder, spelling, count)
    with tempfile.TemporaryDirectory() as work:
        components = Components(Path(work), spelling)
        warm = len(pages) // 4
        components.take(pages[:warm])
        components.costs.clear()
        for start in range(warm, len(pages), batch):
            components.take(pages[start : start + batch])
            if (start - warm) // batch % 125 == 124:  # about once in a thousand pages
                components.commit()
        components.finish()
    measured = len(pages) - warm
    figures = {f"{step} µs": cost / measured * 1e6 for step, cost in components.costs.items()}
    reading = sum(components.costs[step] for step in ("parse", "content", "traps", "links"))
    figures["all µs"] = components.costs.total() / measured * 1e6
    figures["reading pages/s"] = measured / reading
    figures["KB"] = sum(len(page.body) for page in pages) / len(pages) / 1000
    return Row("page", name, "gossamer", figures)


def _pages(folder: Path, spelling: Spelling, count: int) -> list[Page]:
    return [
        _page(path.relative_to(folder), path.read_bytes(), spelling)
        for path in sorted(folder.rglob("*.html"))[:count]
    ]


def _page(path: Path, body: bytes, spelling: Spelling) -> Page:
    url = spelling.parse(f"{_ROOT}{path}")
    assert url is not None
    visit = Visit(url, 1, Via.LINK, _ROOT)
    return Page(
        visit,
        Outcome.FETCHED,
        time.time(),
        0.001,
        200,
        Headers(_FIELDS),
        _REQUEST,
        _HEAD + b"\r\n",
        body,
        body,
        address="127.0.0.1",
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--pages", type=int, default=1000)
    parser.add_argument("--batch", type=int, default=8)
    arguments = parser.parse_args()
    folders = arguments.folders or [site.folder for site in SITES]
    names = {site.folder: site.name for site in SITES}
    rows = []
    for folder in folders:
        if folder.is_dir():
            name = names.get(folder, folder.name)
            rows.append(measure(folder, name, arguments.pages, arguments.batch))
        else:
            print(f"{folder} is not there; left out")
    print_rows(rows)


if __name__ == "__main__":
    main()
