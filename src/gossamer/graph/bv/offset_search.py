"""Offsets of a graph that came without them: its bits are read once, from the first row to the last."""

from io import BytesIO

import numpy as np

from gossamer.graph.bv.bit_codes import BEYOND, SPARE_BYTES
from gossamer.graph.bv.bit_file import BitFile
from gossamer.graph.bv.bv_properties import Properties
from gossamer.graph.bv.decoding import Octets, find_rows
from gossamer.graph.bv.encoding import write_offsets

_TOGETHER = 1 << 16


def find_offsets(bits: Octets, size: int, said: Properties) -> Octets | None:
    """Compute `NAME.offsets`, with a few zeros behind it; None when the bits make no sense.

    It takes a byte and a bit for each row, in memory: the folder of a foreign graph is not written to.
    """
    found = BytesIO()
    file, last, place = BitFile(found), 0, 0
    counts = np.zeros(said.window + 1, np.int64)
    for node in range(0, said.nodes, _TOGETHER):
        places = np.empty(min(_TOGETHER, said.nodes - node), np.int64)
        place = find_rows(bits, size, place, node, said.window, said.least, counts, places)
        if place == BEYOND:
            return None
        _add(file, places, last)
        last = int(places[-1])
    _add(file, np.array([place]), last)
    file.end()
    return np.frombuffer(found.getvalue() + bytes(SPARE_BYTES), np.uint8)


def _add(file: BitFile, places: "np.typing.NDArray[np.int64]", last: int) -> None:
    buffer_, begin = file.buffer(128 * len(places))
    file.add(buffer_, write_offsets(places, last, buffer_, begin))
