"""Requests by POST through a whole crawl: made once, kept, found again, and their secrets nowhere."""

import gzip
import json
import signal
from pathlib import Path
from random import Random
from typing import Any

import pytest

import gossamer
from gossamer import Request
from gossamer.cli import run
from gossamer.core.errors import SeedError
from gossamer.core.records import Via
from gossamer.core.settings import BudgetSettings
from tests.engine.asked_site import Asked, AskedSite, asked_site
from tests.engine.engine_crawling import query
from tests.engine.engine_forks import Begun, command, death_after

__all__ = ["asked_site"]

BUDGETED = gossamer.Settings(budget=BudgetSettings(kind="on"))


def index_of(out: Path) -> list[tuple[str, dict[str, str]]]:
    lines = (out / "warc" / "index.cdxj").read_text().splitlines()
    return [(line.split(" ")[0], json.loads(line.split(" ", 2)[2])) for line in lines]


def records(out: Path) -> bytes:
    return b"".join(gzip.decompress(path.read_bytes()) for path in (out / "warc").glob("*.gz"))


def test_requests_to_one_url_are_made_once_each(asked_site: AskedSite, tmp_path: Path) -> None:
    url = f"{asked_site.url}/s"
    requests = [Request(url, body="q=a"), Request(url, body="q=b"), Request.json(url, {"q": "a"})]
    summary = asked_site.crawl(tmp_path / "out", url, *requests, *requests)
    bodies = [b"q=a", b"q=b", b'{"q": "a"}']
    assert [one.body for one in asked_site.posts] == bodies
    assert summary.stopped_by == "finished"
    rows = query(tmp_path / "out", "select method, request, via from pages where url like '%/s'")
    assert sorted(rows, key=str) == [
        ("POST", "__wb_method=POST&q=a", "request"),
        ("POST", "__wb_method=POST&q=a", "request"),
        ("POST", "__wb_method=POST&q=b", "request"),
        (None, None, "seed"),
    ]
    keys = query(tmp_path / "out", "select distinct request_key from pages where url like '%/s'")
    assert len(keys) == 4
    paths = {one.path for one in asked_site.asked}
    assert paths == {"/robots.txt", "/s", "/item0", "/item3", "/item10"}, "an empty link is the URL"


def test_a_capture_is_found_by_method_and_body(asked_site: AskedSite, tmp_path: Path) -> None:
    out = tmp_path / "out"
    asked_site.crawl(out, Request.form(f"{asked_site.url}/s", {"b": "2 x", "a": "Ü"}))
    surt = f"1,0,0,127:{asked_site.server.server_port})/s?__wb_method=post&a=%c3%9c&b=2%20x"
    [found] = [entry for key, entry in index_of(out) if key == surt]
    assert (found["url"], found["method"]) == (f"{asked_site.url}/s", "POST")
    assert found["requestBody"] == "b=2 x&a=Ü"
    assert b"POST /s HTTP/1.1\r\n" in records(out)
    assert b"\r\n\r\nb=2+x&a=%C3%9C\r\n\r\n" in records(out)


def test_redirects_keep_or_change_the_method(asked_site: AskedSite, tmp_path: Path) -> None:
    paths = ("/see", "/same", "/away")
    asked_site.crawl(
        tmp_path / "out",
        *(Request(asked_site.url + path, body="q=1") for path in paths),
        scope="all",
    )
    asked = {(one.method, one.path) for one in asked_site.asked if one.path != "/robots.txt"}
    assert ("GET", "/seen") in asked
    assert ("POST", "/s") in asked
    assert len(asked_site.posts) == 4, "the body goes to no other host"
    refused = query(tmp_path / "out", "select url, redirect_refused from pages where status = 307")
    assert (f"{asked_site.url}/away", "body_elsewhere") in refused


@pytest.mark.parametrize("path", ["/drop", "/late"])
def test_a_request_that_may_have_arrived_is_not_repeated(
    asked_site: AskedSite, tmp_path: Path, path: str
) -> None:
    out, retries = tmp_path / "out", 3
    urls = [asked_site.url + path, asked_site.url + "/s"]
    asked_site.crawl(out, Request(urls[0], body="order=1"), urls[1], retries=retries)
    assert len(asked_site.posts) == 1
    [(outcome, detail)] = query(out, "select outcome, detail from pages where method = 'POST'")
    assert outcome == "unconfirmed"
    assert detail.startswith("empty_reply: ")
    gossamer.Crawl.resume(out).run()
    assert len(asked_site.posts) == 1, "nor when the crawl goes on"


