"""meta robots and X-Robots-Tag."""

import pytest

from gossamer.pipeline.parse.robots_directives import Directives, read_directives
from tests.pipeline.parse.parse_pages import read


@pytest.mark.parametrize(
    ("fields", "index", "follow"),
    [
        ([], True, True),
        (["noindex"], False, True),
        (["NoFollow"], True, False),
        (["none"], False, False),
        (["all"], True, True),
        (["index", "noindex"], False, True),
        (["noarchive, nosnippet"], True, True),
        (["otherbot: noindex"], True, True),
        (["gossamer: noindex"], False, True),
        (["Gossamer/1.0: noindex"], False, True),
        (["otherbot: noindex, nofollow"], True, True),
        (["otherbot: noindex, gossamer: nofollow"], True, False),
        (["noindex, otherbot: nofollow"], False, True),
        (["unavailable_after: Fri, 25 Jun 2010 15:00:00 PST, nofollow"], True, False),
        (["max-snippet: -1, noindex"], False, True),
        ([": , ,:"], True, True),
    ],
)
def test_header(fields: list[str], index: bool, follow: bool) -> None:
    assert read_directives("Gossamer", [], fields) == Directives(index, follow)


@pytest.mark.parametrize(
    ("markup", "index", "follow"),
    [
        ("<meta name=robots content='noindex, nofollow'>", False, False),
        ("<meta name=ROBOTS content=NONE>", False, False),
        ("<meta name=gossamer content=nofollow>", True, False),
        ("<meta name=otherbot content=none>", True, True),
        ("<meta name=robots content=noindex><meta name=gossamer content=index>", False, True),
        ("<meta name=robots>", True, True),
    ],
)
def test_meta(markup: str, index: bool, follow: bool) -> None:
    document = read(markup)
    assert (document.is_indexable, document.is_followable) == (index, follow)


def test_header_of_a_page_that_nobody_reads() -> None:
    document = read(
        b"\x89PNG", "image/png", ("X-Robots-Tag", "noindex"), ("x-robots-tag", "nofollow")
    )
    assert (document.is_indexable, document.is_followable) == (False, False)
