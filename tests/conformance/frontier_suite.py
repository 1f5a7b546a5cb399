"""What every frontier must do."""

from random import Random

from gossamer.core.protocols import Frontier
from gossamer.core.records import Candidate, Via, Visit
from tests.present import parse, present


def candidate(text: str) -> Candidate:
    return Candidate(parse(text))


def put(frontier: Frontier, *texts: str, level: int = 0) -> None:
    frontier.put([candidate(text) for text in texts], [level] * len(texts))


def lease(frontier: Frontier, now: float) -> Visit:
    """A visit, which there is."""
    return present(frontier.lease(now))


def relevel(frontier: Frontier, levels: dict[str, int]) -> None:
    frontier.relevel([candidate(text).url.key for text in levels], [*levels.values()])


def drain(frontier: Frontier, now: float = 0.0, delay: float = 0.0) -> list[str]:
    """Lease and finish everything, moving the time on when no host may be asked."""
    order = []
    while len(frontier):
        visit = frontier.lease(now)
        if visit is None:
            ready = frontier.next_ready()
            assert ready is not None, "URLs wait but the frontier does not know until when"
            assert ready > now
            now = ready
            continue
        order.append(visit.url.text)
        frontier.done(visit, now + delay)
    return order


class FrontierSuite:
    def make(
        self, levels: int = 4, back_queues: int = 100, per_host: int = 1, spacing: float = 0.0
    ) -> Frontier:
        raise NotImplementedError

    def test_empty(self) -> None:
        frontier = self.make()
        assert len(frontier) == 0
        assert frontier.lease(0.0) is None
        assert frontier.next_ready() is None

    def test_every_url_comes_out_once(self) -> None:
        frontier = self.make(back_queues=7)
        random = Random(1)
        urls = [f"http://h{random.randrange(40)}.test/{number}" for number in range(2000)]
        frontier.put([candidate(url) for url in urls], [random.randrange(4) for _ in urls])
        assert len(frontier) == 2000
        assert sorted(drain(frontier, delay=1.0)) == sorted(urls)
        assert frontier.statistics().waiting == frontier.statistics().leased == 0

    def test_one_lease_per_host(self) -> None:
        frontier = self.make()
        put(frontier, "http://a.test/1", "http://a.test/2", "http://b.test/1")
        first, second = lease(frontier, 0.0), lease(frontier, 0.0)
        assert {first.url.host, second.url.host} == {"a.test", "b.test"}
        assert frontier.lease(0.0) is None
        assert len(frontier) == 1

    def test_several_leases_per_host_when_allowed(self) -> None:
        frontier = self.make(per_host=3)
        put(frontier, *(f"http://a.test/{number}" for number in range(5)))
        leased = [frontier.lease(0.0) for _ in range(4)]
        assert [visit is not None for visit in leased] == [True, True, True, False]
        frontier.done(present(leased[0]), 0.0)
        assert frontier.lease(0.0) is not None

    def test_spacing_between_starts_of_one_host(self) -> None:
        frontier = self.make(per_host=3, spacing=2.0)
        put(frontier, "http://a.test/1", "http://a.test/2")
        assert frontier.lease(0.0) is not None
        assert frontier.lease(1.9) is None
        assert frontier.lease(2.0) is not None

    def test_a_host_rests(self) -> None:
        frontier = self.make()
        put(frontier, "http://a.test/1", "http://a.test/2")
        frontier.done(lease(frontier, 0.0), ready=10.0)
        assert frontier.lease(9.99) is None
        assert frontier.next_ready() == 10.0
        assert lease(frontier, 10.0).url.text == "http://a.test/2"

    def test_a_host_rests_even_when_it_had_nothing_left(self) -> None:
        frontier = self.make()
        put(frontier, "http://a.test/1")
        frontier.done(lease(frontier, 0.0), ready=10.0)
        assert len(frontier) == 0
        put(frontier, "http://a.test/2")
        assert frontier.lease(5.0) is None
        assert frontier.lease(10.0) is not None

    def test_resting_is_remembered_with_few_back_queues(self) -> None:
        frontier = self.make(back_queues=2)
        put(frontier, *(f"http://h{number}.test/" for number in range(50)))
        for _ in range(50):
            frontier.done(lease(frontier, 0.0), ready=100.0)
        put(frontier, *(f"http://h{number}.test/again" for number in range(50)))
        assert frontier.lease(99.0) is None
        assert len(drain(frontier, now=100.0)) == 50

    def test_better_levels_first(self) -> None:
        frontier = self.make()
        put(frontier, "http://a.test/worst", level=3)
        put(frontier, "http://a.test/best", level=0)
        put(frontier, "http://a.test/good", level=1)
        assert drain(frontier) == [
            "http://a.test/best",
            "http://a.test/good",
            "http://a.test/worst",
        ]

    def test_first_in_first_out_within_a_level(self) -> None:
        frontier = self.make()
        urls = [f"http://a.test/{number}" for number in range(20)]
        put(frontier, *urls, level=2)
        assert drain(frontier) == urls

    def test_the_biased_pick_favours_better_levels_and_starves_none(self) -> None:
        frontier = self.make(back_queues=1)
        put(frontier, "http://open.test/")
        for level in (0, 3):
            put(frontier, *(f"http://l{level}-{n}.test/" for n in range(200)), level=level)
        order = drain(frontier)[1:]
        early = order[:100]
        better = sum(url.startswith("http://l0-") for url in early)
        assert 50 < better < 100

    def test_hold_and_free(self) -> None:
        frontier = self.make()
        put(frontier, "http://a.test/1", "http://a.test/2")
        visit = lease(frontier, 0.0)
        frontier.hold(visit)
        assert len(frontier) == 2
        assert frontier.lease(1e9) is None
        assert frontier.statistics().held == 1
        frontier.free("a.test", ready=5.0)
        assert frontier.lease(4.0) is None
        assert lease(frontier, 5.0).url.text == "http://a.test/1", "it kept its place"

    def test_hold_with_other_leases_out(self) -> None:
        frontier = self.make(per_host=2)
        put(frontier, *(f"http://a.test/{number}" for number in range(4)))
        first, second = lease(frontier, 0.0), lease(frontier, 0.0)
        frontier.hold(second)
        frontier.done(first, 0.0)
        assert frontier.lease(0.0) is None
        frontier.free("a.test", 0.0)
        assert sorted(drain(frontier)) == [f"http://a.test/{number}" for number in (1, 2, 3)]

    def test_free_of_a_host_without_urls(self) -> None:
        frontier = self.make()
        frontier.free("a.test", ready=3.0)
        put(frontier, "http://a.test/1")
        assert frontier.lease(2.0) is None
        assert frontier.lease(3.0) is not None

    def test_retry_waits_while_its_host_goes_on(self) -> None:
        frontier = self.make()
        put(frontier, "http://a.test/1", "http://a.test/2")
        visit = lease(frontier, 0.0)
        frontier.retry(visit, again=50.0, ready=1.0)
        assert len(frontier) == 2
        other = lease(frontier, 1.0)
        assert other.url.text == "http://a.test/2"
        frontier.done(other, 2.0)
        assert frontier.lease(49.0) is None
        assert frontier.next_ready() == 50.0
        again = lease(frontier, 50.0)
        assert (again.url.text, again.attempt) == ("http://a.test/1", 1)

    def test_a_postponed_visit_waits_while_its_host_goes_on_at_once(self) -> None:
        frontier = self.make()
        put(frontier, "http://a.test/1", "https://a.test/2", "https://a.test/3")
        visit = lease(frontier, 7.0)
        frontier.postpone(visit, again=50.0)
        assert len(frontier) == 3
        other = lease(frontier, 7.0)
        assert other.url.text == "https://a.test/2"
        frontier.done(other, ready=9.0)
        assert frontier.lease(8.9) is None
        frontier.done(lease(frontier, 9.0), ready=10.0)
        assert frontier.lease(49.9) is None
        assert frontier.next_ready() == 50.0
        assert frontier.lease(50.0) == visit, "it does not count as tried"

    def test_a_postponed_visit_leaves_the_rest_of_its_host_as_it_is(self) -> None:
        frontier = self.make(per_host=2)
        put(frontier, *(f"http://a.test/{number}" for number in range(3)))
        first, second = lease(frontier, 0.0), lease(frontier, 0.0)
        frontier.hold(first)
        frontier.postpone(second, again=5.0)
        assert frontier.statistics().held == 1
        assert frontier.lease(5.0) is None, "the hold goes on"
        frontier.free("a.test", ready=6.0)
        assert frontier.lease(5.9) is None
        assert sorted(drain(frontier, 6.0)) == [f"http://a.test/{number}" for number in range(3)]

    def test_a_host_with_nothing_but_postponed_visits_takes_up_no_back_queue(self) -> None:
        frontier = self.make(back_queues=1)
        put(frontier, "http://a.test/1", "http://a.test/2", "http://b.test/1")
        for _ in range(2):
            frontier.postpone(lease(frontier, 0.0), again=5.0)
        assert lease(frontier, 0.0).url.text == "http://b.test/1"

    def test_a_visit_that_others_wait_for_can_be_postponed(self) -> None:
        frontier = self.make()
        put(frontier, "http://a.test/robots.txt", level=-1)
        frontier.postpone(lease(frontier, 0.0), again=9.0)
        assert len(frontier) == 1
        assert frontier.lease(8.9) is None
        assert lease(frontier, 9.0).attempt == 0

    def test_a_visit_keeps_what_is_known_of_its_url(self) -> None:
        frontier = self.make()
        url = parse("http://a.test/1")
        frontier.put([Candidate(url, depth=3, source="http://b.test/", hops=2, anchor="a")], [1])
        visit = lease(frontier, 0.0)
        assert visit == Visit(url, depth=3, source="http://b.test/", hops=2, attempt=0, level=1)

    def test_what_is_scheduled_does_not_wait_before_it_is_let_in(self) -> None:
        frontier = self.make()
        frontier.schedule([candidate("http://a.test/1")], [100.0])
        assert len(frontier) == 0
        assert frontier.statistics().scheduled == 1
        assert frontier.lease(1000.0) is None
        assert present(frontier.next_due()) <= 100.0
        assert frontier.let_in(99.0, 10, 0) == 0
        assert frontier.let_in(100.0, 10, 0) == 1
        assert frontier.next_due() is None
        assert lease(frontier, 100.0).url.text == "http://a.test/1"
        assert frontier.statistics().scheduled == 0

    def test_the_earliest_is_let_in_first_whenever_it_was_scheduled(self) -> None:
        frontier = self.make(back_queues=1)
        random, day = Random(5), 86_400.0
        days = [random.expovariate(1 / 30) for _ in range(500)]
        urls = [candidate(f"http://a.test/{number}") for number in range(500)]
        frontier.schedule(urls, [day * one for one in days])
        order: list[str] = []
        for today in range(0, 400):
            while frontier.let_in(day * today, 3, 1):
                order += drain(frontier, day * today)
        assert frontier.statistics().scheduled == 0
        expected = sorted(range(500), key=days.__getitem__)
        assert order == [f"http://a.test/{number}" for number in expected]

    def test_a_visit_remembers_earlier_ones(self) -> None:
        frontier = self.make()
        page = Candidate(parse("http://a.test/"), depth=3, via=Via.FEED, memory=b"like yesterday")
        frontier.schedule([page], [10.0])
        frontier.let_in(10.0, 1, 2)
        visit = lease(frontier, 10.0)
        assert (visit.memory, visit.level, visit.depth, visit.via) == (page.memory, 2, 3, Via.FEED)
        assert visit.again == page
        frontier.retry(visit, 20.0, 20.0)
        assert lease(frontier, 20.0).memory == page.memory

    def test_visits_that_others_wait_for_come_first(self) -> None:
        frontier = self.make(back_queues=1)
        put(frontier, "http://a.test/1", "http://b.test/1", "http://c.test/1")
        frontier.put([candidate("http://d.test/robots.txt")], [-1])
        assert drain(frontier)[0] == "http://d.test/robots.txt"

    def test_a_visit_that_others_wait_for_is_leased_while_its_host_is_on_hold(self) -> None:
        frontier = self.make()
        put(frontier, "http://a.test/1", "http://a.test/2")
        frontier.hold(lease(frontier, 0.0))
        put(frontier, "http://a.test/robots.txt", level=-1)
        assert frontier.next_ready() == 0.0
        express = lease(frontier, 0.0)
        assert (express.url.text, express.level) == ("http://a.test/robots.txt", -1)
        assert frontier.lease(0.0) is None, "the hold goes on"
        frontier.done(express, ready=3.0)
        assert frontier.lease(1e9) is None, "the hold still goes on"
        frontier.free("a.test", ready=0.0)
        assert frontier.lease(2.9) is None
        assert lease(frontier, 3.0).url.text == "http://a.test/1"

    def test_visits_that_others_wait_for_need_no_back_queue(self) -> None:
        frontier = self.make(back_queues=2)
        put(frontier, *(f"http://{host}.test/" for host in "abcde"))
        assert [frontier.lease(0.0) is None for _ in range(3)] == [False, False, True]
        put(frontier, "http://x.test/robots.txt", "http://y.test/robots.txt", level=-1)
        express = [lease(frontier, 0.0), lease(frontier, 0.0)]
        assert [visit.url.host for visit in express] == ["x.test", "y.test"]
        assert frontier.lease(0.0) is None, "the back queues are still taken"

    def test_visits_that_others_wait_for_pass_hosts_on_hold(self) -> None:
        frontier = self.make(back_queues=2)
        put(frontier, "http://a.test/", "http://b.test/")
        for visit in [lease(frontier, 0.0), lease(frontier, 0.0)]:
            frontier.hold(visit)
        hosts = ["a.test", "b.test", "c.test"]
        put(frontier, *(f"http://{host}/robots.txt" for host in hosts), level=-1)
        assert [lease(frontier, 0.0).url.host for _ in hosts] == hosts
        assert frontier.lease(0.0) is None

    def test_visits_that_others_wait_for_take_up_no_back_queue(self) -> None:
        frontier = self.make(back_queues=1)
        put(frontier, "http://x.test/robots.txt", "http://y.test/robots.txt", level=-1)
        put(frontier, "http://a.test/")
        assert [lease(frontier, 0.0).url.host for _ in range(3)] == ["x.test", "y.test", "a.test"]

    def test_visits_that_others_wait_for_are_polite(self) -> None:
        frontier = self.make()
        put(frontier, "http://a.test/1", "http://a.test/2")
        page = lease(frontier, 0.0)
        put(frontier, "http://a.test/robots.txt", "http://a.test/r2.txt", level=-1)
        assert frontier.lease(0.0) is None, "the host is being asked"
        frontier.done(page, ready=5.0)
        assert frontier.lease(4.9) is None
        assert frontier.next_ready() == 5.0
        first = lease(frontier, 5.0)
        assert first.url.text == "http://a.test/robots.txt"
        assert frontier.lease(5.0) is None
        frontier.done(first, ready=7.0)
        assert drain(frontier, 7.0) == ["http://a.test/r2.txt", "http://a.test/2"]

    def test_a_visit_that_others_wait_for_rests_with_a_host_that_had_nothing_left(self) -> None:
        frontier = self.make()
        put(frontier, "http://a.test/1")
        frontier.done(lease(frontier, 0.0), ready=5.0)
        put(frontier, "http://a.test/robots.txt", level=-1)
        assert frontier.lease(4.9) is None
        assert frontier.next_ready() == 5.0
        assert frontier.lease(5.0) is not None

    def test_a_visit_that_others_wait_for_can_be_held_itself(self) -> None:
        frontier = self.make()
        put(frontier, "http://a.test/robots.txt", "http://a.test/r2.txt", level=-1)
        frontier.hold(lease(frontier, 0.0))
        put(frontier, "http://a.test/1")
        assert frontier.statistics().held == 1
        assert frontier.lease(0.0) is None
        frontier.free("a.test", ready=2.0)
        assert frontier.lease(1.9) is None
        assert drain(frontier, 2.0) == [
            "http://a.test/robots.txt",
            "http://a.test/r2.txt",
            "http://a.test/1",
        ]
        assert frontier.statistics().hosts == 0

    def test_a_visit_that_others_wait_for_can_be_tried_again(self) -> None:
        frontier = self.make()
        put(frontier, "http://a.test/robots.txt", level=-1)
        frontier.retry(lease(frontier, 0.0), again=9.0, ready=1.0)
        assert len(frontier) == 1
        assert frontier.lease(8.9) is None
        assert frontier.next_ready() == 9.0
        assert lease(frontier, 9.0).attempt == 1

    def test_visits_that_others_wait_for_share_the_connections_of_their_host(self) -> None:
        frontier = self.make(per_host=2, spacing=1.0)
        put(frontier, "http://a.test/1", "http://a.test/2")
        put(frontier, "http://a.test/robots.txt", level=-1)
        assert lease(frontier, 0.0).level == -1
        assert frontier.lease(0.9) is None
        assert lease(frontier, 1.0).url.text == "http://a.test/1"
        assert frontier.lease(1e9) is None

    def test_many_visits_to_one_host_that_others_wait_for_stay_in_line(self) -> None:
        frontier = self.make(back_queues=1)
        put(frontier, *(f"http://a.test/{number}" for number in range(500)), level=-1)
        assert frontier.statistics().hosts == 1
        order = drain(frontier, delay=1.0)
        assert order == [f"http://a.test/{number}" for number in range(500)]

    def test_a_host_with_many_urls_does_not_stop_others(self) -> None:
        frontier = self.make(back_queues=3)
        put(frontier, *(f"http://big.test/{number}" for number in range(1000)))
        put(frontier, "http://small.test/")
        lease(frontier, 0.0)
        assert lease(frontier, 0.0).url.host == "small.test"

    def test_hosts_that_rest_keep_no_others_waiting(self) -> None:
        frontier = self.make(back_queues=2)
        for host in "abcdefgh":
            put(frontier, *(f"http://{host}.test/{number}" for number in range(30)))
        leased = [frontier.lease(0.0) for _ in range(2)]
        for number in range(8):
            visit = leased.pop(0)
            assert visit is not None, f"only {number} of 8 hosts rest"
            frontier.done(visit, ready=1000.0)
            leased.append(frontier.lease(0.0))
        assert leased == [None, None]
        assert frontier.next_ready() == 1000.0

    def test_no_more_hosts_are_leased_than_there_are_back_queues(self) -> None:
        frontier = self.make(back_queues=3)
        put(frontier, *(f"http://h{number}.test/" for number in range(20)))
        visits = [frontier.lease(0.0) for _ in range(4)]
        assert [visit is not None for visit in visits] == [True, True, True, False]
        frontier.done(present(visits[2]), 0.0)
        assert frontier.lease(0.0) is not None
        assert frontier.lease(0.0) is None

    def test_hosts_on_hold_keep_no_others_waiting(self) -> None:
        frontier = self.make(back_queues=3)
        put(frontier, *(f"http://h{number}.test/" for number in range(20)))
        put(frontier, "http://good.test/", level=3)
        while (visit := lease(frontier, 0.0)).url.host != "good.test":
            frontier.hold(visit)
        frontier.done(visit, 0.0)
        while (other := frontier.lease(0.0)) is not None:
            frontier.hold(other)
        assert frontier.statistics().held == 20
        put(frontier, "http://late.test/")
        frontier.done(lease(frontier, 0.0), 0.0)
        for number in range(20):
            frontier.free(f"h{number}.test", 1.0)
        assert frontier.statistics().held == 0
        assert sorted(drain(frontier)) == sorted(f"http://h{n}.test/" for n in range(20))

    def test_what_is_known_of_hosts_that_have_rested_is_forgotten(self) -> None:
        frontier = self.make()
        for number in range(5000):
            put(frontier, f"http://h{number}.test/")
            frontier.done(lease(frontier, float(number)), ready=number + 1.0)
            frontier.free(f"other{number}.test", ready=number + 1.0)
        assert len(frontier._delayed) <= 1024 + 2  # type: ignore[attr-defined]

    def test_many_urls_of_one_host_stay_in_line(self) -> None:
        frontier = self.make()
        urls = [f"http://a.test/{number}" for number in range(3000)]
        for start in range(0, 3000, 100):
            put(frontier, *urls[start : start + 100], level=start % 200 // 100)
        by_level = [[urls[n] for n in range(3000) if n % 200 // 100 == level] for level in (0, 1)]
        assert drain(frontier, delay=1.0) == by_level[0] + by_level[1]

    def test_the_same_url_may_wait_twice(self) -> None:
        frontier = self.make(per_host=2)
        put(frontier, "http://a.test/", "http://a.test/")
        first, second = lease(frontier, 0.0), lease(frontier, 0.0)
        frontier.done(first, 0.0)
        frontier.retry(second, again=5.0, ready=0.0)
        assert lease(frontier, 5.0).attempt == 1
        assert len(frontier) == 0

    def test_a_host_freed_while_it_is_leased_is_not_held_any_more(self) -> None:
        frontier = self.make(per_host=2)
        put(frontier, *(f"http://a.test/{number}" for number in range(3)))
        first, second = lease(frontier, 0.0), lease(frontier, 0.0)
        put(frontier, "http://b.test/")
        frontier.hold(first)
        frontier.free("a.test", 0.0)
        frontier.done(second, 0.0)
        assert sorted(drain(frontier)) == [
            "http://a.test/0",
            "http://a.test/2",
            "http://b.test/",
        ]

    # Other levels.

    def test_waiting_urls_move_to_other_levels(self) -> None:
        frontier = self.make()
        put(frontier, *(f"http://a.test/{number}" for number in range(6)), level=2)
        relevel(frontier, {"http://a.test/4": 0, "http://a.test/1": 3, "http://a.test/3": 1})
        assert len(frontier) == 6
        assert [url[-1] for url in drain(frontier)] == ["4", "3", "0", "2", "5", "1"]

    def test_a_moved_visit_says_its_new_level(self) -> None:
        frontier = self.make()
        put(frontier, "http://a.test/", level=3)
        relevel(frontier, {"http://a.test/": 1})
        assert lease(frontier, 0.0).level == 1

    def test_moving_in_the_front_queues(self) -> None:
        frontier = self.make(back_queues=1)
        put(frontier, "http://open.test/")
        texts = [f"http://h{number}.test/" for number in range(300)]
        put(frontier, *texts, level=3)
        relevel(frontier, dict.fromkeys(texts[100:120], 0))
        assert frontier.statistics().levels == (20, 0, 0, 280)
        order = drain(frontier)[1:]
        assert sorted(order) == sorted(texts)
        assert {*texts[100:120]} < {*order[:80]}, "half of the picks are from the best level"

    def test_a_host_whose_url_became_better_is_asked_first(self) -> None:
        frontier = self.make()
        for number, host in enumerate("abcd"):
            put(frontier, f"http://{host}.test/1", f"http://{host}.test/2", level=min(number, 2))
        relevel(frontier, {"http://d.test/2": 0, "http://a.test/1": 3})
        order = drain(frontier)
        assert {*order[:2]} == {"http://a.test/2", "http://d.test/2"}
        assert order[-1] == "http://a.test/1"

    def test_a_better_url_for_a_host_that_may_be_asked_comes_first(self) -> None:
        frontier = self.make()
        put(frontier, "http://a.test/1", level=2)
        put(frontier, "http://b.test/1", level=1)
        put(frontier, "http://a.test/2", level=0)
        assert [url[7:] for url in drain(frontier)] == ["a.test/2", "b.test/1", "a.test/1"]

    def test_keys_that_do_not_wait_are_passed_over(self) -> None:
        frontier = self.make()
        relevel(frontier, {"http://a.test/": 1})
        put(frontier, "http://a.test/", "http://b.test/", level=2)
        leased = lease(frontier, 0.0)
        relevel(frontier, {leased.url.text: 0, "http://nowhere.test/": 0})
        frontier.hold(leased)
        frontier.free(leased.url.host, 0.0)
        assert len(frontier) == 2
        assert sorted(drain(frontier)) == ["http://a.test/", "http://b.test/"]

    def test_any_moves_lose_and_double_nothing(self) -> None:
        random = Random(4)
        frontier = self.make(back_queues=5)
        texts = [f"http://h{random.randrange(30)}.test/{number}" for number in range(1500)]
        levels: dict[str, int] = {}
        left = {*texts}
        for start in range(0, 1500, 100):
            batch = texts[start : start + 100]
            levels.update((text, random.randrange(4)) for text in batch)
            frontier.put([candidate(text) for text in batch], [levels[text] for text in batch])
            moves = {text: random.randrange(4) for text in random.sample(texts, 60)}
            relevel(frontier, moves)
            levels.update((text, level) for text, level in moves.items() if text in levels)
            for _ in range(20):
                if (visit := frontier.lease(float(start))) is not None:
                    assert visit.level == levels[visit.url.text]
                    left.remove(visit.url.text)
                    frontier.done(visit, start + random.random() * 300)
        rest = drain(frontier, 2000.0)
        assert len(rest) == len(left)
        assert {*rest} == left
