"""Rows of a graph, read from its bits.

A row is: its length (γ); the reference in unary, how many rows back the one is of which parts are copied, or
0; if there is one, the number of copy blocks (γ) and their lengths (γ), copied and left out by turns; of the
rest, the number of intervals (γ), each with where it begins and how long it is (γ); and what is left, as
gaps (ζ). It is the format of Boldi and Vigna, *The WebGraph Framework I* (2004), as WebGraph writes it.

A file may be damaged, so no number is trusted: a row that makes no sense is told by a place `BEYOND` the
stream, all nodes are nodes of the graph, and nothing is written outside of what was given.
"""

import numpy as np
import numpy.typing as npt

from gossamer.core.kernel import Numbers, inlined_kernel, inner_kernel, kernel, pointer_to
from gossamer.graph.bv.bit_codes import (
    BEYOND,
    read_gamma,
    read_unary,
    read_zeta,
    signed,
    unfolded,
)
from gossamer.graph.bv.block_checks import BLOCK_BITS, Notes, are_full, note_blocks
from gossamer.graph.bv.starts import Words, blocks_of_starts, start_of

Octets = npt.NDArray[np.uint8]
Nodes = npt.NDArray[np.uint32]
Places = npt.NDArray[np.int64]

_BITS = BLOCK_BITS + 3
"""Of a place in bits, those within a block."""
_CHAIN = 8
"""References in a row that there is room for from the start."""


@kernel
def count_rows(
    data: Octets,
    size: int,
    starts: Words,
    seen: Octets,
    notes: Notes,
    nodes: Nodes,
    offsets: Places,
) -> int:
    """The places of these rows if they are laid end to end, the first of them at `offsets[0]`.

    Returns the first that makes no sense, or that has to wait until notes of blocks are settled; that is the
    number of rows when all do.
    """
    bits, places, total = pointer_to(data), pointer_to(starts), offsets[0]
    known, noted = pointer_to(seen), pointer_to(notes)
    most, base = signed(starts[0]) - 1, blocks_of_starts(places)
    for number in range(len(nodes)):
        offsets[number] = total
        if are_full(noted):
            return number
        begin = start_of(places, known, noted, signed(nodes[number]))
        count, place = read_gamma(bits, size, begin)
        if place > 8 * size or count > most:
            return number
        note_blocks(known, noted, base + (begin >> _BITS), base + (place >> _BITS))
        total += count
    offsets[len(nodes)] = total
    return len(nodes)


@kernel
def read_some(
    data: Octets,
    size: int,
    starts: Words,
    seen: Octets,
    notes: Notes,
    window: int,
    least: int,
    nodes: Nodes,
    offsets: Places,
    targets: Nodes,
) -> int:
    """Read rows in any order, each to its place; returns the first that makes no sense, or has to wait.

    A row that refers to another is read after it, and that after the next, to the end of the chain.
    """
    bits, out, places = pointer_to(data), pointer_to(targets), pointer_to(starts)
    total, base = signed(starts[0]) - 1, blocks_of_starts(places)
    known, noted = pointer_to(seen), pointer_to(notes)
    row, place, count = (
        np.empty(_CHAIN, np.int64),
        np.empty(_CHAIN, np.int64),
        np.empty(_CHAIN, np.int64),
    )
    one, other, spare = np.empty(64, np.uint32), np.empty(64, np.uint32), np.empty(64, np.uint32)
    for number in range(len(nodes)):
        node, depth, most = signed(nodes[number]), 0, 0
        while True:
            if are_full(noted):
                return number
            if depth == len(row):
                row, place = np.append(row, row), np.append(place, place)  # twice the space
                count = np.append(count, count)
            begin = start_of(places, known, noted, node)
            length, back, at = _read_head(bits, size, begin, window)
            if at > 8 * size or length > total or back > node:
                return number
            if begin >> _BITS != at >> _BITS:  # what follows is noted when it is read
                note_blocks(known, noted, base + (begin >> _BITS), base + (at >> _BITS))
            row[depth], place[depth], count[depth] = node, at, length
            most = max(most, length)
            depth += 1
            if back == 0:
                break
            node -= back
        if most > len(one):
            one, other = np.empty(2 * most, np.uint32), np.empty(2 * most, np.uint32)
            spare = np.empty(2 * most, np.uint32)
        if count[0] != offsets[number + 1] - offsets[number]:
            return number
        source = pointer_to(other)
        for step in range(depth - 1, -1, -1):
            is_last = step == 0
            target = out if is_last else (pointer_to(one) if step & 1 else pointer_to(other))
            start = offsets[number] if is_last else 0
            has_source = step < depth - 1
            before = count[step + 1] if has_source else 0
            end = _read_body(
                bits, size, place[step], row[step], total, least, count[step],
                has_source, source, 0, before, target, start, pointer_to(spare),
            )  # fmt: skip
            if end > 8 * size or are_full(noted):
                return number
            note_blocks(known, noted, base + (place[step] >> _BITS), base + (end >> _BITS))
            source = target
    return len(nodes)


