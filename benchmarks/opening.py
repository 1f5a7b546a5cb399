"""How soon a partition can go on on a machine that has nothing of it, by what it waits for.

    python -m benchmarks.opening CRAWL [--rate 100]

CRAWL is the directory of a crawl that was stopped, of one partition. Its files are sent to a home in a
temporary folder. Then the partition comes from there, once with all of its files first and once ahead of the
large ones, and its rooms are opened. The home hands out so many megabytes a second.
"""

import argparse
import tempfile
import time
from pathlib import Path
from threading import Lock

from benchmarks.report import Row, print_rows
from gossamer.base.directory import Directory
from gossamer.base.disk import files
from gossamer.base.settings import Settings
from gossamer.cluster.home.arrivals import Arrivals, ArrivingSystem
from gossamer.cluster.home.partition_home import PartitionHome, come_home
from gossamer.cluster.home.storage import FolderStorage
from gossamer.crawl.build import Builder, Taste
from gossamer.crawl.job import Job
from gossamer.crawl.switch import Switch
from gossamer.crawl.warm import warm_up
from gossamer.crawl.world import RealWorld


class NarrowStorage(FolderStorage):
    """Hands out so many bytes a second, to all who ask together."""

    def __init__(self, path: Path, rate: float) -> None:
        super().__init__(path)
        self._rate, self._lock = rate, Lock()
        self.bytes = 0

    def get(self, name: str, start: int = 0, size: int | None = None) -> bytes:
        data = super().get(name, start, size)
        with self._lock:
            self.bytes += len(data)
            time.sleep(len(data) / self._rate)
        return data


def open_rooms(directory: Directory, settings: Settings) -> Job:
    world = RealWorld()
    job = Job(settings, [], world, directory, Switch())
    job.open(Builder(settings, [], Taste(), world))
    return job


def measure(home: NarrowStorage, root: Path, settings: Settings, goes_ahead: bool) -> Row:
    home.bytes, began = 0, time.monotonic()
    directory = Directory(root)
    arrived = come_home(home, directory, lets_go=True, goes_ahead=goes_ahead)
    come, before = time.monotonic() - began, files.system
    files.system = ArrivingSystem(before, arrived.arrivals)
    directory.write_settings(settings)
    try:
        job = open_rooms(directory, settings)
        opened, fetched = time.monotonic() - began, home.bytes
        arrived.arrivals.fetch_all()
        wait_for_all(directory, arrived.arrivals)
        job.close()
    finally:
        files.system = before
    what = "ahead of large files" if goes_ahead else "after all files"
    figures = {
        "MB before it goes on": fetched / 1e6,
        "s": come,
        "s until it goes on": opened,
        "MB in all": home.bytes / 1e6,
        "s in all": time.monotonic() - began,
    }
    return Row("opening", what, "gossamer", figures)


def wait_for_all(directory: Directory, arrivals: Arrivals) -> None:
    for path in directory.path.rglob("*"):
        if len(arrivals) and path.is_file():
            files.open_file(path).close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("crawl", type=Path)
    parser.add_argument("--rate", type=float, default=100.0, help="megabytes a second")
    arguments = parser.parse_args()
    warm_up()
    settings = Directory(arguments.crawl).look()
    with tempfile.TemporaryDirectory() as work:
        home = NarrowStorage(Path(work) / "home", arguments.rate * 1e6)
        PartitionHome(home, Directory(arguments.crawl)).ship(is_checkpoint=True)
        rows = [
            measure(home, Path(work) / f"machine-{goes_ahead}", settings, goes_ahead)
            for goes_ahead in (False, True)
        ]
    print_rows(rows)


if __name__ == "__main__":
    main()
