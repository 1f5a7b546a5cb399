"""URLs that a script would make from one template have one pattern."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.analyzers.redundancy.shape import Hint, shape_of
from gossamer.core.url import parse

A = "http://a.test"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("/item/1", "/item/20000"),
        ("/calendar/2024-05", "/calendar/1999-12"),
        ("/2024/05/12/red-shoes.html", "/1999/1/2/blue-and-green-hats.html"),
        ("/list?a=1&b=2", "/list?b=x&a=y"),
        ("/list?f=1&f=2", "/list?f=1&f=2&f=3"),
        ("/x/0123456789abcdef", "/x/fedcba9876543210"),
        ("/forum/topic/reply/topic/reply/", "/forum/reply/topic/reply/topic/reply/topic/"),
    ],
)
def test_the_same_template(one: str, other: str) -> None:
    assert shape_of(A + one).name == shape_of(A + other).name


@pytest.mark.parametrize(
    ("one", "other"),
    [("/item/1", "/items/1"), ("/a?x=1", "/a?y=1"), ("/a/1", "/a/b/1"), ("/a.html", "/a.pdf")],
)
def test_different_templates(one: str, other: str) -> None:
    assert shape_of(A + one).name != shape_of(A + other).name


@pytest.mark.parametrize(
    ("path", "hint"),
    [
        ("/item/17", Hint.NONE),
        ("/a/b/a/b/a/b", Hint.REPEATS),
        ("/docs/reference/guide/api/docs", Hint.NONE),
        ("/events/2031/07", Hint.CALENDAR),
        ("/events?month=2031-07", Hint.CALENDAR),
        ("/commit?id=f66b7dcd21696a4242e1ff93608c405741802c92", Hint.NONE),
        ("/commit/f66b7dcd21696a4242e1ff93608c405741802c92", Hint.NONE),
        ("/a?sid=0123456789abcdef", Hint.SESSION),
        ("/a;jsessionid=0123456789ABCDEF", Hint.SESSION),
        ("/shop?colour=red&size=m&sort=up", Hint.FACETS),
        ("/shop?f=1&f=2&f=3", Hint.GROWING),
        ("/?a=1&b=2&c=3&d=4&e=5&f=6", Hint.GROWING),
    ],
)
def test_what_looks_like_a_trap(path: str, hint: Hint) -> None:
    assert shape_of(A + path).hint is hint


def test_a_query_belongs_to_a_wider_pattern() -> None:
    assert shape_of(f"{A}/shop?a=1").wider == shape_of(f"{A}/shop?b=1&c=2").wider != ""
    assert shape_of(f"{A}/shop").wider == ""


@given(st.text(max_size=200))
def test_any_url_has_a_pattern_of_its_host(text: str) -> None:
    url = parse(f"{A}/{text}")
    if url is not None:
        shape = shape_of(url.text)
        assert shape.name.startswith(A + "/")
        assert len(shape.name) <= 4 * len(url.text) + 20


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("/red-shoe-x1", "/{words}-x{n}"),
        ("/red+shoe1", "/red+shoe{n}"),
        ("/red-shoe+x1", "/red-shoe+x{n}"),
        ("/a_red-shoe+x1", "/{words}-shoe+x{n}"),
        ("/red%20shoe", "/{words}"),
        ("/abcdefabcdef", "/abcdefabcdef"),
        ("/xabcdef0123456789", "/x{id}"),
        ("/550e8400-e29b-41d4-a716-446655440000", "/{id}"),
        ("/550e8400-e29b-41d4-a716-446655440000abc", "/{id}"),
    ],
)
def test_words_and_identifiers(path: str, name: str) -> None:
    assert shape_of(A + path).name == A + name


LONG = 200_000


@pytest.mark.parametrize(
    "rest",
    [
        "/" + "a" * LONG,
        "/" + "z" * LONG,
        "/" + "z+" * LONG + "1",
        "/" + "a-" * LONG + "1",
        "/" + "%20" * LONG,
        "/x?" + "sid" * LONG,
        "/x;" + "_" * LONG,
        "/x?" + "&sid" * LONG,
        "".join(f"/{number:x}" for number in range(LONG)),
        "/" + "1-" * LONG,
    ],
    ids=range(10),
)
def test_long_urls_take_no_more_steps_than_letters(rest: str) -> None:
    """Hours, if each were looked at from every place; a crawl asks about every link of a page."""
    shape = shape_of(A + rest)
    assert len(shape.name) <= 4 * len(rest) + len(A)
