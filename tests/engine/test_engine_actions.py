"""A crawl that is logged in does nothing: links that log out, delete or vote are left alone, and named."""

from pathlib import Path
from typing import Any

import pytest

import gossamer
from gossamer.cli import run
from gossamer.cli.end_summary import print_summary
from tests.engine.engine_crawling import query
from tests.engine.test_engine_discovery import Server, server
from tests.engine.test_engine_refusals import counted, explain

__all__ = ["server"]

HOST = "127.0.0.1"
COOKIES = {"cookies": {HOST: "session=1"}}
LOGINS = {"logins": {HOST: "anna:secret"}}


def site(server: Server) -> None:
    """Every way that leads to an action, and honest pages beside them."""
    url = server.url
    server.page("/robots.txt", f"User-agent: *\nSitemap: {url}/map.xml\n", "text/plain")
    server.page(
        "/map.xml", f"<urlset><url><loc>{url}/post/5/delete</loc></url></urlset>", "text/xml"
    )
    server.page("/", """<a href=/logout>x</a> <a href=/exit>Abmelden</a> <a href=/wiki/Delete>Delete</a>
        <a href=/moved>x</a> <iframe src="/p.php?do=delete&id=5"></iframe> <a rel=edit href=/form>x</a>
        <link rel=next href=/next?unsubscribe=1> <a href=/delete.html>DELETE</a> <img src=/users/7/logout>
        <meta http-equiv=refresh content="9; url=/vote?id=7&auth=1">""")  # fmt: skip
    server.answers["/moved"] = (302, {"Location": "/cart/add/5"}, "")
    server.page("/wiki/Delete", "how to delete")
    server.page("/delete.html", "the statement DELETE")


DONE = {
    *("/logout", "/exit", "/cart/add/5", "/p.php?do=delete&id=5", "/form", "/next?unsubscribe=1"),
    *("/users/7/logout", "/vote?id=7&auth=1", "/post/5/delete"),
}
HONEST = {"/", "/wiki/Delete", "/delete.html", "/moved", "/map.xml"}


def asked(server: Server) -> set[str]:
    return {path for path, _ in server.requests} - {"/robots.txt"}


@pytest.mark.parametrize("identity", [COOKIES, LOGINS], ids=["cookies", "logins"])
def test_whoever_is_logged_in_does_nothing(
    server: Server, tmp_path: Path, identity: dict[str, Any]
) -> None:
    site(server)
    out = tmp_path / "out"
    summary = server.crawl(out, page_requisites=True, soft_errors=False, **identity)
    assert asked(server) == HONEST
    assert summary.stopped_by == "finished"
    assert summary.refused == {"action": len(DONE)} == counted(out)
    rows = query(out, "select target from links where refused = 'action'")
    moved = query(out, "select redirect_to from pages where redirect_refused = 'action'")
    assert {one.removeprefix(server.url) for (one,) in (*rows, *moved)} == DONE


@pytest.mark.parametrize(
    "knobs", [{}, {"cookies": {"elsewhere.test": "a=b"}}, {**COOKIES, "follow_actions": True}]
)
def test_strangers_and_those_who_ask_for_it_follow_all_links(
    server: Server, tmp_path: Path, knobs: dict[str, Any]
) -> None:
    site(server)
    summary = server.crawl(tmp_path / "out", page_requisites=True, soft_errors=False, **knobs)
    assert asked(server) == HONEST | DONE
    assert "action" not in summary.refused


def test_what_waits_already_is_judged_when_a_crawl_goes_on_with_a_login(
    server: Server, tmp_path: Path
) -> None:
    site(server)
    out = tmp_path / "out"
    server.crawl(out, max_pages=1, sitemaps=False)
    assert asked(server) == {"/"}
    changes = {"fetch.cookies": {HOST: "session=1"}, "crawl.max_pages": 0}
    summary = gossamer.Crawl.resume(out, changes=changes).run()
    set_aside = {"/logout", "/p.php?do=delete&id=5", "/next?unsubscribe=1", "/vote?id=7&auth=1"}
    known_by_words = {"/exit", "/form"}
    assert asked(server) - HONEST <= known_by_words
    assert summary.out_of_scope == 4
    assert summary.refused["action"] >= 4
    before = asked(server)
    summary = gossamer.Crawl.resume(out, changes={"scope.follow_actions": True}).run()
    assert asked(server) - before >= set_aside, "they are wanted again"
    assert summary.out_of_scope == 0


def test_a_link_without_words_is_known_by_its_neighbour(server: Server, tmp_path: Path) -> None:
    """A picture and a word lead to the same place; the picture comes first."""
    server.page(
        "/", "<a href=/x?n=5><img src=/bin.png></a> <a href=/x?n=5>Löschen</a> <a href=/x?n=6>6</a>"
    )
    out = tmp_path / "out"
    summary = server.crawl(out, **COOKIES)
    assert asked(server) == {"/", "/x?n=6"}
    assert summary.refused == {"action": 2} == counted(out)


def test_a_seed_is_fetched_whatever_it_does(server: Server, tmp_path: Path) -> None:
    server.page("/logout", "bye")
    knobs: dict[str, Any] = {"delay": 0, "allow_private": True, **COOKIES}
    gossamer.Crawl(f"{server.url}/logout", out=tmp_path / "out", **knobs).run()
    assert asked(server) == {"/logout"}


def test_explain_and_the_summary_say_why_and_what_to_do(
    server: Server, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    site(server)
    out = tmp_path / "out"
    summary = server.crawl(out, **COOKIES)
    said = explain(capfd, f"{server.url}/logout", out)
    assert ("scope", "would be refused: action") in said
    assert "(logout)" in dict(said)["reason"]
    assert "scope.follow_actions" in dict(said)["reason"]
    assert ("named", f"by {server.url}/ (a), refused: action") in said
    said = explain(capfd, f"{server.url}/exit", out)
    assert "(Abmelden)" in dict(said)["reason"]
    assert "reason" not in dict(explain(capfd, f"{server.url}/wiki/Delete", out))
    capfd.readouterr()
    print_summary(summary)
    assert "left alone" in capfd.readouterr().out
    assert run(["status", str(out)]) == 0
    assert "left alone" in capfd.readouterr().out
