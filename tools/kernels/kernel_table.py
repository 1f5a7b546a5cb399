"""C for the calls of kernels from Python: `kernel_table.c`, which `kernel_module.c` includes.

Each kernel is one function of Python's fast calling convention. It tries its signatures in turn: arguments
that are of the types are taken apart as Numba's machine code wants them, and the result is put together.
Arguments that no signature has go to a function in Python.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from tools.kernels.signature_types import KernelSignature, KernelType

_C = {
    "bool": "uint8_t",
    "i8": "int8_t",
    "u8": "uint8_t",
    "i16": "int16_t",
    "u16": "uint16_t",
    "i32": "int32_t",
    "u32": "uint32_t",
    "i64": "int64_t",
    "u64": "uint64_t",
    "f32": "float",
    "f64": "double",
}
_SIZES = {"bool": 1, "f32": 4, "f64": 8} | {
    f"{sign}{bits}": bits // 8 for sign in "iu" for bits in (8, 16, 32, 64)
}

Result = tuple[KernelType, ...] | KernelType | None
"""The type of what a kernel returns: nothing, a number, an array, or several of these."""


class CompiledKernel(NamedTuple):
    """Machine code of a kernel for one signature."""

    signature: KernelSignature
    result: Result
    symbol: str


def write_table(compiled: Sequence[CompiledKernel], stamps: Mapping[str, str]) -> str:
    """The text of `kernel_table.c`."""
    by_name: dict[str, list[CompiledKernel]] = {}
    for one in compiled:
        by_name.setdefault(one.signature.kernel, []).append(one)
    parts = ["/* Written by tools.kernels. */\n"]
    parts.extend(map(_write_call, compiled))
    for number, (name, versions) in enumerate(by_name.items()):
        parts.append(_write_entry(number, name, versions))
    rows = (
        f'    {{"gossamer.{name}", {{"{name.rpartition(".")[2]}", (PyCFunction)(void *)enter_{number}, '
        "METH_FASTCALL, NULL}},"
        for number, name in enumerate(by_name)
    )
    parts.append(
        "static struct { const char *name; PyMethodDef definition; } kernels[] = {\n"
        + "\n".join(rows)
        + "\n    {NULL, {NULL, NULL, 0, NULL}},\n};\n"
    )
    marks = (f'    {{"{package}", "{stamp}"}},' for package, stamp in sorted(stamps.items()))
    parts.append(
        "static const struct { const char *package, *stamp; } stamps[] = {\n"
        + "\n".join(marks)
        + "\n    {NULL, NULL},\n};\n"
    )
    return "\n".join(parts)


def _write_call(one: CompiledKernel) -> str:
    types, symbol = one.signature.types, one.symbol
    results = _as_tuple(one.result)
    fields = "\n".join(_field(place, kind) for place, kind in enumerate(results))
    takes = "".join(
        f"    if (!{_take(place, kind)})\n        return 0;\n" for place, kind in enumerate(types)
    )
    return (
        f"/* {one.signature} */\n"
        f"typedef struct {{\n{fields or '    void *nothing;'}\n}} result_{symbol};\n"
        f"extern int32_t {symbol}({', '.join(('void *', 'void **', *_parameters(types)))});\n\n"
        f"static int call_{symbol}(PyObject *const *given, Py_ssize_t count, PyObject **made)\n{{\n"
        f"{_declare(types)}    if (count != {len(types)})\n        return 0;\n{takes}"
        f"    result_{symbol} result;\n"
        "    void *error = NULL;\n"
        "    PyThreadState *thread = PyEval_SaveThread();\n"
        f"    const int32_t status = {symbol}({', '.join(('&result', '&error', *_arguments(types)))});\n"
        "    PyEval_RestoreThread(thread);\n"
        f'    *made = status ? fail("gossamer.{one.signature.kernel}") : {_give(one.result)};\n'
        "    return 1;\n}\n"
    )


def _write_entry(number: int, name: str, versions: Iterable[CompiledKernel]) -> str:
    tries = "".join(
        f"    if (call_{one.symbol}(given, count, &made))\n        return made;\n"
        for one in versions
    )
    return (
        f"static PyObject *enter_{number}(PyObject *otherwise, PyObject *const *given, Py_ssize_t count)\n"
        f"{{\n    PyObject *made;\n{tries}    return call_python(otherwise, given, count);\n}}\n"
    )


def _as_tuple(result: Result) -> tuple[KernelType, ...]:
    if result is None:
        return ()
    return (result,) if isinstance(result, KernelType) else result


def _field(place: int, kind: KernelType) -> str:
    if not kind.dimensions:
        return f"    {_C[kind.number]} field_{place};"
    sides = f"shape[{kind.dimensions}], strides[{kind.dimensions}]"
    return (
        "    struct { void *memory, *parent; int64_t items, size; void *data; "
        f"int64_t {sides}; }} field_{place};"
    )


def _declare(types: Sequence[KernelType]) -> str:
    return "".join(
        f"    {'Taken' if kind.dimensions else _C[kind.number]} a{place};\n"
        for place, kind in enumerate(types)
    )


def _take(place: int, kind: KernelType) -> str:
    number = kind.number.upper()
    if kind.dimensions:
        written = int(kind.is_written)
        return f"take_array(given[{place}], {number}, {kind.dimensions}, {written}, &a{place})"
    named = {"bool": "take_bool", "f64": "take_double", "f32": "take_single"}
    if kind.number in named:
        return f"{named[kind.number]}(given[{place}], &a{place})"
    return f"take_integer(given[{place}], {number}, &a{place})"


def _parameters(types: Sequence[KernelType]) -> Iterator[str]:
    """The parameters of the machine code: an array is its owner twice, sizes, place, shape and strides."""
    for kind in types:
        if kind.dimensions:
            yield "void *, void *, int64_t, int64_t, void *"
            yield from ("int64_t",) * (2 * kind.dimensions)
        else:
            yield _C[kind.number]


def _arguments(types: Sequence[KernelType]) -> Iterator[str]:
    for place, kind in enumerate(types):
        name = f"a{place}"
        if kind.dimensions:
            yield f"NULL, NULL, {name}.items, {_SIZES[kind.number]}, {name}.data"
            yield from (f"{name}.shape[{axis}]" for axis in range(kind.dimensions))
            yield from (f"{name}.strides[{axis}]" for axis in range(kind.dimensions))
        else:
            yield name


def _give(result: Result) -> str:
    if result is None:
        return "Py_NewRef(Py_None)"
    if isinstance(result, KernelType):
        return _give_one(0, result)
    given = "".join(f", {_give_one(place, kind)}" for place, kind in enumerate(result))
    return f'Py_BuildValue("({"N" * len(result)})"{given})'


def _give_one(place: int, kind: KernelType) -> str:
    field = f"result.field_{place}"
    if kind.dimensions:
        return (
            f"give_array({field}.memory, {field}.data, {field}.items, {kind.number.upper()}, "
            f"{kind.dimensions}, {field}.shape)"
        )
    if kind.number == "bool":
        return f"PyBool_FromLong({field})"
    if kind.number.startswith("f"):
        return f"PyFloat_FromDouble({field})"
    signed = "" if kind.number.startswith("i") else "Unsigned"
    return f"PyLong_From{signed}LongLong({field})"
