"""Buckets of a lookup, as kernels see them.

A bucket is a page of 512 words of 64 bits, seen as such (`keys`) and as 1024 of 32 bits (`words`):

    word of 32 bits      0        1       2 … 681 (64-bit words 1 … 340)    682 … 1021
    holds              count    depth     keys                              values

`depth` is how many leading bits all keys of the bucket have in common. The directory has an entry for each
prefix of `state[DEPTH]` bits.
"""

import numpy as np
import numpy.typing as npt

from gossamer.core.disk.lookup.sieve import mark, may_have
from gossamer.core.kernel import kernel

Numbers = npt.NDArray[np.uint64]
Words = npt.NDArray[np.uint32]
State = npt.NDArray[np.int64]

PAGE = 4096
CAPACITY = 340
DEPTH, USED, ENTRIES, WANTS, SUM = 0, 1, 2, 3, 4
"""What `state` says: bits of the directory, buckets in use, entries, why `enter` stopped early, and the sum
of all entries' checksums, which says what is in the buckets whatever their order."""
MORE_BUCKETS, MORE_DEPTH = 1, 2
DEEPEST = 24
"""A directory is never deeper, which is 64 MB. With hashes for keys this is enough for three billion entries;
if an attacker makes keys with one prefix, those are not kept."""

_COUNT, _LOCAL = 0, 1
_VALUES = 682
_BITS = np.uint64(64)
_ONE = np.uint64(1)
_MIX = np.uint64(0x9E3779B97F4A7C15)
"""2⁶⁴ divided by the golden ratio: an odd number with bits all over."""


@kernel
def first(
    sieve: Numbers, directory: Words, state: State, keys: Numbers, words: Words, key: np.uint64
) -> np.int64:
    """The first value of a key; -1 when there is none."""
    if not may_have(sieve, key):
        return np.int64(-1)
    bucket = np.int64(directory[key >> (_BITS - np.uint64(state[DEPTH]))])
    for place in range(np.int64(words[bucket, _COUNT])):
        if keys[bucket, 1 + place] == key:
            return np.int64(words[bucket, _VALUES + place])
    return np.int64(-1)


@kernel
def suspect(
    sieve: Numbers,
    directory: Words,
    state: State,
    wanted: Numbers,
    which: State,
    where: State,
) -> int:
    """Write which of the wanted keys may be there, and the bucket of each; returns how many."""
    shift, count = _BITS - np.uint64(state[DEPTH]), 0
    for number in range(len(wanted)):
        if may_have(sieve, wanted[number]):
            which[count] = number
            where[count] = np.int64(directory[wanted[number] >> shift])
            count += 1
    return count


@kernel
def find(
    sieve: Numbers,
    directory: Words,
    state: State,
    keys: Numbers,
    words: Words,
    wanted: Numbers,
    found: State,
) -> None:
    """Write the first value of each wanted key for which there is none yet, -1."""
    for number in range(len(wanted)):
        if found[number] < 0:
            found[number] = first(sieve, directory, state, keys, words, wanted[number])


@kernel
def gather(
    sieve: Numbers,
    directory: Words,
    state: State,
    keys: Numbers,
    words: Words,
    wanted: Numbers,
    found: Words,
    count: int,
) -> int:
    """Write the values of all wanted keys behind the first `count`; returns how many there are then."""
    shift = _BITS - np.uint64(state[DEPTH])
    for key in wanted:
        if not may_have(sieve, key):
            continue
        bucket = np.int64(directory[key >> shift])
        size = np.int64(words[bucket, _COUNT])
        if not _times(keys, bucket, size, key):  # nearly always, and this loop is the fast one
            continue
        for place in range(size):
            if keys[bucket, 1 + place] == key and count < len(found):
                found[count] = words[bucket, _VALUES + place]
                count += 1
    return count


@kernel
def enter(
    sieve: Numbers,
    directory: Words,
    state: State,
    keys: Numbers,
    words: Words,
    entries: Numbers,
    values: Words,
    start: int,
    most: int,
) -> int:
    """Enter pairs from number `start` on, unless a key has `most` values already.

    Returns the number of the first that was not entered, because something is wanted: see `state`.
    """
    for number in range(start, len(entries)):
        key = entries[number]
        while True:
            bucket = np.int64(directory[key >> (_BITS - np.uint64(state[DEPTH]))])
            count = np.int64(words[bucket, _COUNT])
            if _times(keys, bucket, count, key) >= most:
                break
            if count < CAPACITY:
                keys[bucket, 1 + count] = key
                words[bucket, _VALUES + count] = values[number]
                words[bucket, _COUNT] = count + 1
                state[ENTRIES] += 1
                state[SUM] += check_of(key, values[number])
                mark(sieve, key)
                break
            if words[bucket, _LOCAL] == state[DEPTH]:
                if state[DEPTH] == DEEPEST:  # keys that are no hashes: this one is not kept
                    break
                state[WANTS] = MORE_DEPTH
                return number
            if state[USED] == len(keys):
                state[WANTS] = MORE_BUCKETS
                return number
            _split(directory, state, keys, words, bucket, key)
    return len(entries)


