"""The types that a kernel is called with, as text: `core.disk.lookup.sieve.mark u64[1] u64`.

Numbers are `bool`, `i8` … `u64`, `f32` and `f64`; `u8[2]` is a contiguous array of two dimensions, and
`const:u8[1]` one that may not be written to.
"""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

SIGNATURES = Path(__file__).with_name("signatures.txt")
PACKAGE = "gossamer."

_NUMBERS = {
    "bool": "bool",
    "int8": "i8",
    "uint8": "u8",
    "int16": "i16",
    "uint16": "u16",
    "int32": "i32",
    "uint32": "u32",
    "int64": "i64",
    "uint64": "u64",
    "float32": "f32",
    "float64": "f64",
}
"""Numba's names, and ours."""
NAMES = {ours: numba for numba, ours in _NUMBERS.items()}


class KernelType(NamedTuple):
    """A number, or an array of numbers."""

    number: str
    dimensions: int = 0
    is_written: bool = True
    """May the array be written to?"""

    def __str__(self) -> str:
        if not self.dimensions:
            return self.number
        return f"{'' if self.is_written else 'const:'}{self.number}[{self.dimensions}]"


class KernelSignature(NamedTuple):
    """A kernel, and types that it is called with."""

    kernel: str
    """Its module and name, without the name of the package."""
    types: tuple[KernelType, ...]

    def __str__(self) -> str:
        return " ".join((self.kernel, *map(str, self.types)))


_TYPE = re.compile(r"(const:)?([a-z]+[0-9]*)(?:\[([1-4])\])?")


def read_signature(line: str) -> KernelSignature:
    """
    >>> str(read_signature("graph.count const:u8[1] i64"))
    'graph.count const:u8[1] i64'
    """
    kernel, *words = line.split()
    types = []
    for word in words:
        found = _TYPE.fullmatch(word)
        if found is None or found[2] not in NAMES:
            raise ValueError(f"{line!r}: {word!r} is no type of a kernel")
        types.append(KernelType(found[2], int(found[3] or 0), not found[1]))
    return KernelSignature(kernel, tuple(types))


def read_signatures(path: Path = SIGNATURES) -> list[KernelSignature]:
    """All lines of the file, but for comments."""
    lines = path.read_text().splitlines()
    return [read_signature(line) for line in lines if line and not line.startswith("#")]


_ARRAY = re.compile(r"Array\((\w+), (\d), 'C', (True|False), aligned=True\)")


def read_numba(kernel: str, types: str) -> KernelSignature | None:
    """A signature in Numba's words; None if it has types that are not known here.

    >>> str(read_numba("gossamer.core.x.y", "(Array(uint8, 1, 'C', True, aligned=True), int64)"))
    'core.x.y const:u8[1] i64'
    >>> read_numba("gossamer.core.x.y", "(unicode_type,)")
    """
    bare, found = types[1:-1].removesuffix(","), []
    while bare:
        array = _ARRAY.match(bare)
        if array is not None:
            name, rest = array[1], bare[array.end() :]
            one = KernelType(_NUMBERS.get(name, ""), int(array[2]), array[3] == "False")
        else:
            name, _, rest = bare.partition(",")
            one = KernelType(_NUMBERS.get(name, ""))
        if not one.number:
            return None
        found.append(one)
        bare = rest.lstrip(", ")
    return KernelSignature(kernel.removeprefix(PACKAGE), tuple(found))


def write_signatures(signatures: Iterable[KernelSignature], path: Path = SIGNATURES) -> None:
    """Write the file: sorted, each line once."""
    head = "# The types that kernels are called with; python -m tools.kernels.recording adds to them.\n"
    path.write_text(head + "".join(f"{line}\n" for line in sorted(set(map(str, signatures)))))
