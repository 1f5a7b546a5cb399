"""Where hubs are found, and where they are not."""

import pytest

from gossamer.core.records import Headers
from gossamer.push.hubs import find_hub

PAGE = "http://a.test/page"
HUB = "http://hub.test/?for=a&b=c"
FEED = '<feed xmlns="http://www.w3.org/2005/Atom">{}</feed>'
RSS = '<rss xmlns:atom="http://www.w3.org/2005/Atom"><channel>{}<item/></channel></rss>'


@pytest.mark.parametrize(
    ("fields", "body", "topic"),
    [
        ([f'<{HUB}>; rel="hub"', '</self>; rel="self"'], "", "http://a.test/self"),
        ([f'<{HUB}>;rel=hub,<http://A.test/x>; title="a, b"; rel=self'], "", "http://A.test/x"),
        ([f'<{HUB}>; rel="preconnect HUB"'], "", PAGE),
        (
            [],
            FEED.format(f'<link rel="hub" href="{HUB}"/><link rel="self" href="/f"/>'),
            "http://a.test/f",
        ),
        ([], RSS.format(f'<atom:link rel="hub" href="{HUB}"/>'), PAGE),
        ([], f"<!doctype html><meta charset=utf-8><link rel=hub href='{HUB}'><body>x", PAGE),
        (
            ['</header>; rel="self"'],
            f"<link rel=hub href='{HUB}'><link rel=self href=/y>",
            "http://a.test/header",
        ),
        ([f"<{HUB}>; rel=hub", "<x\x1b[2J/é>; rel=self"], "", "http://a.test/x%1B[2J/%C3%A9"),
    ],
)
def test_hubs_are_found(fields: list[str], body: str, topic: str) -> None:
    body = body.replace("&", "&amp;")
    found = find_hub(PAGE, Headers([("Link", one) for one in fields]), body.encode())
    assert found is not None
    assert found == (topic, HUB)


@pytest.mark.parametrize(
    ("fields", "body"),
    [
        ([], ""),
        (["no link; rel=hub"], ""),
        (["<http://hub.test/>; title=hub"], ""),
        (["<ftp://hub.test/>; rel=hub"], ""),
        ([], "<body><link rel=hub href=http://hub.test/>"),
        ([], FEED.format("<entry><link rel='hub' href='http://hub.test/'/></entry>")),
        ([], "<p>&lt;link rel=hub href=http://hub.test/&gt;"),
    ],
)
def test_what_only_looks_like_a_hub_is_none(fields: list[str], body: str) -> None:
    assert find_hub(PAGE, Headers([("Link", one) for one in fields]), body.encode()) is None
