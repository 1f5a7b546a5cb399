"""Every kernel has a line in `tools/kernels/signatures.txt`, so that wheels bring its machine code."""

import ast
import re
from pathlib import Path

from tools.kernels.signature_types import read_numba, read_signature, read_signatures

import gossamer

_SOURCES = Path(gossamer.__file__).parent
_KERNEL = re.compile(r"^@kernel\ndef (\w+)\(", re.MULTILINE)


def _kernels() -> set[str]:
    """The kernels of the package, as the lines name them."""
    found = set()
    for file in _SOURCES.rglob("*.py"):
        module = ".".join(file.relative_to(_SOURCES).with_suffix("").parts)
        found |= {f"{module}.{name}" for name in _KERNEL.findall(file.read_text())}
    return found


def test_every_kernel_has_signatures() -> None:
    """To add those of a new kernel: see `tools/kernels/recording.py`."""
    assert sorted(_kernels() - {one.kernel for one in read_signatures()}) == []


def test_no_signature_is_of_a_kernel_that_is_gone() -> None:
    assert sorted({one.kernel for one in read_signatures()} - _kernels()) == []


def test_a_line_is_what_numba_says() -> None:
    said = "(Array(uint64, 1, 'C', True, aligned=True), bool, Array(bool, 2, 'C', False, aligned=True))"
    found = read_numba("gossamer.graph.count", said)
    assert str(found) == "graph.count const:u64[1] bool bool[2]"
    assert read_signature(str(found)) == found
    assert (
        read_numba("gossamer.graph.count", "(Array(uint8, 1, 'A', False, aligned=True),)") is None
    )


def test_a_line_has_a_type_for_each_parameter() -> None:
    """A kernel that has changed is left out of the library until its line is."""
    wrong = []
    for one in read_signatures():
        module, _, name = one.kernel.rpartition(".")
        text = (_SOURCES / f"{module.replace('.', '/')}.py").read_text()
        [function] = [
            node
            for node in ast.parse(text).body
            if isinstance(node, ast.FunctionDef) and node.name == name
        ]
        if len(function.args.args) != len(one.types):
            wrong.append(str(one))
    assert wrong == []
