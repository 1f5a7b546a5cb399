"""Objects of kernels: Numba's machine code for each signature, for any processor of a family.

To be run in a process of its own: Numba takes the family from its surroundings (`baseline_environment`).
"""

import os
import platform
import sys
from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any, cast

from xxhash import xxh3_128_hexdigest

from tools.kernels.kernel_table import CompiledKernel, Result
from tools.kernels.signature_types import (
    NAMES,
    PACKAGE,
    KernelSignature,
    KernelType,
    read_signature,
)

BASELINES = {"x86_64": "x86-64-v2", "aarch64": "generic"}
"""The oldest processors that the machine code is for: of 2009 and later, and all of 64 bits."""


def baseline_environment() -> dict[str, str]:
    """Variables for a process that compiles kernels."""
    family = BASELINES[platform.machine()]
    own = {"NUMBA_CPU_NAME": family, "NUMBA_CPU_FEATURES": "", "GOSSAMER_KERNELS": "compile"}
    return os.environ | own


def compile_kernels(
    signatures: Iterable[KernelSignature], stamps: Mapping[str, str], folder: Path
) -> Iterator[CompiledKernel]:
    """Write an object for each signature, unless it is there; others are deleted.

    `stamps` are those of the sources of each package, and of what compiles them.
    """
    from llvmlite import binding

    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    target = binding.Target.from_triple(binding.get_process_triple())
    machine = target.create_target_machine(
        cpu=BASELINES[platform.machine()], features="", opt=3, reloc="pic", codemodel="default"
    )
    folder.mkdir(parents=True, exist_ok=True)
    used = set()
    for signature in signatures:
        package = PACKAGE + signature.kernel.rsplit(".", 2)[0]
        marks = (str(signature), stamps[package], _COMPILERS, platform.machine())
        symbol = f"kernel_{xxh3_128_hexdigest(' '.join(marks).encode())}"
        made, result_file = folder / f"{symbol}.o", folder / f"{symbol}.txt"
        if not result_file.exists():
            try:
                result, module = _compile(signature)
            except Exception as error:  # Numba's own, and what is wrong with a line of the file
                reason = str(error).strip().partition("\n")[0]
                print(f"signatures.txt: {signature}: left out: {reason}", file=sys.stderr)
                continue
            code = binding.parse_assembly(_only(module, symbol))
            _drop_unused(binding, machine, code)
            made.write_bytes(machine.emit_object(code))
            result_file.write_text(_write_result(result))
        used |= {made, result_file}
        yield CompiledKernel(signature, _read_result(result_file.read_text()), symbol)
    for old in set(folder.glob("kernel_*")) - used:
        old.unlink()


_COMPILERS = " ".join((version("numba"), version("llvmlite"), Path(__file__).read_text()))
"""What objects depend on besides the sources of their kernels."""


def _write_result(result: Result) -> str:
    if result is None or isinstance(result, KernelType):
        return str(result or "")
    return " ".join(("tuple", *map(str, result)))


def _read_result(text: str) -> Result:
    types = read_signature(text if text.startswith("tuple") else f"one {text}").types
    if text.startswith("tuple"):
        return types
    return types[0] if types else None


def _compile(signature: KernelSignature) -> tuple[Result, Any]:
    """The type of the result, and the code with the name of its function."""
    import numba

    from gossamer.core.kernel_parts import ignore_constants

    module, _, name = signature.kernel.rpartition(".")
    function = getattr(import_module(PACKAGE + module), name).py_func
    compiler: Any = numba.njit  # its types do not know the options
    options = {"nogil": True, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    dispatcher = compiler(**options)(function)
    ignore_constants(dispatcher)
    types = tuple(map(_as_numba, signature.types))
    dispatcher.compile(types)
    [compiled] = dispatcher.overloads.values()
    code = compiled.library._final_module
    return _as_result(compiled.signature.return_type), (str(code), compiled.fndesc.llvm_func_name)


def _only(module: tuple[str, str], symbol: str) -> str:
    """The code with a short name for its function; Numba's is different each time."""
    text, name = module
    return text.replace(f"@{name}(", f"@{symbol}(")


def _drop_unused(binding: Any, machine: Any, code: Any) -> None:
    """Keep what the kernel calls: the rest is for Numba's own callers."""
    code.verify()
    for one in (*code.functions, *code.global_variables):
        is_kernel = one.is_function and one.name.startswith("kernel_")
        if not one.is_declaration and not is_kernel:
            one.linkage = "internal"
    options = binding.create_pipeline_tuning_options(speed_level=3)
    passes = binding.create_new_module_pass_manager()
    passes.add_global_dead_code_eliminate_pass()
    passes.run(code, binding.create_pass_builder(machine, options))


def _as_numba(kind: KernelType) -> Any:
    from numba.core import types

    number = getattr(types, NAMES[kind.number] if kind.number != "bool" else "boolean")
    if not kind.dimensions:
        return number
    return types.Array(number, kind.dimensions, "C", readonly=not kind.is_written)


def _as_result(kind: Any) -> Result:
    from numba.core import types

    if isinstance(kind, types.NoneType):
        return None
    if isinstance(kind, types.BaseTuple):
        return tuple(_as_type(one) for one in cast(Any, kind))
    return _as_type(kind)


def _as_type(kind: Any) -> KernelType:
    from numba.core import types

    ours = {numba: name for name, numba in NAMES.items()}
    if isinstance(kind, types.Array):
        if kind.layout != "C":
            raise ValueError(f"a kernel returns {kind}, which is not contiguous")
        return KernelType(ours[str(kind.dtype)], kind.ndim)
    without_constant: Any = types.unliteral
    return KernelType(ours[str(without_constant(kind))])
