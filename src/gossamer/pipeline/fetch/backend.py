"""The contract of a fetch backend, and the list of those that come with Gossamer."""

from collections.abc import Callable, Mapping
from typing import Protocol

from gossamer.core.clock import Clock
from gossamer.core.poller import Poller
from gossamer.core.records import Page, Visit
from gossamer.core.settings import FetchSettings
from gossamer.pipeline.fetch.file_backend import open_files


class Backend(Protocol):
    """Makes some of the visits in a way of its own; filled by `start`, emptied by `finished`. Nothing waits.

    It may be slow, and make few visits at a time: nothing is started without free slots, and the
    hosts of such visits wait in the frontier. `tests/conformance/backend_suite.py` tries each of them.
    """

    is_local: bool
    """Does it ask nobody? Then its visits need no address, no permission by robots.txt and no turn."""

    def wants(self, visit: Visit) -> bool:
        """Is this visit for it?"""

    @property
    def in_flight(self) -> int:
        """Visits whose pages were not handed out yet."""

    def free_slots(self) -> int:
        """The number of visits that may be started now."""

    def start(
        self, visit: Visit, address: str, fields: tuple[str, ...] = (), most: int | None = None
    ) -> None:
        """Begin a visit; what `Fetching` says of addresses, header lines and the most bytes counts here."""

    def finished(self) -> list[Page]:
        """The pages of visits that ended since the last call."""

    def hosts_in_flight(self) -> dict[str, float]:
        """The hosts that are being asked, and since when."""

    def next_timeout(self) -> float | None:
        """Seconds until `tick` or `finished` has something to do; None when the poller will say."""

    def tick(self) -> None:
        """Do what is due."""

    def close(self) -> None:
        """Drop what is under way."""


OpenBackend = Callable[[Mapping[str, str], FetchSettings, Poller, Clock], Backend]
"""Makes a backend for hosts, each with the argument that its route has; a bad one is a `SettingsError`."""

BACKENDS: Mapping[str, OpenBackend] = {
    "files": open_files,
}
"""What may stand before the colon in `fetch.routes`."""
