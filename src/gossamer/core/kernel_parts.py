"""Parts of kernels: compiled into the kernels that call them, without machine code of their own.

Numba optimises each function by itself, makes machine code of it, and optimises it again within each of its
callers; and it makes one version of it for each constant that it is called with. A part is called by kernels
only. So it stays as the front end left it until a kernel is put together, which is then optimised once,
constants and all. That halves the time to compile.
"""

from typing import Any, cast

from numba.core import types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler


class PartCompiler(Compiler):
    """Numba's compiler up to the point where it would optimise."""

    def compile_extra(self, func: Any) -> Any:
        make: Any = _PartLibrary
        self.state.library = make(self.state.targetctx.codegen(), func.__qualname__)
        return cast(Any, super()).compile_extra(func)


class _PartLibrary(JITCodeLibrary):
    """The code of a part and of the parts that it calls, for kernels to link."""

    @property
    def codegen(self) -> Any:
        return _WithoutEngine(self._codegen)

    def finalize(self) -> None:
        numba: Any = self  # its library is not typed
        numba._raise_if_finalized()
        for library in dict.fromkeys(numba._linking_libraries):
            numba._reload_init.update(library._reload_init)
            numba._final_module.link_in(library._get_module_for_linking(), preserve=True)
        numba._finalize_dynamic_globals()
        numba._verify_declare_only_symbols()
        numba._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        numba: Any = self
        numba._ensure_finalized()
        return 0


class _WithoutEngine:
    """Numba's code generator, for code that is not in its engine."""

    def __init__(self, codegen: Any) -> None:
        self._codegen = codegen

    def __getattr__(self, name: str) -> Any:
        return getattr(self._codegen, name)

    def set_env(self, name: str, environment: Any) -> None:
        """Do nothing: an environment is for functions that Python calls."""


def ignore_constants(part: Any) -> None:
    """Compile one version of a part for all constants of a type."""
    find = part.get_call_template
    without_constant: Any = types.unliteral

    def get_call_template(args: Any, kws: Any) -> Any:
        named = {name: without_constant(one) for name, one in kws.items()}
        return find([without_constant(one) for one in args], named)

    part.get_call_template = get_call_template
