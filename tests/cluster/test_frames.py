"""Frames survive however a stream is cut."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.cluster.frames import Frame, FrameReader, encode

FRAMES = st.lists(
    st.builds(
        Frame,
        st.integers(0, 255),
        st.integers(0, (1 << 16) - 1),
        st.integers(0, (1 << 64) - 1),
        st.integers(0, 255),
        st.binary(max_size=200),
    )
)


@given(FRAMES, st.integers(1, 50))
def test_a_stream_in_pieces(frames: list[Frame], size: int) -> None:
    stream = b"".join(map(encode, frames))
    reader = FrameReader()
    found: list[Frame] = []
    for start in range(0, len(stream), size):
        reader.feed(stream[start : start + size])
        found += reader
    assert found == frames


def test_noise_is_not_waited_for() -> None:
    reader = FrameReader()
    reader.feed(b"\xff" * 100)
    with pytest.raises(ValueError, match="cannot have"):
        list(reader)
