"""The summary of a crawl, while it runs and in the end."""

from msgspec import Struct


class MachineShare(Struct, frozen=True):
    """The part of a crawl on one of several machines."""

    partitions: tuple[int, ...] = ()
    """The numbers of the partitions that are there now."""
    pages: int = 0
    """What these have visited, wherever they were then."""
    waiting: int = 0
    in_flight: int = 0

    def __add__(self, other: "MachineShare") -> "MachineShare":
        return MachineShare(
            self.partitions + other.partitions,
            self.pages + other.pages,
            self.waiting + other.waiting,
            self.in_flight + other.in_flight,
        )


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
    """URLs known but not visited, without those on their way to another partition (`exchange`)."""
    undecided: int
    """URLs found that may be new or known: the next merge of the seen set decides."""
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
    """Failed attempts by kind, those that are tried again included. A kind is an outcome or a status, after
    `robots_` if it was a robots.txt."""
    levels: tuple[int, ...] = ()
    """URLs waiting in each front queue, best first."""
    deferred: int = 0
    """URLs over their domain's budget, put off to later rounds."""
    soft_errors: int = 0
    """Pages that look like their host's answer to a name that cannot exist."""
    shells: int = 0
    """Pages with scripts, but hardly any text and no links: a browser would show more."""
    held: int = 0
    """URLs held back because similar URLs brought nothing new; `waiting` does not count them."""
    respelled: int = 0
    """URLs that were given another spelling by a rule that was learned."""
    folded: int = 0
    """Of these, the ones that are kept in the spelling in which they were found, should the rule be wrong."""
    logins: tuple[str, ...] = ()
    """Hosts where the crawl seems to be no longer logged in, each with the reason and what to do."""
    decisions: tuple[str, ...] = ()
    """Patterns, hosts and spellings that were found not to be worth following, each with the reason."""
    budgets: dict[str, int] = {}
    """Pages per round, for the domains with the highest ranks."""
    near_duplicates: int = 0
    """Pages with nearly the text of another one, if not in `duplicates` or `same_text`."""
    same_text: int = 0
    """Pages with other bytes, but the same text as another URL."""
    disk: dict[str, int] = {}
    """Bytes on disk of each structure."""
    scheduled: int = 0
    """Pages that will be visited again, in a crawl that never ends."""
    unchanged: int = 0
    """Visits that found a page as it was: at the visit before, or in the crawl named with `--known`."""
    blocked: int = 0
    """URLs that a block sets aside, until `gossamer control DIR unblock`; `waiting` does not count them."""
    out_of_scope: int = 0
    """URLs that waited when a change of the scope shut them out; they are kept until the scope wants them."""
    requisites: int = 0
    """Of `pages`, images, style sheets and the like that other pages need (`parse.page_requisites`)."""
    retired: int = 0
    """Pages that were stored and gave way to more valuable ones (`store.max_stored_pages`)."""
    wait_seconds: float = 0.0
    """Seconds for which no request is possible, because all hosts with waiting URLs must rest."""
    is_over_budget: bool = False
    """Is it the budget of visits that allows none before (`revisit.visits_per_day`), and not the hosts?"""
    partitions: int = 1
    """Processes that shared the work."""
    exchange: dict[str, int] = {}
    """Between partitions: messages sent, received, and left out because they had just been sent; questions
    asked; bytes not received yet; and how often partitions died and were restarted since the last start."""
    found: dict[str, int] = {}
    """What analyzers count that settings switch on, such as pages in each language."""
    is_paused: bool = False
    """Does no visit begin, by a command or by the program that runs it?"""
    machines: dict[str, MachineShare] = {}
    """Which machine has which partitions, if they are on several; of a crawl that has ended, had."""

    @property
    def has_pages(self) -> bool:
        """Was any page fetched, or found to be as it was before?"""
        return any(status[0] == "2" or status == "304" for status in self.statuses)

    @property
    def needs_browser(self) -> bool:
        """Are most of the pages empty without their scripts, which a crawl does not run?"""
        return 2 * self.shells > self.statuses.get("200", 0)


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
"""The summary of a crawl that has done nothing yet."""

COPIED = "copied"
"""By this a copy was stopped of a crawl that had not ended: it runs elsewhere, or was killed there."""
