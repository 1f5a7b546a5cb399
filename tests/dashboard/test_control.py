"""Orders from the browser: they reach the crawl, are recorded, and nobody else can give them."""

from pathlib import Path

import pytest

from gossamer.dashboard.views import VIEWS
from gossamer.engine.control import command_history
from gossamer.engine.control.commands import say
from gossamer.lab import Web
from tests.dashboard.faces import Visitor, shown
from tests.dashboard.live import crawling, wait_until

WEB = Web(seed=5, pages=100_000, hosts=20)
"""More than a crawl has in the time of a test, however slow the machine is."""


def orders(crawl: Path) -> list[str]:
    return [say(one.command) for one in command_history(crawl)]


def order(visitor: Visitor, **fields: str) -> str:
    """Press a button; where the browser is sent."""
    answer = visitor.post("/control", {"token": visitor.token(), **fields})
    assert answer.status == 303, answer.text
    return answer.headers["location"]


def test_buttons_reach_a_running_crawl(tmp_path: Path) -> None:
    out = tmp_path / "crawl"
    with crawling(out, WEB) as (served, _), shown(out) as visitor:
        wait_until(lambda: len(served.requests()) > 5)
        assert order(visitor, order="pause") == "/control?number=1"
        assert "Recorded as command 1: pause" in visitor.get("/control?number=1").text
        assert visitor.get("/api/control").json["state"]["active_commands"]["is_paused"]
        order(visitor, order="block", what="example.org")
        order(visitor, order="set", what="politeness.delay", value="0.01")
        order(visitor, order="go-on")
        done = len(served.requests())
        wait_until(lambda: len(served.requests()) > done + 5)
        order(visitor, order="stop")
        wait_until(lambda: not visitor.get("/api/").json["is_running"])
    assert orders(out) == [
        *("pause", "block example.org", "set politeness.delay=0.01", "go-on", "stop"),
    ]
    assert {one.origin for one in command_history(out)} == {"browser 127.0.0.1"}


def test_orders_are_in_the_log(finished_copy: Path) -> None:
    with shown(finished_copy) as visitor:
        order(visitor, order="block", what="a.example")
        latest, *_, oldest = visitor.get("/api/log").json["entries"]
        page = visitor.get("/log").text
    assert "block a.example" in latest["message"]
    assert "browser 127.0.0.1" in latest["message"]
    assert oldest["event"] == "started"
    assert "block a.example" in page


def test_a_crawl_that_does_not_run_is_told_too(finished_copy: Path) -> None:
    with shown(finished_copy) as visitor:
        order(visitor, order="block", what="a.example")
        page = visitor.get("/control?number=1").text
        wrong = visitor.post("/control", {"token": visitor.token(), "order": "blok a.example"})
        missing = visitor.post("/control", {"token": visitor.token(), "nonsense": "1"})
    assert "The crawl does not run; the command takes effect when it is resumed" in page
    assert wrong.status == 400
    assert "did you mean block?" in wrong.text
    assert missing.status == 400
    assert orders(finished_copy) == ["block a.example"]


def test_programs_have_the_same(finished_copy: Path) -> None:
    with shown(finished_copy) as visitor:
        token = {"X-Gossamer-Token": visitor.token()}
        given = visitor.post("/api/control", {"order": "delay a.example 3"}, token)
        refused = visitor.post("/api/control", {"order": "delay a.example soon"}, token)
        forged = visitor.post("/api/control", {"order": "pause"})
    assert (given.status, given.json["number"]) == (200, 1)
    assert refused.status == 400
    assert "is not a number" in refused.json["error"]
    assert forged.status == 403
    assert orders(finished_copy) == ["delay a.example 3"]


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.test"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_a_page_elsewhere_orders_nothing(finished_copy: Path, headers: dict[str, str]) -> None:
    with shown(finished_copy) as visitor:
        fields = {"token": visitor.token(), "order": "pause"}
        assert visitor.post("/control", fields, headers).status == 403
    assert orders(finished_copy) == []


def test_a_token_of_another_session_or_none_orders_nothing(finished_copy: Path) -> None:
    with shown(finished_copy) as visitor, shown(finished_copy) as other:
        for token in ("", "0" * 64, other.token()):
            assert visitor.post("/control", {"token": token, "order": "pause"}).status == 403
    assert orders(finished_copy) == []


def test_nothing_changes_by_looking(finished_copy: Path) -> None:
    with shown(finished_copy) as visitor:
        for view in VIEWS:
            visitor.get(view.path)
        assert visitor.get("/control?order=pause&token=x").status == 400
        assert visitor.get("/logout").status == 405
    assert orders(finished_copy) == []
