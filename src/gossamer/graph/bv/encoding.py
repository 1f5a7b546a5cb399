"""Rows of a graph, written as bits; and how many bits it would take, given a row to copy from.

`measure` and `write_rows` take a row apart in the same way: what it has in common with the row that it refers
to is copied, runs of consecutive nodes among the rest are intervals, and the others are gaps.
"""

import numpy as np
import numpy.typing as npt

from gossamer.core.kernel import Numbers, inlined_kernel, inner_kernel, kernel, pointer_to
from gossamer.graph.bv.bit_codes import (
    folded,
    gamma_bits,
    signed,
    write_gamma,
    write_unary,
    write_zeta,
    zeta_bits,
)
from gossamer.graph.bv.decoding import Nodes, Octets, Places

Backs = npt.NDArray[np.int32]

NO_LIMIT = 1 << 40
"""More bits than any row has."""
_NO_NODE = -1


@kernel
def write_offsets(offsets: Places, last: int, data: Octets, place: int) -> int:
    """Write offsets as gaps, from `last` on; returns the place behind them."""
    bits = pointer_to(data)
    for offset in offsets:
        place = write_gamma(bits, place, offset - last)
        last = offset
    return place


@kernel
def measure(
    offsets: Places,
    targets: Nodes,
    node: int,
    first: int,
    window: int,
    least: int,
    plain: Places,
    saved: npt.NDArray[np.int32],
) -> None:
    """Measure the bits of each row from `first` on alone, and the saving of each reference.

    Row 0 is that of `node`. The saving of row r with reference b is in `saved[r - first, b - 1]`; it is 0
    when there is none.
    """
    nodes = pointer_to(targets)
    for row in range(first, len(offsets) - 1):
        begin, end = offsets[row], offsets[row + 1]
        alone = 1 + bits_of_row(nodes, begin, end, 0, 0, False, node + row, least, NO_LIMIT)
        plain[row - first] = alone
        for back in range(1, window + 1):
            saved[row - first, back - 1] = 0
            if back > row or begin == end:
                continue
            start, stop = offsets[row - back], offsets[row - back + 1]
            if start == stop:
                continue
            limit = alone - back - 1
            bits = bits_of_row(nodes, begin, end, start, stop, True, node + row, least, limit)
            if bits < limit:
                saved[row - first, back - 1] = limit - bits


@inner_kernel
def bits_of_row(
    nodes: Numbers,
    here: int,
    end: int,
    there: int,
    stop: int,
    has_source: bool,
    node: int,
    least: int,
    limit: int,
) -> int:
    """Bits of a row behind its reference: blocks, intervals and gaps. Ends early beyond `limit`."""
    bits, blocks, block, is_copying = 0, 0, 0, True
    extras, intervals, run, last = 0, 0, 0, signed(-2)
    edge, gap = signed(_NO_NODE), signed(_NO_NODE)
    while here < end:
        mine, first = signed(nodes[here]), there
        while there < stop and signed(nodes[there]) < mine:
            there += 1
        if there > first:
            if is_copying:
                bits += gamma_bits(block - (blocks > 0))
                blocks, block, is_copying = blocks + 1, 0, False
            block += there - first
        if there < stop and signed(nodes[there]) == mine:
            if not is_copying:
                bits += gamma_bits(block - 1)
                blocks, block, is_copying = blocks + 1, 0, True
                if bits >= limit:
                    return bits
            block, there, here = block + 1, there + 1, here + 1
            continue
        if mine != last + 1 and run:
            more, edge, gap = _bits_of_run(last - run + 1, run, node, least, edge, gap)
            bits, intervals = bits + more, intervals + (least > 0 and run >= least)
            if bits >= limit:
                return bits
            run = 0
        run, last, extras, here = run + 1, mine, extras + 1, here + 1
    if run:
        more, edge, gap = _bits_of_run(last - run + 1, run, node, least, edge, gap)
        bits, intervals = bits + more, intervals + (least > 0 and run >= least)
    if has_source:
        if is_copying and there < stop:
            bits += gamma_bits(block - (blocks > 0))
            blocks += 1
        bits += gamma_bits(blocks)
    if extras and least:
        bits += gamma_bits(intervals)
    return bits


