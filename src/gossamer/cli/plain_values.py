"""Values of options that need no schema: text, paths, flags and decimal numbers.

Typer reads each value with a schema of pydantic's, whose import costs as much as Typer itself, for options
that were not given, too. Plain values are read here; every other value, and every mistake, is left to Typer
and its words.
"""

import re
from pathlib import Path
from typing import Any

import typer.core

_INTEGER = re.compile(r"-?[0-9]{1,18}", re.ASCII)
_DECIMAL = re.compile(r"-?[0-9]{1,18}(\.[0-9]{1,18})?", re.ASCII)
_HARD = object()
"""Stands for a value that only a schema can judge."""


def read_plain_values() -> None:
    """Have Typer ask for a schema only where one is needed."""
    core: Any = typer.core
    build = getattr(core, "build_runtime_param", None)
    if build is not None and not isinstance(build, _Build):
        core.build_runtime_param = _Build(build)


class _Build:
    """Makes the reader of each parameter."""

    def __init__(self, build: Any) -> None:
        self._build = build

    def __call__(self, descriptor: Any) -> Any:
        return _Reader(descriptor, self._build)


class _Reader:
    """Reads the values of one parameter."""

    def __init__(self, descriptor: Any, build: Any) -> None:
        self._descriptor, self._build = descriptor, build

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        if value is None:
            return () if param.multiple or param.nargs == -1 else None
        info = self._descriptor.parameter_info
        found = _HARD
        if info.parser is None and self._descriptor.file_annotation is None:
            found = _read(value, self._descriptor.annotation, info, param, ctx)
        if found is _HARD:
            found = self._build(self._descriptor).coerce(value, param, ctx)
        return found


def _read(value: Any, kind: Any, info: Any, param: Any, ctx: Any) -> Any:
    if kind == list[str] and isinstance(value, list | tuple):
        return list(value) if all(type(one) is str for one in value) else _HARD
    if kind in (bool, str) and type(value) is kind:
        return value
    if kind in (int, float):
        return _read_number(value, kind, info)
    if kind is Path and type(value) is str:
        from typer._param_types import coerce_cli_path

        return coerce_cli_path(Path(value), info, path_type=Path, param=param, ctx=ctx)
    return _HARD


def _read_number(value: Any, kind: type[int] | type[float], info: Any) -> Any:
    """A number within its limits.

    >>> from types import SimpleNamespace
    >>> _read_number("7", int, SimpleNamespace(min=1, max=None, clamp=False))
    7
    >>> _read_number("0", int, SimpleNamespace(min=1, max=None, clamp=False)) is _HARD
    True
    """
    if type(value) is str:
        pattern = _INTEGER if kind is int else _DECIMAL
        if not pattern.fullmatch(value):
            return _HARD
        value = kind(value)
    is_within = (info.min is None or value >= info.min) and (info.max is None or value <= info.max)
    return value if type(value) is kind and is_within else _HARD
