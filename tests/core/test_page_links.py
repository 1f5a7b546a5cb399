"""Links in columns look like a tuple of records."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.core.page_links import Links, as_links
from gossamer.core.records import Link, LinkKind
from tests.present import parse

_SOURCE = "http://a.test/"
_TARGETS = [parse(f"http://{host}.test/{path}") for host in "abc" for path in ("", "x", "y")]

_LINKS = st.lists(
    st.builds(
        Link,
        st.just(_SOURCE),
        st.sampled_from(_TARGETS),
        st.sampled_from(LinkKind),
        st.text(max_size=5),
        st.sampled_from(["", "nofollow"]),
    )
)


@given(_LINKS, st.slices(10))
def test_columns_and_records_are_the_same(records: list[Link], piece: slice) -> None:
    links = as_links(records)
    assert list(links) == records
    assert links == records
    assert len(links) == len(records)
    assert [links[place] for place in range(len(records))] == records
    assert list(links[piece]) == records[piece]
    assert as_links(links) is links


def test_links_of_two_pages_differ() -> None:
    one = Links(_SOURCE, _TARGETS[:1], [LinkKind.ANCHOR], ["A"], [""])
    other = Links(_SOURCE, _TARGETS[1:2], [LinkKind.ANCHOR], ["A"], [""])
    assert one != other
    assert hash(one) == hash(tuple(one))
    assert repr(one) == "<Links of http://a.test/: 1>"


def test_columns_may_be_left_out_but_not_cut_short() -> None:
    [link] = Links(_SOURCE, _TARGETS[:1])
    assert (link.kind, link.anchor, link.rel) == (LinkKind.ANCHOR, "", "")
    with pytest.raises(ValueError, match="are not of one length"):
        Links(_SOURCE, _TARGETS[:2], anchors=["A"])
    with pytest.raises(ValueError, match="not of one length"):
        Links(_SOURCE, _TARGETS[:1], anchors=["A", "B"])
