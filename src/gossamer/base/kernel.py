"""Functions over arrays, compiled to machine code by Numba.

The machine code is kept on disk beside the source (or in the user's cache, when that place cannot be
written to), so that only the first crawl after an installation waits for the compiler. Importing Numba
takes a third of a second: modules with kernels are imported by the rooms that use them, never by the
command line itself.
"""

from collections.abc import Callable
from typing import TypeVar, cast

import numba

_Function = TypeVar("_Function", bound=Callable[..., object])


def kernel(function: _Function) -> _Function:
    """Compile a function at its first call; while it runs, other threads may run too."""
    return cast(_Function, numba.njit(cache=True, nogil=True)(function))
