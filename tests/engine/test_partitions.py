"""Crawls of several partitions do what crawls of one do."""

import errno
import os
import random
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any
from unittest.mock import patch
from urllib.parse import urlsplit

import pytest

import gossamer
from gossamer.cluster import partition
from gossamer.core.directory import Directory
from gossamer.core.disk import disk_files
from gossamer.core.settings import BudgetSettings, Settings
from gossamer.core.url import owner_of, pay_level_domain
from gossamer.engine.builder import Builder
from gossamer.engine.ledger import Ledger
from gossamer.lab import ALL_FINITE, ServedWeb, Web, serve
from gossamer.lab.behaviours import Spam
from gossamer.policy.budget import open_admission
from gossamer.verify import inspect
from tests.engine.engine_checking import assert_valid
from tests.engine.engine_crawling import DNS, asked, by_address, by_host, crawl, query
from tests.engine.moments import (
    at_page,
    commit_each_turn,
    in_flight,
    kill_yourself,
    marking,
    stop_yourself,
    waiting_for_a_pause,
)
from tests.engine.test_engine_faults import FailingDisk
from tests.engine.test_known import Site, site
from tests.engine.test_truth import OF_EACH_KIND
from tests.present import parse

__all__ = ["site"]

CLOCK_NOISE = 0.0005


def job(served: ServedWeb, out: Path, partitions: int, **knobs: Any) -> gossamer.Crawl:
    settings = {"delay": 0, "scope": "all", "allow_private": True, **knobs}
    dns = Settings(dns=DNS(servers=(served.dns_address,)))
    return gossamer.Crawl(served.seed_url, out=out, settings=dns, partitions=partitions, **settings)


def test_every_finite_behaviour_at_once(tmp_path: Path) -> None:
    out, partitions = tmp_path / "out", 3
    with serve(Web(seed=partitions, pages=OF_EACH_KIND, hosts=60, behaviours=ALL_FINITE)) as served:
        summary = crawl(served, out, partitions=partitions, dust=False)
        reach, requests = served.web.reachable(), asked(served)
    assert set(requests) == reach.asked
    assert (summary.stopped_by, summary.partitions) == ("finished", partitions)
    assert {requests[url] for url in reach.usable | reach.redirects} == {1}
    rows = query(out, "select url from pages where outcome = 'dns_not_found'")
    assert {url for (url,) in rows} == reach.unresolvable
    assert_valid(out)
    assert [finding for finding in inspect(out) if finding.is_problem] == []


