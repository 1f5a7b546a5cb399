"""Links that were not followed: each says why, the counts agree, and `gossamer explain` knows."""

from collections import Counter
from pathlib import Path

import pytest

import gossamer
from gossamer.cli import run
from gossamer.core.settings import BudgetSettings
from gossamer.lab import Web, serve
from gossamer.lab.behaviours import CORRECT, Calendar
from tests.analyzers.duplicates.texts import prose
from tests.engine.engine_crawling import crawl, query
from tests.engine.test_engine_discovery import Server, server

__all__ = ["server"]


def site(server: Server) -> None:
    """A page for each reason."""
    links = ("/open", "/closed", "/gone", "/moved", "/away", "/round", "/excluded")
    server.page("/", "".join(f"<a href={path}>x</a>" for path in links) + """
        <a rel=nofollow href=/unwanted>x</a> <a href=http://elsewhere.test/>x</a>
        <a href=ftp://files.test/>x</a> <a href=http://[>x</a>""")  # fmt: skip
    server.page("/open", "<a href=/deep>x</a>")
    server.page("/deep", "<a href=/deeper>x</a><a href=/open>x</a>")
    server.page("/closed", "<meta name=robots content=nofollow><a href=/secret>x</a>")
    server.answers["/gone"] = (404, {"Content-Type": "text/html"}, "<a href=/hidden>x</a>")
    server.answers["/moved"] = (301, {"Location": "/open", "Content-Type": "text/html"}, "")
    server.answers["/away"] = (302, {"Location": "http://elsewhere.test/x"}, "")
    server.answers["/round"] = (302, {"Location": "/round"}, "")


def refused(server: Server, out: Path) -> dict[str, str | None]:
    rows = query(out, "select distinct target, refused from links")
    return {target.removeprefix(server.url): reason for target, reason in rows}


@pytest.fixture
def crawled(server: Server, tmp_path: Path) -> tuple[Server, Path, gossamer.Summary]:
    site(server)
    out = tmp_path / "out"
    return server, out, server.crawl(out, exclude=["excluded"], max_depth=2)


def test_each_link_says_why_it_was_not_followed(
    crawled: tuple[Server, Path, gossamer.Summary],
) -> None:
    server, out, _ = crawled
    found = refused(server, out)
    reasons = {path: reason for path, reason in found.items() if reason is not None}
    assert reasons == {
        "/unwanted": "nofollow",
        "http://elsewhere.test/": "out_of_scope",
        "ftp://files.test/": "scheme",
        "/excluded": "excluded",
        "/deeper": "too_deep",
        "/secret": "nofollow",
        "/hidden": "bad_status",
    }
    assert {"/open", "/closed", "/gone", "/moved", "/deep"} <= found.keys()


def test_redirects_say_where_they_lead_and_why_they_were_not_followed(
    crawled: tuple[Server, Path, gossamer.Summary],
) -> None:
    server, out, _ = crawled
    rows = query(
        out,
        "select url, redirect_to, redirect_refused from pages where status between 300 and 399",
    )
    assert {tuple(str(one).removeprefix(server.url) for one in row) for row in rows} == {
        ("/moved", "/open", "None"),
        ("/away", "http://elsewhere.test/x", "out_of_scope"),
        ("/round", "/round", "redirect_loop"),
    }


def counted(out: Path) -> Counter[str]:
    """Refusals as the tables have them."""
    rows = query(
        out,
        """select refused from links where refused is not null
        union all select redirect_refused from pages where redirect_refused is not null
        union all select outcome from pages where outcome in
        ('robots_disallowed', 'private_address', 'bad_url')""",
    )
    return Counter(reason for (reason,) in rows)


def test_the_summary_counts_what_the_tables_say(
    crawled: tuple[Server, Path, gossamer.Summary],
) -> None:
    _, out, summary = crawled
    no_urls = Counter({"bad_url": 1})  # which no row can name
    assert counted(out) + no_urls == summary.refused
    assert summary.refused["redirect_loop"] == 1


