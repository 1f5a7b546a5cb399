"""Counts what Python asks of its memory: new objects and buffers, and those that are made larger.

Between the interpreter and its allocator stand three functions of machine code, which count and pass on.
Memory that libraries take for themselves (Arrow, libcurl, arrays of NumPy) does not come by here.
"""

import ctypes
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

from llvmlite import binding, ir

_OBJECTS, _BUFFERS = 2, 1
"""Python's domains: PYMEM_DOMAIN_OBJ and PYMEM_DOMAIN_MEM."""
_ADDRESS, _NUMBER = ctypes.c_void_p, ir.IntType(64)


class _Allocator(ctypes.Structure):
    """PyMemAllocatorEx, and behind it how often it was asked."""

    _fields_ = (
        *(("context", _ADDRESS), ("malloc", _ADDRESS), ("calloc", _ADDRESS)),
        *(("realloc", _ADDRESS), ("free", _ADDRESS), ("count", ctypes.c_int64)),
    )


_CALLS = {"malloc": (1, 1), "calloc": (2, 2), "realloc": (3, 2), "free": (4, 1)}
"""Each function's place in `_Allocator`, and how many numbers it is given beside its context."""
_COUNT = 5


class Allocations:
    """How often memory was asked for."""

    def __init__(self) -> None:
        self.count = 0
        self._asked: list[_Allocator] = []

    @contextmanager
    def counting(self) -> Iterator[Callable[[], Any]]:
        """Count, but for what happens within the contexts that are made by what this gives."""
        counters = _counters()
        self._asked = [_get(domain) for domain in (_OBJECTS, _BUFFERS)]
        ours = [
            _Allocator(ctypes.addressof(below), *(counters[name] for name in _CALLS))
            for below in self._asked
        ]
        for domain, allocator in zip((_OBJECTS, _BUFFERS), ours, strict=True):
            ctypes.pythonapi.PyMem_SetAllocator(domain, ctypes.byref(allocator))
        try:
            yield self.paused
        finally:
            for domain, below in zip((_OBJECTS, _BUFFERS), self._asked, strict=True):
                ctypes.pythonapi.PyMem_SetAllocator(domain, ctypes.byref(below))
            self.count += self._total()

    @contextmanager
    def paused(self) -> Iterator[None]:
        before = self._total()
        try:
            yield
        finally:
            self.count -= self._total() - before

    def _total(self) -> int:
        return sum(below.count for below in self._asked)


def _get(domain: int) -> _Allocator:
    allocator = _Allocator()
    ctypes.pythonapi.PyMem_GetAllocator(domain, ctypes.byref(allocator))
    return allocator


@cache
def _counters() -> dict[str, int]:
    """The addresses of functions that count and pass on; their context is the allocator below."""
    module = ir.Module("allocations")
    for name in _CALLS:
        _write(module, name)
    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    machine = binding.Target.from_default_triple().create_target_machine()
    engine = binding.create_mcjit_compiler(binding.parse_assembly(str(module)), machine)
    engine.finalize_object()
    _kept.append(engine)
    return {name: engine.get_function_address(f"counted_{name}") for name in _CALLS}


_kept: list[Any] = []
"""The machine code goes with what made it."""


def _write(module: ir.Module, name: str) -> None:
    """`counted_malloc(context, size)` and the like: numbers and addresses are 64 bits alike."""
    place, arity = _CALLS[name]
    kind = ir.FunctionType(_NUMBER, [_NUMBER] * (arity + 1))
    function = ir.Function(module, kind, f"counted_{name}")
    build = ir.IRBuilder(function.append_basic_block())
    below = build.inttoptr(function.args[0], _NUMBER.as_pointer())

    def field(number: int) -> Any:
        return build.gep(below, [ir.Constant(_NUMBER, number)])

    if name != "free":
        count = field(_COUNT)
        build.store(build.add(build.load(count), ir.Constant(_NUMBER, 1)), count)
    passed_on = build.inttoptr(build.load(field(place)), kind.as_pointer())
    build.ret(build.call(passed_on, [build.load(field(0)), *function.args[1:]]))
