"""The check whether a tree is safe costs no more than the page is long, and is not to be fooled."""

import re

import pytest

from gossamer.pipeline.parse.extraction import tree_safety
from gossamer.pipeline.parse.extraction.tree_safety import has_many_attributes, is_tame
from gossamer.pipeline.parse.extraction.treeless_reading import read_wild
from gossamer.pipeline.parse.tag_patterns import ATTRIBUTES, FORMATTING_TAG, LINK_TAG, TAG

MILLION = 1_000_000
REACHING = {
    "names": b"<a" * 16_000 + b"x" * MILLION,
    "names before spaces": b"<a" * 16_000 + b" " * MILLION + b">",
    "values": b"<a b='" * 16_000 + b"x" * MILLION,
    "values in turn": b"<a b='<a c=\"" * 8_000 + b"x" * MILLION,
    "text": b"<a b=c>x" * 16_000 + b"x" * MILLION,
    "slashes": b"<a/" * 16_000 + b"/" * MILLION,
}


class Counting:
    """Counts the bytes that an expression has looked at."""

    looks = 0

    def match(self, html: bytes, start: int) -> re.Match[bytes] | None:
        found = ATTRIBUTES.match(html, start)
        assert found is not None
        self.looks += len(found[0])
        return found


@pytest.mark.parametrize("name", REACHING)
def test_looking_for_attributes_is_bounded(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    counting = Counting()
    monkeypatch.setattr(tree_safety, "ATTRIBUTES", counting)
    has_many_attributes(REACHING[name])
    assert 0 < counting.looks <= 10 * len(REACHING[name])


TAGS = {
    "closed at last": b"<b " * 2000 + b">x</b>",
    "closed at once": b"<b x>y</b>" * 2000,
    "never closed": b"<b x>" * 2000,
    "quotes": b"<b x='" * 2000 + b"'>x</b>",
    "elements of text": b"<b x>" + b"<i>x</i>" * 2000 + b"</b>",
    "elements of text, left open": b"<b x>" + b"<i y>x</i>" * 2000,
    "a tag in an attribute": b"<b x='<i>'>x</b>" * 1000,
}


@pytest.mark.parametrize("name", TAGS)
def test_every_formatting_tag_is_taken_once(name: str) -> None:
    """What begins like one lies in a match: an expression that gave it up would look at it again."""
    html, end = TAGS[name], 0
    for found in FORMATTING_TAG.finditer(html):
        left = html[end : found.start()]
        assert not re.search(rb"<[bi] ", left)
        end = found.end()
    assert not re.search(rb"<[bi] ", html[end:])


BEGINNINGS = [
    b"<a ",
    b"<b ",
    b"<b x='",
    b'<b x="',
    b"</b ",
    b"<!--",
    b"<!",
    b"<?",
    b"<nobr/",
    b"<b x= ",
]


@pytest.mark.parametrize("piece", BEGINNINGS)
@pytest.mark.parametrize("ending", [b"", b">", b">x</b>", b"</title", b"'>x</b>"])
def test_tags_without_an_end(piece: bytes, ending: bytes) -> None:
    """A megabyte would take hours if a tag were looked at from every place in it."""
    html = piece * (MILLION // len(piece)) + ending
    for expression in (FORMATTING_TAG, LINK_TAG, TAG):
        assert sum(len(found[0]) for found in expression.finditer(html)) <= len(html)
    assert not is_tame(html)
    assert len(read_wild(html).text) <= len(html)


@pytest.mark.parametrize(
    "piece", [b"<title ", b"<title>", b"</script ", b"<meta ", b"<meta a='", b"</style"]
)
def test_wild_pages_without_an_end(piece: bytes) -> None:
    html = b"<script>" + piece * (2 * MILLION // len(piece))
    assert read_wild(html).text == ""
    assert len(read_wild(html[8:]).text) <= len(html)


HIDDEN = [
    b"<!-- <b x='-->",
    b"<script><b x='</script>",
    b"<b x='><code y='>a</code></b>'>",
    b'<b x="\'">',
]


@pytest.mark.parametrize("before", HIDDEN)
def test_tags_that_wait_are_counted_wherever_they_hide(before: bytes) -> None:
    left_open = b"".join(b"<b id=%d>" % number for number in range(700))
    assert not is_tame(before + b"<p>" + left_open + b"</p>" + b"<p>x" * 1500)
    attributes = b"<p " + b" ".join(b"a%d" % number for number in range(9000)) + b">"
    assert not is_tame(before + attributes)
