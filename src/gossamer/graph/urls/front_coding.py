"""Sorted keys, each without what it has in common with the one before.

Keys come in blocks. The first of a block is whole: its length and its bytes. Of the others there is how many
bytes they share with the one before, how many are new, and these. Lengths have seven bits in a byte, the
lowest first, and the highest bit says that more follow. A file may be damaged: a length that leads outside is
told as a place of -1.
"""

from gossamer.core.kernel import Numbers, inlined_kernel, inner_kernel, kernel, pointer_to
from gossamer.graph.bv.block_checks import BLOCK_BITS, MOST_NOTES, Notes
from gossamer.graph.urls.url_keys import Octets, Places

BLOCK = 32
"""Keys of a block: 5 % less room than with half as many, and numbers are found sooner, URLs later."""
LONGEST = 1 << 20
"""Bytes of a key, at most."""
_BYTES, _PLACES = BLOCK_BITS, BLOCK_BITS - 3
"""Of a place in bytes, or of the number of a place, the bits within a block that has a checksum."""


@kernel
def pack_keys(
    offsets: Places, text: Octets, first: int, last: Octets, buffer_: Octets, blocks: Places
) -> tuple[int, int]:
    """Write keys; the first of them has the number `first`, and `last` is the one before it.

    Returns the bytes written, and the number of blocks that began; `blocks` gets where.
    """
    source, target = pointer_to(text), pointer_to(buffer_)
    before, size = pointer_to(last), len(last)
    at, begun, back = 0, 0, 0
    for number in range(len(offsets) - 1):
        begin, length = offsets[number], offsets[number + 1] - offsets[number]
        shared = 0
        if (first + number) % BLOCK == 0:
            blocks[begun] = at
            begun += 1
        else:
            while shared < min(length, size) and before[back + shared] == source[begin + shared]:
                shared += 1
            at = _write_length(target, at, shared)
        at = _write_length(target, at, length - shared)
        for place in range(shared, length):
            target[at + place - shared] = source[begin + place]
        at += length - shared
        before, back, size = source, begin, length
    return at, begun


@kernel
def measure_keys(
    data: Octets,
    size: int,
    blocks: Places,
    seen: Octets,
    notes: Notes,
    numbers: Places,
    offsets: Places,
) -> int:
    """The places of these keys if they are laid end to end, the first of them at `offsets[0]`.

    Returns the first that makes no sense, or that has to wait until notes of blocks are settled.
    """
    source, total = pointer_to(data), offsets[0]
    known, noted = pointer_to(seen), pointer_to(notes)
    base = _blocks_of_places(len(blocks))
    for at in range(len(numbers)):
        offsets[at] = total
        if _are_full(noted):
            return at
        here = numbers[at] // BLOCK
        _note_blocks(known, noted, here >> _PLACES, here >> _PLACES)
        place, length = blocks[here], 0
        begin = place
        for step in range(numbers[at] % BLOCK + 1):
            place, shared, fresh = _read_step(source, size, place, step, length)
            if place < 0:
                return at
            length = shared + fresh
            place += fresh
        _note_blocks(known, noted, base + (begin >> _BYTES), base + (place >> _BYTES))
        total += length
    offsets[len(numbers)] = total
    return len(numbers)


