import sys
import tracemalloc
from types import FrameType
from typing import Any

import pytest

from gossamer.pipeline.robots import Rule, Rules, parse
from gossamer.pipeline.robots.robots_lines import LIMIT
from gossamer.pipeline.robots.robots_rules import product_token

# The example of RFC 9309, 5.1.
SIMPLE = b"""\
User-Agent: *
Disallow: *.gif$
Disallow: /example/
Allow: /publications/

User-Agent: foobot
Disallow:/
Allow:/example/page.html
Allow:/example/allowed.gif

User-Agent: barbot
User-Agent: bazbot
Disallow: /example/page.html

User-Agent: quxbot
"""


@pytest.mark.parametrize(
    ("agent", "path", "is_allowed"),
    [
        ("anybot", "/", True),
        ("anybot", "/a.gif", False),
        ("anybot", "/a.gif?b", True),
        ("anybot", "/example/", False),
        ("anybot", "/publications/a.gif", True),
        ("foobot", "/", False),
        ("FooBot", "/example/page.html", True),
        ("foobot", "/example/allowed.gif", True),
        ("foobot", "/example/a.gif", False),
        ("barbot", "/example/page.html", False),
        ("bazbot", "/example/page.html", False),
        ("bazbot", "/example/a.gif", True),
        ("quxbot", "/example/page.html", True),
    ],
)
def test_the_simple_example_of_the_rfc(agent: str, path: str, is_allowed: bool) -> None:
    assert parse(SIMPLE).for_agent(agent).is_allowed(path) is is_allowed


def test_the_longest_match_example_of_the_rfc() -> None:
    body = b"User-Agent: foobot\nAllow: /example/page/\nDisallow: /example/page/disallowed.gif\n"
    rules = parse(body).for_agent("foobot")
    assert rules.is_allowed("/example/page/")
    assert not rules.is_allowed("/example/page/disallowed.gif")


def test_groups_of_one_agent_are_merged() -> None:
    # The example of RFC 9309, 2.2.1.
    body = b"user-agent: a\ndisallow: /x\nuser-agent: b\ndisallow: /y\nuser-agent: A\nallow: /x/1"
    rules = parse(body).for_agent("a")
    assert [str(rule) for rule in rules.lines] == ["Disallow: /x", "Allow: /x/1"]
    assert rules.is_allowed("/x/1")
    assert rules.is_allowed("/y")


def test_groups_for_everyone_are_merged_too() -> None:
    rules = parse(b"user-agent: *\ndisallow: /x\n\nuser-agent: *\ndisallow: /y").for_agent("a")
    assert not rules.is_allowed("/x")
    assert not rules.is_allowed("/y")


@pytest.mark.parametrize("other", ["Sitemap: http://a/", "Crawl-delay: 1", "Host: x", "", "#"])
def test_other_lines_end_no_group(other: str) -> None:
    body = f"user-agent: a\n{other}\nuser-agent: b\n{other}\ndisallow: /".encode()
    assert not parse(body).for_agent("a").is_allowed("/")
    assert not parse(body).for_agent("b").is_allowed("/")


@pytest.mark.parametrize(
    ("line", "agent", "is_match"),
    [
        ("Gossamer", "gossamer", True),
        ("Gossamer/2.0", "Gossamer", True),
        ("gossamer (fine)", "Gossamer", True),
        ("Gossamer-Images", "Gossamer", False),
        ("Goss", "Gossamer", False),
        ("* # all", "Gossamer", True),
        ("* x", "Gossamer", True),
        ("*x", "Gossamer", False),
        ("", "Gossamer", False),
        ("", "", False),
    ],
)
def test_product_tokens(line: str, agent: str, is_match: bool) -> None:
    rules = parse(f"user-agent: {line}\ndisallow: /".encode()).for_agent(agent)
    assert rules.is_allowed("/") is not is_match


def test_our_own_product_may_carry_a_version() -> None:
    assert product_token("Gossamer/1.0 (+https://example.org)") == "Gossamer"
    assert product_token("3bot") == ""


@pytest.mark.parametrize("path", ["", "foo", "$", "http://example.org/", "?a"])
def test_rules_that_match_no_path(path: str) -> None:
    rules = parse(f"user-agent: *\ndisallow: {path}".encode()).for_agent("a")
    assert rules.is_allowed("/")
    assert rules.is_allowed("/foo")
    assert rules.is_allowed("/?a")


def test_robots_txt_itself_is_always_allowed() -> None:
    rules = parse(b"user-agent: *\ndisallow: /\ndisallow: /robots.txt$").for_agent("a")
    assert rules.is_allowed("/robots.txt")
    assert not rules.is_allowed("/robots.txt.old")


def test_allow_wins_ties_whatever_their_kind() -> None:
    rules = Rules([Rule(False, "/a*$"), Rule(True, "/abc"), Rule(False, "/abc"), Rule(True, "/x*")])
    assert rules.is_allowed("/abc")
    assert not rules.is_allowed("/ab")


def test_a_wildcard_counts_as_an_octet() -> None:
    assert not Rules([Rule(True, "/fish"), Rule(False, "/fish*")]).is_allowed("/fish")
    assert not Rules([Rule(True, "/fish"), Rule(False, "/fish$")]).is_allowed("/fish")


