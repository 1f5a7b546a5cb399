import errno
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from gossamer.core.disk import disk_files
from gossamer.core.disk.chunks import Chunks
from gossamer.core.protocols import Frontier
from gossamer.core.records import VISITED, Visit
from gossamer.pipeline.frontier import DiskFrontier, LevelShare
from tests.conformance.frontier_suite import FrontierSuite, candidate, drain, put, relevel
from tests.core.disk.broken import BrokenSystem


class TestDiskFrontier(FrontierSuite):
    memory = 128 << 20

    @pytest.fixture(autouse=True)
    def _give_folders(self, tmp_path: Path) -> None:
        self._folder = tmp_path

    def make(
        self, levels: int = 4, back_queues: int = 100, per_host: int = 1, spacing: float = 0.0
    ) -> Frontier:
        return DiskFrontier(
            self._folder,
            levels,
            back_queues,
            per_host,
            random=Random(7),
            spacing=spacing,
            memory=self.memory,
        )


class TestDiskFrontierWithoutMemory(TestDiskFrontier):
    """Every host is parked as soon as it can be."""

    memory = 0


def make(
    folder: Path,
    state: bytes | None = None,
    *,
    back_queues: int = 4,
    per_host: int = 1,
    memory: int = 2_000,
) -> DiskFrontier:
    return DiskFrontier(
        folder, 4, back_queues, per_host, random=Random(3), memory=memory, state=state
    )


def urls(host: str, count: int) -> list[str]:
    return [f"http://{host}.test/{number}" for number in range(count)]


def lease(frontier: DiskFrontier, now: float = 0.0) -> Visit:
    visit = frontier.lease(now)
    assert visit is not None
    return visit


# Never idle, and bounded.


def test_a_host_with_many_urls_takes_no_more_memory_than_others(tmp_path: Path) -> None:
    frontier = make(tmp_path, memory=1 << 20)
    others = [url for number in range(3) for url in urls(f"small{number}", 10)]
    put(frontier, *others)
    for start in range(0, 50_000, 1000):
        put(frontier, *urls("big", 50_000)[start : start + 1000])
    lease(frontier)
    hosts = frontier._hosts
    assert hosts.present["big.test"].weight < 150_000
    assert all(f"small{number}.test" in hosts.present for number in range(3))
    assert hosts.weight == sum(host.weight for host in hosts.present.values())


def test_memory_stays_within_its_bound(tmp_path: Path) -> None:
    frontier = make(tmp_path, back_queues=50, memory=100_000)
    random = Random(5)
    for number in range(300):
        put(frontier, *(f"http://h{random.randrange(400)}.test/{number}-{n}" for n in range(20)))
        for _ in range(6):
            frontier.done(lease(frontier, float(number)), number + 50.0)
        assert frontier._hosts.weight < 200_000, "the limit, and what one lease may add"
    assert len(frontier._hosts.parked) > 100
    assert len(set(drain(frontier, 300.0, delay=5.0))) == 300 * 14


def test_what_lies_deep_in_the_front_queues_is_found_in_bounded_work(tmp_path: Path) -> None:
    frontier = make(tmp_path, back_queues=1)
    put(frontier, "http://big.test/first")
    put(frontier, *urls("big", 12_000), "http://small.test/")
    frontier.done(lease(frontier), ready=1000.0)
    now, calls = 1.0, 0
    while (visit := frontier.lease(now)) is None:
        ready = frontier.next_ready()
        assert ready is not None
        now, calls = ready, calls + 1
    assert visit.url.host == "small.test"
    assert calls == 2, "each call looks at some thousand URLs and then lets the ring go on"
    assert now < 2.0


def test_many_hosts_on_hold_cost_little_and_keep_no_others_waiting(tmp_path: Path) -> None:
    frontier = make(tmp_path, back_queues=100, memory=100_000)
    held = [f"http://held{number}.test/" for number in range(1000)]
    put(frontier, *held)
    put(frontier, *(f"http://good{number}.test/" for number in range(50)))
    good = set()
    while (visit := frontier.lease(0.0)) is not None:
        if visit.url.text in held:
            frontier.hold(visit)
        else:
            good.add(visit.url.text)
        assert frontier._hosts.weight < 200_000, "the limit, and what one lease may add"
    assert len(good) == 50
    assert frontier.statistics().held == 1000
    assert len(frontier._hosts.parked) > 800
    for text in held[:500]:
        frontier.free(candidate(text).url.host, 0.0)
    assert {lease(frontier).url.text for _ in range(50)} < {*held[:500]}
    again = make(tmp_path, frontier.checkpoint())
    assert again.statistics().held == 0
    assert sorted(drain(again)) == sorted([*held, *good])


