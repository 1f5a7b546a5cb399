"""Adds the types with which kernels were called to `signatures.txt`.

    GOSSAMER_KERNELS=compile GOSSAMER_RECORD_KERNELS=calls.txt .venv/bin/pytest tests/graph
    .venv/bin/python -m tools.kernels.recording calls.txt

A line of such a file is a kernel and the types that Numba compiled it for. Kernels outside of the package
are left out; types that only a test uses should be.
"""

import sys
from collections.abc import Iterable
from pathlib import Path

from tools.kernels.signature_types import (
    PACKAGE,
    SIGNATURES,
    KernelSignature,
    read_numba,
    read_signatures,
    write_signatures,
)


def read_calls(lines: Iterable[str]) -> set[KernelSignature]:
    """The signatures in recorded lines."""
    found = set()
    for line in lines:
        kernel, _, types = line.rstrip("\n").partition(" ")
        signature = read_numba(kernel, types) if kernel.startswith(PACKAGE) else None
        if signature is not None:
            found.add(signature)
    return found


def _lines(name: str) -> list[str]:
    return Path(name).read_text().splitlines()


def main() -> None:
    known = set(read_signatures()) if SIGNATURES.exists() else set()
    called = {one for name in sys.argv[1:] for one in read_calls(_lines(name))}
    write_signatures(known | called)
    for one in sorted(map(str, called - known)):
        print("new:", one)


if __name__ == "__main__":
    main()
