"""An installation has the compilers' work done for the whole package."""

import os
import subprocess
import sys
from pathlib import Path

import gossamer


def test_every_module_is_compiled(tmp_path: Path) -> None:
    """Those that warming up does not load as well: commands are started before anything else."""
    package = Path(gossamer.__file__).parent
    surroundings = {**os.environ, "PYTHONPYCACHEPREFIX": str(tmp_path)}
    program = [sys.executable, "-m", "gossamer.crawl.warm"]
    subprocess.run(program, check=True, env=surroundings, capture_output=True)
    compiled = {path.name.partition(".")[0] for path in tmp_path.rglob("gossamer/**/*.pyc")}
    assert {path.stem for path in package.rglob("*.py")} <= compiled
