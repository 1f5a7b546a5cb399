"""Compiled functions, and where the compiler's work is kept."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import gossamer
from gossamer.core.agent import VERSION
from gossamer.core.machine_code import load_known

_MODULE = """
import numpy as np
from gossamer.core.kernel import kernel

@kernel
def total(values):
    result = 0
    for value in values:
        result += value
    return result

print(total(np.arange(4)), len(total.stats.cache_hits), sum(total.stats.cache_misses.values()))
"""


def run(folder: Path, *arguments: str) -> list[str]:
    done = subprocess.run(
        [sys.executable, "sums.py", *arguments],
        cwd=folder,
        env=os.environ | {"NUMBA_CACHE_DIR": str(folder / "cache")},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.split()


def test_the_second_process_finds_the_machine_code_of_the_first(tmp_path: Path) -> None:
    (tmp_path / "sums.py").write_text(_MODULE)
    assert run(tmp_path) == ["6", "0", "1"]
    assert run(tmp_path) == ["6", "1", "0"]


def test_machine_code_is_old_when_another_file_of_the_package_changes(tmp_path: Path) -> None:
    (tmp_path / "sums.py").write_text(_MODULE)
    assert run(tmp_path) == ["6", "0", "1"]
    (tmp_path / "parts.py").write_text("LIMIT = 7")
    assert run(tmp_path) == ["6", "0", "1"]
    assert run(tmp_path) == ["6", "1", "0"]


_PARTS = """
import numpy as np
from gossamer.core.kernel import inner_kernel, kernel

@inner_kernel
def add(values, place, addend):
    values[place] += addend

@inner_kernel
def add_twice(values, place):
    add(values, place, 3)
    add(values, 1, 5)

@kernel
def fill(values):
    add_twice(values, 0)
    add_twice(values, 1)
    add(values, len(values) - 1, 7)
    return values

print(*fill(np.zeros(3, np.int64)), len(add.signatures), len(add_twice.signatures))
print(*(one.library.get_pointer_to_function(one.fndesc.llvm_func_name) for one in add.overloads.values()))
"""


def test_a_part_has_one_version_for_all_constants_and_no_machine_code(tmp_path: Path) -> None:
    (tmp_path / "sums.py").write_text(_PARTS)
    assert run(tmp_path) == ["3", "13", "7", "1", "1", "0"]
    assert run(tmp_path) == ["3", "13", "7", "0", "0"], "the kernel on disk has its parts"


_LOADED = """
import sys

import numpy as np
from gossamer.core.kernel import kernel

@kernel
def double(values):
    if len(values) > 4:
        raise ValueError("too many")
    result = np.empty(len(values), np.float64)
    for place in range(len(values)):
        result[place] = 2 * values[place]
    return result

@kernel
def halve(value):
    return value / 2

values = double(np.arange(4.0))
has_compiled = "numba.np.arraymath" in sys.modules
try:
    double(np.arange(5.0))
except ValueError as error:
    print(int(values.sum()), has_compiled, error)
if len(sys.argv) > 1:
    print(halve(5))
