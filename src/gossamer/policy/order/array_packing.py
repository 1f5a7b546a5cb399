"""Arrays as bytes, for the dump of a policy."""

from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray


def pack(*arrays: NDArray[Any]) -> bytes:
    """
    >>> [part.tolist() for part in unpack(pack(np.arange(2), np.ones(1)))]
    [[0, 1], [1.0]]
    """
    return msgspec.msgpack.encode([(array.dtype.str, array.tobytes()) for array in arrays])


def unpack(state: bytes) -> list[NDArray[Any]]:
    """The arrays that `pack` was given, each with one dimension."""
    parts = msgspec.msgpack.decode(state, type=list[tuple[str, bytes]])
    return [np.frombuffer(data, np.dtype(kind)).copy() for kind, data in parts]


def pack_parts(*parts: bytes) -> bytes:
    """Several dumps as one."""
    return msgspec.msgpack.encode(parts)


def unpack_parts(state: bytes) -> list[bytes]:
    return msgspec.msgpack.decode(state, type=list[bytes])