def test_equivalent_spellings_tie() -> None:
    assert Rules([Rule(False, "/bar/baz"), Rule(True, "/bar/%62az")]).is_allowed("/bar/baz")
    assert Rules([Rule(False, "/bar/%62az"), Rule(True, "/bar/baz")]).is_allowed("/bar/baz")


def test_more_prefixes_than_the_quick_look_takes() -> None:
    rules = Rules([Rule(False, f"/{number}/x") for number in range(5000)])
    assert not rules.is_allowed("/4999/x/y")
    assert rules.is_allowed("/5000/x/y")


def test_the_deciding_rule_is_named() -> None:
    rules = parse(b"user-agent: *\n# here\ndisallow: /a\nallow: /*b%7e$").for_agent("a")
    assert rules.deciding("/ab~") == Rule(True, "/*b%7e$", 4)
    assert rules.deciding("/a") == Rule(False, "/a", 3)
    assert rules.deciding("/c") is None
    assert rules.deciding("/robots.txt") is None


def test_the_index_page_brings_its_folder() -> None:
    rules = parse(b"user-agent: *\ndisallow: /\nallow: /*/index.html").for_agent("a")
    assert rules.is_allowed("/x/")
    assert not rules.is_allowed("/x/y")
    assert rules.deciding("/x/") == Rule(True, "/*/index.html", 3)


@pytest.mark.parametrize(
    ("value", "delay"),
    [("10", 10.0), ("0.5", 0.5), (".5", 0.5), ("3s", 3.0), ("-1", None), ("x", None), ("", None)],
)
def test_crawl_delay(value: str, delay: float | None) -> None:
    body = f"user-agent: *\ncrawl-delay: {value}\ndisallow: /x".encode()
    assert parse(body).for_agent("a").crawl_delay == delay


def test_crawl_delay_is_for_the_agents_above_it() -> None:
    body = b"user-agent: slurp\ncrawl-delay: 9\n\nuser-agent: *\ndisallow: /x\ncrawl-delay: 2"
    assert parse(body).for_agent("slurp").crawl_delay == 9.0
    assert parse(body).for_agent("a").crawl_delay == 2.0
    assert parse(b"crawl-delay: 3\nuser-agent: *").for_agent("a").crawl_delay is None


def test_the_longest_of_several_crawl_delays_counts() -> None:
    body = b"user-agent: a\ncrawl-delay: 1\nallow: /\nuser-agent: a\ncrawl-delay: 7\ncrawl-delay: 3"
    assert parse(body).for_agent("a").crawl_delay == 7.0


def test_sitemaps_stand_anywhere_and_come_once() -> None:
    body = b"Sitemap: http://a/1\nuser-agent: *\nsitemap: /2\ndisallow: /\nSite-map: http://a/1\nSitemap:"
    assert parse(body).sitemaps == ("http://a/1", "/2")


def _steps(body: bytes) -> int:
    """Lines of Python executed to read a file, pick our rules, and ask once."""
    steps = 0

    def trace(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal steps
        steps += event == "line"
        return trace

    former = sys.gettrace()
    sys.settrace(trace)
    try:
        parse(body).for_agent("gossamer").is_allowed("/" + "a%41" * 100)
    finally:
        sys.settrace(former)
    return steps


@pytest.mark.parametrize(
    ("before", "repeated"),
    [
        ("", "\n"),
        ("", "user-agent: gossamer\n"),
        ("user-agent: gossamer\n", "disallow: /a\n"),
        ("user-agent: gossamer\n", "disallow: /*a*b\n"),
        ("user-agent: gossamer\n", "allow: /*%2F/index.html\n"),
        ("user-agent: gossamer\ndisallow: /", "*a%2F"),
        ("user-agent: gossamer\n", "crawl-delay: 1\n"),
        ("", "user-agent: gossamer\nuser-agent: *\ndisallow: /x\ncrawl-delay: 1\n"),
        ("", "sitemap: /a\n"),
    ],
)
def test_reading_takes_linear_work(before: str, repeated: str) -> None:
    once, twice = (_steps((before + repeated * times).encode()) for times in (500, 1000))
    assert twice <= 2 * once + 200


@pytest.mark.parametrize("half", ["agents", "delays", "rules"])
def test_many_agents_of_one_group_share_its_rules(half: str) -> None:
    # Copying each rule to each agent would take a million steps.
    agents = "".join(f"user-agent: a{'b' * (number % 60)}\n" for number in range(1000))
    more = {"agents": "", "delays": "crawl-delay: 1\n", "rules": "disallow: /x\n"}[half]
    assert _steps((agents + more * 1000).encode()) < 60_000


@pytest.mark.parametrize(
    "repeated", [b"Disallow: /*x*y\n", b"\n", b"a", b"\0", b"\xff", b"*", b"User-agent: *\n"]
)
def test_a_file_of_50_mb_takes_bounded_memory(repeated: bytes) -> None:
    body = (b"User-agent: *\nDisallow: /a\n" + repeated * (50_000_000 // len(repeated)))[
        :50_000_000
    ]
    tracemalloc.start()
    try:
        rules = parse(body).for_agent("a")
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert not rules.is_allowed("/a")
    assert peak < 60 * LIMIT
    assert rules.size < 60 * LIMIT