@kernel
def read_rows(
    data: Octets,
    size: int,
    place: int,
    node: int,
    total: int,
    window: int,
    least: int,
    first: int,
    offsets: Places,
    targets: Nodes,
    spare: Nodes,
) -> tuple[int, int]:
    """Read rows in order, as many as there is room for; returns the first that was not, and its place.

    Row 0 is that of `node`, in a graph of `total`. Rows before `first` are there already, the others begin at
    `place`. A row that makes no sense has no place but `BEYOND`. `spare` has room for the longest row; where
    it has not, reading ends.
    """
    bits, out, buffer_ = pointer_to(data), pointer_to(targets), pointer_to(spare)
    for row in range(first, len(offsets) - 1):
        begin = offsets[row]
        count, back, at = _read_head(bits, size, place, window)
        if at > 8 * size or count > total or back > row:
            return row, BEYOND
        if begin + count > len(targets) or count > len(spare):
            return row, place
        source = max(row - back, 0)
        end = _read_body(
            bits, size, at, node + row, total, least, count,
            back > 0, out, offsets[source], offsets[source + 1] - offsets[source], out, begin, buffer_,
        )  # fmt: skip
        if end > 8 * size:
            return row, BEYOND
        place = end
        offsets[row + 1] = begin + count
    return len(offsets) - 1, place


@kernel
def find_rows(
    data: Octets,
    size: int,
    place: int,
    node: int,
    window: int,
    least: int,
    counts: Places,
    places: Places,
) -> int:
    """Find the places of rows, from that of `node` at `place` on, without reading them; returns the place
    behind.

    Only lengths of rows are needed to find where they end: `counts` keeps those of the last rows, that of
    row r at `r % len(counts)`. A row that makes no sense has a place `BEYOND`.
    """
    bits, lengths = pointer_to(data), pointer_to(counts)
    around = len(counts)
    for row in range(len(places)):
        places[row] = place
        count, back, place = _read_head(bits, size, place, window)
        if place > 8 * size or back > node + row or back >= around:
            return BEYOND
        if count:
            source = lengths[(node + row - back) % around] if back else -1
            place = _skip_body(bits, size, place, least, count, source)
        if place > 8 * size:
            return BEYOND
        lengths[(node + row) % around] = count
    return place


@inner_kernel
def _skip_body(data: Numbers, size: int, place: int, least: int, count: int, source: int) -> int:
    """The place behind a row of `count` nodes that refers to one of `source`; -1 if it refers to none."""
    rest = signed(count)
    if source >= 0:
        blocks, place = read_gamma(data, size, place)
        walked = copied = signed(0)
        for block in range(blocks):
            length, place = read_gamma(data, size, place)
            length += block > 0
            if place > 8 * size or walked + length > source:
                return BEYOND
            walked += length
            copied += 0 if block & 1 else length
        rest -= copied if blocks & 1 else copied + source - walked
    if rest > 0 and least:
        intervals, place = read_gamma(data, size, place)
        for _ in range(intervals):
            _, place = read_gamma(data, size, place)
            length, place = read_gamma(data, size, place)
            rest -= length + least
            if place > 8 * size or rest < 0:
                return BEYOND
    for _ in range(rest):
        _, place = read_zeta(data, size, place)
        if place > 8 * size:
            return BEYOND
    return place if rest >= 0 else BEYOND


@inlined_kernel
def _read_head(data: Numbers, size: int, place: int, window: int) -> tuple[int, int, int]:
    """The length of a row, its reference, and the place behind them."""
    count, place = read_gamma(data, size, place)
    if count == 0 or window == 0:
        return count, 0, place
    back, place = read_unary(data, size, place)
    return count, back, place


