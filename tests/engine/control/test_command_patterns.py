"""Patterns: the one that counts is found, and thousands of them cost no more than a few."""

from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gossamer.core.url import Url
from gossamer.engine.control import command_patterns
from gossamer.engine.control.command_patterns import CommandError, Patterns, read_pattern
from gossamer.engine.control.command_words import read_command
from tests.examples import examples
from tests.present import parse

PIECES = st.sampled_from(["a", "b", ".", "/", "*", "**", "a.test", "x", "://", "http", "?"])
TEXTS = st.lists(PIECES, min_size=1, max_size=6).map("".join)
HOSTS = st.sampled_from(["a.test", "b.a.test", "b.test", "x.b.a.test"])
PATHS = st.text("abx/.?", max_size=6)


def slowly(texts: list[str], url: Url) -> int | None:
    """One after the other: URLs before hosts, a name before a pattern, and the last one first."""
    for number, text in reversed([*enumerate(texts)]):
        said = url.text if "://" in text else url.text.partition("://")[2]
        if "/" in text and matches(text, said):
            return number
    if url.host in texts:
        return texts.index(url.host)
    for number, text in reversed([*enumerate(texts)]):
        if "/" not in text and matches(text, url.host):
            return number
    return None


def matches(pattern: str, text: str) -> bool:
    """By definition, letter by letter."""
    if not pattern:
        return not text
    if pattern[0] == "*":
        return matches(pattern[1:], text) or (bool(text) and matches(pattern, text[1:]))
    return bool(text) and text[0] == pattern[0] and matches(pattern[1:], text[1:])


@settings(max_examples=examples(400), deadline=None)
@given(st.lists(TEXTS, max_size=8, unique=True), HOSTS, PATHS)
def test_the_pattern_that_counts_is_found(texts: list[str], host: str, path: str) -> None:
    url = parse(f"http://{host}/{path}")
    found = Patterns({text: number for number, text in enumerate(texts)}).find(url)
    assert found == slowly(texts, url)


def test_a_thousand_patterns_are_not_looked_at_one_by_one() -> None:
    """Whatever they look like, as long as they name a host."""
    texts = [f"h{number}.test/private/*" for number in range(1000)]
    texts += [f"h{number}.test/*/x/*.html" for number in range(1000)]
    texts += [f"*.d{number}.test" for number in range(1000)]
    texts += [f"https://h{number}.test/a?b={number}" for number in range(1000)]
    found = Patterns({text: number for number, text in enumerate(texts)})
    tried = 0
    glob_matches = command_patterns._Glob.matches

    def count(self: command_patterns._Glob, text: str) -> bool:
        nonlocal tried
        tried += 1
        return glob_matches(self, text)

    with patch.object(command_patterns._Glob, "matches", count):
        assert found.find(parse("http://h7.test/private/9")) == 7
        assert found.find(parse("http://h7.test:80/a/x/9.html")) == 1007
        assert found.find(parse("http://www.d7.test/")) == 2007
        assert found.find(parse("https://h7.test/a?b=7")) == 3007
        assert found.find(parse("http://elsewhere.test/")) is None
    assert tried <= 5
    assert sum(map(len, (found._without._beginnings, found._names._ends))) < 10, "lengths"


@pytest.mark.parametrize(
    ("pattern", "matched", "others"),
    [
        ("a.test:8000", ["http://a.test:8000/x"], ["http://a.test/", "http://a.test:80/x"]),
        ("a.test:443", ["https://a.test/", "http://a.test:443/"], ["http://a.test/"]),
        ("a.test:80", ["http://a.test/", "https://a.test:80/x"], ["https://a.test/"]),
        ("*.a.test:8000", ["http://b.a.test:8000/"], ["http://b.a.test/", "http://a.test:8000/"]),
        ("[::1]:8000", ["http://[::1]:8000/"], ["http://[::1]/"]),
        ("a.test", ["http://a.test/", "http://a.test:8000/"], ["http://b.test/"]),
    ],
)
def test_a_port_is_only_that_port(pattern: str, matched: list[str], others: list[str]) -> None:
    found = Patterns({read_pattern(pattern): True})
    assert [found.find(parse(url)) for url in matched] == [True] * len(matched)
    assert [found.find(parse(url)) for url in others] == [None] * len(others)


@pytest.mark.parametrize("pattern", ["http://me:word@a.test/*", "me:word@a.test/*", "me@a.test"])
def test_user_and_password_are_left_out(pattern: str) -> None:
    """A URL has none, so the pattern matched nothing; and the journal of commands showed the password."""
    text = read_pattern(pattern)
    assert "@" not in text
    assert Patterns({text: True}).find(parse("http://a.test/x"))
    assert read_pattern("*@me/photos/*") == "*@me/photos/*"


def test_a_block_of_a_port_is_no_block_of_its_host() -> None:
    assert Patterns({read_pattern("a.test:8000"): True}).find_host("a.test") is None


@pytest.mark.parametrize("text", ["a.test:0", "a.test:70000", "a.test:x"])
def test_a_port_that_cannot_be_is_refused(text: str) -> None:
    with pytest.raises(CommandError):
        read_pattern(text)


def test_a_delay_holds_for_all_ports() -> None:
    with pytest.raises(
        CommandError, match=r"a delay holds for a host with all its ports; write a\.test"
    ):
        read_command(["delay", "a.test:8000", "0"])