@kernel
def read_keys(
    data: Octets,
    size: int,
    blocks: Places,
    numbers: Places,
    offsets: Places,
    buffer_: Octets,
    key: Octets,
) -> None:
    """Write keys that were measured, each to its place; `key` has room for the longest."""
    source, target, spare = pointer_to(data), pointer_to(buffer_), pointer_to(key)
    for at in range(len(numbers)):
        place, length = blocks[numbers[at] // BLOCK], 0
        for step in range(numbers[at] % BLOCK + 1):
            place, shared, fresh = _read_step(source, size, place, step, length)
            for byte in range(fresh):
                spare[shared + byte] = source[place + byte]
            length = shared + fresh
            place += fresh
        for byte in range(offsets[at + 1] - offsets[at]):
            target[offsets[at] + byte] = spare[byte]


@kernel
def find_keys(
    data: Octets,
    size: int,
    blocks: Places,
    seen: Octets,
    notes: Notes,
    count: int,
    offsets: Places,
    text: Octets,
    numbers: Places,
) -> int:
    """The number of each key, -1 for one that is not there.

    Returns the first that leads to a block that makes no sense, or that has to wait until notes are settled.
    """
    source, wanted, places = pointer_to(data), pointer_to(text), pointer_to(blocks)
    known, noted = pointer_to(seen), pointer_to(notes)
    base, most = _blocks_of_places(len(blocks)), (count + BLOCK - 1) // BLOCK
    for at in range(len(offsets) - 1):
        begin, end = offsets[at], offsets[at + 1]
        low, high = 0, most
        while low < high:
            if _are_full(noted):
                return at
            middle = (low + high) // 2
            _note_blocks(known, noted, middle >> _PLACES, middle >> _PLACES)
            place, _, fresh = _read_step(source, size, places[middle], 0, 0)
            if place < 0:
                return at
            first = base + (places[middle] >> _BYTES)
            _note_blocks(known, noted, first, base + ((place + fresh) >> _BYTES))
            if _is_after(source, place, place + fresh, wanted, begin, end):
                high = middle
            else:
                low = middle + 1
        numbers[at] = -1
        if low:
            start, stop = places[low - 1], size
            if low < most:
                _note_blocks(known, noted, low >> _PLACES, low >> _PLACES)
                stop = places[low]
            if not 0 <= start <= stop <= size:
                return at
            _note_blocks(known, noted, base + (start >> _BYTES), base + (stop >> _BYTES))
            keys = min(BLOCK, count - (low - 1) * BLOCK)
            numbers[at] = _find_in_block(source, stop, start, keys, wanted, begin, end)
            if numbers[at] < -1:
                return at
            if numbers[at] >= 0:
                numbers[at] += (low - 1) * BLOCK
    return len(offsets) - 1


@inlined_kernel
def _blocks_of_places(count: int) -> int:
    """Blocks of the file with the places, behind which those of the keys are numbered."""
    return (count >> _PLACES) + 1


@inner_kernel
def _note(seen: Numbers, notes: Numbers, first: int, last: int) -> None:
    for block in range(first, last + 1):
        if seen[block] == 0:
            at = notes[0]
            notes[0] = at + 1
            notes[2 * at + 1], notes[2 * at + 2] = first, last
            break


@inlined_kernel
def _note_blocks(seen: Numbers, notes: Numbers, first: int, last: int) -> None:
    """As `note_blocks` of `bv`; kernels call only what is in their own package."""
    if seen[first] == 0 or seen[last] == 0 or last > first + 1:
        _note(seen, notes, first, last)


@inlined_kernel
def _are_full(notes: Numbers) -> bool:
    """As `are_full` of `bv`."""
    return notes[0] > MOST_NOTES


@inner_kernel
def _find_in_block(
    source: Numbers, size: int, place: int, count: int, wanted: Numbers, begin: int, end: int
) -> int:
    """The place of a key in its block; -1 when it is not there, -2 when the block makes no sense.

    `common` is how many bytes the wanted key has in common with the one before. A key that shares more than
    that with it is not the wanted one, nor after it; one that shares less is after it.
    """
    common, length = 0, 0
    for step in range(count):
        place, shared, fresh = _read_step(source, size, place, step, length)
        if place < 0:
            return -2
        length = shared + fresh
        if shared < common and step:
            return -1
        if shared == common or step == 0:
            while (
                common - shared < fresh
                and begin + common < end
                and source[place + common - shared] == wanted[begin + common]
            ):
                common += 1
            if common == length and begin + common == end:
                return step
            is_after = common < length and (
                begin + common == end or source[place + common - shared] > wanted[begin + common]
            )
            if is_after:
                return -1
        place += fresh
    return -1


@inlined_kernel
def _is_after(one: Numbers, start: int, stop: int, other: Numbers, begin: int, end: int) -> bool:
    """Does the first key come after the second?"""
    while start < stop and begin < end and one[start] == other[begin]:
        start += 1
        begin += 1
    if start == stop:
        return False
    return begin == end or one[start] > other[begin]


@inlined_kernel
def _write_length(target: Numbers, at: int, length: int) -> int:
    while length > 127:
        target[at] = length & 127 | 128
        length >>= 7
        at += 1
    target[at] = length
    return at + 1


@inlined_kernel
def _read_length(source: Numbers, size: int, at: int) -> tuple[int, int]:
    """A length, and the place behind it; that is -1 when it leads outside."""
    length, shift = 0, 0
    while at < size and shift < 28:
        byte = source[at] + 0  # wide enough to be shifted
        at += 1
        length |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return length, at
    return 0, -1


@inlined_kernel
def _read_step(
    source: Numbers, size: int, place: int, step: int, length: int
) -> tuple[int, int, int]:
    """Read a step: the place of the new bytes of a key, the bytes shared with the one before, the new
    ones."""
    shared = 0
    if place < 0 or place > size:
        return -1, 0, 0
    if step:
        shared, place = _read_length(source, size, place)
    if place < 0 or shared > length:
        return -1, 0, 0
    fresh, place = _read_length(source, size, place)
    if place < 0 or place + fresh > size or shared + fresh > LONGEST:
        return -1, 0, 0
    return place, shared, fresh