def test_only_an_answer_that_refuses_is_asked_again(asked_site: AskedSite, tmp_path: Path) -> None:
    asked_site.statuses = {"/busy": [429], "/broken": [503]}
    urls = [f"{asked_site.url}{path}" for path in ("/busy", "/broken")]
    asked_site.crawl(
        tmp_path / "out", *(Request(url, body="x=1") for url in urls), hold_ceiling=0.1
    )
    assert [one.path for one in asked_site.posts].count("/busy") == 2
    assert [one.path for one in asked_site.posts].count("/broken") == 1
    rows = query(tmp_path / "out", "select status from pages where method = 'POST' order by status")
    assert rows == [(200,), (503,)]


def test_nothing_was_sent_if_nobody_listens(asked_site: AskedSite, tmp_path: Path) -> None:
    asked_site.server.end()
    out = tmp_path / "out"
    asked_site.crawl(out, Request(f"{asked_site.url}/s", body="x=1"), obey=False, retries=1)
    [(outcome, attempt)] = query(out, "select outcome, attempt from pages where via = 'request'")
    assert (outcome, attempt) == ("connect_failed", 1), "it may be tried again"


def test_robots_txt_counts(asked_site: AskedSite, tmp_path: Path) -> None:
    asked_site.robots = "User-agent: *\nDisallow: /s"
    asked_site.crawl(tmp_path / "out", Request(f"{asked_site.url}/s", body="q=1"))
    assert asked_site.posts == []
    rows = query(tmp_path / "out", "select outcome, method from pages")
    assert rows == [("robots_disallowed", "POST")]


def test_secrets_are_in_no_output(asked_site: AskedSite, tmp_path: Path) -> None:
    out, secret = tmp_path / "out", "hush-4711"
    url = f"{asked_site.url}/s"
    requests = (
        Request.form(url, {"user": "me", "password": secret}),
        Request.json(url, {"csrfToken": secret}),
        Request(url, body="q=1", session="me"),
    )
    asked_site.crawl(out, *requests, cookies={"me@127.0.0.1": f"sid={secret}"})
    assert [one.cookie for one in asked_site.posts] == ["", "", f"sid={secret}"]
    assert secret.encode() in b"".join(one.body for one in asked_site.posts)
    assert secret.encode() not in records(out)
    assert secret not in (out / "warc" / "index.cdxj").read_text()
    tables = list(out.rglob("*.parquet"))
    assert tables
    for table in ("pages", "links"):
        rows = query(out, f"select * from {table}")
        assert secret not in str(rows)
    assert (out / "crawl.toml").stat().st_mode & 0o077 == 0, "it has the seeds as they were given"
    assert query(out, "select session from pages where session is not null") == [("me",)]
    assert b"POST " + url.encode() in records(out), "the warcinfo record names it"


