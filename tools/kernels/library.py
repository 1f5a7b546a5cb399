"""The library of all kernels, `_kernels.abi3.so`: compiled, linked, and marked with its sources."""

import subprocess
import sys
import sysconfig
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from shutil import which

from xxhash import xxh3_128_hexdigest

from tools.kernels.kernel_table import write_table
from tools.kernels.objects import BASELINES, baseline_environment, compile_kernels
from tools.kernels.signature_types import PACKAGE, SIGNATURES, read_signatures

NAME = "_kernels.abi3.so"
_FLAGS = ("-O2", "-fPIC", "-fvisibility=hidden", "-Wall", "-Wextra", "-Wno-unused-parameter")
_LINK = ("-shared", "-Wl,-s", "-Wl,-z,noexecstack", "-Wl,-z,relro", "-Wl,-z,now")

_NEEDED = ("numba", "numpy", "msgspec", "pyarrow", "pycurl", "resiliparse", "xxhash")
"""What modules with kernels import."""


def missing_for_build() -> str:
    """What is needed to compile kernels, and is not here; empty when all is."""
    import platform

    if platform.machine() not in BASELINES:
        return f"kernels are not compiled ahead for {platform.machine()}"
    for module in _NEEDED:
        if find_spec(module) is None:
            return f"{module} is not installed"
    if which(_compiler()[0]) is None:
        return f"there is no C compiler ({_compiler()[0]})"
    if not Path(sysconfig.get_path("include"), "Python.h").exists():
        return "Python.h is not installed"
    return ""


def is_current(library: Path, root: Path) -> bool:
    """Was a library made of the sources below a folder?"""
    if not library.exists():
        return False
    spec = spec_from_file_location("_kernels", library)
    assert spec is not None
    assert spec.loader is not None, "it is a file"
    try:
        loaded = module_from_spec(spec)
    except ImportError:
        return False
    return bool(loaded.stamps == stamps_of(root))


def build_library(target: Path, root: Path) -> int:
    """Write the library for the sources below a folder; returns the number of signatures in it.

    Objects are kept below `build`, so that only kernels of changed packages are compiled again.
    """
    folder = root / "build" / "kernels"
    command = [sys.executable, "-m", "tools.kernels.library", str(folder), str(root)]
    variables = baseline_environment() | {"PYTHONPATH": f"{root}:{root / 'src'}"}
    subprocess.run(command, cwd=root, env=variables, check=True)
    made = folder / NAME
    _link(folder, made)
    if not is_current(made, root):
        raise RuntimeError(f"{made} cannot be loaded, or the sources were changed meanwhile")
    target.parent.mkdir(parents=True, exist_ok=True)
    # Under another name first: a process may have the old one mapped.
    new = target.with_name(f"{NAME}.new")
    new.write_bytes(made.read_bytes())
    new.chmod(0o755)
    new.replace(target)
    return len(list(folder.glob("kernel_*.o")))


def _link(folder: Path, made: Path) -> None:
    source = Path(__file__).with_name("kernel_module.c")
    include = sysconfig.get_path("include")
    objects = sorted(map(str, folder.glob("kernel_*.o")))
    paths = (f"-I{include}", f"-I{folder}", str(source), *objects, "-lm", "-o", str(made))
    subprocess.run([*_compiler(), *_FLAGS, *_LINK, *paths], check=True)


def _compiler() -> list[str]:
    return str(sysconfig.get_config_var("CC") or "cc").split()[:1]


def stamps_of(root: Path) -> dict[str, str]:
    """For each package that has kernels, a hash of its sources; and one of what makes the library."""
    from gossamer.core.compiled_kernels import stamp_of

    folder = root / "tools" / "kernels"
    signatures = read_signatures(folder / SIGNATURES.name)
    packages = {PACKAGE + one.kernel.rsplit(".", 2)[0] for one in signatures}
    found = {
        one: stamp_of(root.joinpath("src", *one.split(".")), root / "src" / "gossamer" / "core")
        for one in packages
    }
    makers = [path.read_bytes() for path in sorted(folder.iterdir()) if path.is_file()]
    return found | {"tools.kernels": xxh3_128_hexdigest(b"\0".join(makers))}


def _write_objects(folder: Path, root: Path) -> None:
    """In a process of its own: compile all kernels, and write what calls them."""
    stamps = stamps_of(root)
    signatures = read_signatures(root / "tools" / "kernels" / SIGNATURES.name)
    compiled = list(compile_kernels(signatures, stamps, folder))
    (folder / "kernel_table.c").write_text(write_table(compiled, stamps))


if __name__ == "__main__":
    _write_objects(Path(sys.argv[1]), Path(sys.argv[2]))
