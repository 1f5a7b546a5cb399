"""What a partition on another machine does, in a form that can travel."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import msgspec
from msgspec import Struct
from xxhash import xxh3_64_hexdigest

from gossamer.base.directory import Directory, partition_name
from gossamer.base.disk import files
from gossamer.base.disk.files import CopySystem, durable
from gossamer.base.errors import GossamerError
from gossamer.base.settings import Settings
from gossamer.cluster.carrier import End
from gossamer.cluster.far.far_partition import FarPartition
from gossamer.cluster.far.lease import PassingError
from gossamer.cluster.far.leased import LeasedHome, LeasedWorld
from gossamer.cluster.far.near_end import NearEnd
from gossamer.cluster.frames import Frame, FrameKind
from gossamer.cluster.home.arrivals import ArrivingSystem
from gossamer.cluster.home.patience import UnreachableError
from gossamer.cluster.report import describe
from gossamer.crawl.assignment import Assignment
from gossamer.crawl.build import Taste
from gossamer.crawl.control.in_force import InForce


class FarErrand(Struct, frozen=True):
    """One life of a partition: it comes from home, works, and leaves nothing here."""

    settings: bytes
    """All of them; as bytes they travel even between versions, which are compared before they are read."""
    taste: Taste
    number: int
    token: str
    """The claim of the crawl on its home."""
    epoch: int
    """Above those of all lives before."""
    is_delivering: bool
    is_restart: bool
    in_force: InForce = InForce()
    """What people ordered and still counts."""

    def __call__(self, end: End) -> Iterator[None]:
        assert isinstance(end, NearEnd), "errands are for other machines"
        settings = msgspec.msgpack.decode(self.settings, type=Settings)
        files.system = CopySystem(files.system)
        root = self._make_room(settings.crawl.home)
        try:
            partition = self._prepare(end, settings, root)
            yield from partition.live()
        finally:
            shutil.rmtree(root, ignore_errors=True)

    def _prepare(self, end: NearEnd, settings: Settings, root: Path) -> FarPartition:
        world = LeasedWorld(end.clock, end.lease)
        try:
            lets_go = not settings.store.max_stored_pages  # else it looks into old files
            home = LeasedHome(
                *(settings.crawl.home, self.token, self.epoch, end.clock, end.lease),
                lets_go=lets_go,
            )
            arrivals = home.come_here(Directory(root, self.number))
            files.system = ArrivingSystem(durable(), arrivals)
            Directory(root).write_settings(settings)
            whole = Assignment(Directory(root), world, self.taste, settings, None)
        except (PassingError, UnreachableError):
            raise
        except OSError as error:
            end.complain(f"this machine fails: {error}")
            raise
        except GossamerError as error:
            end.say(Frame(FrameKind.FAILED, body=msgspec.msgpack.encode(describe(error))))
            raise
        whole.home, whole.in_force = home, self.in_force
        return FarPartition(
            *(whole, self.number, end, None),
            is_delivering=self.is_delivering,
            owns_process=True,
            is_restart=self.is_restart,
        )

    def _make_room(self, home: str) -> Path:
        """A folder of this machine; what lives of this partition left here that were killed goes."""
        place = Path(tempfile.gettempdir())
        name = f"gossamer-{xxh3_64_hexdigest(home.encode())}-{partition_name(self.number)}-"
        for left_behind in place.glob(f"{name}*"):
            shutil.rmtree(left_behind, ignore_errors=True)
        root = place / f"{name}{self.epoch}"
        root.mkdir(mode=0o700)
        return root
