"""Functions over arrays, as machine code.

A wheel brings the machine code of all kernels along (`compiled_kernels`). Where there is none, or where a
source was changed, Numba compiles a kernel at its first call and keeps it on disk (`kernel_compiler`).
Numba is imported then, and not before: that takes a third of a second.
"""

import sys
from collections.abc import Callable, MutableSequence
from functools import cached_property
from typing import Any, TypeVar, cast

from numpy.typing import NDArray

from gossamer.core.compiled_kernels import find_kernel, is_covered
from gossamer.core.errors import GossamerError

_Function = TypeVar("_Function", bound=Callable[..., Any])


def kernel(function: _Function) -> _Function:
    """Compile a function, ahead or at its first call; while it runs, other threads may run too.

    Its arguments are numbers and contiguous arrays of numbers, given by place.
    """
    if not is_covered(function):
        return cast(_Function, _compile("compile_kernel", function))
    later = _Later("compile_kernel", function)
    return cast(_Function, find_kernel(function, later) or later)


def inner_kernel(function: _Function) -> _Function:
    """The same for a part of a kernel, which only kernels call and which makes no arrays.

    No references are counted in it and Python cannot call it: calls are nearly free, and it compiles in less
    time. It is kept on disk within the kernel that calls it, so it must be in the same package.
    """
    return _part("compile_inner_kernel", function)


def inlined_kernel(function: _Function) -> _Function:
    """The same for a part that is called every few bytes: the compiler puts it where it is called.

    A call saves and restores registers, which takes longer than what such a part does.
    """
    return _part("compile_inlined_kernel", function)


def intrinsic(typing: Callable[..., Any]) -> Any:
    """An instruction for kernels that Numba has no words for: `numba.extending.intrinsic`, once it is needed.

    `typing` imports Numba when it is called, not before.
    """
    return _Later("make_intrinsic", typing)


def _part(how: str, function: _Function) -> _Function:
    made = _Later(how, function) if is_covered(function) else _compile(how, function)
    return cast(_Function, made)


def _compile(how: str, function: Callable[..., Any]) -> Any:
    try:
        from gossamer.core import kernel_compiler
    except ImportError as error:
        name = f"{function.__module__}.{function.__qualname__}"
        raise GossamerError(
            f"{name} has no machine code for this machine, and Numba, which makes it, cannot be imported "
            f"({error}); install it: pip install numba"
        ) from error
    return getattr(kernel_compiler, how)(function)


def load_kept() -> None:
    """Load what Numba has compiled before for modules that are there, where it is needed at all."""
    if "gossamer.core.kernel_compiler" in sys.modules:
        from gossamer.core.machine_code import load_known

        load_known()


class _Later:
    """A function that Numba compiles when it is called, or when another one that calls it is compiled."""

    def __init__(self, how: str, function: Callable[..., Any]) -> None:
        self._how, self._function = how, function

    @cached_property
    def compiled(self) -> Any:
        return _compile(self._how, self._function)

    def __call__(self, *arguments: Any) -> Any:
        return self.compiled(*arguments)

    @property
    def py_func(self) -> Callable[..., Any]:
        """The function itself, by the name that Numba gives it."""
        return self._function

    @property
    def _numba_type_(self) -> Any:
        """The type of the function for Numba, which looks here for values that it does not know."""
        from gossamer.core.kernel_compiler import type_of

        return type_of(self.compiled)


Numbers = MutableSequence[int]
"""What kernels see of an array."""


def _point(_: Any, array: Any) -> Any:
    from numba.core import types

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return context.make_array(signature.args[0])(context, builder, arguments[0]).data

    pointer: Any = types.CPointer
    return pointer(array.dtype)(array), generate


pointer_to = cast(Callable[[NDArray[Any]], Numbers], intrinsic(_point))
"""The address of an array's first number, to be indexed like the array, from 0 on, within kernels.

A call that hands an array on passes seven words, a pointer is one; so kernels that call each other for
every few bytes of their input share pointers."""
