"""A Python that fits is found by itself; where there is none, one line says what is missing."""

import os
import subprocess
import sys
from pathlib import Path
from shutil import which

import pytest

ROOT = Path(__file__).parents[2]
REAL = os.path.realpath(sys.executable)
_STUB = "#!/bin/sh\necho 'pyenv: command not found' >&2\nexit 127\n"
_CHANGED = '#!/bin/sh\nexec {python} -c "import sys; {change}; exec(sys.argv[2])" "$@"\n'
_NOTES = '#!/bin/sh\n[ "$1" = -m ] && echo "$@" > {noted} || exec {python} "$@"\n'
OLD = _CHANGED.format(python=REAL, change="sys.version_info = (3, 10, 2)")
BARE = _CHANGED.format(python=REAL, change="sys.modules['ensurepip'] = None")


def install(folder: Path, **commands: str) -> None:
    """Put commands into a folder: a script, or a link to a Python."""
    for name, content in commands.items():
        file = folder / name.replace("_", ".")
        if content.startswith("#!"):
            file.write_text(content)
            file.chmod(0o755)
        else:
            file.symlink_to(content)


def make(path: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """`make` where nothing but that folder is on the path; what it would do is not done."""
    program = which("make")
    assert program
    return subprocess.run(
        [program, "-s", f"VENV={path / 'venv'}", f"{path / 'venv'}/bin/python", *arguments],
        cwd=ROOT,
        env={"PATH": str(path)},
        capture_output=True,
        text=True,
        check=False,
    )


def find(path: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["/bin/sh", "tools/find_python.sh", *arguments],
        cwd=ROOT,
        env={"PATH": str(path)},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("name", ["python3_11", "python3_12", "python3_13", "python3", "python"])
def test_any_that_fits_is_found(tmp_path: Path, name: str) -> None:
    install(tmp_path, **{name: REAL})
    assert find(tmp_path).stdout == f"{tmp_path / name.replace('_', '.')}\n"


def test_what_cannot_be_started_or_does_not_fit_is_passed_over(tmp_path: Path) -> None:
    install(tmp_path, python3_11=_STUB, python3_12=BARE, python3=OLD, python=REAL)
    assert find(tmp_path).stdout == f"{tmp_path / 'python'}\n"


@pytest.mark.parametrize(
    ("commands", "message"),
    [
        ({}, "no Python 3.11, 3.12 or 3.13 is on the path; install one"),
        ({"python3_11": _STUB, "python3": OLD}, "no Python 3.11, 3.12 or 3.13 is on the path"),
        (
            {"python3_12": BARE},
            "cannot make an environment: install its modules venv and ensurepip",
        ),
    ],
)
def test_one_line_says_what_is_missing(
    tmp_path: Path, commands: dict[str, str], message: str
) -> None:
    install(tmp_path, **commands)
    ended = make(tmp_path)
    assert ended.returncode == 2
    said, last = ended.stderr.splitlines()
    assert message in said
    assert last.startswith("make: ***")


def test_the_one_that_is_named_is_taken_or_nothing(tmp_path: Path) -> None:
    install(tmp_path, python3=REAL, mine=REAL, python3_10=OLD)
    assert find(tmp_path, "mine").stdout == f"{tmp_path / 'mine'}\n"
    ended = make(tmp_path, "PYTHON=python3.10")
    assert ended.returncode == 2
    assert ended.stderr.startswith("PYTHON=python3.10 is no Python 3.11, 3.12 or 3.13")


def test_an_environment_is_made_with_what_was_found(tmp_path: Path) -> None:
    """What `python -m venv` makes of it is tried by each `make test` on a fresh clone."""
    noted = tmp_path / "noted"
    install(tmp_path, python3_13=_NOTES.format(python=REAL, noted=noted))
    ended = make(tmp_path)
    assert ended.returncode == 0, ended.stderr
    assert noted.read_text() == f"-m venv {tmp_path / 'venv'}\n"
