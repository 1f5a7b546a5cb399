"""Commands and questions may be written by others, for example behind a link: on pages they are text."""

from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest

from tests.dashboard.faces import shown
from tests.dashboard.watching import watch

if TYPE_CHECKING:
    from playwright.sync_api import Page

PAYLOADS = (
    '*"><img/src=x/onerror=alert(1)>',
    "*'><svg/onload=alert(1)>",
    "*</title></script><script>alert(1)</script>",
    "*{{7*7}}{%raw%}&quot;&#34;onfocus=alert(1)autofocus=",
)
QUESTIONS = (
    *("/replay?url={}", "/page?url={}", "/act?what=a.test/{}", "/act?what={}", "/search?q={}"),
    *("/hosts?name={}", "/pages?url={}", "/frontier?text={}", "/frontier?host={}", "/host?name={}"),
    *("/log?event={}", "/links?source={}", "/graph/near?url={}", "/graph/near?host={}", "/{}"),
    *("/replay?url=javascript:alert(1)//{}", "/replay?url=http://a.test/%23{}", "/control?sort={}"),
    *("/difference?url={}", "/?span={}", "/freshness?by={}", "/act?what=b.test&given={}"),
)
MADE = "document.querySelectorAll('img, [onerror], [onload], [onfocus], main script').length"


@pytest.mark.parametrize("payload", PAYLOADS)
def test_commands_of_others_are_text(tab: "Page", finished_copy: Path, payload: str) -> None:
    """In tooltips of charts, tables of commands, notes with undo, buttons, and forms that are shown again."""
    with shown(finished_copy) as visitor:
        host = visitor.get("/api/hosts").json["hosts"][0]["host"]["name"]
        for order in (f"block {payload}", f"block {host}/{payload}", f"priority {payload} 3"):
            answer = visitor.post("/api/control", {"token": visitor.token(), "order": order})
            assert answer.status == 200, answer.text
        seen = watch(tab, visitor.url)
        for path in ("/", f"/host?name={host}", "/control?number=1", "/log", f"/act?what={host}"):
            tab.goto(f"{visitor.url}{path}", wait_until="load")
            assert tab.evaluate(MADE) == 0, path
        tab.goto(f"{visitor.url}/control")
        assert f"block {payload}" in (tab.locator("main").text_content() or "")
        tab.locator("#block-what").fill(payload)
        tab.locator("#block-foresee").click()
        tab.locator("#foreseen").wait_for()
        assert tab.evaluate(MADE) == 0
        assert tab.locator("#block-what").input_value() == payload
        tab.locator("#do-it").click()
        tab.locator("#just-given, .error").first.wait_for()
        assert tab.evaluate(MADE) == 0
    assert seen == []


def test_questions_of_others_are_text(tab: "Page", finished_crawl: Path) -> None:
    with shown(finished_crawl) as visitor:
        seen = watch(tab, visitor.url)
        for question in QUESTIONS:
            for payload in PAYLOADS:
                tab.goto(
                    f"{visitor.url}{question.format(quote(payload, safe=''))}", wait_until="load"
                )
                assert tab.evaluate(MADE) == 0, tab.url
                assert tab.url.startswith(visitor.url)
                assert not tab.locator("a[href^='javascript:'], form[action^='http']").count()
    assert [one for one in seen if "Failed to load resource: the server responded" not in one] == []