@kernel
def remove(
    directory: Words, state: State, keys: Numbers, words: Words, gone: Numbers, value: np.uint32
) -> None:
    """Remove this value of some keys; the bucket's last entry takes its place."""
    for key in gone:
        bucket = np.int64(directory[key >> (_BITS - np.uint64(state[DEPTH]))])
        last = np.int64(words[bucket, _COUNT]) - 1
        for place in range(last + 1):
            if keys[bucket, 1 + place] == key and words[bucket, _VALUES + place] == value:
                keys[bucket, 1 + place] = keys[bucket, 1 + last]
                words[bucket, _VALUES + place] = words[bucket, _VALUES + last]
                words[bucket, _COUNT] = last
                state[ENTRIES] -= 1
                state[SUM] -= check_of(key, value)
                break


@kernel
def _times(keys: Numbers, bucket: np.int64, count: np.int64, key: np.uint64) -> int:
    """The number of values of a key."""
    times = 0
    for place in range(count):
        times += keys[bucket, 1 + place] == key
    return times


@kernel
def _split(
    directory: Words, state: State, keys: Numbers, words: Words, bucket: np.int64, key: np.uint64
) -> None:
    """Move the keys of a full bucket whose next bit is set to a new one."""
    depth = np.int64(words[bucket, _LOCAL])
    fresh = state[USED]
    state[USED] += 1
    bit = _ONE << np.uint64(63 - depth)
    stay, go = 0, 0
    for place in range(CAPACITY):
        one, value = keys[bucket, 1 + place], words[bucket, _VALUES + place]
        if one & bit:
            keys[fresh, 1 + go], words[fresh, _VALUES + go] = one, value
            go += 1
        else:
            keys[bucket, 1 + stay], words[bucket, _VALUES + stay] = one, value
            stay += 1
    words[bucket, _COUNT], words[fresh, _COUNT] = stay, go
    words[bucket, _LOCAL], words[fresh, _LOCAL] = depth + 1, depth + 1
    # Of the prefixes that lead to the bucket, the upper half leads to the new one.
    width = 1 << (state[DEPTH] - depth)
    begin = np.int64(key >> np.uint64(64 - depth)) * width if depth else 0
    for prefix in range(begin + width // 2, begin + width):
        directory[prefix] = fresh


@kernel
def copy(used: np.int64, keys: Numbers, words: Words, all_keys: Numbers, all_values: Words) -> None:
    """Write out all pairs, bucket by bucket."""
    total = 0
    for bucket in range(used):
        for place in range(np.int64(words[bucket, _COUNT])):
            all_keys[total] = keys[bucket, 1 + place]
            all_values[total] = words[bucket, _VALUES + place]
            total += 1


@kernel
def mark_all(used: np.int64, keys: Numbers, words: Words, sieve: Numbers) -> None:
    """Mark the keys of all buckets."""
    for bucket in range(used):
        for place in range(np.int64(words[bucket, _COUNT])):
            mark(sieve, keys[bucket, 1 + place])


@kernel
def check_of(key: np.uint64, value: np.uint32) -> np.int64:
    """The checksum of an entry, which is not 0 for one of zeros."""
    mixed = (key ^ _MIX) * _MIX + np.uint64(value)
    mixed = (mixed ^ (mixed >> np.uint64(32))) * _MIX
    return np.int64(mixed ^ (mixed >> np.uint64(29)))


@kernel
def is_sound(directory: Words, state: State, keys: Numbers, words: Words) -> bool:
    """Do buckets that came from a file hold what was once entered? The directory must be sound.

    After this every number in them can be trusted to lead to a place that is there.
    """
    shift, depth, used = _BITS - np.uint64(state[DEPTH]), state[DEPTH], state[USED]
    prefixes = np.zeros(used, np.int64)
    for prefix in range(len(directory)):
        prefixes[directory[prefix]] += 1
    entries, total = np.int64(0), np.int64(0)
    for bucket in range(used):
        count, local = np.int64(words[bucket, _COUNT]), np.int64(words[bucket, _LOCAL])
        if count > CAPACITY or local > depth or prefixes[bucket] != 1 << (depth - local):
            return False
        for place in range(count):
            key = keys[bucket, 1 + place]
            if directory[key >> shift] != bucket:
                return False
            total += check_of(key, words[bucket, _VALUES + place])
        entries += count
    return bool(entries == state[ENTRIES] and total == state[SUM])
