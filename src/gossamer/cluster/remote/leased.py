"""Time, network and storage of a partition, for as long as its lease holds."""

from gossamer.cluster.remote.lease import Lease
from gossamer.cluster.storage.background_downloads import Arrivals
from gossamer.cluster.storage.object_storage import open_storage
from gossamer.cluster.storage.partition_storage import Arrived, PartitionStorage, come_to_storage
from gossamer.cluster.storage.retrying_storage import RetryingStorage
from gossamer.cluster.storage.storage_claim import StorageClaim
from gossamer.core.clock import Clock
from gossamer.core.directory import Directory
from gossamer.core.poller import Poller
from gossamer.core.protocols import Fetching
from gossamer.core.records import Visit
from gossamer.core.settings import FetchSettings
from gossamer.engine.world import RealWorld
from gossamer.pipeline.fetch import Fetcher


class LeasedPoller(Poller):
    """Wakes nobody after the lease has run out: a machine that slept meanwhile must not go on as before."""

    def __init__(self, lease: Lease) -> None:
        super().__init__()
        self._lease = lease

    def _sleep(self, seconds: float) -> list[tuple[int, int]]:
        events = super()._sleep(seconds)
        self._lease.check()
        return events


class LeasedFetcher(Fetcher):
    """Asks no server after the lease has run out."""

    def hold(self, lease: Lease) -> "LeasedFetcher":
        self._lease = lease
        return self

    def start(
        self, visit: Visit, address: str, fields: tuple[str, ...] = (), most: int | None = None
    ) -> None:
        self._lease.check()
        super().start(visit, address, fields, most)


class LeasedWorld(RealWorld):
    """The world of one incarnation. Its clock is the crawl's."""

    def __init__(self, clock: Clock, lease: Lease) -> None:
        super().__init__()
        self.clock = clock
        self._lease = lease

    def poller(self) -> Poller:
        return LeasedPoller(self._lease)

    def fetcher(self, settings: FetchSettings, agent: str, poller: Poller) -> Fetching:
        return LeasedFetcher(settings, agent, poller, self.clock).hold(self._lease)


class LeasedStorage:
    """The remote storage of a crawl for one incarnation of a partition. Nothing is sent after the lease
    has run out."""

    def __init__(
        self,
        url: str,
        token: str,
        epoch: int,
        clock: Clock,
        lease: Lease,
        *,
        lets_go: bool,
    ) -> None:
        """`lets_go`: the machine does without files that are full and in remote storage."""
        self._storage = RetryingStorage(open_storage(url))
        self._claim = StorageClaim(self._storage, token, clock)
        self._epoch = epoch
        self._lease = lease
        self._lets_go = lets_go
        self._arrived: Arrived | None = None

    def come_here(self, directory: Directory) -> Arrivals:
        """Fetch what the partition had when its last incarnation ended; returns what of it will come
        later."""
        self._check()
        self._arrived = come_to_storage(
            self._storage, directory, lets_go=self._lets_go, goes_ahead=True
        )
        return self._arrived.arrivals

    def claim(self, directory: Directory, *, is_new: bool) -> None:
        raise NotImplementedError("the supervisor does that")

    def store_commands(self, directory: Directory) -> None:
        raise NotImplementedError("the supervisor does that")

    def partition(self, directory: Directory) -> PartitionStorage:
        return PartitionStorage(
            *(self._storage, directory, self._check, self._epoch, self._lets_go, self._arrived)
        )

    def _check(self) -> None:
        self._lease.check()
        self._claim.check()
