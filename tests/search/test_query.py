"""What can be asked for, and that no question is answered with an exception."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gossamer.search.query import (
    All,
    Any,
    Condition,
    Node,
    Not,
    Phrase,
    QueryError,
    Where,
    parse_query,
    words_of,
)
from tests.examples import examples

A, B, C = Phrase("a"), Phrase("b"), Phrase("c")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a", A),
        ("a b", All((A, B))),
        ("a AND b", All((A, B))),
        ("+a b", All((A, B))),
        ("a OR b", Any((A, B))),
        ("a | b", Any((A, B))),
        ("a b OR c", Any((All((A, B)), C))),
        ("a (b OR c)", All((A, Any((B, C))))),
        ("a -b", All((A, Not(B)))),
        ("a NOT b", All((A, Not(B)))),
        ("a --b", All((A, Phrase("--b")))),
        ("a NOT NOT b", All((A, B))),
        ("a -(b c)", All((A, Not(All((B, C)))))),
        ('"a b" c', All((Phrase("a b", is_quoted=True), C))),
        ('c "a b', All((C, Phrase("a b", is_quoted=True)))),
        ("a) b", All((A, B))),
        ("((a b", All((A, B))),
        ("a OR", A),
        ("OR a", A),
        ("a () b", All((A, B))),
        ('a "" b', All((A, B))),
        ("a - & ! b", All((A, B))),
        ("c++ a-b", All((Phrase("c++"), Phrase("a-b")))),
        ("or and not", All((Phrase("or"), Phrase("and"), Phrase("not")))),
        ("site:Example.org a", All((Where(Condition.SITE, "Example.org"), A))),
        ("-site:example.org a", All((Not(Where(Condition.SITE, "example.org")), A))),
        ('intitle:"a b"', Where(Condition.INTITLE, "a b")),
        ("std::vector http://x.test/", All((Phrase("std::vector"), Phrase("http://x.test/")))),
        (
            "link:http://x.test/?a=(1)",
            All((Where(Condition.LINK, "http://x.test/?a="), Phrase("1"))),
        ),
        ("after:2026-03-31", Where(Condition.AFTER, "2026-03-31", 1774915200.0)),
        ("before:2026", Where(Condition.BEFORE, "2026", 1767225600.0)),
        ("日本 検索", All((Phrase("日本"), Phrase("検索")))),
    ],
)
def test_questions(text: str, expected: Node) -> None:
    assert parse_query(text) == expected


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "there is nothing to look for"),
        (' () "" - ', "there is nothing to look for"),
        ("-a", "cannot only exclude words"),
        ("a OR -b", "cannot only exclude words"),
        ("after:2026-13-01", "'after:2026-13-01' needs a day, such as after:2026-03-31"),
        ("before:soon", "'before:soon' needs a day"),
        ("link:example", "'link:example' needs a URL, such as link:https://example.org/"),
        ('site:""', "'site:' needs a value, such as site:example.org"),
        ("( " * 30 + "a", "20 deep"),
        ("a " * 10_001, "at most 10,000 words"),
        ("site:a.test " * 65 + "a", "at most 64 conditions"),
    ],
)
def test_what_cannot_be_meant_is_refused_in_one_line(text: str, words: str) -> None:
    with pytest.raises(QueryError) as error:
        parse_query(text)
    assert words in str(error.value)
    assert "\n" not in str(error.value)


PIECES = st.sampled_from(
    [
        "a",
        "b",
        '"',
        "(",
        ")",
        "|",
        "-",
        "+",
        ":",
        "OR",
        "AND",
        "NOT",
        "site:",
        "after:",
        "link:",
        " ",
        "\0",
        "é",
        "漢",
    ]
)


@settings(max_examples=examples(400), deadline=None)
@given(st.one_of(st.text(max_size=60), st.lists(PIECES, max_size=30).map("".join)))
def test_no_question_ends_in_anything_else(text: str) -> None:
    try:
        found = parse_query(text)
    except QueryError as error:
        said = str(error)
    else:
        said = ""
    assert "\n" not in said
    if said:
        return
    for one in words_of(found):
        assert any(map(str.isalnum, one)), "a word has something to look for"
