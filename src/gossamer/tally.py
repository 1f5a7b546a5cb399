"""What a crawl has done so far, counted."""

from collections import Counter
from collections.abc import Iterable

import msgspec
from msgspec import Struct

from gossamer.base.outcomes import Outcome, Refusal
from gossamer.base.records import Kept, Remembered

_REFUSALS = frozenset(
    {
        Outcome.ROBOTS_DISALLOWED,
        Outcome.PRIVATE_ADDRESS,
        Outcome.BAD_URL,
        Outcome.SCHEME,
        Outcome.URL_TOO_LONG,
        Outcome.OUT_OF_SCOPE,
        Outcome.EXCLUDED,
        Outcome.NOT_INCLUDED,
        Outcome.TOO_DEEP,
    }
)
"""Outcomes that mean we did not want to, rather than that something broke."""


class Summary(Struct, frozen=True):
    """One final word about a crawl; `--json` prints it.

    >>> import gossamer
    >>> list(gossamer.Summary.__struct_fields__)[:4]
    ['pages', 'bytes', 'seconds', 'pages_per_second']
    """

    pages: int
    """Visits answered by a server, whatever the status."""
    bytes: int
    seconds: float
    pages_per_second: float
    links: int
    unique_urls: int
    waiting: int
    """URLs known but not visited, those apart that are on their way to another partition (`exchange`)."""
    undecided: int
    """URLs found that may or may not be known: the seen set will say so with its next merge."""
    hosts: int
    """Hosts with URLs waiting or under way."""
    in_flight: int
    duplicates: int
    """Pages with status 200 whose bytes were met at another URL."""
    statuses: dict[str, int]
    refused: dict[str, int]
    errors: dict[str, int]
    stopped_by: str
    directory: str = ""
    troubles: dict[str, int] = {}
    """Failed attempts by kind: an outcome or a status, after `robots_` when it was a robots.txt. Those
    are included that are tried again."""
    levels: tuple[int, ...] = ()
    """URLs waiting in each front queue, best first."""
    deferred: int = 0
    """URLs over their domain's budget, put off to later rounds."""
    soft_errors: int = 0
    """Pages that look like their host's answer to a name that cannot exist."""
    held: int = 0
    """URLs held back, because their like brought nothing new; they are not among the waiting."""
    respelled: int = 0
    """URLs that were given another spelling by a rule that was learned."""
    decisions: tuple[str, ...] = ()
    """Patterns, hosts and spellings that were found not to be worth following, each with the reason."""
    budgets: dict[str, int] = {}
    """Pages a round of the domains that rank highest."""
    near_duplicates: int = 0
    """Those of all others that say nearly what another one says."""
    same_text: int = 0
    """Those of other bytes whose text was met at another URL."""
    disk: dict[str, int] = {}
    """Bytes on disk of each structure."""
    unchanged: int = 0
    """Pages that are as the crawl named with `--known` had them."""
    retired: int = 0
    """Pages that were stored and gave way to more valuable ones (`store.max_stored_pages`)."""
    wait_seconds: float = 0.0
    """For how long nothing can be asked, because all that waits is for hosts that rest."""
    partitions: int = 1
    """Processes that shared the work."""
    exchange: dict[str, int] = {}
    """Between partitions: messages sent and received, those left out because they had just been sent,
    questions asked, bytes that wait to be received; partitions that died since the crawl was last
    started, and were started again."""

    @property
    def has_pages(self) -> bool:
        """Was any page fetched, or found to be as it was before?"""
        return any(status[0] == "2" or status == "304" for status in self.statuses)


_NOTHING = Remembered()
NOTHING = Summary(
    pages=0,
    bytes=0,
    seconds=0.0,
    pages_per_second=0.0,
    links=0,
    unique_urls=0,
    waiting=0,
    undecided=0,
    hosts=0,
    in_flight=0,
    duplicates=0,
    statuses={},
    refused={},
    errors={},
    stopped_by="",
)
"""What has been done before anything was."""


class Tally:
    """Counts what goes by; knows nothing of what it means."""

    def __init__(self) -> None:
        self.pages = 0
        self.bytes = 0
        self.links = 0
        self.duplicates = 0
        self.soft_errors = 0
        self.same_text = 0
        self.near_duplicates = 0
        self.unchanged = 0
        self.statuses: Counter[int] = Counter()
        self.refused: Counter[str] = Counter()
        self.errors: Counter[str] = Counter()
        self.troubles: Counter[str] = Counter()
        self.exchange: Counter[str] = Counter()
        """What went between this partition and others."""

    def count_visits(self, batch: Iterable[Kept]) -> None:
        for kept in batch:
            page = kept.document.page
            self.bytes += len(page.head) + len(page.payload)
            if page.outcome is Outcome.FETCHED:
                self.pages += 1
                self.statuses[page.status] += 1
                self.links += len(kept.document.links)
                self.soft_errors += kept.is_soft_error
                self.unchanged += kept.is_unchanged
                if page.status == 200 or kept.is_unchanged:
                    self._count_likeness(kept)
                if page.truncated:
                    self.errors[f"truncated_{page.truncated.value}"] += 1
                elif page.is_damaged:
                    self.errors["undecodable"] += 1
                if kept.document.failure:
                    self.errors[f"parse_{kept.document.failure.value}"] += 1
                if kept.document.bad_links:
                    self.refused[Refusal.BAD_URL.value] += kept.document.bad_links
            elif page.outcome in _REFUSALS:
                self.refused[page.outcome.value] += 1
            else:
                self.errors[page.outcome.value] += 1

    def _count_likeness(self, kept: Kept) -> None:
        """A page counts once, by the most that it has in common with another, as in `gossamer duplicates`."""
        before = kept.remembered or _NOTHING
        if kept.is_duplicate or before.duplicate_of is not None:
            self.duplicates += 1
        elif kept.same_text_as is not None or before.same_text_as is not None:
            self.same_text += 1
        elif kept.similar_to is not None or before.near_of is not None:
            self.near_duplicates += 1

    def dump(self) -> bytes:
        """All counts, to be taken up again by `load`."""
        return msgspec.msgpack.encode(self.__dict__)

    @classmethod
    def load(cls, counts: bytes) -> "Tally":
        """The tally that was dumped; a new one when nothing was.

        >>> tally = Tally()
        >>> tally.pages = 7
        >>> Tally.load(tally.dump()).pages
        7
        """
        tally = cls()
        for name, value in (msgspec.msgpack.decode(counts) if counts else {}).items():
            known = getattr(tally, name)
            setattr(tally, name, Counter(value) if isinstance(known, Counter) else value)
        return tally

    def count_refusal(self, refusal: Refusal, times: int = 1) -> None:
        self.refused[refusal.value] += times
