"""Where the graph cnr-2000 is, which several benchmarks measure with."""

import os
from pathlib import Path

_NAME = Path("graph") / "cnr-2000.graph-txt.gz"


def find_cnr_2000() -> Path:
    """In the folder that GOSSAMER_DATA names, or in ../shared/data."""
    beside = Path(__file__).parents[2] / "shared" / "data"
    path = Path(os.environ.get("GOSSAMER_DATA") or beside) / _NAME
    if not path.is_file():
        raise SystemExit(f"{path} is not there; name the folder that has {_NAME} in GOSSAMER_DATA")
    return path
