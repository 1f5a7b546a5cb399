"""Jobs that begin in the browser: resume, index, graph; one at a time, and they survive the browser."""

import os
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import gossamer
from gossamer.dashboard.jobs import background_jobs as jobs_module
from gossamer.lab import Web
from tests.dashboard.faces import Visitor, shown
from tests.dashboard.live import crawling, wait_until
from tests.engine.engine_crawling import DNS

if TYPE_CHECKING:
    from playwright.sync_api import Page


def begin(visitor: Visitor, job: str):  # type: ignore[no-untyped-def]
    return visitor.post("/api/control/job", {"token": visitor.token(), "job": job})


def wait_for_end(visitor: Visitor) -> dict[str, object]:
    wait_until(lambda: not visitor.get("/api/control").json["job"]["is_running"])
    found: dict[str, object] = visitor.get("/api/control").json["job"]
    return found


def test_a_graph_and_an_index_are_built(finished_copy: Path) -> None:
    with shown(finished_copy) as visitor:
        assert "has no graph" in visitor.get("/api/graph").text
        assert begin(visitor, "graph").json["is_running"]
        assert wait_for_end(visitor)["said"] == "graph: it is built; see /graph"
        assert "has no graph" not in visitor.get("/api/graph").text
        assert begin(visitor, "index").status == 200
        ended = wait_for_end(visitor)
        assert (ended["trouble"], ended["said"]) == (False, "index: it is built; see /search")
        assert ended["total"], "it said how far it was"
        assert visitor.get("/api/search?q=the").status == 200


def test_a_name_that_looks_like_an_option_is_none(
    finished_copy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The directory is named by its whole path, and the password of the server stays with the server."""
    finished_copy.rename(tmp_path / "--help")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GOSSAMER_PASSWORD", "correct horse battery")
    seen: list[tuple[list[str], dict[str, str]]] = []
    popen = subprocess.Popen

    def note(command: list[str], **options: Any) -> Any:
        seen.append((command, options["env"]))
        return popen(command, **options)

    monkeypatch.setattr(subprocess, "Popen", note)
    with shown(Path("--help")) as visitor:
        assert begin(visitor, "graph").status == 200
        assert wait_for_end(visitor)["trouble"] is False
        assert begin(visitor, "resume").status == 200
        assert wait_for_end(visitor)["said"] == "the crawl that was resumed here has ended"
    for command, environment in seen:
        assert str(tmp_path / "--help") in command
        assert "GOSSAMER_PASSWORD" not in environment


@pytest.mark.parametrize(("path", "job"), [("/search", "index"), ("/graph", "graph")])
def test_what_is_missing_is_built_where_it_is_missed(
    finished_copy: Path, tab: "Page", path: str, job: str
) -> None:
    with shown(finished_copy) as visitor:
        tab.goto(f"{visitor.url}{path}")
        tab.locator(f"#{job}-job").click()
        tab.wait_for_url("**/control#build")
        assert wait_for_end(visitor)["trouble"] is False
        tab.goto(f"{visitor.url}{path}")
        assert tab.locator(f"#{job}-job").count() == 0


def test_only_one_is_under_way_and_it_can_be_ended(
    finished_copy: Path, finished_crawl: Path, tmp_path: Path
) -> None:
    """The build waits for a file that is a pipe, as for a slow disk."""
    page_file = next((finished_copy / "links").glob("*.parquet"))
    page_file.unlink()
    os.mkfifo(page_file)
    with shown(finished_copy) as visitor, shown(finished_crawl) as other:
        assert begin(visitor, "graph").status == 200
        second, elsewhere = begin(visitor, "index"), begin(other, "index")
        assert (second.status, elsewhere.status) == (409, 409)
        assert second.json["error"] == "graph is under way; wait for it, or end it"
        assert "index or graph of another crawl" in elsewhere.json["error"]
        assert (
            "graph is under way"
            in visitor.post("/control/job", {"token": visitor.token(), "job": "index"}).text
        )
        assert begin(visitor, "end").status == 200
        assert wait_for_end(visitor)["said"] == "graph: ended by the user"
        assert begin(visitor, "end").status == 409


def test_a_build_that_fails_says_why_in_one_line(finished_copy: Path) -> None:
    for file in (finished_copy / "links").glob("*.parquet"):
        file.write_bytes(b"damaged")
    with shown(finished_copy) as visitor:
        begin(visitor, "graph")
        ended = wait_for_end(visitor)
        page = visitor.get("/control").text
    assert ended["trouble"]
    said = str(ended["said"])
    assert said.startswith("graph failed: ")
    assert "\n" not in said
    assert "Traceback" not in said
    assert 'class="error"><span>graph failed' in page


def test_builds_end_with_the_server(finished_copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page_file = next((finished_copy / "links").glob("*.parquet"))
    page_file.unlink()
    os.mkfifo(page_file)
    with shown(finished_copy) as visitor:
        begin(visitor, "graph")
    wait_until(jobs_module._one_build.acquire)
    jobs_module._one_build.release()


def test_nobody_else_begins_a_job(finished_copy: Path) -> None:
    with shown(finished_copy) as visitor, shown(finished_copy) as other:
        for token in ("", "0" * 64, other.token()):
            assert visitor.post("/control/job", {"token": token, "job": "graph"}).status == 403
            assert visitor.post("/api/control/job", {"token": token, "job": "graph"}).status == 403
        for headers in ({"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"}):
            fields = {"token": visitor.token(), "job": "graph"}
            assert visitor.post("/control/job", fields, headers).status == 403
        assert visitor.get("/control/job?job=graph").status in (404, 405)
        assert begin(visitor, "format").status == 409
        assert visitor.get("/api/control").json["job"] is None
    assert not (finished_copy / "graph").exists()


def test_a_stopped_crawl_is_resumed_with_a_higher_limit(tmp_path: Path, tab: "Page") -> None:
    out = tmp_path / "crawl"
    web = Web(seed=5, pages=100_000, hosts=20)
    from gossamer.lab import serve

    with serve(web) as served:
        settings = gossamer.Settings(dns=DNS(servers=(served.dns_address,)))
        gossamer.Crawl(
            served.seed_url,
            out=out,
            settings=settings,
            scope="all",
            delay=0,
            max_pages=20,
            allow_private=True,
        ).run()
        with shown(out) as visitor:
            tab.goto(f"{visitor.url}/control")
            tab.locator("#limit-value").fill("60")
            tab.locator("#limit-button").click()
            tab.locator("#just-given").wait_for()
            tab.locator("#resume-job").click()
            tab.wait_for_url("**/control#build")
            tab.goto("about:blank")
            wait_until(lambda: visitor.get("/api/").json["summary"]["pages"] >= 60)
            ended = wait_for_end(visitor)
            assert ended["said"] == "the crawl that was resumed here has ended"
            assert visitor.get("/api/").json["summary"]["pages"] == 60


def test_a_crawl_that_runs_is_not_resumed(tmp_path: Path) -> None:
    out = tmp_path / "crawl"
    with crawling(out, Web(seed=5, pages=100_000, hosts=20)), shown(out) as visitor:
        answer = begin(visitor, "resume")
        assert (answer.status, answer.json["error"]) == (409, "the crawl runs already")
