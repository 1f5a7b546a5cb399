"""URLs that are announced to a crawl: each is taken in once, whoever dies, and becomes no second life."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from gossamer.core.directory import Directory
from gossamer.core.errors import DamageError, DirectoryError
from gossamer.core.records import Judged, Via
from gossamer.engine import inbox as module
from gossamer.engine.inbox import Announcement, Inbox, InboxWriter
from gossamer.lab import Web
from gossamer.lab.simulator.simulated_disk import SimulatedDisk
from gossamer.lab.simulator.simulated_world import SimulatedCrawl
from tests.engine.engine_crawling import query
from tests.engine.scripted import Bench, ScriptedWorld, html
from tests.engine.virtual import crawl_virtually
from tests.examples import PROFILE

SEED, KNOWN, NEW = "http://a.test/", "http://a.test/1", "http://a.test/new"
KILLED_AFTER = [0, 3, 11, 40, 95] if PROFILE == "new" else [0, 11, 95]
"""Operations of the disk: nobody dies, and somebody early or late; more of them in `make soak`."""
PAGES = {SEED: html(KNOWN), KNOWN: html(SEED, text="one"), NEW: html(text="new")}


def announce(out: Path, *urls: str) -> None:
    announce_in(Directory(out).inbox, *urls)


def announce_in(folder: Path, *urls: str) -> None:
    writer = InboxWriter(folder)
    writer.write(Announcement("http://hub.test/", list(urls)))
    writer.close()


def bench(out: Path, world: ScriptedWorld | None = None) -> Bench:
    """A continuous crawl that has visited what there is."""
    found = Bench(
        out, world or ScriptedWorld(dict(PAGES)), SEED, continuous=True, announced=True, delay=0
    )
    found.begin()
    found.turn_until(lambda: found.job.ring.counters.pages == 2)
    return found


def vias(kept: list[Judged]) -> list[tuple[str, Via]]:
    return [(one.document.url, one.document.page.visit.via) for one in kept]


def asked(crawl: Bench, url: str) -> int:
    return sum(text == url for _, text in crawl.world.server.asked)


def scheduled(crawl: Bench) -> int:
    return crawl.job.ring.components.frontier.statistics().scheduled


def test_a_known_page_is_visited_beside_its_schedule(tmp_path: Path) -> None:
    crawl = bench(tmp_path / "out")
    announce(tmp_path / "out", KNOWN)
    before = crawl.world.clock.now()
    kept = crawl.turn_until(
        lambda: asked(crawl, KNOWN) == 2 and not len(crawl.job.ring.components.inbox)
    )
    assert vias(kept) == [(KNOWN, Via.PUSH)]
    assert kept[0].document.page.started - before < 3, "it did not wait for anything"
    assert scheduled(crawl) == 2, "it is due once, as before"


def test_it_is_the_next_visit_of_its_host_after_one_gap(tmp_path: Path) -> None:
    """However many wait there. The gap is kept: announced pages are asked for as politely as others."""
    world = ScriptedWorld({SEED: html(*(f"{SEED}{number}" for number in range(40)))})
    crawl = Bench(tmp_path / "out", world, SEED, delay=10.0, announced=True, factor=0.0)
    ring, asked_before = crawl.begin(), list[tuple[float, str]]()

    def has_asked(times: int) -> bool:
        commit(crawl)
        return ring.counters.pages >= times and not ring.components.fetcher.in_flight

    crawl.turn_until(lambda: has_asked(5))
    asked_before = [*world.server.asked]
    announce(tmp_path / "out", SEED)
    crawl.turn_until(lambda: has_asked(6))
    [(time, url)] = world.server.asked[len(asked_before) :]
    assert url == SEED
    assert 10.0 <= time - asked_before[-1][0] <= 10.0 + 3.0


def test_a_page_that_nobody_knew_is_visited_and_due_again(tmp_path: Path) -> None:
    crawl = bench(tmp_path / "out")
    announce(tmp_path / "out", NEW, NEW)
    crawl.turn_until(lambda: scheduled(crawl) == 3)
    assert asked(crawl, NEW) == 1


def test_a_page_that_is_announced_often_is_visited_once(tmp_path: Path) -> None:
    crawl = bench(tmp_path / "out")
    for _ in range(5):
        announce(tmp_path / "out", KNOWN, KNOWN)
    crawl.turn_until(lambda: asked(crawl, KNOWN) > 1 and not len(crawl.job.ring.components.inbox))
    assert asked(crawl, KNOWN) == 2


def test_what_the_scope_does_not_want_is_refused(tmp_path: Path) -> None:
    world = ScriptedWorld(dict(PAGES))
    crawl = Bench(tmp_path / "out", world, SEED, delay=0, announced=True, exclude=("secret",))
    ring = crawl.begin()
    crawl.turn_until(lambda: ring.counters.pages == 2)
    announce(tmp_path / "out", "http://a.test/secret", "file:///etc/passwd", "no URL at all")
    crawl.turn(3)
    assert ring.counters.refused == Counter({"excluded": 1, "scheme": 1})
    assert len(ring.components.frontier) == 0


def test_an_announced_redirect_makes_no_home(tmp_path: Path) -> None:
    moved = (302, {"Location": "http://elsewhere.test/"}, "")
    world = ScriptedWorld({SEED: html(KNOWN), KNOWN: moved})
    crawl = Bench(tmp_path / "out", world, SEED, delay=0, announced=True, scope="host")
    ring = crawl.begin()
    crawl.turn_until(lambda: ring.counters.pages == 2)
    announce(tmp_path / "out", KNOWN)
    crawl.turn_until(lambda: ring.counters.pages == 3)
    crawl.turn(3)
    assert asked(crawl, "http://elsewhere.test/") == 0


def test_nothing_is_read_unless_it_is_switched_on(tmp_path: Path) -> None:
    crawl = Bench(tmp_path / "out", ScriptedWorld(dict(PAGES)), SEED, delay=0)
    ring = crawl.begin()
    crawl.turn_until(lambda: ring.counters.pages == 2)
    announce(tmp_path / "out", KNOWN, NEW)
    crawl.turn(5)
    assert ring.counters.pages == 2


def commit(crawl: Bench) -> None:
    crawl.job.ring.recorder.commit(1.0)


def checkpoint(crawl: Bench) -> None:
    crawl.job.ring.recorder.checkpoint(1.0)


def nothing(crawl: Bench) -> None:
    """Die as it is."""


@pytest.mark.parametrize("first", [nothing, commit, checkpoint])
@pytest.mark.parametrize("then", [nothing, commit, checkpoint])
@pytest.mark.parametrize("turns", [0, 1, 2, 4])
def test_each_is_taken_in_once_across_kills(
    tmp_path: Path, first: Callable[[Bench], None], then: Callable[[Bench], None], turns: int
) -> None:
    """Killed after each turn, with and without a commit and a checkpoint before it and after the reading."""
    out, crawl = tmp_path / "out", bench(tmp_path / "out")
    checkpoint(crawl)
    announce(out, KNOWN, NEW)
    crawl.turn(1)
    first(crawl)
    crawl.turn(turns)
    then(crawl)
    crawl.die()
    again = Bench(out, crawl.world, is_new=False)
    ring = again.begin()
    again.turn_until(
        lambda: not len(ring.components.frontier) and not ring.components.fetcher.in_flight
    )
    again.turn(3)
    ring.recorder.commit(2.0)
    assert scheduled(again) == 3, "each page has one life"
    assert len(ring.components.inbox) == 0
    again.switch.stop("interrupted")
    again.job.finish()
    again.die()
    rows = query(out, f"select url, via from pages where url <> '{SEED}' order by fetched_at")
    assert Counter(rows) == {(KNOWN, "link"): 1, (KNOWN, "push"): 1, (NEW, "push"): 1}


def test_an_extra_visit_drops_no_other_visit_when_the_crawl_goes_on(tmp_path: Path) -> None:
    """The page is due, and waits, when its extra visit ends. After a crash, the one that is due is left."""
    out, crawl = tmp_path / "out", bench(tmp_path / "out")
    checkpoint(crawl)
    announce(out, KNOWN)
    crawl.turn_until(lambda: asked(crawl, KNOWN) == 2 and not len(crawl.job.ring.components.inbox))
    commit(crawl)
    crawl.die()
    again = Bench(out, crawl.world, is_new=False)
    again.begin()
    assert scheduled(again) == 2
    crawl.world.clock.advance(100 * 86_400.0)
    again.turn_until(lambda: asked(again, KNOWN) == 3)


def test_a_resting_crawl_reads_it_when_it_goes_on(tmp_path: Path) -> None:
    out, world = tmp_path / "out", ScriptedWorld(dict(PAGES))
    crawl = Bench(out, world, SEED, delay=0, announced=True)
    ring = crawl.begin()
    crawl.turn_until(lambda: ring.idle_time.is_idle)
    crawl.switch.stop("finished")
    crawl.job.finish()
    crawl.die()
    announce(out, KNOWN, NEW)
    again = Bench(out, world, is_new=False)
    ring = again.begin()
    assert not ring.idle_time.is_idle, "it does not end before it has looked"
    again.turn_until(lambda: ring.idle_time.is_idle)
    assert (asked(again, KNOWN), asked(again, NEW)) == (2, 1)


def test_a_long_inbox_goes_on_in_another_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_LONGEST", 200)
    crawl = bench(tmp_path / "out")
    writer = InboxWriter(Directory(tmp_path / "out").inbox)
    for number in range(20):
        writer.write(Announcement("http://hub.test/", [f"{SEED}page-{number}"]))
        writer.tidy(0)
    files = len([*Directory(tmp_path / "out").inbox.glob("journal-*")])
    assert files > 5
    crawl.turn_until(lambda: asked(crawl, f"{SEED}page-19") == 1)
    assert [asked(crawl, f"{SEED}page-{number}") for number in range(20)] == [1] * 20
    checkpoint(crawl)
    place = module.read_inbox_state(crawl.job.ring.components.inbox.checkpoint()).place
    writer.tidy(place[0])
    writer.close()
    assert len([*Directory(tmp_path / "out").inbox.glob("journal-*")]) == 1


def test_the_inbox_waits_while_many_are_to_be_visited(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_MOST_WAITING", 1)
    crawl = bench(tmp_path / "out")
    announce(tmp_path / "out", KNOWN)
    crawl.turn(1)
    announce(tmp_path / "out", SEED)
    crawl.turn(1, seconds=0.6)
    assert len(crawl.job.ring.components.inbox) == 1
    crawl.turn_until(lambda: asked(crawl, SEED) == 2)


def test_a_damaged_inbox_is_named(tmp_path: Path) -> None:
    out, crawl = tmp_path / "out", bench(tmp_path / "out")
    announce(out, KNOWN)
    crawl.turn_until(lambda: asked(crawl, KNOWN) == 2)
    checkpoint(crawl)
    crawl.die()
    [file] = Directory(out).inbox.glob("journal-*")
    file.write_bytes(file.read_bytes()[:30])
    with pytest.raises(DamageError, match="is shorter"):
        Bench(out, crawl.world, is_new=False).begin()


def test_what_a_killed_writer_left_half_written_is_not_read(tmp_path: Path) -> None:
    announce_in(tmp_path, "http://a.test/1")
    [file] = tmp_path.glob("journal-*")
    whole = file.read_bytes()
    announce_in(tmp_path, "http://a.test/2")
    both = file.read_bytes()
    for size in range(len(whole), len(both)):
        file.write_bytes(both[:size])
        inbox = Inbox(tmp_path)
        assert [one.urls for one in inbox.look(0.0)] == [["http://a.test/1"]]
        announce_in(tmp_path, "http://a.test/3")
        assert [one.urls for one in inbox.look(1.0)] == [["http://a.test/3"]], size


def test_a_long_inbox_is_read_in_portions(tmp_path: Path) -> None:
    lists = [[f"http://a.test/{place}-{number}" for number in range(9_000)] for place in range(9)]
    for urls in lists:
        announce_in(tmp_path, *urls)
    inbox, found, most = Inbox(tmp_path), list[list[str]](), 0
    for now in range(20):
        some = [one.urls for one in inbox.look(float(now))]
        most = max(most, len(some))
        found += some
    assert found == lists
    assert 1 < most < len(lists)


def test_one_writer_is_enough(tmp_path: Path) -> None:
    writer = InboxWriter(tmp_path)
    with pytest.raises(DirectoryError, match="can have only one `gossamer listen`"):
        InboxWriter(tmp_path)
    writer.close()
    InboxWriter(tmp_path).close()


@pytest.mark.parametrize("operations", KILLED_AFTER)
def test_each_url_goes_to_its_owner(tmp_path: Path, operations: int) -> None:
    """With several partitions, each URL is visited once more, by the one that has its host, whoever dies."""
    out, web = tmp_path / "out", Web(seed=5, pages=60, hosts=6)
    told: list[str] = []

    def look(crawl: SimulatedCrawl, disk: SimulatedDisk) -> None:
        if told or crawl.summary().pages < 30:
            return
        urls = query(out, "select url from pages where status = 200 order by url")
        told.extend(url for (url,) in urls)
        announce(out, *told)
        disk.kill_after = operations

    summary, _ = crawl_virtually(
        web, out, look=look, partitions=3, announced=True, tables_every=0.1, delay=1.0
    )
    assert len({url.split("/")[2] for url in told}) > 1, "more than one host"
    assert summary.stopped_by == "finished"
    assert bool(summary.exchange["restarts"]) == bool(operations)
    rows = Counter(query(out, "select url, via from pages"))
    assert {url for (url, via) in rows if via == "push"} == set(told)
    assert set(rows.values()) == {1}
