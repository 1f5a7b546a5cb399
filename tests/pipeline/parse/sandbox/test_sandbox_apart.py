"""A parser that does its worst: the page has a name for it, and the next one is read."""

import os
import select
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gossamer.core.outcomes import ParseFailure
from gossamer.core.poller import Poller
from gossamer.core.records import Document, Page
from gossamer.core.settings import ParseSettings
from gossamer.pipeline.parse import Isolated, Parsers
from gossamer.pipeline.parse.sandbox.sandbox_worker import Worker
from tests.patience import PATIENCE
from tests.pipeline.parse.parse_pages import SPELLING, page_of
from tests.pipeline.parse.sandbox.plugins import install
from tests.present import present

WICKED = Isolated("wicked:read")
SETTINGS = ParseSettings(sandbox_seconds=1.0, sandbox_memory=512 << 20)
LONG = ParseSettings(sandbox_seconds=60.0, sandbox_memory=512 << 20)


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    install(tmp_path, monkeypatch, "")
    return tmp_path


@pytest.fixture
def parsers(path: Path) -> Iterator[Parsers]:
    made = Parsers(SPELLING, "Gossamer", {"x/wicked": WICKED}, LONG)
    yield made
    made.close()


def page(wish: str) -> Page:
    return page_of(wish, "x/wicked")


def read(parsers: Parsers, *wishes: str) -> list[Document]:
    return parsers.parse([page(wish) for wish in wishes])


def test_what_a_child_reads_arrives(parsers: Parsers) -> None:
    [document] = read(parsers, "fine")
    assert (document.title, document.text, document.media_type) == (
        "fine",
        "text",
        "application/x-wicked",
    )
    [link] = document.links
    assert (link.target.text, link.anchor, link.source) == (
        "http://found.example/",
        "found",
        document.url,
    )


@pytest.mark.parametrize(
    ("wish", "failure", "words"),
    [
        ("crash", ParseFailure.CRASHED, "SIGSEGV"),
        ("leave", ParseFailure.CRASHED, "status 7"),
        ("eat", ParseFailure.TOO_LARGE, "memory"),
        ("talk", ParseFailure.TOO_LARGE, "report"),
        ("refuse", ParseFailure.BROKEN, "not today"),
        ("lie", ParseFailure.BROKEN, "returned str, not a gossamer.Document"),
        ("babble", ParseFailure.CRASHED, "invalid data"),
    ],
)
def test_every_misdeed_has_a_name(
    parsers: Parsers, wish: str, failure: ParseFailure, words: str
) -> None:
    bad, good = read(parsers, wish, "fine")
    assert bad.failure is failure
    assert words in bad.page.detail
    assert (bad.links, bad.text, bad.media_type) == ((), "", "x/wicked")
    assert (good.failure, good.title) == (ParseFailure.NONE, "fine")
    assert parsers.statistics().failures == {failure.value: 1}


@pytest.mark.parametrize("wish", ["sleep", "spin"])
def test_a_page_that_takes_too_long(path: Path, wish: str) -> None:
    parsers = Parsers(SPELLING, "Gossamer", {"x/wicked": WICKED}, SETTINGS)
    [document] = read(parsers, wish)
    assert document.failure is ParseFailure.TIMED_OUT
    assert parsers.statistics().children == 0
    parsers.close()