def test_hosts_are_shared_and_each_has_one_owner(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with serve(Web(seed=11, pages=900, hosts=100)) as served:
        summary = crawl(served, out, partitions=2)
        assert set(asked(served)) == served.web.expected()
        assert set(asked(served).values()) == {1}
    for number in range(2):
        [(rows,)] = query(
            out, f"select count(*) from '{out}/pages/{number:05}-*.parquet' where status = 200"
        )
        assert rows > 300
        urls = query(out, f"select url from '{out}/pages/{number:05}-*.parquet'")
        hosts = {parse(url).host for (url,) in urls}
        assert {owner_of(host, 2) for host in hosts} == {number}
    assert summary.exchange["sent"] == summary.exchange["received"] > 100
    assert summary.exchange["left_out"] > 100, "popular links are sent once"
    assert summary.exchange["waiting_bytes"] == 0


def test_copies_are_recognised_across_partitions(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with serve(Web(seed=3, pages=500, hosts=10, behaviours=("duplicates",))) as served:
        summary = crawl(served, out, partitions=2)
        web = served.web
        copies = {url for url in web.reachable().usable if web.duplicate_of(url)}
    pairs = query(out, "select url, duplicate_of from pages where duplicate_of is not null")
    assert len(pairs) == len(copies) == summary.duplicates > 0
    for url, original in pairs:
        assert web.duplicate_of(url) == original or web.duplicate_of(original) == url
    assert summary.refused["duplicate_content"] > 0
    assert summary.exchange["questions"] > 0


def test_max_pages_is_exact(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with serve(Web(seed=3, pages=400, hosts=40)) as served:
        summary = crawl(served, out, partitions=3, max_pages=137)
        assert (summary.pages, summary.stopped_by) == (137, "max_pages")
        assert sum(asked(served).values()) == 137
        assert gossamer.Crawl.resume(out).run().pages == 137, "the limit still holds"
        assert gossamer.Crawl.resume(out, max_pages=300).run().pages == 300
        assert sum(asked(served).values()) == 300
        summary = gossamer.Crawl.resume(out, max_pages=0).run()
        assert set(asked(served)) == served.web.expected()
        assert set(asked(served).values()) == {1}
    assert summary.exchange["sent"] == summary.exchange["received"], "all runs are counted"
    assert summary.stopped_by == "finished"
    assert_valid(out)


def test_another_number_of_partitions_is_refused(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with serve(Web(seed=3, pages=100, hosts=10)) as served:
        crawl(served, out, partitions=2, max_pages=20)
        for number in (1, 3):
            with pytest.raises(
                gossamer.SettingsError, match=f"started with 2 and cannot continue with {number}"
            ):
                gossamer.Crawl.resume(out, partitions=number)
        assert gossamer.Crawl.resume(out, max_pages=0).run().stopped_by == "finished"
        assert set(asked(served)) == served.web.expected()


def test_documents_of_all_partitions_arrive(tmp_path: Path) -> None:
    with serve(Web(seed=9, pages=200, hosts=20)) as served:
        pages = [(page.url, page.title, len(page.links)) for page in job(served, tmp_path / "a", 2)]
        assert sorted(url for url, *_ in pages) == sorted(served.web.expected())
        assert all(title for _, title, _ in pages)
        leaving = job(served, tmp_path / "b", 2)
        for number, _ in enumerate(leaving):
            if number == 50:
                break
        assert leaving.summary().stopped_by == "abandoned"
        resumed = gossamer.Crawl.resume(tmp_path / "b").run()
    assert resumed.pages == len(pages)
    assert_valid(tmp_path / "b")


def test_functions_of_ones_own_work_in_every_partition(tmp_path: Path) -> None:
    def shout(page: gossamer.Page) -> gossamer.Document:
        found = parse(served.seed_url)
        return gossamer.Document(page, title="MINE", links=(gossamer.Link(page.url, found),))

    with serve(Web(seed=9, pages=100, hosts=5)) as served:
        seeds = [served.web.url(site, 0) for site in range(5)]
        dns = Settings(dns=DNS(servers=(served.dns_address,)))
        crawl = gossamer.Crawl(
            *seeds,
            out=tmp_path / "out",
            settings=dns,
            partitions=2,
            delay=0,
            allow_private=True,
            parsers={"text/html": shout},
            scope=lambda link: link.target.text == served.seed_url,
        )
        assert {page.title for page in crawl} == {"MINE"}
    assert len({owner_of(parse(seed).host, 2) for seed in seeds}) == 2


def test_names_of_one_address_in_different_partitions_share_its_turns(tmp_path: Path) -> None:
    with serve(Web(seed=6, pages=250, hosts=150), addresses=5) as served:
        summary = crawl(
            served,
            tmp_path / "out",
            partitions=2,
            delay=0.3,
            factor=1.0,
            per_address=1,
            address_delay=0.03,
        )
        requests, expected = served.requests(), served.web.expected()
    assert summary.pages == len(expected)
    for visits in by_host(requests).values():
        for earlier, later in pairwise(visits):
            assert later.start - earlier.end >= 0.3 - CLOCK_NOISE
    assert len(by_address(requests)) == 5
    for visits in by_address(requests).values():
        assert {owner_of(visit.host, 2) for visit in visits} == {0, 1}
        for earlier, later in pairwise(visits):
            assert later.start - earlier.end >= 0.03 - CLOCK_NOISE


def test_no_domain_has_more_pages_than_its_budget_in_each_round(tmp_path: Path) -> None:
    """A domain's budget is kept by the one partition that has all its hosts."""
    out, spam = tmp_path / "out", Spam(branching=30)
    budget = BudgetSettings(kind="on", function="equal", lowest=10)
    with serve(Web(seed=7, pages=3000, hosts=120, behaviours=(spam,))) as served:
        summary = crawl(served, out, budget, partitions=2, max_pages=1500)
    rows = query(out, "select url from pages where outcome = 'fetched'")
    hosts = [parse(url).host for (url,) in rows]
    pages = Counter(map(pay_level_domain, hosts))
    assert pages.total() == summary.pages == 1500
    for domain, count in pages.items():
        assert count <= 10 * _rounds(out, owner_of(domain, 2), budget)
    # How many rounds there are depends on the machine: a partition begins its next one when it has
    # nothing else to do, which may be while it waits for links from the other.
    assert pages[spam.domain] > 0


def _rounds(out: Path, number: int, budget: BudgetSettings) -> int:
    folder = Directory(out, number).state
    record = Ledger.read(folder)
    admission = open_admission(Settings(budget=budget), folder / "budget", record.state("budget"))
    try:
        return admission.statistics().round
    finally:
        admission.close()


def test_in_degrees_are_those_of_one_partition(tmp_path: Path) -> None:
    """Links are counted by the owner of the domain they lead to, wherever they were found."""
    top: dict[int, Counter[str]] = {}
    for partitions in (1, 2):
        with serve(Web(seed=8, pages=400, hosts=40)) as served:
            out = tmp_path / str(partitions)
            crawl(served, out, partitions=partitions)
        top[partitions] = Counter()
        for number in range(partitions):
            folder = Directory(out, number).state
            record = Ledger.read(folder)
            settings = Settings(budget=BudgetSettings(kind="on"))
            admission = open_admission(settings, folder / "budget", record.state("budget"))
            for one in admission.statistics().top:
                assert owner_of(one.name, partitions) == number
                top[partitions][one.name] = one.in_degree
            admission.close()
    best = dict(top[1].most_common(10))
    assert {name: top[2][name] for name in best} == best


def test_a_pause_starts_no_visits(tmp_path: Path) -> None:
    quiet = tmp_path / "quiet"
    with (
        serve(Web(seed=3, pages=300, hosts=30)) as served,
        waiting_for_a_pause(pages=40),
        marking(lambda one: one._switch.is_paused and not in_flight(one), quiet),
    ):
        crawl = job(served, tmp_path / "out", 2)
        turns = crawl.turns()
        _run_until(turns, lambda: crawl.summary().pages > 30)
        crawl.pause()
        _run_until(turns, lambda: len(list(quiet.iterdir())) == 2)
        before = len(served.requests())
        _run(turns, seconds=1.0)
        assert len(served.requests()) == before
        crawl.go_on()
        for _ in turns:
            pass
        assert set(asked(served)) == served.web.expected()
    assert crawl.stopped_by == "finished"


def _run_until(turns: Iterator[object], is_enough: Callable[[], bool]) -> None:
    next(turns)
    while not is_enough():
        next(turns)


def _run(turns: Iterator[object], seconds: float) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        next(turns)


def test_a_partition_that_dies_is_started_again(tmp_path: Path) -> None:
    out, killed = tmp_path / "out", tmp_path / "killed"

    def die() -> None:
        assert (out / "state" / "00001" / "checkpoint").exists(), "there is something to go back to"
        kill_yourself()

    with (
        serve(Web(seed=3, pages=500, hosts=30)) as served,
        commit_each_turn(),
        at_page(50, 1, killed, die),
    ):
        crawl = job(served, out, 2, journal_bytes=20_000)
        crawl.run()
        assert set(asked(served)) == served.web.expected()
    assert killed.exists()
    assert crawl.stopped_by == "finished"
    assert crawl.summary().exchange["restarts"] == 1
    assert crawl.summary().pages == len(served.web.expected())
    assert_valid(out)


def test_what_was_fetched_before_all_had_begun_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The partition that has the seed begins alone, and is asked about every content.

    Which partition has a host or a content depends on a hash, of names and of pages that name a port.
    """
    out, opened = tmp_path / "out", partition.Partition._builder

    with serve(Web(seed=3, pages=300, hosts=30)) as served:
        first = owner_of(urlsplit(served.seed_url).hostname, 2)

        def open_one(self: partition.Partition) -> Builder:
            if self._number != first:
                signal.pause()  # until it is ended
            return opened(self)

        monkeypatch.setattr(partition.Partition, "_builder", open_one)
        monkeypatch.setattr("gossamer.cluster.shared_content.spread", lambda key, partitions: first)
        crawl = job(served, out, 2)
        turns = crawl.turns()
        _run_until(turns, lambda: crawl.summary().pages > 5)
        with pytest.raises(KeyboardInterrupt):
            turns.throw(KeyboardInterrupt)
        monkeypatch.undo()
        assert gossamer.Crawl.resume(out).run().stopped_by == "finished"
        assert set(asked(served)) == served.web.expected()
    assert_valid(out)


def test_a_host_that_was_asked_before_all_had_begun_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One partition has asked for a robots.txt, and has no page yet, when the crawl is interrupted."""
    out, opened = tmp_path / "out", partition.Partition._builder

    with serve(Web(seed=3, pages=30, hosts=5)) as served:
        first = owner_of(urlsplit(served.seed_url).hostname, 2)

        def open_one(self: partition.Partition) -> Builder:
            if self._number != first:
                signal.pause()  # until it is ended
            return opened(self)

        monkeypatch.setattr(partition.Partition, "_builder", open_one)
        turns = job(served, out, 2, delay=250.0).turns()
        _run_until(turns, lambda: bool(served.requests()))
        with pytest.raises(KeyboardInterrupt):
            turns.throw(KeyboardInterrupt)
        monkeypatch.undo()
        _assert_hosts_are_left_alone(served, out)


def test_a_host_that_was_asked_before_anybody_heard_of_it_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first partition has asked for a robots.txt when there is no room for the second process."""
    out, fork, forked = tmp_path / "out", os.fork, list[int]()

    with serve(Web(seed=3, pages=30, hosts=5)) as served:
        host = urlsplit(served.seed_url).hostname
        partitions = next(count for count in range(2, 99) if owner_of(host, count) == 0)

        def fork_once() -> int:
            if not forked:
                forked.append(fork())
                return forked[0]
            while not served.requests():
                pass
            raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))

        monkeypatch.setattr(os, "fork", fork_once)
        with pytest.raises(BlockingIOError):
            job(served, out, partitions, delay=250.0).run()
        monkeypatch.undo()
        _assert_hosts_are_left_alone(served, out)


def _assert_hosts_are_left_alone(served: ServedWeb, out: Path) -> None:
    """Only a robots.txt was asked for, and the resumed crawl takes that into account."""
    assert [request.path for request in served.requests()] == ["/robots.txt"]
    with gossamer.Crawl.resume(out) as crawl:
        _run_until(crawl.turns(), lambda: crawl.seconds_delayed > 0)
        assert crawl.seconds_delayed > 200


def test_a_crawl_of_which_no_partition_could_begin_leaves_nothing_behind(tmp_path: Path) -> None:
    out = tmp_path / "out"

    def fail(self: partition.Partition) -> Builder:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with (
        serve(Web(seed=3, pages=30, hosts=5)) as served,
        patch.object(partition.Partition, "_builder", fail),
        pytest.raises(OSError, match="No space left"),
    ):
        job(served, out, 2).run()
    assert not out.exists()


def test_a_partition_that_hangs_is_started_again(tmp_path: Path) -> None:
    out, stopped = tmp_path / "out", tmp_path / "stopped"
    with (
        serve(Web(seed=3, pages=500, hosts=30)) as served,
        at_page(50, 1, stopped, stop_yourself),
    ):
        crawl = job(served, out, 2, hung_after=5.0)
        crawl.run()
        assert set(asked(served)) == served.web.expected()
    assert stopped.exists()
    assert crawl.stopped_by == "finished"
    assert crawl.summary().exchange["restarts"] >= 1
    assert crawl.summary().pages == len(served.web.expected())
    assert_valid(out)


def test_a_partition_that_dies_again_and_again_ends_the_crawl(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with serve(Web(seed=3, pages=300, hosts=30)) as served:
        assert job(served, out, 2, max_pages=50).run().pages == 50
        checkpoint = out / "state" / "00001" / "checkpoint"
        whole = checkpoint.read_bytes()
        checkpoint.write_bytes(whole[:-1])
        with pytest.raises(gossamer.GossamerError, match=r"checkpoint is damaged") as damage:
            gossamer.Crawl.resume(out, max_pages=0).run()
        assert "continue with" not in str(damage.value), "that would not mend it"
        checkpoint.write_bytes(whole)
        crawl = gossamer.Crawl.resume(out, max_pages=0)
        with pytest.raises(
            gossamer.GossamerError, match=r"partition 1 crashed again and again .*gossamer resume"
        ):
            _kill_again_and_again(crawl, 1)
        assert gossamer.Crawl.resume(out).run().stopped_by == "finished"
        assert set(asked(served)) == served.web.expected()
    assert_valid(out)


def test_who_dies_again_and_again_at_the_start_can_go_on(tmp_path: Path) -> None:
    """The message says that the crawl can be continued, so it must be there."""
    out, live = tmp_path / "out", partition.Partition.live

    def die_early(self: partition.Partition) -> Iterator[None]:
        if self._number == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return live(self)

    with serve(Web(seed=3, pages=30, hosts=5)) as served:
        with (
            patch.object(partition.Partition, "live", die_early),
            pytest.raises(
                gossamer.GossamerError, match=r"crashed again and again .*gossamer resume"
            ),
        ):
            job(served, out, 2).run()
        assert gossamer.Crawl.resume(out).run().stopped_by == "finished"
        assert set(asked(served)) == served.web.expected()


def _kill_again_and_again(crawl: gossamer.Crawl, number: int) -> None:
    for _ in crawl.turns():
        if number in crawl.pids():
            os.kill(crawl.pids()[number], signal.SIGKILL)


def test_robots_txt_moved_to_a_neighbours_host(tmp_path: Path) -> None:
    """It is fetched by the owner of that host, and obeyed by the one that needs it."""
    with serve(Web(seed=4, pages=400, hosts=60, behaviours=("robots",))) as served:
        summary = crawl(served, tmp_path / "out", partitions=3)
        names, reach, requests = served.web.names, served.web.reachable(), asked(served)
        moved = [one for one in served.requests() if one.path.startswith("/policies/robots-")]
    sites = [int(one.path.removeprefix("/policies/robots-")[:-4]) for one in moved]
    storages = [owner_of(names[site], 3) for site in sites]
    assert [owner_of(one.host, 3) for one in moved] != storages, "some were moved to a neighbour"
    assert set(requests) == reach.asked
    assert len(set(moved)) == len(moved)
    assert summary.stopped_by == "finished"


def test_what_a_seed_redirects_to_is_in_scope_everywhere(site: Site, tmp_path: Path) -> None:
    site.pages["/"] = '<a href="/one">'
    moved = site.url.replace("127.0.0.1", "localhost")
    site.redirects[moved.partition("://")[2].rstrip("/")] = site.url
    partitions = next(
        n for n in range(2, 9) if owner_of("localhost", n) != owner_of("127.0.0.1", n)
    )
    out = tmp_path / "out"
    gossamer.Crawl(moved, out=out, delay=0, allow_private=True, partitions=partitions).run()
    urls = {url for (url,) in query(out, "select url from pages")}
    assert {site.url, site.url + "one", site.url + "two"} <= urls


def test_a_neighbour_that_lags_is_given_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What waits for it is bounded: its neighbour starts no visits until it has caught up."""
    monkeypatch.setattr(partition, "_MOST_WAITING", 10_000)
    asleep, told, waits = tmp_path / "asleep", tmp_path / "told", tmp_path / "waits"
    looks = 0

    def is_waiting(one: partition.Partition) -> bool:
        """Also after a turn in which it heard the last words of its neighbour."""
        nonlocal looks
        is_full = one._exchange.mailbox.longest_bytes > 10_000 and not in_flight(one)
        looks = looks + 1 if is_full and told.exists() else 0
        return looks >= 3

    with serve(Web(seed=13, pages=2400, hosts=240)) as served:
        awake = owner_of(parse(served.seed_url).host, 2)  # it has work from the beginning
        with at_page(25, 1 - awake, asleep, stop_yourself), marking(is_waiting, waits):
            crawl = job(served, tmp_path / "out", 2)
            turns = crawl.turns()
            _run_until(turns, asleep.exists)
            next(turns)  # now the last words are passed on
            told.touch()
            _run_until(turns, (waits / str(awake)).exists)
            sleeper = crawl.pids()[1 - awake]
            try:
                before = set(asked(served))
                _run(turns, seconds=1.0)
                assert set(asked(served)) == before
                assert crawl.summary().exchange["waiting_bytes"] < 200_000
            finally:
                os.kill(sleeper, signal.SIGCONT)
        for _ in turns:
            pass
        own = {url for url in served.web.expected() if owner_of(parse(url).host, 2) == awake}
        assert not own <= before, "it would have gone on"
        assert set(asked(served)) == served.web.expected()


def test_a_disk_that_fails_in_a_partition(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out, chance, failures = tmp_path / "out", random.Random(5), 0
    with serve(Web(seed=22, pages=400, hosts=60, behaviours=("redirects",))) as served:
        job(served, out, 2, max_pages=100, rows=300, checkpoint_every=0.2).run()
        for _ in range(5):
            disk = FailingDisk(chance.randrange(20, 150), errno.ENOSPC)
            monkeypatch.setattr(disk_files, "system", disk)
            try:
                gossamer.Crawl.resume(out, max_pages=0).run()
            except OSError as error:
                failures += error.errno == errno.ENOSPC
            monkeypatch.setattr(disk_files, "system", disk_files.System())
        summary = gossamer.Crawl.resume(out).run()
        counts, reach = asked(served), served.web.reachable()
    assert failures >= 2
    assert summary.stopped_by == "finished"
    assert set(counts) == reach.asked
    rows = [url for (url,) in query(out, "select url from pages where status > 0")]
    assert sorted(rows) == sorted(reach.asked), "each is recorded once"
    assert_valid(out)
