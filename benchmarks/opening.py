"""How soon a partition can go on on a machine that has nothing of it, by what it waits for.

    python -m benchmarks.opening CRAWL [--rate 100]

CRAWL is the directory of a crawl that was stopped, of one partition. Its files are sent to remote storage
in a temporary folder. Then the partition comes from there, once with all of its files first and once ahead
of the large ones, and its components are opened. The home hands out so many megabytes a second.
"""

import argparse
import tempfile
import time
from pathlib import Path
from threading import Lock

from benchmarks.report import Row, print_rows
from gossamer.cluster.storage.background_downloads import Arrivals, ArrivingSystem
from gossamer.cluster.storage.object_storage import FolderStorage
from gossamer.cluster.storage.partition_storage import PartitionStorage, come_to_storage
from gossamer.core.directory import Directory
from gossamer.core.disk import disk_files
from gossamer.core.settings import Settings
from gossamer.engine.builder import Builder, Plugins
from gossamer.engine.job import Job
from gossamer.engine.run_control import RunControl
from gossamer.engine.warm import warm_up
from gossamer.engine.world import RealWorld


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


def open_components(directory: Directory, settings: Settings) -> Job:
    world = RealWorld()
    job = Job(settings, [], world, directory, RunControl())
    job.open(Builder(settings, [], Plugins(), world))
    return job


def measure(storage: NarrowStorage, root: Path, settings: Settings, goes_ahead: bool) -> Row:
    storage.bytes, began = 0, time.monotonic()
    directory = Directory(root)
    arrived = come_to_storage(storage, directory, lets_go=True, goes_ahead=goes_ahead)
    come, before = time.monotonic() - began, disk_files.system
    disk_files.system = ArrivingSystem(before, arrived.arrivals)
    directory.write_settings(settings)
    try:
        job = open_components(directory, settings)
        opened, fetched = time.monotonic() - began, storage.bytes
        arrived.arrivals.fetch_all()
        wait_for_all(directory, arrived.arrivals)
        job.close()
    finally:
        disk_files.system = before
    what = "ahead of large files" if goes_ahead else "after all files"
    figures = {
        "MB before it goes on": fetched / 1e6,
        "s": come,
        "s until it goes on": opened,
        "MB in all": storage.bytes / 1e6,
        "s in all": time.monotonic() - began,
    }
    return Row("opening", what, "gossamer", figures)


def wait_for_all(directory: Directory, arrivals: Arrivals) -> None:
    for path in directory.path.rglob("*"):
        if len(arrivals) and path.is_file():
            disk_files.open_file(path).close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("crawl", type=Path)
    parser.add_argument("--rate", type=float, default=100.0, help="megabytes a second")
    arguments = parser.parse_args()
    warm_up()
    settings = Directory(arguments.crawl).look()
    with tempfile.TemporaryDirectory() as work:
        storage = NarrowStorage(Path(work) / "home", arguments.rate * 1e6)
        PartitionStorage(storage, Directory(arguments.crawl)).ship(is_checkpoint=True)
        rows = [
            measure(storage, Path(work) / f"machine-{goes_ahead}", settings, goes_ahead)
            for goes_ahead in (False, True)
        ]
    print_rows(rows)


if __name__ == "__main__":
    main()
