"""Hosts with the same pages at the same paths, and hosts that only look so."""

from collections.abc import Iterable

from gossamer.analyzers.redundancy.mirror_detection import MirrorDetector, MirrorState, describe
from gossamer.analyzers.redundancy.texts_met import Texts
from gossamer.core.settings import DetectSettings
from gossamer.core.url import Url, parse

SETTINGS = DetectSettings(agreements=5)


class World:
    def __init__(self, states: Iterable[MirrorState] = ()) -> None:
        self.texts = Texts()
        self.mirrors = MirrorDetector(SETTINGS, self.texts, states)

    def page(self, address: str, said: int) -> None:
        url = self.url(address)
        met = self.texts.meet(url.text, url.origin, said)
        self.mirrors.observe(url, said, met.anywhere)

    def both(self, path: str, said: int) -> None:
        self.page(f"a.test{path}", said)
        self.page(f"b.test{path}", said)

    def url(self, address: str) -> Url:
        url = parse(f"http://{address}")
        assert url is not None
        return url

    def is_copy(self, host: str) -> bool:
        return self.mirrors.pair_of(self.url(f"{host}/any")) is not None


def mirrored() -> World:
    world = World()
    world.both("/", 1000)
    for number in range(5):
        world.both(f"/{number}", number + 1)
    return world


def test_the_host_that_was_met_first_is_crawled() -> None:
    world = mirrored()
    assert world.is_copy("b.test")
    assert not world.is_copy("a.test")
    [state] = world.mirrors.states()
    assert describe(state).startswith("sampled http://b.test: a mirror of http://a.test; 5 of 5")


def test_order_does_not_matter() -> None:
    world = World()
    for number in (*range(5), 1000):
        path = "/" if number == 1000 else f"/{number}"
        for host in ("a.test", "b.test") if number % 2 == 0 else ("b.test", "a.test"):
            world.page(host + path, number + 1)
    world.both("/more", 77)
    assert world.is_copy("b.test")


def test_different_home_pages_mean_different_hosts() -> None:
    world = World()
    world.page("a.test/", 1000)
    world.page("b.test/", 2000)
    for number in range(50):
        world.both(f"/{number}", number + 1)
    assert world.mirrors.states() == []


def test_one_text_at_many_paths_is_one_agreement() -> None:
    world = World()
    world.both("/", 1000)
    for number in range(50):
        world.both(f"/{number}", 7)
    assert world.mirrors.states() == []


def test_few_common_pages_among_many_different_ones_are_not_enough() -> None:
    world = World()
    world.both("/", 1000)
    for number in range(20):
        world.both(f"/{number}", number + 1) if number % 4 == 0 else None
        world.page(f"a.test/x{number}", 3000 + number)
        world.page(f"b.test/x{number}", 4000 + number)
    assert world.mirrors.states() == []


def test_what_turns_out_to_differ_is_let_go() -> None:
    world = mirrored()
    for number in range(10):
        world.page(f"a.test/new{number}", 5000 + number)
        world.page(f"b.test/new{number}", 6000 + number)
    assert not world.is_copy("b.test")
    assert world.mirrors.has_risen


def test_a_page_that_the_main_host_lacks_is_enough_in_the_end() -> None:
    world = mirrored()
    world.mirrors.wake()
    assert not world.mirrors.can_wake
    world.page("b.test/only-here", 7777)
    assert not world.is_copy("b.test")


def test_a_copy_has_no_copies_and_mirrors_survive_a_restart() -> None:
    world = mirrored()
    states = world.mirrors.states()
    again = World(states)
    assert again.is_copy("b.test")
    assert again.mirrors.states() == states
