"""Crawlers of a whole site, each a real process from start to end.

Every function takes the URL of a site's first page and returns what it took: pages, pages per second
of the crawl, pages per second of CPU time, peak memory and bytes stored. CPU time is given twice: of the
whole process, and without what the same crawler takes for one page, that is, for starting and ending.

All write to a file system in memory, if there is one: what it costs to make a thousand files depends on a
disk's history more than on the crawler.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

Figures = dict[str, float]
Crawler = Callable[[str], Figures]

_THREADS = 16
_CONNECTIONS = 64
_IN_MEMORY = Path("/dev/shm")


def gossamer(start: str, *more: str) -> Figures:
    """Everything on: WARC, index, tables, duplicates, state on disk, robots; 64 connections."""
    with _folder() as work:
        command = [sys.executable, "-m", "gossamer.cli", "crawl", start, "--delay", "0", *more]
        command += ["--per-host", str(_CONNECTIONS), "--allow-private", "--json", "-o"]
        _, _, one = run([*command, f"{work}/one", "--max-pages", "1"])
        text, _, usage = run([*command, f"{work}/out"])
        summary = json.loads(text)
        stored = stored_bytes(Path(work, "out"))
        return figures(summary["pages"], summary["seconds"], usage, one, stored)


def scrapy(start: str) -> Figures:
    """64 concurrent requests; it keeps nothing."""
    command = [sys.executable, "-m", "benchmarks.scrapy_spider", start]
    _, _, one = run([*command, "1"])
    text, _, usage = run(command)
    summary = json.loads(text)
    return figures(summary["pages"], summary["seconds"], usage, one, 0)


def wget2(start: str) -> Figures:
    """16 threads; it keeps files, knows no duplicates and writes no archive."""
    with _folder() as work:
        command = ["wget2", "--quiet", start, "--directory-prefix"]
        _, _, one = run([*command, f"{work}/one"])
        more = ["--recursive", "--level=0", f"--max-threads={_THREADS}"]
        _, seconds, usage = run([*command, f"{work}/all", *more])
        folder = Path(work, "all")
        return figures(_files(folder), seconds, usage, one, stored_bytes(folder))


def wget(start: str) -> Figures:
    """One connection; it keeps files."""
    with _folder() as work:
        command = ["wget", "--quiet", start, "--directory-prefix"]
        _, _, one = run([*command, f"{work}/one"])
        _, seconds, usage = run([*command, f"{work}/all", "--recursive", "--level=inf"])
        folder = Path(work, "all")
        return figures(_files(folder), seconds, usage, one, stored_bytes(folder))


def httrack(start: str) -> Figures:
    """16 sockets, its own limits switched off; it keeps files."""
    with _folder() as work:
        command = ["httrack", start, "-q", "-I0", "-O"]
        _, _, one = run([*command, f"{work}/one", "-r1"])
        more = [f"-c{_THREADS}", "-%c1000", "-A1000000000", "--disable-security-limits"]
        _, seconds, usage = run([*command, f"{work}/all", *more])
        folder = Path(work, "all")
        return figures(_files(folder), seconds, usage, one, stored_bytes(folder))


def peers() -> dict[str, Crawler]:
    """Other crawlers that this machine has; what is missing is named and left out."""
    found: dict[str, Crawler] = {"scrapy": scrapy}
    for name, crawler in (("wget2", wget2), ("wget", wget), ("httrack", httrack)):
        if shutil.which(name):
            found[name] = crawler
        else:
            print(f"{name} is not installed; left out")
    return found


def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(dir=_IN_MEMORY if _IN_MEMORY.is_dir() else None)


def run(command: list[str]) -> tuple[bytes, float, Any]:
    """Run a process; returns what it printed, the seconds it took and the resources it used."""
    began = time.monotonic()
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert process.stdout is not None
        text = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    # wget says 8 when a server answered 404 once, which these sites do.
    if process.returncode and (process.returncode != 8 or "wget" not in command[0]):
        raise RuntimeError(f"{command} ended with {process.returncode}")
    return text, time.monotonic() - began, usage


def figures(pages: float, seconds: float, usage: Any, one: Any, stored: int) -> Figures:
    """`one` is what the same crawler used for a single page."""
    cpu, start = _cpu_seconds(usage), _cpu_seconds(one)
    return {
        "pages": pages,
        "pages/s": pages / seconds,
        "pages/CPU s": pages / cpu,
        "running": (pages - 1) / max(cpu - start, 0.001),
        "CPU s to start": start,
        "memory": usage.ru_maxrss * 1024,
        "stored": stored,
    }


def _cpu_seconds(usage: Any) -> float:
    seconds: float = usage.ru_utime + usage.ru_stime
    return seconds


def stored_bytes(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def _files(folder: Path) -> int:
    return sum(path.is_file() for path in folder.rglob("*"))
