"""Where on a page a link stands, and the words around it."""

import pytest

from tests.pipeline.parse.parse_pages import read


@pytest.mark.parametrize(
    ("markup", "positions"),
    [
        ("<a href=1>", [""]),
        ("<nav><a href=1></nav><a href=2>", ["navigation", ""]),
        ("<main><p><a href=1></main><footer><a href=2>", ["main", "footer"]),
        ("<article><header><a href=1></header></article>", ["main"]),
        ("<header><nav><a href=1></nav><a href=2></header>", ["navigation", "header"]),
        ("<main><nav><a href=1></main><a href=2>", ["navigation", ""]),
        ("<aside><a href=1></aside>", ["aside"]),
        ("<div role=navigation><div><a href=1></div><a href=2></div><a href=3>", ["navigation"] * 2 + [""]),
        ("<div ROLE=ContentInfo><a href=1></div>", ["footer"]),
        ("<div role=banner><a href=1></div>", ["header"]),
        ("<div role=list><a href=1></div>", [""]),
        ("<img role=main><a href=1>", [""]),
        ("</nav><a href=1>", [""]),
        ("<nav>" * 2000 + "<a href=1>" + "</nav>" * 2000, ["navigation"]),
    ],
)  # fmt: skip
def test_position(markup: str, positions: list[str]) -> None:
    assert [link.position for link in read(markup).links] == positions


def test_other_links_have_a_position_too() -> None:
    document = read("<footer><map><area href=1></map><iframe src=2></iframe></footer>")
    assert [link.position for link in document.links] == ["footer", "footer"]


@pytest.mark.parametrize(
    ("markup", "context"),
    [
        ("<p>We bake <a href=x>good cakes</a> every day.", ("We bake", "every day.")),
        ("<a href=x>cakes</a>", ("", "")),
        ("tea<a href=x><img alt=cakes></a>time", ("tea", "time")),
        ("<h1>Über</h1><a href=x>Ä</a>", ("Über", "")),
        ("one " * 30 + "<a href=x>y</a>" + " two" * 30, ("one " * 19 + "one", "two " * 19 + "two")),
        ("x" * 200 + " <a href=x>y</a> z", ("", "z")),
    ],
)
def test_context(markup: str, context: tuple[str, str]) -> None:
    document = read(markup)
    assert document.context(document.links[0]) == context


def test_what_is_not_in_the_text_has_no_context() -> None:
    document = read("<link rel=next href=x>some words")
    assert document.context(document.links[0]) == ("", "")
