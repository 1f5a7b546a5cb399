"""Counts what Python executes: calls, bytecodes, and calls of the operating system.

From 3.12 on `sys.monitoring` counts; before, `sys.setprofile` and `sys.settrace` do. A generator that goes
on is a call each time. A comprehension is none, as it is one before 3.12 only. The simulator's own
functions are left out.
"""

import io
import mmap
import os
import select
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import BuiltinFunctionType, CodeType, FrameType, MethodDescriptorType
from typing import Any, cast

_OURS = (f"{os.sep}gossamer{os.sep}lab{os.sep}", f"{os.sep}tools{os.sep}costs{os.sep}")
_COMPREHENSIONS = ("<listcomp>", "<dictcomp>", "<setcomp>")
_NO_CALLS = frozenset({"fspath", "strerror", "get_inheritable", "cpu_count", "getenv"})
"""Functions of `os` that ask the operating system nothing."""
_MODULES = ("posix", "fcntl", "select", "_socket")
_FILES: tuple[type, ...] = (
    *(io.FileIO, io.BufferedReader, io.BufferedWriter, io.BufferedRandom),
    *(mmap.mmap, select.epoll),
)


def _is_counted(code: CodeType) -> bool:
    """Does this function belong to the crawl, and not to the simulator or to the counting?"""
    return not any(part in code.co_filename for part in _OURS)


def system_call(called: Any) -> str:
    """The name of a C function that asks the operating system something; empty for any other."""
    if isinstance(called, BuiltinFunctionType):
        if called is cast(Any, open):
            return "open"
        name: str = called.__name__
        if called.__module__ in _MODULES:
            return "" if name in _NO_CALLS else name
        return name if isinstance(called.__self__, _FILES) else ""
    if isinstance(called, MethodDescriptorType) and called.__objclass__ in _FILES:
        return str(called.__name__)
    return ""


class CodeEvents:
    """What was executed, by function."""

    def __init__(self) -> None:
        self.functions: dict[int, CodeType] = {}
        """By their identity: Python hashes all of a function's code, which takes longer than to count it."""
        self.calls: Counter[int] = Counter()
        self.bytecodes: Counter[int] = Counter()
        self.system: Counter[str] = Counter()

    def note(self, code: CodeType) -> bool:
        """A function is called for the first time; is it counted?"""
        if is_counted := _is_counted(code):
            self.functions[id(code)] = code
        return is_counted

    def called(self) -> dict[CodeType, int]:
        """How often each function was called, without comprehensions."""
        return {
            code: self.calls[number]
            for number, code in self.functions.items()
            if code.co_name not in _COMPREHENSIONS
        }

    @contextmanager
    def counting(self) -> Iterator[Callable[[], Any]]:
        """Count, but for what happens within the contexts that are made by what this gives."""
        events = Monitored(self) if sys.version_info >= (3, 12) else Traced(self)
        events.begin()
        try:
            yield events.paused
        finally:
            events.end()


class Traced:
    """By a profile function and a trace function."""

    def __init__(self, counts: CodeEvents) -> None:
        self._counts = counts
        self._tracers: dict[int, Callable[..., Any] | None] = {}

    def begin(self) -> None:
        sys.settrace(self._enter)
        sys.setprofile(self._profile)

    def end(self) -> None:
        sys.setprofile(None)
        sys.settrace(None)

    @contextmanager
    def paused(self) -> Iterator[None]:
        self.end()
        try:
            yield
        finally:
            self.begin()

    def _profile(self, frame: FrameType, event: str, called: Any) -> None:
        if event == "c_call" and (name := system_call(called)):
            self._counts.system[name] += id(frame.f_code) in self._counts.functions

    def _enter(self, frame: FrameType, event: str, _: Any) -> Callable[..., Any] | None:
        number = id(frame.f_code)
        if number not in self._tracers:
            is_counted = self._counts.note(frame.f_code)
            self._tracers[number] = self._make_tracer(number) if is_counted else None
        tracer = self._tracers[number]
        if tracer is not None:
            self._counts.calls[number] += 1
            frame.f_trace_lines, frame.f_trace_opcodes = False, True
        return tracer

    def _make_tracer(self, number: int) -> Callable[..., Any]:
        bytecodes = self._counts.bytecodes

        def execute(frame: FrameType, event: str, _: Any) -> Any:
            if event == "opcode":
                bytecodes[number] += 1
            return execute

        return execute


class Monitored:
    """By callbacks of `sys.monitoring`."""

    def __init__(self, counts: CodeEvents) -> None:
        self._counts = counts
        self._monitoring = monitoring = cast(Any, sys).monitoring
        self._tool = monitoring.PROFILER_ID
        events = monitoring.events
        self._all = events.PY_START | events.PY_RESUME | events.PY_THROW | events.CALL
        self._callbacks: dict[int, Callable[..., Any]] = {
            events.PY_START: self._enter,
            events.PY_RESUME: self._enter,
            events.PY_THROW: self._throw,
            events.CALL: self._call,
            events.INSTRUCTION: self._make_execute(),
        }

    def begin(self) -> None:
        self._monitoring.use_tool_id(self._tool, "costs")
        self._monitoring.set_events(self._tool, self._all)
        self._register(True)

    def end(self) -> None:
        self._monitoring.set_events(self._tool, 0)
        self._register(False)
        for code in self._counts.functions.values():
            self._monitoring.set_local_events(self._tool, code, 0)
        self._monitoring.free_tool_id(self._tool)

    @contextmanager
    def paused(self) -> Iterator[None]:
        self._register(False)
        try:
            yield
        finally:
            self._register(True)

    def _register(self, is_counting: bool) -> None:
        for event, callback in self._callbacks.items():
            self._monitoring.register_callback(self._tool, event, callback if is_counting else None)

    def _enter(self, code: CodeType, offset: int) -> Any:
        number, counts = id(code), self._counts
        if number not in counts.functions:
            if not counts.note(code):
                return self._monitoring.DISABLE
            instruction = self._monitoring.events.INSTRUCTION
            self._monitoring.set_local_events(self._tool, code, instruction)
        counts.calls[number] += 1
        return None

    def _throw(self, code: CodeType, offset: int, error: BaseException) -> None:
        self._counts.calls[id(code)] += 1

    def _call(self, code: CodeType, offset: int, called: object, first: object) -> None:
        if name := system_call(called):
            self._counts.system[name] += id(code) in self._counts.functions

    def _make_execute(self) -> Callable[[CodeType, int], None]:
        bytecodes = self._counts.bytecodes

        def execute(code: CodeType, offset: int) -> None:
            bytecodes[id(code)] += 1

        return execute
