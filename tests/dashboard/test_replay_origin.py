"""A copy cannot reach the controls, not even if a script or a form of it slips through the rewriting."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote

import pytest

from gossamer.dashboard.replay import body_kinds
from gossamer.dashboard.web import archive_routes
from gossamer.engine.control import command_history
from tests.dashboard.archived import crawl_site, site
from tests.dashboard.faces import Visitor, shown
from tests.dashboard.hostile import Answer
from tests.patience import PATIENCE

if TYPE_CHECKING:
    from playwright.sync_api import Page

PASSWORD = "correct horse battery"
ATTACK = b"""<!doctype html><title>before</title><h1>Attack</h1><img src="/static/icon.svg?pixel">
<form id=f method=post action="/control"><input name=order value=pause>
<input name=token value=x><button id=send>Send</button></form>
<form id=g method=post action="/logout"><button id=leave>Leave</button></form>
<script>
(async () => {
  const seen = [];
  try { seen.push("cookie " + document.cookie) } catch (error) { seen.push("cookie " + error.name) }
  try { seen.push("storage " + localStorage.length) } catch (error) { seen.push("storage " + error.name) }
  try { seen.push("parent " + top.document.title) } catch (error) { seen.push("parent " + error.name) }
  for (const path of ["/api/token", "/api/", "/control", "/events?of=/", "/metrics"]) {
    try { seen.push(path + " " + (await (await fetch(path)).text()).length) }
    catch (error) { seen.push(path + " " + error.name) }
  }
  for (const headers of [{"Content-Type": "application/x-www-form-urlencoded"}, {"X-Gossamer-Token": "x"}]) {
    const sent = {method: "POST", headers, body: "order=pause"};
    try { seen.push("post " + (await fetch("/api/control", sent)).status) }
    catch (error) { seen.push("post " + error.name) }
  }
  await fetch("/api/control", {method: "POST", mode: "no-cors", credentials: "include",
    body: new URLSearchParams({order: "pause"})}).catch(() => null);
  document.title = seen.join("; ");
})();
</script>"""
"""All that a page could do to read or to steer, by script and by form."""


class Attacked(NamedTuple):
    visitor: Visitor
    crawl: Path
    copy: str
    """The address of the copy alone …"""
    replay: str
    """… and of the page that has it in a frame."""


@pytest.fixture
def attacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Attacked]:
    """The rewriting lets everything through."""
    with site({"/": Answer(ATTACK)}) as url:
        crawl = crawl_site(url, tmp_path / "crawl")
    monkeypatch.setattr(body_kinds, "rewrite_page", lambda text, addresses: text)
    with shown(crawl, password=PASSWORD) as visitor:
        asked = quote(f"{url}/", safe="")
        yield Attacked(
            visitor,
            crawl,
            f"{visitor.home}/archive/copy?url={asked}",
            f"{visitor.home}/replay?url={asked}",
        )


@pytest.mark.parametrize("where", ["iframe", "document", "object", "empty"])
def test_the_policy_of_a_copy_is_in_its_headers(attacked: Attacked, where: str) -> None:
    """However it is opened: a frame of ours may lead on by a click, and no copy may do more."""
    headers = {"Sec-Fetch-Dest": where, "Authorization": f"Bearer {PASSWORD}"}
    answer = attacked.visitor.get(attacked.copy.removeprefix(attacked.visitor.url), headers)
    sandbox, *rest = answer.headers["content-security-policy"].split("; ")
    leads = " allow-top-navigation-by-user-activation" if where == "iframe" else ""
    assert sandbox == f"sandbox{leads}"
    assert {"default-src 'none'", "form-action 'none'", "frame-src 'none'"} <= set(rest)
    assert "script-src" not in answer.headers["content-security-policy"]


def log_in(tab: "Page", visitor: Visitor) -> None:
    tab.goto(f"{visitor.url}/login")
    tab.get_by_label("Password").fill(PASSWORD)
    tab.keyboard.press("Enter")
    tab.wait_for_url(f"{visitor.home}/")


def test_a_script_that_slips_through_does_not_run(attacked: Attacked, tab: "Page") -> None:
    log_in(tab, attacked.visitor)
    tab.goto(attacked.copy, wait_until="load")
    assert tab.title() == "before"
    assert tab.locator("h1").inner_text() == "Attack"
    tab.goto(attacked.replay, wait_until="load")
    assert tab.frames[1].title() == "before"
    assert not command_history(attacked.crawl)


@pytest.mark.parametrize("where", ["copy", "replay"])
def test_a_form_that_slips_through_is_not_sent(attacked: Attacked, tab: "Page", where: str) -> None:
    log_in(tab, attacked.visitor)
    tab.goto(getattr(attacked, where), wait_until="load")
    posted: list[str] = []
    tab.on(
        "request", lambda request: posted.append(request.url) if request.method == "POST" else None
    )
    frame = tab.frames[-1]
    frame.locator("#send").click()
    frame.locator("#leave").click()
    tab.goto(f"{attacked.visitor.home}/control")
    assert tab.locator("h1").inner_text() == "Control", "nobody was logged out"
    assert posted == []
    assert not command_history(attacked.crawl)


@pytest.mark.parametrize("where", ["copy", "replay"])
def test_the_origin_alone_keeps_scripts_and_forms_from_the_controls(
    attacked: Attacked, tab: "Page", monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    """Even if the policy let scripts run and forms be sent."""
    weak = "sandbox; default-src * 'unsafe-inline'; form-action *"
    monkeypatch.setattr(archive_routes, "ARCHIVED_PAGES", weak)
    opened = weak.replace("sandbox;", "sandbox allow-scripts allow-forms;")
    monkeypatch.setattr(archive_routes, "in_frame", lambda policy: opened)
    if where == "copy":
        monkeypatch.setattr(archive_routes, "ARCHIVED_PAGES", opened)
    log_in(tab, attacked.visitor)
    tab.goto(attacked.replay)
    if where == "replay":
        tab.evaluate(
            "copy => { const frame = document.createElement('iframe'); frame.id = 'added';"
            " frame.sandbox = 'allow-scripts allow-forms'; frame.src = copy; document.body.append(frame) }",
            attacked.copy,
        )
    else:
        tab.goto(attacked.copy)
    tab.wait_for_function("() => true")
    frame = tab.main_frame if where == "copy" else _last_copy(tab, attacked)
    frame.wait_for_function("() => document.title != 'before'", timeout=PATIENCE * 1000)
    said = dict(line.rsplit(" ", 1) for line in frame.title().split("; "))
    assert (
        said.pop("parent") == "before" if where == "copy" else said.pop("parent") == "SecurityError"
    )
    assert said == {
        "cookie": "SecurityError",
        "storage": "SecurityError",
        **dict.fromkeys(
            ("/api/token", "/api/", "/control", "/events?of=/", "/metrics", "post"), "TypeError"
        ),
    }
    frame.locator("#send").click()
    frame.wait_for_url(f"{attacked.visitor.url}/*")
    tab.goto(f"{attacked.visitor.home}/control")
    assert tab.locator("h1").inner_text() == "Control"
    assert not command_history(attacked.crawl)


def _last_copy(tab: "Page", attacked: Attacked):  # type: ignore[no-untyped-def]
    element = tab.wait_for_selector("#added")
    assert element is not None
    return element.content_frame()


def test_no_cookie_comes_with_what_a_copy_asks_for(attacked: Attacked, tab: "Page") -> None:
    """The browser refuses the copy what it gets: it is of another origin."""
    log_in(tab, attacked.visitor)
    for address in (attacked.copy, attacked.replay):
        with tab.expect_event("requestfailed", lambda one: "?pixel" in one.url) as found:
            tab.goto(address, wait_until="load")
        assert "cookie" not in found.value.all_headers()
    with tab.expect_event("requestfinished", lambda one: "style.css" in one.url) as found:
        tab.goto(f"{attacked.visitor.home}/control", wait_until="load")
    assert "cookie" in found.value.all_headers(), "the witness would have seen it"
