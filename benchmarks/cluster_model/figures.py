"""What the model is given: figures that were measured, and machines that are wished for."""

from collections.abc import Sequence

from msgspec import Struct

from gossamer.core.settings import MOST_PARTITIONS


class PerLink(Struct, frozen=True):
    """What a link takes up on its way if so many travel in one batch."""

    links: int
    bytes: float


class Measured(Struct, frozen=True):
    """Figures of small runs; `SOURCES` says where each comes from."""

    pages: int
    """Pages of the small crawl."""
    cpu: float
    """Seconds of one core for a page."""
    fetched: float
    """Bytes of a page that come over the network."""
    shipped: float
    """Bytes of a page that go to remote storage."""
    idle: float
    """Bytes of memory of a partition that has just begun …"""
    components: float
    """… and what its components may take up more, as settings say."""
    links: float
    """Links of a page."""
    foreign: float
    """Of these, links to other hosts."""
    told: float
    """Other messages of a page, if no host is one's own: links between domains, fingerprints …"""
    asked: float
    """… and questions."""
    batches: Sequence[PerLink]
    relay: float
    """Seconds of one core to pass a frame on."""


SOURCES = {
    "cpu": "`gossamer crawl` of a simulated web with remote storage, in one partition: CPU time "
    "of two runs of "
    "different length, their difference",
    "fetched": "bytes that the longer one says it fetched",
    "shipped": "everything that lies at home in the end, the difference of both runs",
    "idle": "most memory of the shorter run",
    "components": "settings: `frontier.memory`, `seen.memory`, `budget.memory`, `content.memory`, "
    "`store.history_memory`; a crawl of some million URLs [fills them](../../benchmarks/results/memory.md)",
    "links": "links of pages of the simulated web",
    "foreign": "the same",
    "told": "the same crawl in four partitions: messages that it sent or left out, without these links",
    "asked": "its frames of questions; fewer, when pages come so fast that questions are asked together",
    "batches": "such links, packed as a batch and compressed as a line over the network does it",
    "relay": "such frames through two sockets, read and written as the supervisor does it",
}


class Machines(Struct, frozen=True):
    """What each machine has; the supervisor has one like it, and uses one core of it."""

    cores: int = 8
    memory: float = 32e9
    """Bytes."""
    network: float = 10e9 / 8
    """Bytes a second, in and out together."""
    pages: float = 100e6
    """Pages that each of them has recorded in the end."""
    most_partitions: int = MOST_PARTITIONS
    """The most that a crawl can have."""