@pytest.mark.parametrize("partitions", [1, 2])
def test_the_summary_counts_what_the_tables_say_on_a_larger_web(
    tmp_path: Path, partitions: int
) -> None:
    out = tmp_path / "out"
    with serve(Web(seed=8, pages=400, hosts=12, behaviours=CORRECT)) as served:
        budget = BudgetSettings(kind="off")
        summary = crawl(served, out, budget, partitions=partitions, max_depth=6)
    assert summary.refused["nofollow"] > 0
    assert summary.refused["duplicate_content"] > 0
    assert counted(out) == summary.refused


def test_links_of_a_page_that_is_not_followed_at_all_say_why(
    server: Server, tmp_path: Path
) -> None:
    server.page("/", "<a href=/first>x</a><a href=/second>x</a>")
    body = f"<p>{prose(5, 100).decode()}</p><a href=relative>x</a>"
    server.page("/first", body)
    server.page("/second", body)
    server.crawl(tmp_path / "out")
    rows = query(tmp_path / "out", "select refused from links where target like '%/relative'")
    assert sorted(rows, key=str) == [("duplicate_content",), (None,)]


def explain(capfd: pytest.CaptureFixture[str], url: str, out: Path) -> list[tuple[str, str]]:
    capfd.readouterr()
    assert run(["explain", url, "--crawl", str(out), "--offline"]) == 0
    lines = capfd.readouterr().out.splitlines()
    return [(name, value.strip()) for name, value in (line.split(None, 1) for line in lines)]


def test_explain_knows_what_was_refused_and_where(
    crawled: tuple[Server, Path, gossamer.Summary], capfd: pytest.CaptureFixture[str]
) -> None:
    server, out, _ = crawled
    url = server.url
    unvisited = ("visited", "not yet, by the tables on disk")
    for path, on, reason in (
        ("/unwanted", "/", "nofollow"),
        ("/secret", "/closed", "nofollow"),
        ("/hidden", "/gone", "bad_status"),
        ("/deeper", "/deep", "too_deep"),
    ):
        said = explain(capfd, url + path, out)
        assert ("named", f"by {url}{on} (a), refused: {reason}") in said
        assert unvisited in said
        assert "waiting" not in dict(said)
    said = explain(capfd, "http://elsewhere.test/x", out)
    assert ("named", f"by a redirect at {url}/away, refused: out_of_scope") in said
    said = explain(capfd, f"{url}/round", out)
    assert ("redirect", f"to {url}/round, not followed: redirect_loop") in said
    said = explain(capfd, f"{url}/open", out)
    assert ("named", f"by a redirect at {url}/moved, offered") in said
    assert ("named", f"by {url}/ (a), offered; 2 such links") in said
    assert ("visited", "fetched 200") in said
    assert ("found", f"as a link on {url}/, at depth 1") in said
    assert ("named", "as a seed") in explain(capfd, f"{url}/", out)
    said = explain(capfd, f"{url}/nobody", out)
    assert ("named", "by no link or redirect in the tables on disk") in said


def test_explain_knows_what_waits(
    server: Server, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    server.page("/", "".join(f"<a href=/{number}>x</a>" for number in range(5)))
    out = tmp_path / "out"
    server.crawl(out, max_pages=1)
    said = explain(capfd, f"{server.url}/3", out)
    assert ("waiting", "for its turn in the queues of the frontier") in said
    gossamer.Crawl.resume(out, max_pages=0).run()
    assert "waiting" not in dict(explain(capfd, f"{server.url}/3", out))


def test_explain_knows_what_is_held_back(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    with serve(Web(seed=5, pages=60, hosts=3, behaviours=(Calendar(every=1),))) as served:
        summary = crawl(served, out, BudgetSettings(kind="off"))
    assert summary.stopped_by == "finished"
    unvisited = query(
        out,
        """select distinct target from links where refused is null
        and target not in (select url from pages) order by target""",
    )
    assert len(unvisited) >= summary.held > 0
    for (url,) in unvisited[:20]:  # nothing waits for its turn any more
        said = dict(explain(capfd, url, out))["waiting"]
        assert said.startswith(("held back", "not in this spelling: a rule replaces it by "))
