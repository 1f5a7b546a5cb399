"""An installation has the compilers' work done for the whole package."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import gossamer
from gossamer.engine import warm
from gossamer.lab import Web, serve

IS_WHOLE = os.environ.get("GOSSAMER_WARM") == "all"
PACKAGE = Path(gossamer.__file__).parent


def test_modules_of_all_parts_of_a_package_are_compiled(tmp_path: Path) -> None:
    """A part of ours; `make soak` compiles the whole (GOSSAMER_WARM=all)."""
    leave = shutil.ignore_patterns("__pycache__")
    copy = shutil.copytree(PACKAGE / "policy" / "budget", tmp_path / "a" / "b", ignore=leave)
    (tmp_path / "a" / "alone.py").write_text("X = 1")
    warm.compile_modules(tmp_path / "a")
    compiled = {path.name.partition(".")[0] for path in tmp_path.rglob("*.pyc")}
    assert {path.stem for path in copy.rglob("*.py")} | {"alone"} == compiled


@pytest.mark.skipif(not IS_WHOLE, reason="compiles the package: make soak (GOSSAMER_WARM=all)")
def test_every_module_is_compiled(tmp_path: Path) -> None:
    """Those that warming up does not load as well: commands are started before anything else."""
    surroundings = {**os.environ, "PYTHONPYCACHEPREFIX": str(tmp_path)}
    program = [sys.executable, "-m", "gossamer.engine.warm"]
    subprocess.run(program, check=True, env=surroundings, capture_output=True)
    compiled = {path.name.partition(".")[0] for path in tmp_path.rglob("gossamer/**/*.pyc")}
    assert {path.stem for path in PACKAGE.rglob("*.py")} <= compiled


def _kept(cache: Path) -> set[str]:
    return {path.name for path in cache.rglob("*.nbc")}


@pytest.mark.skipif(
    not IS_WHOLE,
    reason="compiles all kernels, for minutes: make soak (GOSSAMER_WARM=all)",
)
def test_no_command_compiles_after_it(tmp_path: Path) -> None:
    """From the first crawl on; each order but the default has kernels that wait until it is chosen."""
    cache, out = tmp_path / "cache", str(tmp_path / "out")
    surroundings = {**os.environ, "NUMBA_CACHE_DIR": str(cache)}

    def run(*command: str) -> None:
        subprocess.run(
            [sys.executable, "-m", *command], check=True, env=surroundings, capture_output=True
        )

    run("gossamer.engine.warm")
    kept = _kept(cache)
    assert kept
    with serve(Web(seed=9, pages=60, hosts=2)) as served:
        web = ("--dns", served.dns_address, "--allow-private", "--delay", "0", "--scope", "all")
        run("gossamer.cli", "crawl", served.seed_url, "-o", out, *web, "-q", "--max-pages", "30")
        run("gossamer.cli", "resume", out, "-q", "--max-pages", "60")
        run("gossamer.cli", "crawl", served.seed_url, "-o", f"{out}-2", *web, "--partitions", "2")
    assert _kept(cache) - kept == set(), "crawl"
    for command in ("text", "index", "duplicates", "report", "verify"):
        run("gossamer.cli", command, out)
        assert _kept(cache) - kept == set(), command
    run("gossamer.cli", "search", out, "road")
    run("gossamer.cli", "explain", served.seed_url, "--crawl", out, "--offline")
    assert _kept(cache) - kept == set(), "search, explain"
    for command in ("build", "rank", "shape"):
        run("gossamer.cli", "graph", command, out)
        assert _kept(cache) - kept == set(), command
