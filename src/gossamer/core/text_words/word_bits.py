"""Instructions of processors that Numba has no words for: sixty-four bytes as bits, the first of them."""

from collections.abc import Callable
from typing import Any, cast

import numpy as np
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic
from numpy.typing import NDArray

BITS = 64
_WORD, _SURE = ir.IntType(BITS), ir.Constant(ir.IntType(1), 1)
_VECTOR = ir.VectorType(ir.IntType(8), BITS)


def _filled(_: Any, octets: Any, start: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        place = builder.bitcast(builder.gep(data, [arguments[1]]), _VECTOR.as_pointer())
        nothing = ir.Constant(_VECTOR, [0] * BITS)
        is_filled = builder.icmp_unsigned("!=", builder.load(place, align=1), nothing)
        return builder.bitcast(is_filled, _WORD)

    return types.uint64(octets, start), generate


def _lowest(_: Any, bits: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], _SURE)

    return types.uint64(bits), generate


filled = cast(Callable[[NDArray[np.uint8], np.uint64], np.uint64], intrinsic(_filled))
"""Of sixty-four bytes from a place on, which are not 0: the first byte is the lowest bit."""
lowest = cast(Callable[[np.uint64], np.uint64], intrinsic(_lowest))
"""The place of the lowest bit that is set. One must be."""
