"""What travels with a page: forms of all times are read, one of a later time is refused by name."""

from struct import pack

import pytest

from gossamer.core.errors import DirectoryError
from gossamer.core.records import Visit
from gossamer.policy.revisit.page_memory import PageMemory, hand_over, read_memory, write_memory
from tests.present import parse

MEMORY = PageMemory(visited=5.0, rate=0.5, keep=0.25, visits=3, digest=b"d" * 20, etag='"7"')


def is_return(memory: bytes) -> bool:
    return Visit(parse("http://a.test/"), memory=memory).is_return


def test_what_was_written_is_read() -> None:
    assert read_memory(write_memory(MEMORY)) == MEMORY
    assert is_return(write_memory(MEMORY))
    assert read_memory(b"") == PageMemory()
    assert not is_return(b"")


def test_the_first_form_is_read() -> None:
    """It had no mark of its form, and nothing about how long a page may be kept."""
    numbers = (5.0, 4.0, 1.0, 2.0, 0.5, 1.0, 0.25, 0.125, 3, 1, 11, 12, 13, 2)
    old = b"\x01" + pack("<ddffffffIIQQQBBBHHH", *numbers, 2, 1, 3, 0, 4) + b'dgs"7"home'
    found = read_memory(old)
    assert (found.visited, found.often, found.keep, found.visits) == (5.0, 0.125, -1.0, 3)
    assert (found.gone, found.digest, found.sketch, found.etag) == (2, b"dg", b"s", '"7"')
    assert found.home == "home"
    assert is_return(old)
    assert read_memory(write_memory(found)) == found


def test_what_a_page_that_moved_takes_along_is_no_visit() -> None:
    assert not is_return(hand_over(MEMORY))
    assert read_memory(hand_over(MEMORY)).visits == 0


@pytest.mark.parametrize("mark", [b"\x31", b"\x00", b"\x1f"])
def test_a_form_of_a_later_time_is_refused(mark: bytes) -> None:
    with pytest.raises(
        DirectoryError, match="cannot read; continue with the version that wrote them"
    ):
        read_memory(mark + write_memory(MEMORY)[1:])


def test_the_second_form_is_read() -> None:
    """It did not say what a page is made of."""
    numbers = (5.0, 4.0, 1.0, 2.0, 0.5, 1.0, 0.25, 0.125, 0.5, 3, 1, 11, 12, 13, 2)
    old = b"\x11" + pack("<ddfffffffIIQQQBBBHHH", *numbers, 2, 1, 3, 0, 4) + b'dgs"7"home'
    found = read_memory(old)
    assert (found.keep, found.gone, found.content, found.digest) == (0.5, 2, 0, b"dg")
    assert read_memory(write_memory(found)) == found
