"""Mirrors of which one is in another partition."""

from collections import deque
from collections.abc import Iterable, Sequence

import pytest

from gossamer.analyzers.redundancy.mirror_detection import MirrorDetector, MirrorState
from gossamer.analyzers.redundancy.texts_met import Texts
from gossamer.core.settings import DetectSettings
from gossamer.core.url import Url, parse

SETTINGS = DetectSettings(agreements=5)
OWNERS = {"a.test": 0, "bb.test": 1, "ccc.test": 1, "dddd.test": 0}


class Port:
    def __init__(self, number: int, sent: deque[tuple[int, bytes]]) -> None:
        self.number, self.sent = number, sent

    def is_own(self, host: str) -> bool:
        return OWNERS[host] == self.number

    def send(self, host: str, message: bytes) -> None:
        assert OWNERS[host] != self.number
        self.sent.append((OWNERS[host], message))


class Two:
    """Two partitions; what one sends arrives when it is carried."""

    def __init__(self, states: Sequence[Iterable[MirrorState]] = ((), ())) -> None:
        self.sent: deque[tuple[int, bytes]] = deque()
        self.texts = [Texts(), Texts()]
        self.mirrors = [
            MirrorDetector(SETTINGS, texts, state)
            for texts, state in zip(self.texts, states, strict=True)
        ]
        for number, one in enumerate(self.mirrors):
            one.connect(Port(number, self.sent))
        self.first: dict[int, str] = {}
        self.times = self.carried = 0

    def page(self, address: str, said: int, *, is_carried: bool = True) -> None:
        url = url_of(address)
        number = OWNERS[url.host]
        met = self.texts[number].meet(url.text, url.origin, said)
        self.mirrors[number].observe(url, said, met.anywhere)
        first = self.first.setdefault(said, url.text)
        if OWNERS[url_of(first.removeprefix("http://")).host] != number:  # told of by the texts
            abroad = self.mirrors[number].abroad
            assert abroad is not None
            abroad.meet(url.text, said, first)
        if is_carried:
            self.carry()

    def carry(self) -> None:
        while self.sent:
            number, message = self.sent.popleft()
            abroad = self.mirrors[number].abroad
            assert abroad is not None
            for _ in range(1 + self.times):
                abroad.take(message)
            self.carried += 1

    def is_copy(self, address: str) -> bool:
        url = url_of(f"{address}/any")
        return self.mirrors[OWNERS[url.host]].pair_of(url) is not None


def url_of(address: str) -> Url:
    url = parse(f"http://{address}")
    assert url is not None
    return url


def fill(two: Two, main: str, copy: str, *, pages: int = 6, is_carried: bool = True) -> None:
    for number in range(pages):
        path = f"/{number}" if number else "/"
        for root in (main, copy) if number % 2 else (copy, main):
            two.page(root + path, 100 + number, is_carried=is_carried)
    two.carry()


@pytest.mark.parametrize("copy", ["bb.test", "bb.test/mirror/a"])
@pytest.mark.parametrize("is_carried", [True, False])
@pytest.mark.parametrize("times", [0, 1])
def test_a_mirror_in_another_partition(copy: str, *, is_carried: bool, times: int) -> None:
    two = Two()
    two.times = times
    fill(two, "a.test", copy, is_carried=is_carried)
    assert two.is_copy(copy)
    assert not two.is_copy("a.test")
    [[decided], [held]] = [one.states() for one in two.mirrors]
    assert (decided.main, decided.copy) == ("http://a.test", f"http://{copy}")
    assert (held.main, held.copy) == (decided.main, decided.copy)
    assert held.agree == 5, "when it was decided"
    assert decided.is_told
    assert not held.is_told


