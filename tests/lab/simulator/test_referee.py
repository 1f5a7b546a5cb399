"""The referee knows which requests were sent before a death, though servers read them later."""

import pytest
from msgspec.structs import replace

from gossamer.core.settings import PolitenessSettings, Settings
from gossamer.lab import LoggedRequest, Web
from gossamer.lab.simulator.politeness_check import Foul
from gossamer.lab.simulator.referee import Referee

WEB = Web(seed=1, pages=20, hosts=3)
HOST = WEB.names[0]
POLITENESS = PolitenessSettings(delay=1.0, address_delay=0.2, per_address=1)


@pytest.fixture
def referee() -> Referee:
    return Referee(WEB, replace(Settings(), politeness=POLITENESS))


def ask(
    referee: Referee, start: float, path: str = "/", host: str = HOST, took: float = 0.0
) -> None:
    referee.see(LoggedRequest(start, start + took, host, path, "GET", 200, "", "198.51.0.1"))


def test_who_goes_on_with_a_clock_set_forwards_may_be_too_soon_once(referee: Referee) -> None:
    """The first request was on its way when its sender died, so it was read after the next start."""
    ask(referee, 10.05)
    referee.note_crash()
    referee.manners.note_jump()
    ask(referee, 10.35)
    with pytest.raises(Foul, match=r"asked again after 0\.900 s instead of 1\.0 s"):
        ask(referee, 11.25, "/another")


def test_a_host_is_excused_only_for_what_came_before_the_clock_was_set(referee: Referee) -> None:
    referee.manners.note_jump()
    ask(referee, 10.0)
    with pytest.raises(Foul, match=r"asked again after 0\.500 s"):
        ask(referee, 10.5, "/another")


def test_a_clock_set_forwards_is_no_excuse_at_an_address(referee: Referee) -> None:
    ask(referee, 10.0)
    referee.note_crash()
    referee.manners.note_jump()
    with pytest.raises(Foul, match=r"two requests began at 198\.51\.0\.1 within 0\.100 s"):
        ask(referee, 10.1, host=WEB.names[1])


def test_the_dead_let_go_of_connections_that_servers_do_not_know_of_yet(referee: Referee) -> None:
    ask(referee, 10.05, took=30.0)
    referee.note_crash()
    ask(referee, 10.35, host=WEB.names[1], took=30.0)
    with pytest.raises(Foul, match="has 2 requests at a time"):
        ask(referee, 20.0, host=WEB.names[2])


def test_nothing_is_asked_for_twice_unless_somebody_died_in_between(referee: Referee) -> None:
    ask(referee, 10.05)
    referee.note_crash()
    ask(referee, 12.0)
    with pytest.raises(Foul, match="was asked for twice, and nobody had crashed"):
        ask(referee, 14.0)
