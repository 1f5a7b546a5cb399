"""Copies of crawl directories, also of those whose crawl was killed and left its socket behind."""

import shutil
from pathlib import Path


def copy_crawl(source: Path, target: Path) -> Path:
    """A copy of all files; a socket is none."""
    return shutil.copytree(source, target, ignore=shutil.ignore_patterns("control.sock"))
