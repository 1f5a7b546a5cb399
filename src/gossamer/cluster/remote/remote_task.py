"""The task of a partition on another machine, in a form that can be sent."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import msgspec
from msgspec import Struct
from xxhash import xxh3_64_hexdigest

from gossamer.cluster.carrier import End
from gossamer.cluster.frames import Frame, FrameKind
from gossamer.cluster.partition_report import describe
from gossamer.cluster.remote.lease import PassingError
from gossamer.cluster.remote.leased import LeasedStorage, LeasedWorld
from gossamer.cluster.remote.partition_connection import NearEnd
from gossamer.cluster.remote.remote_partition import RemotePartition
from gossamer.cluster.storage.background_downloads import ArrivingSystem
from gossamer.cluster.storage.retrying_storage import UnreachableError
from gossamer.core.directory import Directory, partition_name
from gossamer.core.disk import disk_files
from gossamer.core.disk.disk_files import CopySystem, durable
from gossamer.core.errors import GossamerError
from gossamer.core.settings import Settings
from gossamer.engine.assignment import Assignment
from gossamer.engine.builder import Plugins
from gossamer.engine.control.active_commands import ActiveCommands


class RemoteTask(Struct, frozen=True):
    """One incarnation of a partition: it comes from remote storage, works, and leaves nothing here."""

    settings: bytes
    """All of them; as bytes they travel even between versions, which are compared before they are read."""
    plugins: Plugins
    number: int
    token: str
    """The claim of the crawl on its remote storage."""
    epoch: int
    """Above those of all lives before."""
    is_delivering: bool
    is_restart: bool
    active_commands: ActiveCommands = ActiveCommands()
    """What people ordered and still counts."""
    crawl: str = ""
    """The identity of the crawl."""

    def __call__(self, end: End) -> Iterator[None]:
        assert isinstance(end, NearEnd), "remote tasks are for other machines"
        settings = msgspec.msgpack.decode(self.settings, type=Settings)
        disk_files.system = CopySystem(disk_files.system)
        root = self._make_room(settings.crawl.storage)
        try:
            partition = self._prepare(end, settings, root)
            yield from partition.live()
        finally:
            shutil.rmtree(root, ignore_errors=True)

    def _prepare(self, end: NearEnd, settings: Settings, root: Path) -> RemotePartition:
        world = LeasedWorld(end.clock, end.lease)
        try:
            lets_go = not settings.store.max_stored_pages  # else it looks into old files
            storage = LeasedStorage(
                *(settings.crawl.storage, self.token, self.epoch, end.clock, end.lease),
                lets_go=lets_go,
            )
            arrivals = storage.come_here(Directory(root, self.number))
            disk_files.system = ArrivingSystem(durable(), arrivals)
            Directory(root, crawl=self.crawl).write_settings(settings)
            whole = Assignment(Directory(root), world, self.plugins, settings, None)
        except (PassingError, UnreachableError):
            raise
        except OSError as error:
            end.complain(f"this machine failed: {error}")
            raise
        except GossamerError as error:
            end.say(Frame(FrameKind.FAILED, body=msgspec.msgpack.encode(describe(error))))
            raise
        whole.storage, whole.active_commands = storage, self.active_commands
        return RemotePartition(
            *(whole, self.number, end, None),
            is_delivering=self.is_delivering,
            owns_process=True,
            is_restart=self.is_restart,
        )

    def _make_room(self, storage: str) -> Path:
        """A folder of this machine; what lives of this partition left here that were killed goes."""
        place = Path(tempfile.gettempdir())
        name = f"gossamer-{xxh3_64_hexdigest(storage.encode())}-{partition_name(self.number)}-"
        for left_behind in place.glob(f"{name}*"):
            shutil.rmtree(left_behind, ignore_errors=True)
        root = place / f"{name}{self.epoch}"
        root.mkdir(mode=0o700)
        return root
