"""Operations of a DRUM, in memory and on disk."""

from enum import IntFlag
from typing import Any

import numpy as np
import numpy.typing as npt

Keys = npt.NDArray[np.uint64]
Operations = npt.NDArray[np.uint8]
Flags = npt.NDArray[np.bool_]
Indices = npt.NDArray[np.intp]
States = npt.NDArray[np.uint8]
Values = npt.NDArray[Any]
Records = npt.NDArray[np.void]
"""Operations: key, operation, and value if there are values."""


class Operation(IntFlag):
    """One bit for each thing that an operation does."""

    CHECK = 1
    """Say whether the key is known, and its value."""
    UPDATE = 2
    """Enter the value, by the rule; a key without values is just entered."""
    CHECK_UPDATE = 3
    """Say what was there before, then update."""
    DELETE = 4
    """Forget the key."""


CHANGES = np.uint8(Operation.UPDATE | Operation.DELETE)
ASKS = np.uint8(Operation.CHECK)
PUTS = np.uint8(Operation.UPDATE)
ASKS_AND_PUTS = np.uint8(Operation.CHECK_UPDATE)
"""NumPy compares arrays with these at once; a member of the enumeration takes it ten times as long."""


def record_type(value: np.dtype[Any] | None) -> np.dtype[np.void]:
    """An operation in the log and in a bucket."""
    return _with_value([("key", "<u8"), ("operation", "u1")], value)


def entry_type(value: np.dtype[Any] | None) -> np.dtype[np.void]:
    """A pair in the repository."""
    return _with_value([("key", "<u8")], value)


def answer_type(value: np.dtype[Any] | None) -> np.dtype[np.void]:
    """The array type of answers."""
    return _with_value([("known", "u1")], value)


def _with_value(fields: list[Any], value: np.dtype[Any] | None) -> np.dtype[np.void]:
    return np.dtype([*fields, ("value", value)] if value is not None else fields)