# Checkpoints.


def test_a_leased_url_is_waiting_again(tmp_path: Path) -> None:
    frontier = make(tmp_path)
    put(frontier, *urls("a", 3), *urls("b", 1))
    leased = {lease(frontier).url.text, lease(frontier).url.text}
    again = make(tmp_path, frontier.checkpoint())
    assert len(again) == 4
    assert again.statistics().leased == 0
    assert {lease(again).url.text, lease(again).url.text} == leased


def test_times_survive(tmp_path: Path) -> None:
    frontier = make(tmp_path)
    put(frontier, *urls("a", 1), *urls("b", 2))
    visits = {visit.url.host: visit for visit in (lease(frontier), lease(frontier))}
    frontier.done(visits["a.test"], 100.0)
    frontier.retry(visits["b.test"], again=80.5, ready=90.0)
    again = make(tmp_path, frontier.checkpoint())
    put(again, "http://a.test/new")
    assert again.lease(89.0) is None
    assert lease(again, 90.0).url.host == "b.test"
    assert again.lease(99.0) is None
    assert lease(again, 100.0).url.text == "http://a.test/new"


def test_a_held_host_is_free_after_a_restart(tmp_path: Path) -> None:
    frontier = make(tmp_path)
    put(frontier, *urls("a", 2))
    frontier.hold(lease(frontier))
    again = make(tmp_path, frontier.checkpoint())
    assert again.statistics().held == 0
    assert drain(again) == urls("a", 2)


def test_visits_that_others_waited_for_end_with_the_process(tmp_path: Path) -> None:
    frontier = make(tmp_path, back_queues=2)
    for host in "abcd":
        frontier.put([candidate(f"http://{host}.test/robots.txt")], [-1])
    put(frontier, *urls("a", 2), *urls("e", 1))
    lease(frontier)
    again = make(tmp_path, frontier.checkpoint())
    assert len(again) == 3
    assert sorted(drain(again)) == [*urls("a", 2), *urls("e", 1)]


def test_skipped_urls_are_dropped_as_often_as_they_are_named(tmp_path: Path) -> None:
    frontier = make(tmp_path)
    put(frontier, *urls("a", 4), *urls("b", 1), *urls("b", 1))
    ended = [candidate(text).url.key for text in (*urls("a", 3), *urls("b", 1))]
    frontier.skip(ended)
    frontier.skip([candidate("http://b.test/0").url.key])
    again = make(tmp_path, frontier.checkpoint())
    assert lease(again).url.text == "http://a.test/3"
    assert again.lease(0.0) is None
    assert len(again) == 0
    put(again, "http://b.test/0")
    assert drain(again) == ["http://b.test/0"]


def test_a_page_that_is_due_again_is_not_skipped_for_its_first_visit(tmp_path: Path) -> None:
    """After a crash both may wait; if the wrong one is dropped, the page is visited as if it were new."""
    frontier = make(tmp_path)
    first = candidate("http://a.test/0")
    again = replace(first, memory=bytes([VISITED]))
    frontier.put([again, first], [0, 1])
    frontier.skip([first.url.key])
    visit = lease(frontier)
    assert visit.is_return
    frontier.done(visit, 0.0)
    assert frontier.lease(0.0) is None
    frontier.skip((), [first.url.key])
    frontier = make(tmp_path, frontier.checkpoint())
    frontier.put([again, first], [0, 1])
    assert not lease(frontier).is_return
    assert len(frontier) == 0


def test_a_visit_that_others_wait_for_is_not_skipped(tmp_path: Path) -> None:
    frontier = make(tmp_path)
    text = "http://a.test/robots.txt"
    frontier.skip([candidate(text).url.key])
    put(frontier, text, level=-1)
    assert drain(frontier) == [text]
    put(frontier, text)
    assert frontier.lease(0.0) is None, "the page itself is"
    assert len(frontier) == 0


def test_after_a_crash_all_hosts_rest(tmp_path: Path) -> None:
    frontier = make(tmp_path)
    put(frontier, *urls("a", 2))
    frontier.delay_all_hosts(until=30.0)
    assert frontier.lease(29.0) is None
    assert frontier.next_ready() == 30.0
    again = make(tmp_path, frontier.checkpoint())
    assert again.lease(29.0) is None
    assert again.next_ready() == 30.0
    assert again.lease(30.0) is not None


