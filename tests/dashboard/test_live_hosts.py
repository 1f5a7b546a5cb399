"""Hosts of a crawl that runs: what only the crawl knows is asked of it, and shown."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import gossamer
from gossamer.dashboard import live_state
from gossamer.engine.control import ask
from gossamer.engine.control.control_messages import AskHosts
from gossamer.lab import Web
from tests.dashboard.faces import Visitor, shown
from tests.dashboard.live import crawling, wait_until
from tests.patience import PATIENCE

if TYPE_CHECKING:
    from playwright.sync_api import Page

WEB = Web(seed=5, pages=100_000, hosts=10)
"""More than a crawl has in the time of a test, however slow the machine is."""


def _known(visitor: Visitor) -> dict[str, tuple[object, ...]]:
    """What is said of each host beside its pages, but for what changes by itself."""
    columns = ("rule", "waiting", "failures", "is_blocked", "priority")
    hosts = visitor.get("/api/hosts").json["hosts"]
    assert hosts == [one for one in hosts if one["now"]]
    return {one["host"]["name"]: tuple(one["now"][column] for column in columns) for one in hosts}


def test_hosts_of_a_running_crawl(
    tmp_path: Path, tab: "Page", monkeypatch: pytest.MonkeyPatch
) -> None:
    """A crawl that is paused says the same to everybody; then it goes on, and ends."""
    monkeypatch.setattr(live_state, "_SECONDS", PATIENCE)
    tab.set_default_timeout(PATIENCE * 1000)
    out = tmp_path / "crawl"
    budgets = {"delays": True, "host_delay": 0.2, "least_host_delay": 0.1}
    with crawling(out, WEB, tables_every=1, **budgets) as (served, crawl), shown(out) as visitor:
        wait_until(lambda: len(served.requests()) > 50)
        token = visitor.token()
        visitor.post("/control", {"token": token, "order": "pause"})
        wait_until(lambda: len(visitor.get("/api/hosts").json["hosts"]) > 2)
        ring = crawl.ring
        assert ring is not None
        wait_until(lambda: not ring.components.fetcher.in_flight and not ring.pages_in_flight)

        seen = visitor.get("/api/hosts?sort=waiting").json
        assert seen["is_live"]
        names = tuple(one["host"]["name"] for one in seen["hosts"])
        reply = ask(out, AskHosts(names))
        assert reply is not None
        told = {one["host"]: one for one in reply.found["hosts"]}
        for one in seen["hosts"]:
            there = told[one["host"]["name"]]
            known = one["now"]
            assert (known["waiting"], known["rule"]) == (there["waiting"], there["rule"])
            assert known["delay"] == there["delay"]
        waiting = [one["now"]["waiting"] for one in seen["hosts"]]
        assert waiting == sorted(waiting, reverse=True)
        assert waiting[0] > 0

        tab.goto(f"{visitor.url}/hosts?sort=waiting")
        row = tab.get_by_role("row", name=names[0])
        cells = [
            cell.replace(",", "").lstrip("~") for cell in row.get_by_role("cell").all_inner_texts()
        ]
        assert cells[4] == str(waiting[0])
        row.get_by_role("link").first.click()
        assert "by the rule" in tab.locator("main").inner_text()

        visitor.post("/control", {"token": token, "order": f"block {names[0]}"})
        blocked = visitor.get(f"/api/host?name={names[0]}").json["now"]
        assert blocked["is_blocked"]
        visitor.post("/control", {"token": token, "order": f"delay {names[1]} 90"})
        visitor.post("/control", {"token": token, "order": f"priority {names[1]} 2"})
        live = _known(visitor)
        visitor.post("/control", {"token": token, "order": "stop"})
        wait_until(lambda: not visitor.get("/api/").json["is_running"])
        ended = visitor.get("/api/hosts?sort=waiting").json
        assert not ended["is_live"]
        waiting = [one["now"]["waiting"] for one in ended["hosts"]]
        assert waiting == sorted(waiting, reverse=True)
        while (by_rest := visitor.get("/api/hosts?sort=rest").json)["paging"]["unread"]:
            pass
        assert by_rest["hosts"][0]["host"]["name"] == names[1], "it was given a delay of 90 s"
        then = _known(visitor)
        assert {name: then[name] for name in live} == live, "as of the last checkpoint"
        assert {rule for rule, *_ in live.values()} == {"budget", "ordered"}
        slow = visitor.get(f"/api/host?name={names[1]}").json["now"]
        assert (slow["delay"], slow["budget"], slow["priority"]) == (90, "no limit", 2)
        assert 0 < slow["rest"] <= 90
        others = [one["now"] for one in ended["hosts"] if one["now"]["name"] != names[1]]
        assert all(0.1 <= one["delay"] <= 0.2 for one in others), "by the budgets of domains"
        tab.goto(f"{visitor.url}/hosts?sort=waiting")
        assert "as of the last checkpoint" in tab.locator("main").inner_text()
        row = tab.get_by_role("row", name=names[1])
        assert "90 s ordered" in row.inner_text()
        row.get_by_role("link").first.click()
        assert "by the rule ordered" in tab.locator("main").inner_text()
        rows = gossamer.open(out).pages.to_table(columns=["host"]).to_pylist()
        for one in ended["hosts"]:
            name = one["host"]["name"]
            assert one["host"]["visits"] == sum(row["host"] == name for row in rows)
