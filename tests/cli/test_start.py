"""The start of `gossamer crawl`: it imports what a crawl of one page uses, and nothing else.

An import costs everyone, at every start, and comes back unseen with one line at the top of a module. To see
who imports a module again: `python -X importtime -m gossamer crawl …`.
"""

import subprocess
import sys
from pathlib import Path

import pytest
from tools.kernels.library import NAME, is_current

from gossamer.lab import Web, serve
from tests.needs import needs

_ROOT = Path(__file__).parents[2]
_LIBRARY = _ROOT / "src" / "gossamer" / "core" / NAME

OWN_MODULES = 485
"""Modules of Gossamer that a crawl of one page imports, at most; one more that every crawl needs is counted
here."""

HEAVY = (
    "asyncio",  # only an event loop of the user's, remote workers and the dashboard
    "duckdb",
    "numba",
    "llvmlite",
    "jinja2",
    "matplotlib",
    "pyarrow.compute",
    "pyarrow.dataset",
    "pydantic",  # Typer's schemas: see cli/plain_values.py
    "pypdfium2",
    "selectolax",
    "starlette",
    "tantivy",
    "gossamer.archive",
    "gossamer.cluster.remote",
    "gossamer.cluster.storage",
    "gossamer.cluster.supervised",
    "gossamer.dashboard",
    "gossamer.export",
    "gossamer.graph",
    "gossamer.lab",
    "gossamer.pipeline.parse.extraction",
    "gossamer.push",
    "gossamer.report",
    "gossamer.search",
    "gossamer.text",
)
"""Modules that cost a start milliseconds or megabytes, and that it does not need."""

_COMMAND = """
import sys
from gossamer.cli import run
status = run(sys.argv[1:])
print(*sys.modules)
sys.exit(status)
"""


@pytest.fixture(scope="module")
def imported(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """The modules that were imported when a crawl of one page has ended."""
    out = tmp_path_factory.mktemp("start") / "out"
    with serve(Web(seed=3, pages=1, hosts=1)) as served:
        here = ("--dns", served.dns_address, "--allow-private", "--delay", "0", "--max-pages", "1")
        command = ("crawl", served.seed_url, "-o", str(out), "--quiet", *here)
        return set(_run(*command).splitlines()[-1].split())


def _run(*arguments: str) -> str:
    ended = subprocess.run(
        [sys.executable, "-c", _COMMAND, *arguments],
        cwd=_ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


@pytest.mark.parametrize("heavy", HEAVY)
def test_a_crawl_of_one_page_does_not_import(heavy: str, imported: set[str]) -> None:
    found = sorted(one for one in imported if f"{one}.".startswith(f"{heavy}."))
    if found and heavy in ("numba", "llvmlite") and not is_current(_LIBRARY, _ROOT):
        pytest.skip(needs("kernels", "run `python -m tools.kernels`"))
    assert found == []


def test_a_crawl_of_one_page_imports_few_modules_of_its_own(imported: set[str]) -> None:
    own = [one for one in imported if one.partition(".")[0] == "gossamer"]
    assert "gossamer.engine.ring" in own
    assert len(own) <= OWN_MODULES


def test_help_imports_no_part_of_a_crawl() -> None:
    modules = _run("crawl", "--help").splitlines()[-1].split()
    assert "gossamer.cli.crawl_command" in modules
    assert {"numpy", "pyarrow", "pydantic", "gossamer.engine.ring"}.isdisjoint(modules)


def test_a_command_imports_no_other(imported: set[str]) -> None:
    commands = {one for one in imported if one.startswith("gossamer.cli.")}
    assert [one for one in sorted(commands) if one.endswith("_command")] == [
        "gossamer.cli.crawl_command"
    ]
