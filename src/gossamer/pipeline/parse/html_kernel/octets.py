"""Eight bytes at a time.

Most of a page is letters between two bytes that mean something. A word of eight bytes is loaded, and a few
operations on all of them at once give a mask with the highest bit of every byte that is looked for; the
number of zeros below its lowest bit says where that is. (Alan Mycroft's test for a zero byte. A byte above
one that was found may be marked without reason, the lowest never is.)

A word may be loaded only where eight bytes are left.
"""

from collections.abc import Callable
from typing import Any, cast

from gossamer.core.kernel import Numbers, inner_kernel, intrinsic

EACH = 0x0101010101010101
_HIGHEST = -0x7F7F7F7F7F7F7F80
"""The highest bit of each byte, as a signed number."""


def each(byte: int) -> int:
    """A word of one byte eight times, as a signed number."""
    return int.from_bytes(bytes([byte] * 8), "little", signed=True)


def _address(context: Any, builder: Any, pointer: Any, place: Any) -> Any:
    from numba.core import types

    word = context.get_value_type(types.int64)
    return builder.bitcast(builder.gep(pointer, [place]), word.as_pointer())


def _load(_: Any, pointer: Any, place: Any) -> Any:
    from numba.core import types

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.load(_address(context, builder, *arguments), align=1)

    return types.int64(pointer, types.int64), generate


def _store(_: Any, pointer: Any, place: Any, word: Any) -> Any:
    from numba.core import types

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        builder.store(arguments[2], _address(context, builder, *arguments[:2]), align=1)
        return context.get_dummy_value()

    return types.void(pointer, types.int64, types.int64), generate


def _count(_: Any, word: Any) -> Any:
    from numba.core import types

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], context.get_constant(types.boolean, False))

    return types.int64(types.int64), generate


load = cast(Callable[[Numbers, int], int], intrinsic(_load))
"""The eight bytes from a place on, the first of them lowest."""
store = cast(Callable[[Numbers, int, int], None], intrinsic(_store))
"""Write eight bytes."""
_zeros = cast(Callable[[int], int], intrinsic(_count))


@inner_kernel
def equal(word: int, pattern: int) -> int:
    """Marks bytes that are the one that `pattern` has eight times."""
    differs = word ^ pattern
    return (differs - EACH) & ~differs & _HIGHEST


@inner_kernel
def below(word: int, limit: int) -> int:
    """Marks bytes that are below the one that `limit` has eight times, which is at most 128."""
    return (word - limit) & ~word & _HIGHEST


@inner_kernel
def first(marks: int) -> int:
    """The number of bytes before the first that is marked; 8 when none is."""
    return _zeros(marks) >> 3


@inner_kernel
def head(word: int, count: int) -> int:
    """The first bytes of a word, fewer than eight; the others become 0."""
    return word & ((1 << 8 * count) - 1)