def test_a_session_nobody_knows_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SeedError, match=r'set fetch.cookies or fetch.logins for "me@a.test"'):
        gossamer.Crawl(Request("http://a.test/", session="me"), out=tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_program_adds_requests_while_it_crawls(asked_site: AskedSite, tmp_path: Path) -> None:
    with asked_site.open(tmp_path / "out", f"{asked_site.url}/s") as crawl:
        for document in crawl:
            if document.page.visit.via is Via.SEED:
                crawl.add(Request(f"{asked_site.url}/s", body="q=late"), f"{asked_site.url}/more")
    assert asked_site.posts == [Asked("POST", "/s", b"q=late")]
    assert "/more" in {one.path for one in asked_site.asked}
    assert gossamer.Crawl.resume(tmp_path / "out").run().stopped_by == "finished"
    assert len(asked_site.posts) == 1


def test_a_copy_is_named_and_kept_whole(asked_site: AskedSite, tmp_path: Path) -> None:
    out = tmp_path / "out"
    urls = f"{asked_site.url}/copy", f"{asked_site.url}/copy?2"
    asked_site.crawl(out, urls[0], Request(urls[1], body="a=1"), Request(urls[1], body="a=2"))
    entries = [entry for key, entry in index_of(out) if "__wb_method" in key]
    assert [entry["mime"] for entry in entries] == ["text/html"] * 2, (
        "indexers give no revisit a key"
    )
    rows = query(out, "select duplicate_of from pages where method = 'POST'")
    assert rows[0] == rows[1]


def test_a_budgeted_crawl_keeps_the_body(asked_site: AskedSite, tmp_path: Path) -> None:
    request = Request(f"{asked_site.url}/s", body="q=1")
    asked_site.crawl(tmp_path / "out", request, settings=BUDGETED)
    assert asked_site.posts == [Asked("POST", "/s", b"q=1")]


def test_partitions_hand_requests_on(asked_site: AskedSite, tmp_path: Path) -> None:
    seeds = [Request(f"{url}/s", body="q=1") for url in (asked_site.url, asked_site.elsewhere)]
    asked_site.crawl(tmp_path / "out", *seeds, partitions=2)
    assert sorted(one.body for one in asked_site.posts) == [b"q=1", b"q=1"]
    rows = query(tmp_path / "out", "select status from pages where method = 'POST'")
    assert rows == [(200,), (200,)]


def test_a_continuous_crawl_makes_it_once(asked_site: AskedSite, tmp_path: Path) -> None:
    knobs: dict[str, Any] = {"continuous": True, "day": 0.5, "shortest": 0.01, "max_pages": 6}
    seeds = (f"{asked_site.url}/", Request(f"{asked_site.url}/s", body="q=1"))
    asked_site.crawl(tmp_path / "out", *seeds, **knobs)
    assert len(asked_site.posts) == 1
    assert [one.path for one in asked_site.asked].count("/") > 1


def test_commands_know_requests(
    asked_site: AskedSite, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, url = tmp_path / "out", f"{asked_site.url}/s"
    request = Request(url, body="q=1&token=hush")
    seeds = tmp_path / "seeds.txt"
    seeds.write_text(f"# requests\n{request.line}\n{url}\n")
    options = ("--allow-private", "--delay", "0", "-q")
    assert run(["crawl", "--seeds", str(seeds), "-o", str(out), *options]) == 0
    assert [one.body for one in asked_site.posts] == [b"q=1&token=hush"]
    capsys.readouterr()
    assert run(["explain", request.line, "--crawl", str(out), "--offline"]) == 0
    said = capsys.readouterr().out
    assert "POST, found in the archive by __wb_method=POST&q=1&token=[not kept]" in said
    assert run(["history", request.line, "--crawl", str(out)]) == 0
    assert run(["history", url, "--crawl", str(out)]) == 0
    assert run(["verify", str(out)]) == 0
    said = capsys.readouterr().out
    assert "hush" not in said
    stored = gossamer.open(out)
    assert stored[url].page.visit.via is Via.SEED, "a URL alone is the page by GET"
    assert [one.title for one in stored.versions(url)] == ["GET /s 0 bytes"]
    assert [one.title for one in stored.versions(request.line)] == ["POST /s 14 bytes"]
    assert len([*stored.latest()]) == 4
    assert run(["export", str(out), str(tmp_path / "all.wacz")]) == 0


def test_killed_and_resumed_it_is_made_again_only_if_it_was_not_recorded(
    asked_site: AskedSite, tmp_path: Path
) -> None:
    """Killed after some pages, at four moments; in the end each request has one row, and its capture."""
    count = 24
    for number, chance in enumerate(map(Random, range(4))):
        out, before = tmp_path / str(number), len(asked_site.posts)
        lines = [
            Request(f"{asked_site.url}/s", body=f"{number}-{one}").line for one in range(count)
        ]
        options = ("--allow-private", "--delay", "0", "-q", "-o", str(out))
        with death_after(3 + 6 * number, chance):
            killed = Begun("crawl", *lines, *options).end()
        assert killed.status == -signal.SIGKILL, killed.err
        recorded = {row["request"] for row in gossamer.open(out).pages.to_table().to_pylist()}
        at_kill = len(asked_site.posts)
        assert command("resume", str(out), "-q").status == 0
        rows = query(out, "select request from pages where method = 'POST'")
        assert sorted(rows) == sorted((f"__wb_method=POST&{number}-{one}",) for one in range(count))
        assert sum("__wb_method" in key for key, _ in index_of(out)) == count
        again = [one.body.decode() for one in asked_site.posts[at_kill:]]
        assert not {f"__wb_method=POST&{one}" for one in again} & recorded
        assert len(set(asked_site.posts[before:])) == count
        assert run(["verify", str(out)]) == 0
