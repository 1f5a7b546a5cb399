"""Instructions of processors that Numba has no words for: sixty-four bytes as bits, the first of them."""

from collections.abc import Callable
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from gossamer.core.kernel import intrinsic

BITS = 64


def _filled(_: Any, octets: Any, start: Any) -> Any:
    from llvmlite import ir
    from numba.core import types

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        vector = ir.VectorType(ir.IntType(8), BITS)
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        place = builder.bitcast(builder.gep(data, [arguments[1]]), vector.as_pointer())
        nothing = ir.Constant(vector, [0] * BITS)
        is_filled = builder.icmp_unsigned("!=", builder.load(place, align=1), nothing)
        return builder.bitcast(is_filled, ir.IntType(BITS))

    return types.uint64(octets, start), generate


def _lowest(_: Any, bits: Any) -> Any:
    from llvmlite import ir
    from numba.core import types

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.uint64(bits), generate


filled = cast(Callable[[NDArray[np.uint8], np.uint64], np.uint64], intrinsic(_filled))
"""Of sixty-four bytes from a place on, which are not 0: the first byte is the lowest bit."""
lowest = cast(Callable[[np.uint64], np.uint64], intrinsic(_lowest))
"""The place of the lowest bit that is set. One must be."""
