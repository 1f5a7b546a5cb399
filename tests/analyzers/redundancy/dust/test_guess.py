"""Two URLs with the same text, and the rule that they suggest."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.analyzers.redundancy.dust import Name, RuleKind, apply
from gossamer.analyzers.redundancy.dust.guess import guess
from tests.present import parse

A = "http://a.test"
ADDRESSES = st.text(alphabet="ab/.?&=-", max_size=20).map(lambda text: parse(f"{A}/{text}").text)


@pytest.mark.parametrize(
    ("url", "first", "name"),
    [
        ("/x?sid=2", "/x?sid=1", Name(RuleKind.PARAMETER, A, "sid")),
        ("/x?id=3&print=1", "/x?id=3", Name(RuleKind.PARAMETER, A, "print")),
        ("/print/a/b", "/a/b", Name(RuleKind.PREFIX, A, "/print/", "/")),
        ("/a/b", "/print/a/b", Name(RuleKind.PREFIX, A, "/print/", "/")),
        ("/~joe/cv", "/people/joe/cv", Name(RuleKind.PREFIX, A, "/people/joe/", "/~joe/")),
        ("/a/index.html", "/a/", Name(RuleKind.ENDING, A, "/index.html", "/")),
        ("/a/b-print.html", "/a/b.html", Name(RuleKind.ENDING, A, "-print.html", ".html")),
    ],
)
def test_rules_that_explain_a_pair(url: str, first: str, name: Name) -> None:
    assert guess(A + url, A, A + first) == name


@pytest.mark.parametrize(
    ("url", "first"),
    [("/x", "/y"), ("/x?a=1&b=2", "/x?a=2&b=1"), ("/a/1.html", "/a/12.html"), ("/a/b?q=1", "/c/b")],
)
def test_pairs_that_explain_nothing(url: str, first: str) -> None:
    assert guess(A + url, A, A + first) is None


def test_schemes_and_www_are_no_difference_but_other_hosts_are() -> None:
    secure = guess("https://www.a.test/x", "https://www.a.test", "http://a.test/x")
    assert secure == Name(RuleKind.ORIGIN, "https://www.a.test", "http://a.test")
    assert guess("http://b.test/x", "http://b.test", "http://a.test/x") is None


@given(ADDRESSES, ADDRESSES)
def test_a_rule_spells_one_of_the_pair_like_the_other_or_both_alike(url: str, first: str) -> None:
    name = guess(url, A, first)
    if name is not None and url != first:
        one, other = apply(name, url), apply(name, first)
        assert one.startswith(A + "/")
        if name.kind is not RuleKind.PARAMETER:
            assert one in (other, first) or other == url
