"""The wheel is all that a stranger gets: it is built, installed into a clean environment, and crawls.

Only the packages that Gossamer needs come from the environment of the tests, by a `.pth` file, so that no
network is asked, and kernels that were compiled already are taken along. Such a file does not lead to the
sources: what an editable installation put beside those packages is a `.pth` file of its own, which counts
in its own environment only.
"""

import os
import shutil
import subprocess
import sys
import venv
from collections.abc import Iterator
from pathlib import Path
from zipfile import ZipFile

import pytest

from gossamer.lab import ServedWeb, Web, serve
from tests.engine.engine_crawling import query
from tests.needs import needs

ROOT = Path(__file__).parents[1]
PARTS = ("pyproject.toml", "setup.py", "README.md", "LICENSE", "src", "tools")
OFFLINE = ("--quiet", "--no-index", "--no-deps")

pytestmark = pytest.mark.timeout(900)  # kernels that nobody compiled yet take a quarter of a minute


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from a copy, so that no trace of it is left among the sources."""
    sources, made = tmp_path_factory.mktemp("sources"), tmp_path_factory.mktemp("wheel")
    for part in PARTS:
        _copy(ROOT / part, sources / part)
    build = ("--no-build-isolation", "--wheel-dir", str(made), str(sources))
    subprocess.run([sys.executable, "-m", "pip", "wheel", *OFFLINE, *build], check=True)
    [found] = made.glob("gossamer-*.whl")
    return found


def _copy(source: Path, target: Path) -> None:
    if source.is_file():
        shutil.copy(source, target)
    else:
        shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))


class Place:
    """An environment that has the wheel."""

    def __init__(self, folder: Path, wheel: Path) -> None:
        self.folder, self.bin = folder, folder / "environment" / "bin"
        venv.create(folder / "environment", with_pip=False)
        pip = [sys.executable, "-m", "pip", "--python", str(self.bin / "python")]
        subprocess.run([*pip, "install", *OFFLINE, str(wheel)], check=True)
        [packages] = (folder / "environment").glob("lib/*/site-packages")
        others = [path for path in sys.path if path.endswith("site-packages")]
        (packages / "others.pth").write_text("\n".join(others))
        self._take_machine_code(packages)

    def _take_machine_code(self, packages: Path) -> None:
        """What was compiled for the sources: it is used only where it is of the very same ones."""
        for file in (ROOT / "src").rglob("*.nb[ic]"):
            there = packages / file.relative_to(ROOT / "src")
            if (
                there.parent.parent.is_dir()
            ):  # what is left of a package that was renamed is in no wheel
                there.parent.mkdir(exist_ok=True)
                shutil.copy(file, there)

    def run(self, *command: str) -> str:
        """What a command of the environment says; it knows nothing of the sources."""
        known = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        program = [str(self.bin / command[0]), *command[1:]]
        ended = subprocess.run(
            program, cwd=self.folder, env=known, capture_output=True, text=True, check=False
        )
        assert ended.returncode == 0, ended.stderr
        return ended.stdout


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory, wheel: Path) -> Place:
    return Place(tmp_path_factory.mktemp("place"), wheel)


@pytest.fixture
def served() -> Iterator[ServedWeb]:
    with serve(Web(seed=9, pages=30, hosts=3)) as served:
        yield served


def test_a_wheel_with_machine_code_needs_no_numba(wheel: Path) -> None:
    from tools.kernels.library import NAME, missing_for_build

    with ZipFile(wheel) as archive:
        files = archive.namelist()
        [about] = [archive.read(one).decode() for one in files if one.endswith("/METADATA")]
    has_kernels = f"gossamer/core/{NAME}" in files
    assert has_kernels == (not missing_for_build())
    assert ("Requires-Dist: numba\n" in about) != has_kernels
    assert ("-cp311-abi3-" if has_kernels else "-py3-none-any") in wheel.name
    assert "Requires-Dist: pycurl>=7.49\n" in about
    assert not [one for one in files if one.startswith("tools/")]


_WITHOUT_NUMBA = """
import sys
sys.modules["numba"] = sys.modules["llvmlite"] = None
from gossamer.cli import run
sys.exit(run(sys.argv[1:]))
"""


def test_it_crawls_without_numba(
    place: Place, wheel: Path, served: ServedWeb, tmp_path: Path
) -> None:
    if wheel.name.endswith("any.whl"):
        pytest.skip(needs("kernels", "the wheel was built without a C compiler"))
    here = ("--dns", served.dns_address, "--allow-private", "--delay", "0", "--scope", "all")
    out = str(tmp_path / "out")
    more = ("--partitions", "1", "--max-pages", "10", "--quiet")
    place.run("python", "-c", _WITHOUT_NUMBA, "crawl", served.seed_url, "-o", out, *here, *more)
    assert len(query(Path(out), "from pages select url where status = 200")) == 10


def test_what_is_imported_is_what_was_installed(place: Place) -> None:
    storage = place.run("python", "-c", "import gossamer; print(gossamer.__file__)").strip()
    assert Path(storage).is_relative_to(place.folder / "environment")
    where = (
        "from importlib.resources import files; print((files('gossamer') / 'py.typed').is_file())"
    )
    assert place.run("python", "-c", where) == "True\n"


def test_commands_answer(place: Place, wheel: Path) -> None:
    version = wheel.name.split("-")[1]
    assert place.run("gossamer", "--version") == f"gossamer {version}\n"
    assert "crawl" in place.run("python", "-m", "gossamer", "--help")


def test_the_licence_is_in_it(place: Place) -> None:
    [licence] = (place.folder / "environment").glob(
        "lib/*/site-packages/gossamer-*/licenses/LICENSE"
    )
    assert licence.read_text() == (ROOT / "LICENSE").read_text()


def test_it_crawls(place: Place, served: ServedWeb, tmp_path: Path) -> None:
    here = ("--dns", served.dns_address, "--allow-private", "--delay", "0", "--scope", "all")
    out = str(tmp_path / "out")
    place.run("gossamer", "crawl", served.seed_url, "-o", out, "--partitions", "2", *here)
    assert len(query(Path(out), "from pages select url where status = 200")) == 30
    assert "ok" in place.run("gossamer", "verify", out).lower()