@inner_kernel
def _read_body(
    data: Numbers,
    size: int,
    place: int,
    node: int,
    total: int,
    least: int,
    count: int,
    has_source: bool,
    source: Numbers,
    begin: int,
    source_count: int,
    target: Numbers,
    start: int,
    spare: Numbers,
) -> int:
    """Read the part behind the head of a row of `count` nodes; returns the place behind it.

    Copied nodes and intervals come together in `spare`; gaps go to the end of the row. So what is merged at
    last is written from the front, and never overtakes what is still to be read.
    """
    if count == 0:
        return place
    held, end = 0, start + count
    if has_source:
        held, place = _copy_blocks(data, size, place, source, begin, source_count, spare, count)
    if held < count and least:
        filled, place = _read_intervals(
            data, size, place, node, total, least, target, start + held, end
        )
        if filled:
            _merge_down(spare, held, target, start + held, filled)
            held += filled
    if place > 8 * size:
        return BEYOND
    if held < count:
        place = _read_gaps(data, size, place, node, total, target, start + held, end)
    if held:
        _merge(spare, held, target, start, end)
    return place


@inner_kernel
def _copy_blocks(
    data: Numbers,
    size: int,
    place: int,
    source: Numbers,
    begin: int,
    count: int,
    target: Numbers,
    most: int,
) -> tuple[int, int]:
    """Copy what blocks say of the `count` nodes from `begin` on; returns how many, and the place behind."""
    blocks, place = read_gamma(data, size, place)
    copied = walked = 0
    for block in range(blocks + 1):
        if block < blocks:
            length, place = read_gamma(data, size, place)
            length += block > 0
        else:
            length = count - walked  # what is left belongs to the next block, which is not told
        if place > 8 * size or length < 0 or walked + length > count:
            return 0, BEYOND
        if block & 1 == 0:
            if copied + length > most:
                return 0, BEYOND
            for step in range(length):
                target[copied + step] = source[begin + walked + step]
            copied += length
        walked += length
    return copied, place


@inner_kernel
def _read_intervals(
    data: Numbers,
    size: int,
    place: int,
    node: int,
    total: int,
    least: int,
    target: Numbers,
    start: int,
    end: int,
) -> tuple[int, int]:
    """Write the nodes of all intervals one after the other; returns how many, and the place behind."""
    count, place = read_gamma(data, size, place)
    at, left = start, signed(0)
    for number in range(count):
        gap, place = read_gamma(data, size, place)
        left = node + unfolded(gap) if number == 0 else left + gap + 1
        length, place = read_gamma(data, size, place)
        length += least
        if place > 8 * size or at + length > end or left < 0 or left + length > total:
            return 0, BEYOND
        for step in range(length):
            target[at + step] = left + step
        at += length
        left += length
    return at - start, place


@inner_kernel
def _read_gaps(
    data: Numbers,
    size: int,
    place: int,
    node: int,
    total: int,
    target: Numbers,
    start: int,
    end: int,
) -> int:
    """Write the nodes that are told by their gaps; returns the place behind."""
    gap, place = read_zeta(data, size, place)
    last = node + unfolded(gap)
    if last < 0:
        return BEYOND
    target[start] = last
    for at in range(start + 1, end):
        gap, place = read_zeta(data, size, place)
        last += gap + 1
        target[at] = last
    return place if last < total else BEYOND


@inner_kernel
def _merge_down(one: Numbers, held: int, other: Numbers, start: int, count: int) -> None:
    """Merge `count` nodes of `other` into the first of `one`, the greatest first: none moves twice."""
    here, there, write = held - 1, start + count - 1, held + count - 1
    while there >= start:
        if here >= 0 and one[here] > other[there]:
            one[write] = one[here]
            here -= 1
        else:
            one[write] = other[there]
            there -= 1
        write -= 1


@inner_kernel
def _merge(one: Numbers, held: int, target: Numbers, start: int, end: int) -> None:
    """Merge the first of `one` into a row, the rest of which lies at its end."""
    here, there = signed(0), signed(start + held)
    while here < held and there < end:
        left, right = one[here], target[there]
        is_left = left < right
        target[start] = left if is_left else right
        here += is_left
        there += not is_left
        start += 1
    while here < held:
        target[start] = one[here]
        here += 1
        start += 1