@inlined_kernel
def _bits_of_run(
    left: int, run: int, node: int, least: int, edge: int, gap: int
) -> tuple[int, int, int]:
    """Bits of consecutive nodes from `left` on, as an interval if they are enough, and as gaps otherwise.

    `edge` is behind the last interval, `gap` the last node that was told by its gap; they are returned again.
    """
    if least and run >= least:
        begin = folded(left - node) if edge == _NO_NODE else left - edge - 1
        return gamma_bits(begin) + gamma_bits(run - least), left + run, gap
    first = folded(left - node) if gap == _NO_NODE else left - gap - 1
    return zeta_bits(first) + (run - 1) * zeta_bits(0), edge, left + run - 1


@kernel
def write_rows(
    offsets: Places,
    targets: Nodes,
    node: int,
    first: int,
    window: int,
    least: int,
    backs: Backs,
    data: Octets,
    place: int,
    places: Places,
    notes: Places,
    extras: Nodes,
) -> int:
    """Write rows from `first` on, each with its reference; returns the place behind them.

    `places` gets where each begins. `notes` has room for the blocks of a row, `extras` for the rest of it.
    """
    bits, nodes = pointer_to(data), pointer_to(targets)
    spare, rest = pointer_to(notes), pointer_to(extras)
    for row in range(first, len(offsets) - 1):
        places[row - first] = place
        begin, end, back = offsets[row], offsets[row + 1], backs[row - first]
        place = write_gamma(bits, place, end - begin)
        if begin == end:
            continue
        if window:
            place = write_unary(bits, place, back)
        count = end - begin
        if back:
            start, stop = offsets[row - back], offsets[row - back + 1]
            blocks, count = _split(nodes, begin, end, start, stop, spare, rest)
            place = write_gamma(bits, place, blocks)
            for block in range(blocks):
                place = write_gamma(bits, place, spare[block] - (block > 0))
            place = _write_extras(bits, place, rest, 0, count, node + row, least)
        else:
            place = _write_extras(bits, place, nodes, begin, end, node + row, least)
    return place


@inner_kernel
def _split(
    nodes: Numbers, here: int, end: int, there: int, stop: int, blocks: Numbers, extras: Numbers
) -> tuple[int, int]:
    """Take a row apart by the row that it refers to; returns the number of blocks, and of extra nodes."""
    count, block, extra, is_copying = 0, 0, 0, True
    while here < end and there < stop:
        mine, other = nodes[here], nodes[there]
        if mine < other:
            extras[extra] = mine
            extra += 1
            here += 1
        elif (mine == other) == is_copying:
            block += 1
            there += 1
            here += mine == other
        else:
            blocks[count] = block
            count, block, is_copying = count + 1, 0, not is_copying
    if is_copying and there < stop:
        blocks[count] = block
        count += 1
    while here < end:
        extras[extra] = nodes[here]
        extra += 1
        here += 1
    return count, extra


@inlined_kernel
def _end_of_run(nodes: Numbers, at: int, end: int) -> int:
    """Behind the consecutive nodes that begin here."""
    stop = at + 1
    while stop < end and nodes[stop] == nodes[stop - 1] + 1:
        stop += 1
    return stop


@inner_kernel
def _write_extras(
    bits: Numbers, place: int, nodes: Numbers, begin: int, end: int, node: int, least: int
) -> int:
    if begin == end:
        return place
    if least:
        place = _write_intervals(bits, place, nodes, begin, end, node, least)
    at, last, is_first = begin, signed(0), True
    while at < end:
        stop = _end_of_run(nodes, at, end) if least else at + 1
        if least == 0 or stop - at < least:
            for step in range(at, stop):
                mine = signed(nodes[step])
                place = write_zeta(
                    bits, place, folded(mine - node) if is_first else mine - last - 1
                )
                last, is_first = mine, False
        at = stop
    return place


@inner_kernel
def _write_intervals(
    bits: Numbers, place: int, nodes: Numbers, begin: int, end: int, node: int, least: int
) -> int:
    count, at = 0, begin
    while at < end:
        stop = _end_of_run(nodes, at, end)
        count += stop - at >= least
        at = stop
    place = write_gamma(bits, place, count)
    at, edge, is_first = begin, signed(0), True
    while at < end:
        stop = _end_of_run(nodes, at, end)
        if stop - at >= least:
            left = signed(nodes[at])
            place = write_gamma(bits, place, folded(left - node) if is_first else left - edge - 1)
            place = write_gamma(bits, place, stop - at - least)
            edge, is_first = left + stop - at, False
        at = stop
    return place
