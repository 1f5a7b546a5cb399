"""Whatever a server sends, nothing is raised, and the answer is the one that a simple model gives."""

import re

from hypothesis import given
from hypothesis import strategies as st

from gossamer.core.outcomes import Outcome, Truncation
from gossamer.core.records import Headers, Page, Visit
from gossamer.core.settings import RobotsSettings
from gossamer.core.url import parse as parse_url
from gossamer.pipeline.robots import Gate, Rule, Rules, Verdict, parse
from gossamer.pipeline.robots.robots_escapes import canonical_path

_SNIPPETS = st.sampled_from(
    [
        *[b"User-agent: ", b"*", b"Gossamer", b"\n", b"\r", b"Disallow: ", b"Allow: ", b"/", b"$"],
        *[b"#", b":", b" ", b"%", b"%2F", b"%e3", b"\xe3\x83\x84", b"\xff", b"\0", b"\xef\xbb\xbf"],
        *[b"Crawl-delay: ", b"1", b".", b"Sitemap: ", b"http://", b"[", b"index.html", b"?", b"="],
    ]
)
_BODIES = st.binary(max_size=400) | st.lists(_SNIPPETS, max_size=80).map(b"".join)
_PATHS = st.text(max_size=60) | st.text("/ab*$%2Fé?=", max_size=30)
_LOCATIONS = st.text(max_size=40) | st.sampled_from(
    ["/", "//", "http://", "http://[", "http://x/", "?", "#", "https://example.org/robots.txt"]
)
_VALUES = st.text(max_size=40) | st.sampled_from(
    ["max-age=", "max-age=99999999999999", "no-cache", "0", "-1", "Sun, 31 Feb 0001 24:60:61 GMT"]
)
_HEADERS = st.lists(
    st.tuples(
        st.sampled_from(["Cache-Control", "Expires", "Date", "Age", "Retry-After", "X"]), _VALUES
    )
    | st.tuples(st.just("Location"), _LOCATIONS),
    max_size=5,
).map(Headers)
_EXCHANGES = st.tuples(
    st.sampled_from(list(Outcome)[:1] * 9 + list(Outcome)),
    st.sampled_from([0, 99, 200, 206, 301, 302, 304, 308, 404, 429, 503, 999, -5]),
    _HEADERS,
    _BODIES,
    st.sampled_from(Truncation),
    st.floats(0, 1e6),
)


@given(_BODIES, _PATHS, st.text(max_size=10), st.booleans())
def test_no_file_and_no_path_raises(body: bytes, path: str, agent: str, is_cut: bool) -> None:
    robots = parse(body, is_cut=is_cut)
    rules = robots.for_agent(agent)
    rule = rules.deciding(path)
    assert rules.is_allowed(path) is (rule is None or rule.allow)
    assert rules.is_allowed("/robots.txt")
    assert all(robots.sitemaps)
    assert rules.crawl_delay is None or rules.crawl_delay >= 0


@given(st.lists(_EXCHANGES, max_size=8))
def test_no_series_of_exchanges_raises(
    exchanges: list[tuple[Outcome, int, Headers, bytes, Truncation, float]],
) -> None:
    settings = RobotsSettings()
    gate, now = Gate(settings, "Gossamer"), 0.0
    page_url = parse_url("http://example.org/a")
    assert page_url is not None
    target = gate.request(page_url.origin)
    for outcome, status, headers, body, truncated, later in exchanges:
        now += later
        page = Page(
            Visit(target), outcome, now, 0.0, status, headers, body=body, truncated=truncated
        )
        following = gate.learn(page_url.origin, page, now)
        target = following or gate.request(page_url.origin)
        if following is None:
            assert gate.verdict(page_url, now) is not Verdict.UNKNOWN
            assert now < gate.retry_at(page_url.origin) <= now + settings.max_age
    assert gate.explain(page_url, now).verdict is gate.verdict(page_url, now)
    assert 0 <= gate.delay(page_url.origin) <= settings.max_crawl_delay


def _model(rules: list[Rule], path: str) -> bool:
    """Longest match by regular expressions, for rules without escapes."""
    best = (0, True)
    for rule in rules:
        text = rule.path.removesuffix("$")
        regex = ".*".join(map(re.escape, text.split("*")))
        regex += r"\Z" if rule.path.endswith("$") else ""
        if re.match(regex, path, re.DOTALL):
            best = max(best, (len(rule.path), rule.allow))
    return best[1]


@given(
    st.lists(
        st.builds(Rule, st.booleans(), st.text("ab*$", max_size=5).map("/".__add__)), max_size=8
    ),
    st.text("ab", max_size=8).map("/".__add__),
)
def test_the_longest_match_decides(rules: list[Rule], path: str) -> None:
    assert Rules(rules).is_allowed(path) is _model(rules, path)


@given(st.text("/ab", max_size=8), st.text("/abü?{", max_size=8))
def test_escaping_what_needs_none_changes_no_answer(prefix: str, path: str) -> None:
    rules = Rules([Rule(False, "/" + prefix)])
    escaped = "".join(f"%{ord(sign):02x}" if sign in "ab{" else sign for sign in path)
    assert rules.is_allowed("/" + path) is rules.is_allowed("/" + escaped)
    assert canonical_path("/" + path) == canonical_path("/" + escaped)