def test_all_partitions_agree_about_the_root_to_crawl() -> None:
    """Three mirrors in two partitions, met in any order: one is crawled."""
    for order in (("a.test", "bb.test", "ccc.test"), ("ccc.test", "bb.test", "a.test")):
        two = Two()
        for number in range(12):
            for host in order:
                two.page(f"{host}/{number or ''}", 100 + number)
        assert [two.is_copy(host) for host in ("a.test", "bb.test", "ccc.test")] == [
            *(False, True, True)
        ]


def test_pages_that_were_read_before_are_asked_for() -> None:
    two = Two()
    fill(two, "a.test", "bb.test", pages=2)
    for number in range(2, 8):
        two.page(f"bb.test/{number}", 100 + number, is_carried=False)
        two.sent.clear()  # as if nobody had watched
    assert not two.is_copy("bb.test")
    two.first.clear()
    for number in range(2, 8):
        two.page(f"a.test/{number}", 100 + number)
    assert two.is_copy("bb.test")


def test_different_home_pages_mean_different_hosts() -> None:
    two = Two()
    two.page("a.test/", 1)
    two.page("bb.test/", 2)
    for number in range(20):
        two.page(f"a.test/{number}", 100 + number)
        two.page(f"bb.test/{number}", 100 + number)
    assert not two.is_copy("bb.test")


def test_a_mirror_that_turns_out_to_differ_is_let_go() -> None:
    two = Two()
    fill(two, "a.test", "bb.test")
    for number in range(10):
        two.page(f"a.test/new{number}", 5000 + number)
        two.page(f"bb.test/new{number}", 6000 + number)
    assert not two.is_copy("bb.test")
    assert two.mirrors[1].has_risen


def test_a_page_that_the_main_host_lacks_is_enough_in_the_end() -> None:
    two = Two()
    fill(two, "a.test", "bb.test")
    two.mirrors[1].wake()
    two.page("bb.test/only-here", 7777)
    assert two.is_copy("bb.test"), "the main host may still have it"
    assert two.mirrors[0].is_undecided
    two.mirrors[0].wake()
    two.carry()
    assert not two.is_copy("bb.test")
    assert not two.mirrors[0].is_undecided


def test_a_page_that_the_main_host_has_later_is_none_it_lacks() -> None:
    two = Two()
    fill(two, "a.test", "bb.test")
    two.mirrors[1].wake()
    two.page("bb.test/more", 7777)
    two.page("a.test/more", 7777)
    two.mirrors[0].wake()
    two.carry()
    assert two.is_copy("bb.test")


def test_mirrors_survive_a_restart() -> None:
    two = Two()
    fill(two, "a.test", "bb.test")
    again = Two([one.states() for one in two.mirrors])
    assert again.is_copy("bb.test")
    for number in range(10):
        again.page(f"a.test/new{number}", 5000 + number)
        again.page(f"bb.test/new{number}", 6000 + number)
    assert not again.is_copy("bb.test")


def test_nothing_is_sent_without_mirrors() -> None:
    two = Two()
    for number in range(50):
        two.page(f"a.test/{number}", 1000 + number)
        two.page(f"bb.test/{number}", 2000 + number)
    assert two.carried == 0


def test_a_mirror_that_is_known_costs_a_message_for_each_sample() -> None:
    two = Two()
    fill(two, "a.test", "bb.test")
    before = two.carried
    for number in range(50):
        two.page(f"a.test/more{number}", 1000 + number)
    assert two.carried == before


def test_a_pair_that_is_met_again_and_again_is_listed_once() -> None:
    """However often more pairs than are remembered take turns, a page is told of once for each pair."""
    two = Two()
    fill(two, "a.test", "bb.test")
    abroad = two.mirrors[1].abroad
    assert abroad is not None
    for _ in range(5):
        for number in range(1001):  # forgets the pair, which the detector still knows
            abroad._watched["http://a.test", f"http://bb.test/{number}"] = True
        abroad.meet("http://bb.test/1", 101, "http://a.test/1")
    two.carry()
    before = two.carried
    two.page("bb.test/new", 999)
    assert two.carried == before + 1
