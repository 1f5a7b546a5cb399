import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.pipeline.robots.rule_pattern import RulePattern


class CountingPath(str):
    """A path that counts how often it is searched, and from where to where."""

    def __new__(cls, text: str) -> "CountingPath":
        path = super().__new__(cls, text)
        path.searches = 0
        path.scanned = 0
        return path

    searches: int
    scanned: int

    def find(self, part: str, start: int = 0) -> int:  # type: ignore[override]
        found = super().find(part, start)
        self.searches += 1
        self.scanned += (len(self) if found < 0 else found + len(part)) - start
        return found


@pytest.mark.parametrize(
    ("pattern", "path", "is_match"),
    [
        ("/*.php", "/a/b.php?c", True),
        ("/*.php$", "/a/b.php?c", False),
        ("/*.php$", "/a.php/b.php", True),
        ("/a*b*c", "/a-c-b", False),
        ("/a*b*c", "/abc", True),
        ("/a*a$", "/a", False),
        ("/a*a$", "/aa", True),
        ("/ab*ba$", "/aba", False),
        ("*", "/", True),
        ("*$", "/x", True),
        ("/a**b", "/ab", True),
        ("/*", "/", True),
        ("*/x", "/y/x", True),
    ],
)
def test_wildcards(pattern: str, path: str, is_match: bool) -> None:
    parts = pattern.removesuffix("$").split("*")
    assert RulePattern(parts, pattern.endswith("$")).is_match(path) is is_match


@given(
    st.lists(st.text("ab", max_size=3), min_size=2, max_size=5),
    st.booleans(),
    st.text("ab", max_size=12),
)
def test_it_agrees_with_a_backtracking_matcher(
    parts: list[str], is_anchored: bool, path: str
) -> None:
    regex = ".*".join(map(re.escape, parts)) + (r"\Z" if is_anchored else "")
    assert RulePattern(parts, is_anchored).is_match(path) == bool(re.match(regex, path, re.DOTALL))


@pytest.mark.parametrize("stars", [10, 100, 1000])
@pytest.mark.parametrize("is_anchored", [True, False])
def test_many_stars_search_once_each_and_never_go_back(stars: int, is_anchored: bool) -> None:
    # A backtracking matcher takes a time that grows like 2,000 to the power of the stars.
    parts = ["/", *["a"] * stars, "b"]
    path = CountingPath("/" + "a" * 2000)
    assert not RulePattern(parts, is_anchored).is_match(path)
    assert path.searches <= stars + 1
    assert path.scanned <= len(path)