def test_a_core_s_time_is_limited_by_the_child_itself(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even when the clock of the crawl would let it go on."""
    give = Worker.give

    def give_time(self: Worker, *arguments: Any) -> None:
        self._seconds = PATIENCE
        give(self, *arguments)

    monkeypatch.setattr(Worker, "give", give_time)
    parsers = Parsers(SPELLING, "Gossamer", {"x/wicked": WICKED}, SETTINGS)
    [document] = read(parsers, "spin")
    assert document.failure is ParseFailure.TIMED_OUT
    assert "CPU time" in document.page.detail
    parsers.close()


def test_one_child_reads_many_pages_in_order(parsers: Parsers) -> None:
    documents = read(parsers, *["fine"] * 20)
    assert [document.title for document in documents] == ["fine"] * 20
    figures = parsers.statistics()
    assert (figures.pages, figures.started, figures.children, figures.pending) == (20, 1, 1, 0)


def test_a_crash_costs_one_child(parsers: Parsers) -> None:
    documents = read(parsers, "fine", "crash", "fine", "refuse", "fine")
    assert [str(document.failure) for document in documents] == ["", "crashed", "", "broken", ""]
    assert parsers.statistics().started == 2


def test_a_child_that_died_in_its_sleep_costs_nothing(parsers: Parsers) -> None:
    read(parsers, "fine")
    worker = present(parsers._apart)._workers[0]
    worker._process.kill()
    worker._process.wait()
    [document] = read(parsers, "fine")
    assert document.failure is ParseFailure.NONE
    assert parsers.statistics().started == 2


def test_a_parser_that_is_not_there_is_a_failure_of_the_page(path: Path) -> None:
    nobody = Isolated("nobody.is:here")
    parsers = Parsers(SPELLING, "Gossamer", {"x/wicked": nobody}, LONG)
    [document] = read(parsers, "fine")
    assert document.failure is ParseFailure.BROKEN
    parsers.close()


def test_without_a_process_to_be_had_pages_are_given_up(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.executable", "/nowhere/python")
    parsers = Parsers(SPELLING, "Gossamer", {"x/wicked": WICKED}, LONG)
    one, two = read(parsers, "fine", "fine")
    assert one.failure is two.failure is ParseFailure.CRASHED
    assert "no parser process" in one.page.detail
    parsers.close()


def test_nobody_waits_when_there_is_a_poller(path: Path) -> None:
    """Other pages of the batch are read at once; the document comes when its child has answered."""
    poller = Poller()
    parsers = Parsers(SPELLING, "Gossamer", {"x/wicked": WICKED}, LONG, poller)
    slow, quick = page("fine"), page_of("<title>quick</title>")
    [at_once] = parsers.parse([slow, quick])
    assert at_once.title == "quick"
    assert parsers.unread() == [slow.visit]
    arrived: list[Document] = []
    while not arrived:
        poller.wait(60)
        arrived = parsers.parse([])
    assert [document.title for document in arrived] == ["fine"]
    assert arrived[0].page is slow
    assert not parsers.has_unread
    parsers.close()
    poller.close()


def test_a_hung_child_is_waited_for_no_longer_than_it_may_take(path: Path) -> None:
    poller = Poller()
    parsers = Parsers(SPELLING, "Gossamer", {"x/wicked": WICKED}, SETTINGS, poller)
    parsers.parse([page("sleep")])
    arrived: list[Document] = []
    while not arrived:
        timeout = parsers.next_timeout()
        assert timeout is not None
        poller.wait(timeout)
        arrived = parsers.parse([])
    assert arrived[0].failure is ParseFailure.TIMED_OUT
    parsers.close()
    poller.close()


def test_too_many_waiting_pages_say_so(path: Path) -> None:
    poller = Poller()
    parsers = Parsers(SPELLING, "Gossamer", {"x/wicked": WICKED}, LONG, poller)
    parsers.parse([page("fine")] * 200)
    assert not parsers.is_full
    parsers.parse([page("fine")] * 200)
    assert parsers.is_full
    parsers.close()
    poller.close()


def test_closing_ends_a_child_that_is_busy(path: Path) -> None:
    poller = Poller()
    parsers = Parsers(SPELLING, "Gossamer", {"x/wicked": WICKED}, LONG, poller)
    parsers.parse([page("sleep")])
    process = present(parsers._apart)._workers[0]._process
    parsers.close()
    assert process.returncode is not None
    poller.close()


def test_no_descriptor_is_left_behind(path: Path) -> None:
    before = len(os.listdir("/proc/self/fd"))
    parsers = Parsers(SPELLING, "Gossamer", {"x/wicked": WICKED}, LONG)
    read(parsers, "fine", "crash", "fine", "eat", "fine")
    parsers.close()
    assert len(os.listdir("/proc/self/fd")) == before


def test_a_child_starts_without_what_only_the_crawl_needs() -> None:
    """Numba and NumPy would take half a second of each start, and much of its memory."""
    script = (
        "import sys, gossamer.pipeline.parse.sandbox.sandbox_child, "
        "gossamer.pipeline.parse.pdf; print(*sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert not {"numba", "numpy", "pyarrow"} & set(done.stdout.split())


def test_header_fields_count_for_what_is_read_apart(parsers: Parsers) -> None:
    asked = page_of("fine", "x/wicked", ("X-Robots-Tag", "noindex, nofollow"))
    [document] = parsers.parse([asked])
    assert not document.is_indexable
    assert not document.is_followable


LEAVES = """
import os, signal, sys
sys.path[:0] = {path}
from gossamer.core.settings import ParseSettings
from gossamer.pipeline.parse import Isolated, Parsers
from tests.pipeline.parse.parse_pages import SPELLING, page_of
parsers = Parsers(SPELLING, "G", {{"x/wicked": Isolated("wicked:read")}}, ParseSettings(sandbox_seconds=60))
parsers.parse([page_of("fine", "x/wicked")])
print(parsers._apart._workers[0]._process.pid, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_child_does_not_outlive_its_crawl(path: Path) -> None:
    script = LEAVES.format(path=[*filter(None, sys.path), str(Path(__file__).parents[4])])
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    assert done.returncode == -9
    child = int(done.stdout)
    descriptor = None
    try:
        descriptor = os.pidfd_open(child)
        ending = select.poll()  # select knows no descriptor beyond 1023
        ending.register(descriptor, select.POLLIN)
        assert ending.poll(60_000), "the child ends by itself"
    except ProcessLookupError:
        pass  # it has ended already
    finally:
        if descriptor is not None:
            os.close(descriptor)
