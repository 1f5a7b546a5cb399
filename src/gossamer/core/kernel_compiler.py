"""Numba's part in kernels: compiles them where no machine code came with the package.

The machine code is kept on disk (`machine_code` says where), so that only the first crawl after an
installation waits for the compiler.
"""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, cast

import numba
from numba.core.registry import cpu_target
from numba.extending import intrinsic, typeof_impl

from gossamer.core.compiled_kernels import stamp_of
from gossamer.core.kernel_parts import PartCompiler, ignore_constants
from gossamer.core.machine_code import open_cache


def compile_kernel(function: Callable[..., Any]) -> Any:
    """Compile a function at its first call.

    Machine code that is kept on disk counts as old when any file of the kernel's package has changed: the
    parts that it is made of are in those.
    """
    compiled: Any = numba.njit(nogil=True)(function)
    ignore_constants(compiled)
    kept = compiled._cache = open_cache(function, _IS_TRIED)
    if kept.cache_path is not None:
        # Numba itself would look at the kernel's own file only.
        kept._cache_file._source_stamp = _stamp(Path(function.__code__.co_filename).parent)
    return compiled


_IS_TRIED = numba.__version__.startswith("0.68.")
"""Was this version of Numba tried with quick ways to compile and to load? Others take their own."""
_PART_OPTIONS: dict[str, Any] = {"pipeline_class": PartCompiler} if _IS_TRIED else {}

_stamp = cache(stamp_of)


def compile_inner_kernel(function: Callable[..., Any]) -> Any:
    """Make a part that is compiled within the kernels that call it."""
    return _compile_part(function)


def compile_inlined_kernel(function: Callable[..., Any]) -> Any:
    """The same for a part that is put where it is called."""
    return _compile_part(function, forceinline=True)


def _compile_part(function: Callable[..., Any], **options: bool) -> Any:
    compiler: Any = numba.njit  # its types do not know the options
    options |= {"nogil": True, "_nrt": False, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    part = compiler(**options, **_PART_OPTIONS)(function)
    ignore_constants(part)
    return part


def make_intrinsic(typing: Callable[..., Any]) -> Any:
    """Make an instruction that kernels can use."""
    return cast(Any, intrinsic)(typing)


@typeof_impl.register(type(len))
def _type_of_found(found: Any, _: Any) -> Any:
    """The type of a kernel that was compiled ahead, within one that was not."""
    return getattr(getattr(found, "__self__", None), "_numba_type_", None)


def type_of(made: Any) -> Any:
    """Numba's type of a kernel, a part or an instruction."""
    context: Any = cpu_target.typing_context
    context.refresh()
    cpu_target.target_context.refresh()
    return context.resolve_value_type(made)
