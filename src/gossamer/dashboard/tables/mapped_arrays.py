"""Arrays and texts in a temporary file that has no name: the system decides what of it is in memory."""

import mmap
from tempfile import TemporaryFile
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

_EVEN = 64
"""Arrays begin at multiples of it."""


class Mapped:
    """Takes arrays, and gives them back as views of a mapped file once it is `close`d.

    >>> mapped = Mapped()
    >>> mapped.add("ages", np.array([3, 5], np.int32))
    >>> mapped.add_texts("names", pa.array(["Ada", None, "Bob"]))
    >>> found = mapped.close()
    >>> found["ages"].tolist(), found["names"].to_pylist()
    ([3, 5], ['Ada', '', 'Bob'])
    """

    def __init__(self) -> None:
        self._file = TemporaryFile(prefix="gossamer-")  # noqa: SIM115
        self._size = 0
        self._arrays: dict[str, tuple[int, int, np.dtype[Any]]] = {}
        self._texts: list[str] = []

    def add(self, name: str, values: NDArray[Any]) -> None:
        data = np.ascontiguousarray(values)
        self._arrays[name] = self._size, len(data), data.dtype
        self._file.write(data.tobytes())
        self._size += data.nbytes
        gap = -self._size % _EVEN
        self._file.write(bytes(gap))
        self._size += gap

    def add_texts(self, name: str, values: Any) -> None:
        """A column of text; what is null becomes empty."""
        texts = values.combine_chunks() if isinstance(values, pa.ChunkedArray) else values
        texts = texts.cast(pa.large_string()).fill_null("")
        if isinstance(texts, pa.ChunkedArray):
            texts = texts.combine_chunks()
        offsets, data = text_buffers(texts)
        self.add(f"{name}.offsets", offsets)
        self.add(f"{name}.data", data)
        self._texts.append(name)

    def close(self) -> dict[str, Any]:
        """All that was added, by name."""
        self._file.flush()
        if not self._size:
            view: Any = bytearray()
        else:
            view = mmap.mmap(self._file.fileno(), self._size, access=mmap.ACCESS_READ)
        self._file.close()  # what is mapped stays
        found: dict[str, Any] = {
            name: np.frombuffer(view, kind, count, begin) if count else np.zeros(0, kind)
            for name, (begin, count, kind) in self._arrays.items()
        }
        for name in self._texts:
            offsets, data = found.pop(f"{name}.offsets"), found.pop(f"{name}.data")
            buffers = [None, pa.py_buffer(offsets), pa.py_buffer(data)]
            found[name] = pa.Array.from_buffers(pa.large_string(), len(offsets) - 1, buffers)
        return found


def text_buffers(texts: pa.LargeStringArray) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
    """The places where texts begin, the first at 0, and the bytes of all."""
    _, places, data = texts.buffers()
    if places is None or not len(texts):
        return np.zeros(1, np.int64), np.zeros(0, np.uint8)
    offsets = np.frombuffer(places, np.int64, len(texts) + 1, texts.offset * 8)
    begin, end = int(offsets[0]), int(offsets[-1])
    whole = np.frombuffer(data, np.uint8)[begin:end] if data is not None else np.zeros(0, np.uint8)
    return offsets - begin, whole