def test_what_waits_in_front_alone_is_found_after_a_restart(tmp_path: Path) -> None:
    frontier = make(tmp_path, back_queues=1)
    put(frontier, *urls("a", 1), *urls("b", 5))
    frontier.done(lease(frontier), ready=0.0)
    again = make(tmp_path, frontier.checkpoint(), back_queues=1)
    assert again.next_ready() == 0.0
    assert sorted(drain(again)) == urls("b", 5)


def test_many_retries_wait_on_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gossamer.pipeline.frontier.disk_frontier._RETRIES_IN_MEMORY", 10)
    frontier = make(tmp_path, memory=1 << 20)
    put(frontier, *urls("a", 3000))
    for _ in range(3000):
        visit = lease(frontier)
        frontier.retry(visit, again=100.0 + visit.url.key % 50, ready=0.0)
    assert frontier.lease(99.0) is None
    assert frontier._later.chunks.disk_bytes > 0
    again = make(tmp_path, frontier.checkpoint())
    assert len(again) == 3000
    assert sorted(drain(again, 99.0)) == sorted(urls("a", 3000))
    assert again._later.chunks.live_bytes == 0


def test_many_postponed_visits_wait_on_disk_and_survive(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gossamer.pipeline.frontier.disk_frontier._RETRIES_IN_MEMORY", 100)
    frontier = make(tmp_path)
    put(frontier, *urls("a", 3000), "https://a.test/")
    while (visit := lease(frontier)).url.text != "https://a.test/":
        frontier.postpone(visit, again=100.0)
    frontier.done(visit, ready=1.0)
    assert len(frontier._later.near) == 100
    state = frontier.checkpoint()
    frontier.close()
    again = make(tmp_path, state)
    assert len(again) == 3000
    assert again.lease(99.9) is None
    assert sorted(drain(again, 100.0)) == sorted(urls("a", 3000))


def test_files_go_when_they_are_no_longer_needed(tmp_path: Path) -> None:
    frontier = make(tmp_path, back_queues=3)
    random = Random(1)
    for number in range(200):
        put(frontier, *(f"http://h{random.randrange(30)}.test/{number}-{n}" for n in range(50)))
    frontier.checkpoint()
    frontier.checkpoint_published()
    full = frontier.disk_bytes
    drain(frontier)
    frontier.checkpoint()
    frontier.checkpoint_published()
    assert full > 10_000
    assert frontier.disk_bytes == 0
    assert len(list(tmp_path.glob("snapshot-*"))) == 1


def test_urls_left_in_old_segments_are_moved(tmp_path: Path) -> None:
    frontier = make(tmp_path, back_queues=500, memory=0)
    frontier._hosts.chunks = Chunks(tmp_path / "hosts", segment=5_000)
    random = Random(2)
    for number in range(100):
        put(frontier, *(f"http://h{random.randrange(300)}.test/{number}-{n}" for n in range(10)))
    taken = {lease(frontier, float(now)).url.text for now in range(10)}
    for text in [*taken]:
        frontier.done(next(v for v in frontier._leased if v.url.text == text), 1e6)
    order = [*taken]
    while len(frontier) > 40:
        visit = lease(frontier, 1e6)
        order.append(visit.url.text)
        frontier.done(visit, 0.0)
    frontier.checkpoint()
    frontier.checkpoint_published()
    live, disk = frontier._hosts.chunks.live_bytes, frontier._hosts.chunks.disk_bytes
    assert disk < 4 * live + 10_000
    order += drain(frontier, 1e6)
    assert len(order) == len(set(order)) == 1000


# Changes of level.


def test_changes_of_level_survive_and_are_carried_out_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gossamer.pipeline.frontier.level_moves._FEW", 0)
    frontier = make(tmp_path, back_queues=1)
    put(frontier, "http://open.test/")
    texts = [f"http://h{number}.test/" for number in range(320)]
    put(frontier, *texts, level=3)
    relevel(frontier, dict.fromkeys(texts[:10], 0))
    assert frontier.statistics().levels == (0, 0, 0, 320), "too few to look through all"
    again = make(tmp_path, frontier.checkpoint(), back_queues=1)
    again.checkpoint_published()
    relevel(again, dict.fromkeys(texts[10:30], 1))
    for _ in range(4):
        put(again)
    assert again.statistics().levels == (10, 20, 0, 290)
    once_more = make(tmp_path, again.checkpoint(), back_queues=1)
    assert once_more.statistics().levels == (10, 20, 0, 290)
    while once_more._mover.is_busy:
        put(once_more)
    once_more.checkpoint()
    once_more.checkpoint_published()
    assert not [*tmp_path.glob("changes-*")], "nothing is left to do"
    assert sorted(drain(once_more)) == sorted(["http://open.test/", *texts])


def test_urls_of_a_long_line_on_disk_move(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gossamer.pipeline.frontier.level_moves._FEW", 10_000)
    frontier = make(tmp_path, memory=0)
    texts = urls("a", 5000)
    for start in range(0, 5000, 500):
        put(frontier, *texts[start : start + 500], level=1 + start // 500 % 2)
    by_level = [[t for n, t in enumerate(texts) if n // 500 % 2 == level] for level in (0, 1)]
    best, worst = by_level[1][7::50], by_level[0][11::50]
    relevel(frontier, {**dict.fromkeys(best, 0), **dict.fromkeys(worst, 3)})
    order = drain(frontier)
    middle = [text for text in [*by_level[0], *by_level[1]] if text not in {*best, *worst}]
    assert sorted(order[: len(best)]) == sorted(best)
    assert order[len(best) : -len(worst)] == middle, "the others stay in line"
    assert sorted(order[-len(worst) :]) == sorted(worst)
    assert frontier._hosts.chunks.live_bytes == 0


def test_looking_through_is_paid_by_the_changes(tmp_path: Path) -> None:
    looks = []
    for count in (60_000, 240_000):
        frontier = make(tmp_path / str(count), back_queues=4, memory=1 << 20)
        for start in range(0, count, 1000):
            put(frontier, *(f"http://h{n % 997}.test/{n}" for n in range(start, start + 1000)))
        keys = [candidate(f"http://h{n % 997}.test/{n}").url.key for n in range(0, count, 10)]
        for start in range(0, len(keys), 500):
            batch = keys[start : start + 500]
            frontier.relevel(batch, [3] * len(batch))
            put(frontier)
        while frontier._mover.changes.is_under_way:
            put(frontier)
        looks.append(frontier._mover.looked_at / frontier._mover.moved)
    assert all(look < 2 * 16 for look in looks)
    assert looks[1] < 1.5 * looks[0], "a move costs the same, however much waits"


# Against a model.


class Truth:
    """What must hold of a frontier, whatever order it chooses."""

    def __init__(self) -> None:
        self.known: set[str] = set()
        self.ended: set[str] = set()
        self.ready: dict[str, float] = {}
        self.again: dict[str, float] = {}

    def copy(self) -> "Truth":
        twin = Truth()
        twin.known, twin.ended = {*self.known}, {*self.ended}
        twin.ready, twin.again = {**self.ready}, {**self.again}
        return twin


class Crawl:
    """A crawl at random, with holds, retries, checkpoints and crashes."""

    def __init__(self, folder: Path, random: Random) -> None:
        self.folder, self.random = folder, random
        self.per_host = random.choice([1, 1, 3])
        self.back_queues = random.choice([1, 3, 20])
        self.memory = random.choice([0, 3_000, 1 << 20])
        self.truth = Truth()
        self.published: tuple[bytes, Truth] | None = None
        self.now = 0.0
        self.serial = 0
        self.open(None)

    def open(self, state: bytes | None) -> None:
        self.frontier = make(
            self.folder,
            state,
            back_queues=self.back_queues,
            per_host=self.per_host,
            memory=self.memory,
        )
        self.unpublished: tuple[bytes, Truth] | None = None
        self.leased: list[Visit] = []
        self.held: set[str] = set()
        self.express_held: set[str] = set()
        self.express: set[str] = set()
        """Visits that others wait for and that have not ended: a crash ends them."""
        self.express_again: dict[str, float] = {}

    def put(self) -> None:
        random, serial = self.random, len(self.truth.known)
        hosts = [int(random.paretovariate(0.7)) % 40 for _ in range(random.randrange(12))]
        batch = [f"http://h{host}.test/{serial}-{n}" for n, host in enumerate(hosts)]
        levels = [random.randrange(4) for _ in batch]
        self.frontier.put([candidate(text) for text in batch], levels)
        self.truth.known |= {*batch}

    def put_express(self) -> None:
        self.serial += 1
        text = f"http://h{self.random.randrange(8)}.test/express-{self.serial}"
        put(self.frontier, text, level=-1)
        self.express.add(text)

    def lease(self) -> None:
        visit = self.frontier.lease(self.now)
        if visit is None:
            self.check_that_nobody_may_be_asked()
            self.now += self.random.random()
            return
        text, host = visit.url.text, visit.url.host
        assert self.now >= self.truth.ready.get(host, 0.0)
        assert sum(other.url.host == host for other in self.leased) < self.per_host
        if visit.level < 0:
            assert text in self.express
            assert self.now >= self.express_again.pop(text, 0.0)
            assert host not in self.express_held
        else:
            assert text in self.truth.known - self.truth.ended
            assert self.now >= self.truth.again.pop(text, 0.0)
            assert host not in self.held
        self.leased.append(visit)

    def check_that_nobody_may_be_asked(self) -> None:
        out = {visit.url.text for visit in self.leased}
        for text in self.express - out:
            self.check_that_it_has_to_wait(text, self.express_held, self.express_again)
        busy = {visit.url.host for visit in self.leased if visit.level >= 0}
        if len(busy) >= self.back_queues:
            return
        for text in self.truth.known - self.truth.ended - out:
            self.check_that_it_has_to_wait(text, self.held, self.truth.again)

    def check_that_it_has_to_wait(self, text: str, held: set[str], again: dict[str, float]) -> None:
        host = text.split("/")[2]
        assert (
            host in held
            or sum(visit.url.host == host for visit in self.leased) >= self.per_host
            or self.truth.ready.get(host, 0.0) > self.now
            or again.get(text, 0.0) > self.now
        ), f"{text} could be leased"

    def end(self) -> None:
        if not self.leased:
            return
        visit = self.leased.pop(self.random.randrange(len(self.leased)))
        host, ready = visit.url.host, self.now + self.random.random() * 3
        fate = self.random.random()
        if fate < 0.15:
            self.frontier.hold(visit)
            self.held.add(host)
            if visit.level < 0:
                self.express_held.add(host)
            return
        if fate < 0.3:
            again = self.now + self.random.random() * 20
            times = self.express_again if visit.level < 0 else self.truth.again
            times[visit.url.text] = again
            if fate < 0.2:
                self.frontier.postpone(visit, again)
                return
            self.frontier.retry(visit, again, ready)
        else:
            self.frontier.done(visit, ready)
            self.note_end(visit)
        self.truth.ready[host] = max(self.truth.ready.get(host, 0.0), ready)

    def note_end(self, visit: Visit) -> None:
        if visit.level < 0:
            self.express.discard(visit.url.text)
        else:
            self.truth.ended.add(visit.url.text)

    def relevel(self) -> None:
        texts = self.random.choices(sorted(self.truth.known) or ["http://h0.test/none"], k=30)
        keys = [candidate(text).url.key for text in texts]
        self.frontier.relevel(keys, [self.random.randrange(4) for _ in keys])

    def free(self) -> None:
        if self.held:
            host = self.random.choice(sorted(self.held))
            self.held.discard(host)
            self.express_held.discard(host)
            self.frontier.free(host, self.now)

    def checkpoint(self) -> None:
        self.unpublished = self.frontier.checkpoint(), self.truth.copy()

    def publish(self) -> None:
        """Some time after the checkpoint, or never."""
        if self.unpublished:
            self.frontier.checkpoint_published()
            self.published, self.unpublished = self.unpublished, None

    def crash(self) -> None:
        if self.published:
            self.frontier.close()
            self.truth = self.published[1].copy()
            self.open(self.published[0])

    def check(self) -> None:
        truth, frontier = self.truth, self.frontier
        known = len(truth.known) - len(truth.ended) + len(self.express)
        assert len(frontier) == known - len(self.leased)
        assert frontier.statistics().held == len(self.held)
        assert frontier.statistics().leased == len(self.leased)
        assert frontier._hosts.weight == sum(h.weight for h in frontier._hosts.present.values())

    def finish(self) -> None:
        for visit in self.leased:
            self.frontier.done(visit, self.now)
            self.note_end(visit)
        for host in self.held:
            self.frontier.free(host, self.now)


@pytest.mark.parametrize("seed", range(16))
def test_random_crawls_with_crashes_lose_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    random = Random(seed)
    if seed % 2:  # changes of level wait, and are carried out step by step
        monkeypatch.setattr("gossamer.pipeline.frontier.level_moves._FEW", 0)
        monkeypatch.setattr("gossamer.pipeline.frontier.level_moves._SHARE", 3)
    crawl = Crawl(tmp_path, random)
    weights = {
        crawl.put: 20,
        crawl.put_express: 3,
        crawl.lease: 40,
        crawl.end: 25,
        crawl.free: 10,
        crawl.relevel: 6,
        crawl.checkpoint: 3,
        crawl.publish: 4,
        crawl.crash: 1,
    }
    for step in random.choices([*weights], [*weights.values()], k=1500):
        step()
        crawl.check()
    crawl.finish()
    frontier, truth = crawl.frontier, crawl.truth
    rest = drain(frontier, crawl.now)
    assert len(rest) == len({*rest})
    assert {*rest} == (truth.known - truth.ended) | crawl.express
    assert frontier._hosts.chunks.live_bytes == frontier._later.chunks.live_bytes == 0
    assert frontier._busy == frontier._held == len(frontier._hosts) == 0


# A disk that fails.


@pytest.mark.parametrize("seed", range(6))
def test_a_failing_disk_loses_and_doubles_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    random = Random(seed)
    frontier = make(tmp_path, back_queues=20, memory=50_000)
    taken: list[str] = []
    order: list[str] = []
    errors = 0
    for number in range(400):
        if random.random() < 0.5:
            error = random.choice([errno.ENOSPC, errno.EIO])
            monkeypatch.setattr(disk_files, "system", BrokenSystem(error, random.randrange(2)))
        batch = [
            f"http://h{random.randrange(300)}.test/{number}-{n}/{random.randbytes(300).hex()}"
            for n in range(30)
        ]
        try:
            if random.random() < 0.05:
                frontier.checkpoint()
            if random.random() < 0.1:
                frontier.relevel([candidate(text).url.key for text in batch], [1] * len(batch))
            put(frontier, *batch)
            taken += batch
            if random.random() < 0.1:
                keys = [candidate(text).url.key for text in random.sample(taken, 30)]
                frontier.relevel(keys, [random.randrange(4) for _ in keys])
            visit = lease(frontier, number * 0.1)
            order.append(visit.url.text)
            frontier.done(visit, number * 0.1 + 3)
        except OSError:
            errors += 1
        monkeypatch.setattr(disk_files, "system", disk_files.System())
        assert len(frontier) == len(taken) - len(order)
    assert errors > 0
    assert sorted(order + drain(frontier, 100.0)) == sorted(taken)


def test_a_full_disk_leaves_the_last_checkpoint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    frontier = make(tmp_path)
    put(frontier, *urls("a", 500), *urls("b", 500))
    state = frontier.checkpoint()
    frontier.checkpoint_published()
    put(frontier, *urls("c", 5000))
    monkeypatch.setattr(disk_files, "system", BrokenSystem(errno.ENOSPC, fails_from=0))
    with pytest.raises(OSError, match="28"):
        frontier.checkpoint()
    monkeypatch.undo()
    assert sorted(drain(make(tmp_path, state))) == sorted([*urls("a", 500), *urls("b", 500)])


@pytest.mark.parametrize("memory", [0, 1 << 20])
def test_a_level_aside_has_its_part_of_each_host(tmp_path: Path, memory: int) -> None:
    """In memory or parked, in a heap or in a line: the first in line goes first."""
    aside = LevelShare(level=3, part=0.5)
    frontier = DiskFrontier(tmp_path, 4, 4, random=Random(3), memory=memory, aside=aside)
    put(frontier, *urls("new", 600), level=0)
    put(frontier, *(f"http://new.test/known{number:03}" for number in range(200)), level=3)
    put(frontier, *urls("other", 1), level=3)
    taken: list[str] = []
    for number in range(300):
        visit = lease(frontier, float(number))
        if visit.url.host == "new.test":
            taken.append(visit.url.text)
        frontier.done(visit, float(number))
    known = [url for url in taken if "known" in url]
    new = [url for url in taken if "known" not in url]
    assert 0.4 < len(known) / len(taken) < 0.6
    assert known == [f"http://new.test/known{number:03}" for number in range(len(known))]
    assert new == urls("new", len(new))
    assert len(frontier) == 801 - 300