"""


def test_machine_code_runs_without_the_compiler_which_comes_when_it_is_needed(
    tmp_path: Path,
) -> None:
    (tmp_path / "sums.py").write_text(_LOADED)
    assert run(tmp_path) == ["12", "True", "too", "many"]
    assert run(tmp_path) == ["12", "False", "too", "many"]
    assert run(tmp_path, "halve") == ["12", "False", "too", "many", "2.5"]


def service(
    folder: Path, spare: Path, **more: str
) -> tuple[list[str], subprocess.CompletedProcess[str]]:
    """Run the sums like a service: without remote storage, and with a package that cannot be written to."""
    environment = os.environ | {"HOME": "/dev/null", "TMPDIR": str(spare)} | more
    for name in ("NUMBA_CACHE_DIR", "XDG_CACHE_HOME"):
        environment.pop(name, None)
    if not (folder / "__pycache__").exists():
        (folder / "__pycache__").touch()  # a file: not even root can make a folder of it
    done = subprocess.run(
        [sys.executable, "-B", "sums.py"],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
    )
    return done.stdout.split(), done


def _but_for_progress(said: str) -> list[str]:
    """The lines without those of a compiler that takes seconds, on a busy machine."""
    return [line for line in said.splitlines() if not line.startswith("compiling kernels")]


def test_without_a_home_machine_code_is_kept_in_a_temporary_folder(tmp_path: Path) -> None:
    folder, spare = tmp_path / "package", tmp_path / "spare"
    folder.mkdir()
    spare.mkdir()
    (folder / "sums.py").write_text(_MODULE)
    result, done = service(folder, spare)
    assert result == ["6", "0", "1"], done.stderr
    [place] = spare.glob("gossamer-*")
    assert place.stat().st_mode & 0o777 == 0o700
    [said] = _but_for_progress(done.stderr)
    assert f"kept in {place}; set NUMBA_CACHE_DIR" in said
    assert service(folder, spare)[0] == ["6", "1", "0"], "the next start finds it"


def test_a_temporary_folder_that_others_can_write_to_is_not_used(tmp_path: Path) -> None:
    """What is in it would be run. Without any folder kernels are compiled at every start."""
    folder, spare = tmp_path / "package", tmp_path / "spare"
    folder.mkdir()
    place = spare / f"gossamer-{os.geteuid()}"
    place.mkdir(parents=True)
    place.chmod(0o777)
    (folder / "sums.py").write_text(_MODULE)
    for _ in range(2):
        result, done = service(folder, spare)
        assert result == ["6", "0", "1"], done.stderr
        assert "there is no folder to keep compiled kernels in" in done.stderr
        assert "set NUMBA_CACHE_DIR" in done.stderr
    assert list(place.iterdir()) == []


NOBODY = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]


@pytest.fixture
def installed() -> Iterator[Path]:
    """A copy of the package that belongs to root, in a folder that everybody can read."""
    if os.geteuid() or shutil.which("setpriv") is None:
        pytest.skip("only root can become somebody who owns nothing")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        leave = shutil.ignore_patterns("__pycache__")
        shutil.copytree(Path(gossamer.__file__).parent, folder / "gossamer", ignore=leave)
        (folder / "sums.py").write_text(_MODULE)
        (folder / "spare").mkdir(mode=0o777)
        (folder / "spare").chmod(0o777)
        if not _reaches_the_interpreter():
            pytest.skip("the interpreter is out of nobody's reach")
        yield folder


@cache
def _reaches_the_interpreter() -> bool:
    command = [*NOBODY, sys.executable, "-c", "import numba"]
    return subprocess.run(command, check=False).returncode == 0


def _as_nobody(folder: Path) -> tuple[list[str], str]:
    environment = {
        "HOME": "/nonexistent",
        "PYTHONPATH": str(folder),
        "TMPDIR": str(folder / "spare"),
    }
    done = subprocess.run(
        [*NOBODY, sys.executable, "sums.py"],
        cwd=folder,
        env={"PATH": os.environ["PATH"]} | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout.split(), done.stderr


def test_a_service_user_without_a_home(installed: Path) -> None:
    result, said = _as_nobody(installed)
    assert result == ["6", "0", "1"], said
    assert "kept in" in said
    assert len(_but_for_progress(said)) == 1
    assert _as_nobody(installed)[0] == ["6", "1", "0"]


def test_a_service_user_reads_what_was_compiled_at_the_installation(installed: Path) -> None:
    assert _as_root(installed) == ["6", "0", "1"]
    assert _as_root(installed) == ["6", "1", "0"]
    result, said = _as_nobody(installed)
    assert (result, said) == (["6", "1", "0"], "")
    assert not list((installed / "spare").iterdir())


def test_a_service_user_does_without_what_is_old(installed: Path) -> None:
    assert _as_root(installed) == ["6", "0", "1"]
    (installed / "parts.py").write_text("LIMIT = 7")
    result, said = _as_nobody(installed)
    assert result == ["6", "0", "1"], said
    assert "kept in" in said
    assert _as_nobody(installed)[0] == ["6", "1", "0"]


def _as_root(folder: Path) -> list[str]:
    environment = os.environ | {"PYTHONPATH": str(folder)}
    environment.pop("NUMBA_CACHE_DIR", None)
    command = [sys.executable, "sums.py"]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=True)
    return done.stdout.decode().split()


def test_the_compiler_says_how_far_it_is_and_nothing_when_it_is_not_needed(tmp_path: Path) -> None:
    loud = "import logging; logging.basicConfig(level=logging.INFO, format='%(message)s')\n"
    (tmp_path / "sums.py").write_text(loud + _MODULE)
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    said = [
        subprocess.run(
            [sys.executable, "sums.py"],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
        ).stderr
        for _ in range(2)
    ]
    word = "compiling kernels, once: 1 of at most 1; this takes about a minute …"
    assert set(said[0].splitlines()) == {word}
    assert said[1] == ""


def test_all_that_is_on_disk_is_loaded_at_once() -> None:
    """What was compiled before is there then, and is not loaded again."""
    load_known()
    assert load_known() == 0


def _installed_sums(folder: Path) -> Path:
    """A module with a kernel, as pip would have installed it."""
    package = folder / "lib" / "site-packages"
    package.mkdir(parents=True)
    (package / "sums.py").write_text(_MODULE)
    return package


def _begin_user(package: Path, home: Path, *code: str, **more: str) -> subprocess.Popen[str]:
    """Run the sums as a user with remote storage."""
    environment = os.environ | {"HOME": str(home), "TMPDIR": str(home)} | more
    environment.pop("NUMBA_CACHE_DIR", None)
    if "XDG_CACHE_HOME" not in more:
        environment.pop("XDG_CACHE_HOME", None)
    return subprocess.Popen(
        [sys.executable, *(code or (str(package / "sums.py"),))],
        cwd=home,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def _as_user(package: Path, home: Path, *code: str, **more: str) -> list[str]:
    begun = _begin_user(package, home, *code, **more)
    out, err = begun.communicate()
    assert begun.returncode == 0, err
    return out.split()


def _kept(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.nb[ic]"))


def test_an_installed_package_is_not_written_to(tmp_path: Path) -> None:
    package, caches = _installed_sums(tmp_path), tmp_path / "caches"
    assert _as_user(package, tmp_path, XDG_CACHE_HOME=str(caches)) == ["6", "0", "1"]
    assert _kept(package) == []
    assert len(_kept(caches / "gossamer" / f"kernels-{VERSION}")) == 2
    assert _as_user(package, tmp_path, XDG_CACHE_HOME=str(caches)) == ["6", "1", "0"]
    assert _as_user(package, tmp_path) == ["6", "0", "1"]
    assert _kept(tmp_path / ".cache" / "gossamer")


def test_a_user_cache_that_others_can_write_to_is_not_used(tmp_path: Path) -> None:
    """What is in it would be run."""
    package, caches, spare = _installed_sums(tmp_path), tmp_path / "caches", tmp_path / "spare"
    spare.mkdir()
    places = {"XDG_CACHE_HOME": str(caches), "TMPDIR": str(spare)}
    assert _as_user(package, tmp_path, **places) == ["6", "0", "1"]
    assert (caches / "gossamer").stat().st_mode & 0o777 == 0o700
    assert _as_user(package, tmp_path, **places) == ["6", "1", "0"]
    (caches / "gossamer").chmod(0o777)
    before = _kept(caches)
    assert _as_user(package, tmp_path, **places) == ["6", "0", "1"], "another place is taken"
    assert _kept(caches) == before
    assert _kept(spare)


def test_first_starts_at_the_same_time_do_not_harm_each_other(tmp_path: Path) -> None:
    package = _installed_sums(tmp_path)
    begun = [_begin_user(package, tmp_path) for _ in range(3)]
    for one in begun:
        out, err = one.communicate()
        assert one.returncode == 0, err
        assert out.startswith("6 ")
    assert _as_user(package, tmp_path) == ["6", "1", "0"]


_BY_THE_INSTALLATION = """
import runpy, sys
from gossamer.core.machine_code import keep_with_package
keep_with_package()
runpy.run_path(sys.argv[1], run_name="__main__")
"""


def test_who_installs_it_may_keep_machine_code_in_the_package(tmp_path: Path) -> None:
    package, user = _installed_sums(tmp_path), tmp_path / "user"
    user.mkdir()
    installing = ("-c", _BY_THE_INSTALLATION, str(package / "sums.py"))
    assert _as_user(package, tmp_path, *installing) == ["6", "0", "1"]
    kept = _kept(package)
    assert len(kept) == 2
    assert _as_user(package, user) == ["6", "1", "0"], "it is read by everybody"
    (package / "parts.py").write_text("LIMIT = 7")
    assert _as_user(package, user) == ["6", "0", "1"], "and left when it is old"
    assert _as_user(package, user) == ["6", "1", "0"]
    assert _kept(package) == kept
    assert _kept(user / ".cache" / "gossamer")


_LONG = """
from threading import Event
from gossamer.core import machine_code

heard = Event()

class Listener(machine_code.logging.Handler):
    def emit(self, record):
        lines.append((record.levelname, record.getMessage().partition(";")[0]))
        heard.set()

lines = []
machine_code._SAY_EVERY = 0.001
if {is_set_up}:
    machine_code._log.addHandler(Listener())
    machine_code._log.setLevel("INFO")
else:
    machine_code.logging.lastResort = Listener()
machine_code._progress.begin()
for _ in range(3):
    heard.clear()
    assert heard.wait(600)
machine_code._progress.end()
print(sorted(set(lines)))
"""


@pytest.mark.parametrize(("is_set_up", "level"), [(True, "INFO"), (False, "WARNING")])
def test_it_is_said_again_while_one_kernel_is_compiled(is_set_up: bool, level: str) -> None:
    """One may take longer than all others together; without a log, a library's user hears it, too."""
    done = subprocess.run(
        [sys.executable, "-c", _LONG.format(is_set_up=is_set_up)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == f"[({level!r}, 'compiling kernels, once: 1 of at most 1')]\n"
