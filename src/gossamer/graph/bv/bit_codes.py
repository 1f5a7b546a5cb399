"""Bits of a stream: how codes are read and written, and how long they are.

The first bit of a stream is the highest of its first byte. Of the codes, γ is Elias's; ζ with k = 3 is that
of Boldi and Vigna (*Codes for the World Wide Web*, 2005). A number in unary is this many zeros and a one.
A read beyond the end gives zeros, and lands behind the end: `BEYOND` says that there was no code.
"""

from collections.abc import Callable
from typing import Any, cast

import numpy as np

from gossamer.core.kernel import Numbers, inlined_kernel, intrinsic

SPARE_BYTES = 16
"""Bytes behind a stream that can be read, and are 0."""
BEYOND = 1 << 62
"""A place that no stream has."""


def _load(_: Any, data: Any, byte: Any) -> Any:
    from llvmlite import ir
    from numba.core import types

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        place = builder.bitcast(
            builder.gep(arguments[0], [arguments[1]]), ir.IntType(64).as_pointer()
        )
        return builder.bswap(builder.load(place, align=1))

    return types.uint64(data, byte), generate


def _store(_: Any, data: Any, byte: Any, word: Any) -> Any:
    from llvmlite import ir
    from numba.core import types

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        place = builder.bitcast(
            builder.gep(arguments[0], [arguments[1]]), ir.IntType(64).as_pointer()
        )
        builder.store(builder.bswap(arguments[2]), place, align=1)
        return context.get_dummy_value()

    return types.void(data, byte, types.uint64), generate


def _zeros(_: Any, word: Any) -> Any:
    from llvmlite import ir
    from numba.core import types

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctlz(arguments[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.uint64), generate


def _ones(_: Any, word: Any) -> Any:
    from numba.core import types

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.uint64), generate


def _trailing(_: Any, word: Any) -> Any:
    from llvmlite import ir
    from numba.core import types

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.uint64), generate


load = cast(Callable[[Numbers, int], np.uint64], intrinsic(_load))
"""Eight bytes from a place on, the first of them highest."""
store = cast(Callable[[Numbers, int, np.uint64], None], intrinsic(_store))
"""Write them."""
zeros = cast(Callable[[np.uint64], int], intrinsic(_zeros))
"""Zeros above the highest bit that is set."""
ones = cast(Callable[[np.uint64], int], intrinsic(_ones))
"""Bits that are set."""
trailing = cast(Callable[[np.uint64], int], intrinsic(_trailing))
"""Zeros below the lowest bit that is set."""


@inlined_kernel
def peek(data: Numbers, size: int, place: int) -> np.uint64:
    """The next bits, at least 57 of them, highest first; `size` is that of the stream in bytes."""
    return load(data, min(place >> 3, size)) << np.uint64(place & 7)


@inlined_kernel
def read_unary(data: Numbers, size: int, place: int) -> tuple[int, int]:
    """A number, and the place behind it."""
    count = 0
    word = peek(data, size, place)
    while zeros(word) > 56:
        if place >> 3 >= size:
            return 0, BEYOND
        count += 56
        place += 56
        word = peek(data, size, place)
    return count + zeros(word), place + zeros(word) + 1


@inlined_kernel
def read_gamma(data: Numbers, size: int, place: int) -> tuple[int, int]:
    """A number, and the place behind it."""
    word = peek(data, size, place)
    count = zeros(word)
    if count <= 28:
        return signed(word >> np.uint64(63 - 2 * count)) - 1, place + 2 * count + 1
    if count > 50:
        return 0, BEYOND
    word = peek(data, size, place + count)
    return signed(word >> np.uint64(63 - count)) - 1, place + 2 * count + 1


@inlined_kernel
def read_zeta(data: Numbers, size: int, place: int) -> tuple[int, int]:
    """A number in ζ with k = 3, and the place behind it."""
    word = peek(data, size, place)
    count = zeros(word)
    if count > 13:
        return 0, BEYOND
    least = signed(1) << (3 * count)
    long = signed((word << np.uint64(count + 1)) >> np.uint64(61 - 3 * count))
    if long >> 1 < least:
        return (long >> 1) + least - 1, place + 4 * count + 3
    return long - 1, place + 4 * count + 4


@inlined_kernel
def gamma_bits(number: int) -> int:
    """The length of a number's code."""
    return 127 - 2 * zeros(np.uint64(number + 1))


@inlined_kernel
def zeta_bits(number: int) -> int:
    """The length of a number's code, in ζ with k = 3."""
    step = ((63 - zeros(np.uint64(number + 1))) * 43) >> 7
    return 4 * step + (3 if (number + 1) >> (3 * step + 1) == 0 else 4)


@inlined_kernel
def write_bits(data: Numbers, place: int, bits: int, count: int) -> int:
    """Write the lowest `count` bits of a number, at most 56; returns the place behind them.

    Behind the place, up to the end of a word, there must be zeros.
    """
    shift = np.uint64(64 - count - (place & 7))
    word = load(data, place >> 3) | (np.uint64(bits) << shift)
    store(data, place >> 3, word)
    return place + count


@inlined_kernel
def write_unary(data: Numbers, place: int, number: int) -> int:
    while number >= 56:
        place = write_bits(data, place, 0, 56)
        number -= 56
    return write_bits(data, place, 1, number + 1)


@inlined_kernel
def write_gamma(data: Numbers, place: int, number: int) -> int:
    size = 64 - zeros(np.uint64(number + 1))
    if size <= 28:
        return write_bits(data, place, number + 1, 2 * size - 1)
    place = write_bits(data, place, 0, size - 1)
    return write_bits(data, place, number + 1, size)


@inlined_kernel
def write_zeta(data: Numbers, place: int, number: int) -> int:
    step = ((63 - zeros(np.uint64(number + 1))) * 43) >> 7
    place = write_bits(data, place, 1, step + 1)
    if (number + 1) >> (3 * step + 1) == 0:
        return write_bits(data, place, number + 1 - (1 << (3 * step)), 3 * step + 2)
    return write_bits(data, place, number + 1, 3 * step + 3)


@inlined_kernel
def folded(number: int) -> int:
    """A number of either sign as one that has none: 0, -1, 1, -2 … become 0, 1, 2, 3 …"""
    return (number << 1) ^ (number >> 63)


@inlined_kernel
def unfolded(number: int) -> int:
    return (number >> 1) ^ -(number & 1)


@inlined_kernel
def signed(number: Any) -> Any:
    """A number that may be less than another one of its kind."""
    return np.int64(number)
