"""Answers, and the auxiliary data that come with them."""

from collections.abc import Callable, Sequence
from itertools import compress
from typing import Generic, Protocol, TypeVar

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from gossamer.core.disk.drum.operations import Flags, Keys, Values

A = TypeVar("A")


class Codec(Struct, Generic[A], frozen=True):
    """Turns auxiliary data into bytes and back; called only for data that go to disk."""

    encode: Callable[[A], bytes]
    decode: Callable[[bytes], A]


def _itself(data: bytes) -> bytes:
    return data


BYTES = Codec[bytes](_itself, _itself)


class Auxiliary(Protocol[A]):
    """The auxiliary data of a batch of answers."""

    def __len__(self) -> int: ...
    def __getitem__(self, index: int) -> A: ...
    def select(self, wanted: Flags) -> list[A]: ...


class KeptAnswers(Generic[A]):
    """Auxiliary data that never left memory."""

    __slots__ = ("_data",)

    def __init__(self, data: Sequence[A]) -> None:
        self._data = data

    def __len__(self) -> int:
        return len(self._data)

    def __getitem__(self, index: int) -> A:
        return self._data[index]

    def select(self, wanted: Flags) -> list[A]:
        return list(compress(self._data, wanted.tolist()))


class Packed(Generic[A]):
    """Auxiliary data as they lay on disk, one after the other; decoded when asked for."""

    __slots__ = ("_data", "_decode", "_ends")

    def __init__(
        self, data: bytes, lengths: npt.NDArray[np.uint32], decode: Callable[[bytes], A]
    ) -> None:
        self._data, self._decode = data, decode
        self._ends = np.concatenate(([0], np.cumsum(lengths, dtype=np.int64)))

    def __len__(self) -> int:
        return len(self._ends) - 1

    def __getitem__(self, index: int) -> A:
        place = range(len(self))[index]
        return self._decode(self._data[self._ends[place] : self._ends[place + 1]])

    def select(self, wanted: Flags) -> list[A]:
        places = np.flatnonzero(wanted)
        starts, ends = self._ends[places].tolist(), self._ends[places + 1].tolist()
        data, decode = self._data, self._decode
        return [decode(data[start:end]) for start, end in zip(starts, ends, strict=True)]


class Answers(Generic[A]):
    """Answers to checks, in the order of the checks. All fields are equally long."""

    __slots__ = ("aux", "is_unique", "keys", "operations", "values")

    def __init__(
        self,
        keys: Keys,
        operations: npt.NDArray[np.uint8],
        is_unique: Flags,
        values: Values | None,
        aux: Auxiliary[A],
    ) -> None:
        self.keys = keys
        self.operations = operations
        self.is_unique = is_unique
        """The key was not known when the operation's turn came."""
        self.values = values
        """The values of known keys, before the operation itself changed them; otherwise zero."""
        self.aux = aux

    def __len__(self) -> int:
        return len(self.keys)

    def unique_aux(self) -> list[A]:
        """The auxiliary data of unique keys."""
        return self.aux.select(self.is_unique)
