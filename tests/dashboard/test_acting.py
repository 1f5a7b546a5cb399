"""Commands where the data is: from rows of hosts, pages and the frontier, and from a host's own page."""

from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote, urlsplit

import pytest

from gossamer.engine.control import command_history
from gossamer.engine.control.commands import RevisitNow, say
from gossamer.lab import Web
from tests.dashboard.faces import Visitor, shown
from tests.dashboard.live import crawling, wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Dialog, Page

WEB = Web(seed=5, pages=100_000, hosts=20)


def orders(crawl: Path) -> list[str]:
    return [say(one.command) for one in command_history(crawl)]


def one_host(visitor: Visitor) -> str:
    name: str = visitor.get("/api/hosts").json["hosts"][0]["host"]["name"]
    return name


def test_every_row_leads_to_what_can_be_done(finished_crawl: Path) -> None:
    with shown(finished_crawl) as visitor:
        host = one_host(visitor)
        url = visitor.get("/api/pages").json["lines"][0]["url"]
        waiting = visitor.get("/api/frontier").json["next"][0]["url"]
        link = '<a class="act" href="/act?what={}"'
        assert link.format(host) in visitor.get("/hosts").text
        assert link.format(quote(url, safe="")) in visitor.get("/pages").text
        assert link.format(quote(waiting, safe="")) in visitor.get("/frontier").text
        assert (
            f'href="/act?what={quote(url, safe="")}"'
            in visitor.get(f"/page?url={quote(url, safe='')}").text
        )


def test_a_host_is_blocked_from_its_own_page_and_it_is_undone(
    tab: "Page", finished_copy: Path
) -> None:
    with shown(finished_copy) as visitor:
        host = visitor.get("/api/frontier").json["largest"][0]["name"]
        command_preview = visitor.get(f"/api/act?what={host}").json["block_host"]
        assert 0 < command_preview["reached"] <= command_preview["waiting"]
        tab.goto(f"{visitor.url}/host?name={host}")
        tab.get_by_role("link", name="What each would do first").click()
        said = tab.locator(".effect").inner_text()
        assert f"{command_preview['reached']:,} of {command_preview['waiting']:,}" in said
        tab.go_back()
        tab.get_by_role("button", name="Block the host").click()
        tab.locator("#just-given", has_text=f"block {host}").wait_for()
        assert tab.get_by_role("button", name="Unblock the host").count() == 1
        tab.locator("#undo-button").click()
        tab.locator("#just-given", has_text=f"unblock {host}").wait_for()
        tab.get_by_label("Delay in seconds").fill("7")
        tab.get_by_role("button", name="Set the delay").click()
        tab.locator("#just-given", has_text=f"delay {host} 7").wait_for()
        assert tab.get_by_label("Delay in seconds").input_value() == "7.0"
    assert orders(finished_copy) == [f"block {host}", f"unblock {host}", f"delay {host} 7"]


def test_all_pages_of_a_host_are_visited_now_from_its_page(
    tab: "Page", finished_copy: Path
) -> None:
    with shown(finished_copy) as visitor:
        host = one_host(visitor)
        known = {
            one["url"]
            for one in visitor.get(f"/api/pages?host={host}&outcome=fetched").json["lines"]
        }
        asked: list[str] = []

        def accept(dialog: "Dialog") -> None:
            asked.append(dialog.message)
            dialog.accept()

        tab.on("dialog", accept)
        tab.goto(f"{visitor.url}/host?name={host}")
        tab.get_by_role("button", name="Visit its pages now").click()
        tab.locator("#just-given").wait_for()
    assert host in asked[0]
    [order] = command_history(finished_copy)
    assert isinstance(order.command, RevisitNow)
    assert {*order.command.urls} >= known
    assert {urlsplit(url).hostname for url in order.command.urls} == {host}


def test_a_url_of_a_running_crawl_is_visited_now(tab: "Page", tmp_path: Path) -> None:
    out = tmp_path / "crawl"
    with crawling(out, WEB) as (served, _), shown(out) as visitor:
        wait_until(lambda: len(served.requests()) > 5)
        wait_until(lambda: bool(visitor.get("/api/frontier").json["next"]))
        tab.goto(f"{visitor.url}/frontier")
        tab.locator("a.act").first.click()
        url = tab.locator("#what").input_value()
        tab.get_by_role("button", name="Visit now").click()
        tab.locator("#just-given", has_text="revisit").wait_for()
        assert tab.locator("#undo-button").count() == 0, "a visit cannot be taken back"
    assert orders(out) == [f"revisit {url}"]


def test_what_an_order_would_do_is_said_and_nothing_is_done(
    tab: "Page", finished_copy: Path
) -> None:
    with shown(finished_copy) as visitor:
        tab.goto(f"{visitor.url}/control")
        tab.locator("#block-what").fill("*")
        tab.locator("#block-foresee").click()
        said = tab.locator("#foreseen").inner_text()
        waiting = visitor.get("/api/act?what=a.test").json["block_host"]["waiting"]
        assert waiting
        assert f"{waiting:,} of {waiting:,} waiting URLs would be set aside" in said
        assert orders(finished_copy) == []
        tab.locator("#do-it").click()
        tab.locator("#just-given").wait_for()
        assert orders(finished_copy) == ["block *"]
        tab.get_by_role("button", name="Undo command 1").click()
        tab.locator("#just-given", has_text="unblock *").wait_for()
        assert tab.get_by_role("button", name="Undo command 1").count() == 0
    assert orders(finished_copy) == ["block *", "unblock *"]


def test_what_waits_is_the_same_where_an_order_is_foreseen(finished_crawl: Path) -> None:
    """Most of it is over the budget of its domain, and is not said not to be there."""
    with shown(finished_crawl) as visitor:
        summary = visitor.get("/api/").json["summary"]
        command_preview = visitor.get("/api/act?what=a.test").json["block_host"]
        page = visitor.get("/act?what=a.test").text
    assert summary["deferred"] > 0
    assert command_preview["waiting"] + command_preview["unseen"] == summary["waiting"]
    assert f"{command_preview['unseen']:,} more wait over the budget of their domain" in page
    assert (
        f"{command_preview['unseen']:,} more, over their budget, were not counted"
        in command_preview["said"]
    )


def test_programs_ask_what_an_order_would_do(finished_copy: Path) -> None:
    with shown(finished_copy) as visitor:
        token = visitor.token()
        fields = {"token": token, "order": "block *", "dry_run": "1"}
        found = visitor.post("/api/control", fields).json
        assert found["reached"] == found["waiting"] > 0
        assert visitor.post("/api/control", {**fields, "token": "x"}).status == 403
        assert visitor.post("/api/control", {**fields, "order": "blok *"}).status == 400
    assert orders(finished_copy) == []


@pytest.mark.parametrize("what", ["javascript:alert(1)", "a b", "http://", "<script>", "*"])
def test_what_is_no_host_and_no_url_is_said_in_one_line(finished_crawl: Path, what: str) -> None:
    with shown(finished_crawl) as visitor:
        answer = visitor.get(f"/act?what={quote(what, safe='')}")
    assert answer.status in (400, 404)
    assert "<script>" not in answer.text
