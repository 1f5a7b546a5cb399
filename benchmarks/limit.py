"""The limit: libcurl fetching the same URLs and throwing them away.

    python -m benchmarks.limit FOLDER

What a crawler on libcurl can reach at most, on this machine in this run: no parsing, no writing, no order.
"""

import argparse
import resource
import time
from itertools import islice
from pathlib import Path

import pycurl

from benchmarks.peers import Figures
from benchmarks.sites import documentation

_CONNECTIONS = 16


def fetch_all(start: str, folder: Path) -> Figures:
    """Fetch every HTML file of a folder from the server that serves it, 16 at a time."""
    root = start.rpartition("/")[0]
    paths = [path.relative_to(folder) for path in sorted(folder.rglob("*.html"))]
    urls = iter([f"{root}/{path}" for path in paths])
    before, began = resource.getrusage(resource.RUSAGE_SELF), time.monotonic()
    multi = pycurl.CurlMulti()
    under_way = {_begin(multi, _handle(), url) for url in islice(urls, _CONNECTIONS)}
    while under_way:
        multi.perform()
        for curl in multi.info_read()[1]:
            multi.remove_handle(curl)
            under_way.discard(curl)
            if (url := next(urls, None)) is not None:
                under_way.add(_begin(multi, curl, url))
        multi.select(0.1)
    seconds, after = time.monotonic() - began, resource.getrusage(resource.RUSAGE_SELF)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {
        "pages": len(paths),
        "pages/s": len(paths) / seconds,
        "pages/CPU s": len(paths) / cpu,
        "running": len(paths) / cpu,
        "CPU s to start": 0.0,
        "memory": 0.0,
        "stored": 0.0,
    }


def _handle() -> pycurl.Curl:
    curl = pycurl.Curl()
    curl.setopt(pycurl.NOSIGNAL, 1)
    curl.setopt(pycurl.BUFFERSIZE, 128 << 10)
    curl.setopt(pycurl.WRITEFUNCTION, lambda piece: None)
    return curl


def _begin(multi: pycurl.CurlMulti, curl: pycurl.Curl, url: str) -> pycurl.Curl:
    curl.setopt(pycurl.URL, url)
    multi.add_handle(curl)
    return curl


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    with documentation(folder) as start:
        print(fetch_all(start, folder))


if __name__ == "__main__":
    main()
