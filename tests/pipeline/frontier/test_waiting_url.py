import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.core.records import Via, Visit
from gossamer.core.url import Url, parse
from gossamer.pipeline.frontier.waiting_url import decode, encode


@pytest.mark.parametrize(
    "text",
    [
        "http://a.test/",
        "https://a.test:8443/b?c=d",
        "http://[2001:db8::1]:8080/x",
        "http://1.2.3.4/%C3%A4",
        "http://xn--bcher-kva.test/ü",
        "data:text/plain,a",
        "mailto:somebody@a.test",
    ],
)
def test_a_url_stays_what_it_is(text: str) -> None:
    url = parse(text)
    assert url is not None
    visit = Visit(url, 3, Via.REDIRECT, "http://b.test/", 2, 1, 4)
    assert decode(encode(visit, 1, 4)) == visit


@given(
    st.builds(
        Url,
        text=st.text(st.characters(codec="utf-8"), min_size=1).filter(lambda t: t[0] != "/"),
        host=st.text(st.characters(codec="utf-8")),
        origin=st.text(st.characters(codec="utf-8")),
        key=st.integers(0, 2**64 - 1),
    ),
    st.integers(0, 2**40),
    st.sampled_from(list(Via)),
    st.integers(-1, 300),
)
def test_any_record_comes_back_as_it_was(url: Url, depth: int, via: Via, level: int) -> None:
    visit = Visit(url, depth, via, "source", 0, 0, level)
    assert decode(encode(visit, 0, level)) == visit
