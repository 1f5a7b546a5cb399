"""Gossamer as a process of its own, behind the witness."""

import json
import subprocess
import sys
import tempfile
from typing import Any

from benchmarks.applications.witness import Witness, proxied


def crawl(
    witness: Witness, start: str, max_pages: int, max_seconds: float, more: list[str]
) -> dict[str, Any]:
    """Crawl with the settings at their defaults, without gaps; returns the summary."""
    host = start.removeprefix("http://").partition("/")[0]
    with tempfile.TemporaryDirectory() as work, proxied(witness, host) as proxy:
        command = [sys.executable, "-m", "gossamer.cli", "crawl", start, "-o", f"{work}/out"]
        command += ["--delay", "0", "--json", "--max-pages", str(max_pages)]
        command += ["--max-time", f"{max_seconds:.0f}s", "--set", f"fetch.proxy={proxy}"]
        command += ["--set", "politeness.address_delay=0", *more]
        done = subprocess.run(command, capture_output=True, check=False)
    if not done.stdout:
        raise RuntimeError(done.stderr.decode())
    summary: dict[str, Any] = json.loads(done.stdout)
    return summary
