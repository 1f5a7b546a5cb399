"""What a partition takes from outside, as long as its lease holds: time, network, home."""

from gossamer.base.clock import Clock
from gossamer.base.directory import Directory
from gossamer.base.poller import Poller
from gossamer.base.protocols import Fetching
from gossamer.base.records import Visit
from gossamer.base.settings import FetchSettings
from gossamer.cluster.far.lease import Lease
from gossamer.cluster.home.arrivals import Arrivals
from gossamer.cluster.home.claim import HomeClaim
from gossamer.cluster.home.partition_home import Arrived, PartitionHome, come_home
from gossamer.cluster.home.patience import PatientStorage
from gossamer.cluster.home.storage import open_storage
from gossamer.crawl.world import RealWorld
from gossamer.cycle.fetch import Fetcher


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
    """The world of one life. Its clock is the crawl's."""

    def __init__(self, clock: Clock, lease: Lease) -> None:
        super().__init__()
        self.clock = clock
        self._lease = lease

    def poller(self) -> Poller:
        return LeasedPoller(self._lease)

    def fetcher(self, settings: FetchSettings, agent: str, poller: Poller) -> Fetching:
        return LeasedFetcher(settings, agent, poller, self.clock).hold(self._lease)


class LeasedHome:
    """The home of a crawl for one life of a partition. Nothing is sent after the lease has run out."""

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
        """`lets_go`: the machine does without files that are full and at home."""
        self._storage = PatientStorage(open_storage(url))
        self._claim = HomeClaim(self._storage, token, clock)
        self._epoch = epoch
        self._lease = lease
        self._lets_go = lets_go
        self._arrived: Arrived | None = None

    def come_here(self, directory: Directory) -> Arrivals:
        """Fetch what the partition had when its last life ended; returns what of it will come later."""
        self._check()
        self._arrived = come_home(self._storage, directory, lets_go=self._lets_go, goes_ahead=True)
        return self._arrived.arrivals

    def claim(self, directory: Directory, *, is_new: bool) -> None:
        raise NotImplementedError("the supervisor does that")

    def keep_orders(self, directory: Directory) -> None:
        raise NotImplementedError("the supervisor does that")

    def partition(self, directory: Directory) -> PartitionHome:
        return PartitionHome(
            *(self._storage, directory, self._check, self._epoch, self._lets_go, self._arrived)
        )

    def _check(self) -> None:
        self._lease.check()
        self._claim.check()
