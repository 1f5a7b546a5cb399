from hypothesis import given
from hypothesis import strategies as st

from gossamer.pipeline.fetch.response_head import parse_fields, parse_status


def test_fields_in_order_and_without_case() -> None:
    headers = parse_fields([b"A: 1\r\n", b"b:2\r\n", b"a : 3\r\n"])
    assert list(headers) == [("A", "1"), ("b", "2"), ("a", "3")]
    assert headers.get_all("a") == ["1", "3"]


def test_folded_lines_are_joined_and_nonsense_is_passed_over() -> None:
    headers = parse_fields([b" lost\r\n", b"A: 1\r\n", b"\t2\r\n", b"no colon\r\n", b"B: \xfc\r\n"])
    assert list(headers) == [("A", "1 2"), ("B", "ü")]


@given(st.binary())
def test_status_never_raises(line: bytes) -> None:
    assert 0 <= parse_status(line) <= 999


@given(st.lists(st.binary()))
def test_fields_never_raise(lines: list[bytes]) -> None:
    assert len(parse_fields(lines)) <= len(lines)
