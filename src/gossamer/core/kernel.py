"""Functions over arrays, compiled to machine code by Numba.

The machine code is kept on disk (`machine_code` says where), so that only the first crawl after an
installation waits for the compiler. Importing Numba
takes a third of a second: modules with kernels are imported by the components that use them, never by the
command line itself.
"""

from collections.abc import Callable, MutableSequence
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from numba.core import types
from numba.extending import intrinsic
from numpy.typing import NDArray
from xxhash import xxh3_128_hexdigest

from gossamer.core import kernel_parts
from gossamer.core.kernel_parts import PartCompiler, ignore_constants
from gossamer.core.machine_code import open_cache

_Function = TypeVar("_Function", bound=Callable[..., Any])


def kernel(function: _Function) -> _Function:
    """Compile a function at its first call; while it runs, other threads may run too.

    Machine code that is kept on disk counts as old when any file of the kernel's package has changed: the
    parts that it is made of are in those.
    """
    compiled: Any = numba.njit(nogil=True)(function)
    ignore_constants(compiled)
    kept = compiled._cache = open_cache(function, _IS_TRIED)
    if kept.cache_path is not None:
        # Numba itself would look at the kernel's own file only.
        kept._cache_file._source_stamp = _stamp(Path(function.__code__.co_filename).parent)
    return cast(_Function, compiled)


_IS_TRIED = numba.__version__.startswith("0.68.")
"""Was this version of Numba tried with quick ways to compile and to load? Others take their own."""
_PART_OPTIONS: dict[str, Any] = {"pipeline_class": PartCompiler} if _IS_TRIED else {}


@cache
def _stamp(folder: Path) -> str:
    """Hash the files of a package to one number."""
    ours = (Path(__file__), Path(kernel_parts.__file__))
    sources = [path.read_bytes() for path in (*ours, *sorted(folder.glob("*.py")))]
    return xxh3_128_hexdigest(b"\0".join(sources))


def inner_kernel(function: _Function) -> _Function:
    """The same for a part of a kernel, which only kernels call and which makes no arrays.

    No references are counted in it and Python cannot call it: calls are nearly free, and it compiles in less
    time. It is kept on disk within the kernel that calls it, so it must be in the same package.
    """
    return _compile_part(function)


def inlined_kernel(function: _Function) -> _Function:
    """The same for a part that is called every few bytes: the compiler puts it where it is called.

    A call saves and restores registers, which takes longer than what such a part does.
    """
    return _compile_part(function, forceinline=True)


def _compile_part(function: _Function, **options: bool) -> _Function:
    compiler: Any = numba.njit  # its types do not know the options
    options |= {"nogil": True, "_nrt": False, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    part = compiler(**options, **_PART_OPTIONS)(function)
    ignore_constants(part)
    return cast(_Function, part)


Numbers = MutableSequence[int]
"""What kernels see of an array."""


def _point(_: Any, array: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return context.make_array(signature.args[0])(context, builder, arguments[0]).data

    pointer: Any = types.CPointer
    return pointer(array.dtype)(array), generate


pointer_to = cast(Callable[[NDArray[Any]], Numbers], intrinsic(_point))
"""The address of an array's first number, to be indexed like the array, from 0 on, within kernels.

A call that hands an array on passes seven words, a pointer is one; so kernels that call each other for
every few bytes of their input share pointers."""
