"""Builds wheels: with the machine code of all kernels, or without.

With `--no-build-isolation`, in an environment that has Gossamer's dependencies, Numba and a C compiler, a
wheel brings machine code for the family of this processor, and does not need Numba where it is installed. Any
other wheel is for every machine, and needs it: kernels are compiled at their first call.
"""

import shutil
import sys
from pathlib import Path
from typing import Any

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

sys.path.insert(0, str(Path(__file__).parent))

NEEDED = [
    "ada-url",  # WHATWG URLs, the rare cases
    "brotli",  # content encoding br
    "can_ada",  # WHATWG URLs, fast
    "certifi",  # certificate authorities for TLS
    "google-re2",  # regular expressions of users, in linear time
    "isal",  # gzip at several times zlib's speed
    "msgspec",  # records and settings
    "numpy",  # arrays
    "publicsuffixlist",  # pay-level domains
    "pyarrow",  # Parquet tables
    "pycares",  # asynchronous DNS
    "pycurl>=7.49",  # HTTP; some before lose one of many exchanges that ended at once
    "pypdfium2",  # PDF
    "resiliparse",  # encoding detection, main text, language
    "rich",  # progress display
    "typer",  # command line
    "xxhash",  # 64-bit fingerprints
    "zstandard",  # content encoding zstd
]
COMPILER = [
    "numba",  # kernels over arrays
    "llvmlite",  # numba's own way to the processor, for two steps it has no words for
]


class BuildKernels(build_ext):
    """Compiles all kernels into one library."""

    def build_extension(self, ext: Any) -> None:
        from tools.kernels.library import NAME, build_library, is_current

        root, target = Path(__file__).parent, Path(self.get_ext_fullpath(ext.name))
        made = root / "src" / "gossamer" / "core" / NAME
        if is_current(made, root):
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(made, target)
        else:
            build_library(target, root)


def is_with_kernels() -> bool:
    """Is a wheel to bring machine code? An editable installation has its sources compiled by `make`."""
    if "editable_wheel" in sys.argv:
        return False
    try:
        from tools.kernels.library import missing_for_build
    except ImportError:  # they are not among these sources
        return False
    return not missing_for_build()


if is_with_kernels():
    setup(
        install_requires=NEEDED,
        ext_modules=[Extension("gossamer.core._kernels", [], py_limited_api=True)],
        cmdclass={"build_ext": BuildKernels},
        options={"bdist_wheel": {"py_limited_api": "cp311"}},
    )
else:
    setup(install_requires=[*NEEDED, *COMPILER])
