"""The knobs of a crawl: one frozen section per room, each field typed, bounded and described.

`crawl.toml` has the same shape. The descriptions here are the documentation: `gossamer settings`
prints them, `docs/settings.md` is made from them.
"""

from typing import Annotated, Literal

from msgspec import Meta, Struct

AUTOMATIC = -1
"""A number that Gossamer chooses by itself."""


def _about(
    text: str, *, ge: float | None = None, gt: float | None = None, le: float | None = None
) -> Meta:
    if gt is not None:
        return Meta(description=text, gt=gt, le=le)
    return Meta(description=text, ge=ge, le=le)


class CrawlSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """The crawl as a whole."""

    seeds: Annotated[tuple[str, ...], _about("URLs to start from.")] = ()
    max_pages: Annotated[
        int, _about("Stop after this many answered visits; 0 is no limit.", ge=0)
    ] = 0
    max_seconds: Annotated[float, _about("Stop after this many seconds; 0 is no limit.", ge=0)] = (
        0.0
    )
    max_errors: Annotated[
        int,
        _about(
            "Stop after this many errors, since the crawl was last started, in parsers, scope functions "
            "and orders that a program or a package brought along; 0 is no limit.",
            ge=0,
        ),
    ] = 1000
    partitions: Annotated[
        int,
        _about(
            "Processes that share the work; 0: one for each core in broad crawls from the command "
            "line, unless what their order learns from links cannot travel; else 1. A crawl keeps its "
            "number for life.",
            ge=0,
            le=255,
        ),
    ] = 0
    hung_after: Annotated[
        float,
        _about(
            "A partition that says nothing for so many seconds is ended and started again: longer than "
            "its longest checkpoint, merge, opening or ending takes; 0 is never.",
            ge=0,
        ),
    ] = 600.0
    brought: Annotated[
        tuple[Literal["scope", "parsers", "order"], ...],
        _about("What a program gave the crawl that no file can hold; `resume` needs it again."),
    ] = ()
    known: Annotated[
        str, _about("Directory of an earlier crawl; pages it knows are asked for only if changed.")
    ] = ""
    random_seed: Annotated[
        int,
        _about(
            "Seed of the random choices in the order of a crawl, so that it can be repeated.", ge=0
        ),
    ] = 0


class AgentSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """Who we say we are."""

    product: Annotated[str, _about("Product token: the name that robots.txt files address.")] = (
        "Gossamer"
    )
    contact: Annotated[
        str, _about("A URL or mail address where a webmaster finds out about this crawl.")
    ] = ""
    user_agent: Annotated[
        str, _about("The whole User-Agent line; empty makes it from product and contact.")
    ] = ""


class PolitenessSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """How often a host is asked."""

    delay: Annotated[
        float,
        _about(
            "Least gap between two requests to a host, in seconds; 0 is no waiting at all.", ge=0
        ),
    ] = 1.0
    factor: Annotated[
        float, _about("The gap is at least this many times the duration of the last fetch.", ge=0)
    ] = 10.0
    ceiling: Annotated[
        float, _about("No gap is longer than this, whatever a server or its robots.txt asks.", ge=0)
    ] = 300.0
    per_host: Annotated[
        int,
        _about(
            "Connections to one host at a time; more than 1 only for servers of one's own.", ge=1
        ),
    ] = 1
    per_address: Annotated[
        int, _about("Connections to one server address at a time, whatever its names.", ge=1)
    ] = 4
    address_delay: Annotated[
        float, _about("Least gap between two requests to a server address, in seconds.", ge=0)
    ] = 0.2
    retries: Annotated[
        int, _about("How often a visit that failed for a passing reason is tried again.", ge=0)
    ] = 2
    retry_wait: Annotated[
        float,
        _about("Wait before the first retry, in seconds; doubled for each further one.", ge=0),
    ] = 5.0
    hold_after: Annotated[
        int, _about("Failed visits in a row after which a host is put on hold, ever longer.", ge=1)
    ] = 5
    hold_ceiling: Annotated[
        float, _about("No host is on hold longer than this, whatever its Retry-After says.", ge=0)
    ] = 3600.0
    patience: Annotated[
        float,
        _about(
            "The crawl ends when all that is left waits on hosts on hold for longer than this.",
            ge=0,
        ),
    ] = 600.0


class UrlSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """One spelling for every URL."""

    rules: Annotated[
        tuple[str, ...],
        _about(
            "Optional spelling rules, applied in the order named: tracking and session leave out "
            "such parameters, index asks for the folder of an index page, query_order sorts."
        ),
    ] = ()


class FrontierSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """What waits to be fetched."""

    levels: Annotated[
        int, _about("Front queues: priority levels of waiting URLs.", ge=1, le=256)
    ] = 16
    back_queues: Annotated[
        int,
        _about(
            "Back queues: hosts open at a time; 0 is three for each of fetch.max_transfers "
            "(Mercator's rule).",
            ge=0,
        ),
    ] = 0
    memory: Annotated[
        int, _about("Bytes of waiting URLs kept in memory; the others wait on disk.", ge=16 << 20)
    ] = 128 << 20


class SeenSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """Each URL released once."""

    memory: Annotated[
        int,
        _about("Bytes for the keys of known URLs, or for the buffers before the disk.", ge=1 << 20),
    ] = 256 << 20


class DnsSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """Names to addresses."""

    servers: Annotated[
        tuple[str, ...], _about("Name servers as HOST or HOST:PORT; none is the system's own.")
    ] = ()
    families: Annotated[
        tuple[Literal["ipv4", "ipv6"], ...],
        _about("Kinds of addresses to ask for, the preferred one first."),
    ] = ("ipv4", "ipv6")
    min_ttl: Annotated[
        float, _about("Seconds an answer is kept at least, whatever its time to live.", ge=1)
    ] = 60.0
    max_ttl: Annotated[
        float, _about("Seconds an answer is kept at most, whatever its time to live.", ge=1)
    ] = 86400.0
    not_found_ttl: Annotated[
        float, _about("Seconds for which a name that does not exist is not asked for again.", ge=1)
    ] = 3600.0
    failed_ttl: Annotated[
        float, _about("Seconds for which a name whose servers failed is not asked for again.", ge=1)
    ] = 300.0
    cache_size: Annotated[int, _about("Names kept in memory; the least used go first.", ge=2)] = (
        200_000
    )
    disk_bytes: Annotated[
        int, _about("Bytes on disk for answers that memory has no room for.", ge=1 << 20)
    ] = 1 << 30
    attempts: Annotated[
        int, _about("How often a name is asked for before it is given up.", ge=1, le=16)
    ] = 5
    first_wait: Annotated[
        float,
        _about("Seconds the first attempt has; each further one has a multiple of it …", gt=0),
    ] = 1.0
    last_wait: Annotated[float, _about("… and the last one has this many seconds.", gt=0)] = 90.0
    per_domain: Annotated[
        int, _about("Names of one pay-level domain being resolved at a time; others wait.", ge=1)
    ] = 32
    in_flight: Annotated[
        int, _about("Names under way at a time in each round of attempts.", ge=1, le=16384)
    ] = 4096


class RobotsSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """Permission per origin."""

    obey: Annotated[bool, _about("Ask for robots.txt and do as it says.")] = True
    sitemaps: Annotated[bool, _about("Visit the sitemaps that robots.txt names.")] = True
    give_up: Annotated[
        int,
        _about(
            "After so many failures in a row to get robots.txt an origin's pages are given up; "
            "0: never, they wait.",
            ge=0,
        ),
    ] = 0
    max_age: Annotated[
        float, _about("Seconds a robots.txt is used before it is asked for again.", ge=1, le=86_400)
    ] = 86_400.0
    min_age: Annotated[
        float, _about("Seconds it is used at least, even if the server forbids all caching.", ge=1)
    ] = 300.0
    stale_age: Annotated[
        float,
        _about(
            "Seconds since its arrival that a copy still serves while refreshing it fails.", ge=0
        ),
    ] = 7 * 86_400.0
    failure_wait: Annotated[
        float,
        _about("Seconds before a failed robots.txt is asked for again; doubled each time.", gt=0),
    ] = 60.0
    failure_ceiling: Annotated[
        float, _about("No wait for a failed robots.txt is longer than this, in seconds.", gt=0)
    ] = 6 * 3_600.0
    failure_limit: Annotated[
        float,
        _about("Seconds of failure after which a host counts as one without robots.txt.", ge=0),
    ] = 30 * 86_400.0
    max_redirects: Annotated[
        int, _about("Redirects followed to find a robots.txt; RFC 9309 asks for five.", ge=5)
    ] = 5
    max_crawl_delay: Annotated[
        float, _about("A longer Crawl-delay counts as this one, in seconds.", ge=0)
    ] = 300.0
    cached_origins: Annotated[int, _about("Origins whose robots.txt is remembered.", ge=1)] = (
        100_000
    )
    cached_bytes: Annotated[
        int, _about("Bytes that remembered rules may take up, estimated.", ge=1 << 20)
    ] = 256 << 20
    disk_bytes: Annotated[
        int, _about("Bytes on disk for those that memory has no room for.", ge=1 << 20)
    ] = 4 << 30


class FetchSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """One bounded exchange."""

    transfers: Annotated[
        int,
        _about("Transfers in flight at a time, those that take long not counted.", ge=1, le=20000),
    ] = 1000
    max_transfers: Annotated[
        int, _about("Transfers in flight at a time, all of them counted.", ge=1, le=50000)
    ] = 8000
    long_seconds: Annotated[
        float, _about("A transfer that takes longer than this is one that takes long.", gt=0)
    ] = 1.0
    connect_timeout: Annotated[float, _about("Seconds to connect, TLS included.", gt=0, le=1e6)] = (
        20.0
    )
    timeout: Annotated[float, _about("Seconds for the whole exchange.", gt=0, le=1e6)] = 120.0
    slow_bytes: Annotated[
        int, _about("A transfer slower than this many bytes a second …", ge=0)
    ] = 64
    slow_seconds: Annotated[float, _about("… for this many seconds is given up.", gt=0, le=1e6)] = (
        30.0
    )
    max_body: Annotated[
        int, _about("Bytes of a body that are read; the rest is cut off.", ge=1)
    ] = 64 << 20
    max_decoded: Annotated[
        int, _about("Bytes that a compressed body may grow to; the rest is cut off.", ge=1)
    ] = 128 << 20
    max_headers: Annotated[int, _about("Bytes of a response's header fields.", ge=1024)] = 256 << 10
    max_url: Annotated[int, _about("Characters of a URL; longer ones are refused.", ge=64)] = 2048
    max_redirects: Annotated[int, _about("Redirects followed in a row.", ge=0)] = 10
    allow_private: Annotated[
        bool, _about("Fetch from loopback, private and other non-public addresses too.")
    ] = False
    allow_addresses: Annotated[
        tuple[str, ...],
        _about("Non-public addresses or networks that may be fetched from, as 10.1.0.0/16."),
    ] = ()
    max_ratio: Annotated[
        int, _about("A compressed body may grow to this many times its size (8 MB always).", ge=1)
    ] = 250
    verify_tls: Annotated[bool, _about("Refuse servers whose certificate does not check out.")] = (
        True
    )
    schemes: Annotated[
        tuple[str, ...], _about("Schemes that are fetched; file is there to be switched on.")
    ] = ("http", "https")
    proxy: Annotated[
        str, _about("Proxy for all requests, as http://HOST:PORT or socks5h://HOST:PORT.")
    ] = ""
    logins: Annotated[
        dict[str, str], _about("Hosts to log in at (HTTP Basic), each with user:password.")
    ] = {}
    cookies: Annotated[
        dict[str, str], _about("Hosts to send cookies to, each with name=value; name=value.")
    ] = {}
    ca_file: Annotated[
        str, _about("Certificate authorities to trust, a PEM file; empty is Mozilla's list.")
    ] = ""


class ParseSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """Bytes to text and links."""

    max_html: Annotated[
        int, _about("Bytes of an HTML page that are read; the rest is not looked at.", ge=1 << 10)
    ] = 16 << 20
    max_sitemap: Annotated[
        int, _about("Bytes of a sitemap or feed that are read, after decompression.", ge=1 << 10)
    ] = 50 << 20
    max_links: Annotated[int, _about("Links taken from one HTML page.", ge=0)] = 20_000
    max_entries: Annotated[int, _about("URLs taken from one sitemap or feed.", ge=0)] = 50_000
    page_requisites: Annotated[
        bool,
        _about(
            "Fetch what pages need to be shown, from any host: images, scripts, style sheets, media."
        ),
    ] = False
    text_links: Annotated[bool, _about("Take the URLs that stand in plain text as links, too.")] = (
        False
    )
    installed: Annotated[
        bool, _about("Use the parsers that installed packages bring along (entry points).")
    ] = True
    apart_processes: Annotated[
        int, _about("Processes beside the crawl that read PDF and other dangerous types.", ge=1)
    ] = 1
    apart_seconds: Annotated[
        float, _about("Seconds one page may take there, by the clock and of a core.", gt=0, le=3600)
    ] = 10.0
    apart_memory: Annotated[
        int, _about("Bytes of address space that such a process may have.", ge=256 << 20)
    ] = 1 << 30


class ContentSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """Met this content before: exactly, nearly."""

    memory: Annotated[
        int,
        _about(
            "Bytes of memory for looking up fingerprints and sketches, which are on disk.",
            ge=1 << 20,
        ),
    ] = 256 << 20
    near: Annotated[bool, _about("Look for pages that say nearly the same.")] = True
    shingle: Annotated[
        int, _about("Words in a row that make a shingle, the unit of comparison.", ge=1, le=64)
    ] = 4
    threshold: Annotated[
        float,
        _about(
            "Pages are near-duplicates when both have this part of all their shingles (Jaccard).",
            gt=0,
            le=1,
        ),
    ] = 0.8
    sketch: Annotated[
        int,
        _about(
            "Values that are kept of a page to compare it by, half a byte each.", ge=64, le=1 << 16
        ),
    ] = 1024
    least_text: Annotated[
        int,
        _about("Letters and digits, in bytes, without which a page's text is not judged.", ge=1),
    ] = 150


class ScopeSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """Which links are followed."""

    kind: Annotated[
        Literal["site", "host", "domain", "all"],
        _about(
            "site: below the seeds' folders; host: the seeds' hosts; "
            "domain: their pay-level domains; all: anywhere."
        ),
    ] = "host"
    include: Annotated[
        tuple[str, ...],
        _about("Regular expressions; a URL must match one of them, if there are any."),
    ] = ()
    exclude: Annotated[
        tuple[str, ...], _about("Regular expressions; a URL that matches one is refused.")
    ] = ()
    max_depth: Annotated[int, _about("Links away from a seed; -1 is no limit.", ge=-1)] = AUTOMATIC
    nofollow: Annotated[bool, _about("Obey rel=nofollow and meta robots nofollow.")] = True
    follow_duplicates: Annotated[
        bool, _about("Follow the links of a page whose content was met at another URL.")
    ] = False
    follow_near: Annotated[
        int,
        _about(
            "Near-duplicates in a row, each found on the one before, whose links are followed; "
            "-1 is any number.",
            ge=-1,
        ),
    ] = 3


class DetectSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """What is not worth asking for, noticed from what a crawl sees."""

    traps: Annotated[
        bool, _about("Demote and hold back URL patterns that bring nothing new; see memory.")
    ] = True
    soft_errors: Annotated[
        bool,
        _about("Mark pages that look like a host's answer to a name that cannot exist (soft 404)."),
    ] = True
    dust: Annotated[
        bool, _about("Learn which spellings of URLs lead to the same text, and use one of them.")
    ] = True
    mirrors: Annotated[
        bool, _about("Crawl one of several hosts that have the same pages, and sample the others.")
    ] = True
    memory: Annotated[
        int,
        _about(
            "Pages over which the yield of a URL pattern is averaged: the part of them that "
            "brought something new. URLs that look like a trap are judged up to four times sooner.",
            ge=2,
        ),
    ] = 8
    demote_below: Annotated[
        float, _about("URLs of a pattern come last when its yield is below this …", ge=0, le=0.5)
    ] = 0.25
    pause_below: Annotated[
        float, _about("… and are held back when it is below this.", ge=0, le=0.25)
    ] = 0.05
    sample_every: Annotated[
        int,
        _about(
            "One in so many URLs of a pattern or host that is held back is fetched all the same.",
            ge=1,
        ),
    ] = 32
    looks: Annotated[
        int, _about("URLs of each that are looked at again when nothing else is left.", ge=1)
    ] = 10
    same_answers: Annotated[
        int,
        _about(
            "Different URLs with one answer before a host is asked for a name that cannot exist.",
            ge=2,
        ),
    ] = 5
    pairs: Annotated[
        int, _about("Pairs of URLs with the same text before a rule of spelling is tried …", ge=1)
    ] = 3
    samples: Annotated[
        int, _about("… and further pairs, both fetched, that must agree before it is used.", ge=1)
    ] = 3
    agreements: Annotated[
        int, _about("Paths with the same text on both before two hosts are mirrors.", ge=2)
    ] = 8
    patterns: Annotated[
        int, _about("URL patterns kept in memory; the least used go first.", ge=100)
    ] = 20_000
    hosts: Annotated[int, _about("Hosts whose answers and rules are kept in memory.", ge=100)] = (
        10_000
    )


class BudgetSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """How many pages a pay-level domain may have at a time (IRLbot's STAR and BEAST)."""

    kind: Annotated[
        Literal["auto", "on", "off"],
        _about("Whether domains have budgets; auto: in crawls whose scope is all."),
    ] = "auto"
    function: Annotated[
        str,
        _about(
            "From a domain's standing to its budget; interpolated: the top domains between highest "
            "and lowest, by rank; equal: lowest for all; popular: highest for the top, none for others."
        ),
    ] = "interpolated"
    top: Annotated[
        int, _about("Domains that rank: those that most other domains link to.", ge=1)
    ] = 10_000
    lowest: Annotated[
        int, _about("Pages a round of a domain that does not rank: the default budget.", ge=1)
    ] = 10
    highest: Annotated[
        int, _about("Pages a round of the domain that ranks first.", ge=1, le=1 << 31)
    ] = 10_000
    delays: Annotated[
        bool, _about("Leave hosts of a low budget longer in peace; a --delay switches this off.")
    ] = True
    host_delay: Annotated[
        float,
        _about("Seconds between two requests to a host of a domain with the lowest budget …", ge=0),
    ] = 40.0
    least_host_delay: Annotated[
        float, _about("… scaled down as the budget grows, but not below this.", ge=0)
    ] = 1.0
    server_delay: Annotated[
        float,
        _about(
            "Seconds between two requests to a server of domains with the lowest budget …", ge=0
        ),
    ] = 1.0
    least_server_delay: Annotated[
        float, _about("… scaled down as their average budget grows, but not below this.", ge=0)
    ] = 0.1
    queues: Annotated[
        int, _about("Rounds that URLs are put off to at first; doubled at each re-split.", ge=1)
    ] = 4
    most_queues: Annotated[
        int, _about("Rounds that URLs are put off to at most; each is an open file.", ge=1, le=4096)
    ] = 64
    seats: Annotated[
        int,
        _about("Domains told apart, 8 bytes each; beyond, some share a budget.", ge=1, le=1 << 28),
    ] = 1 << 22
    memory: Annotated[
        int, _about("Bytes of memory for counting links between domains.", ge=1 << 20)
    ] = 64 << 20
    tail: Annotated[
        float,
        _about("A round is over when this part of it is left, for slow hosts …", ge=0, le=1),
    ] = 0.5
    least_tail: Annotated[int, _about("… or this many URLs, if that is more …", ge=0)] = 100
    busy_hosts: Annotated[
        float,
        _about(
            "… or when fewer than this part of its hosts have URLs left, and all rest …", ge=0, le=1
        ),
    ] = 0.99
    most_waiting: Annotated[
        int, _about("… unless more URLs than this wait in host queues already.", ge=0)
    ] = 1_000_000


class OrderSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """Which page first."""

    name: Annotated[
        str,
        _about(
            "The order, with options after a colon (pagerank:damping=0.85); several are added up "
            "with weights (pagerank + 0.1 * site-rank)."
        ),
    ] = "breadth-first"


class StoreSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """What a crawl leaves behind."""

    warc: Annotated[bool, _about("Write WARC files and their CDXJ index.")] = True
    warc_size: Annotated[int, _about("Bytes after which a new WARC file is begun.", ge=1 << 10)] = (
        1 << 30
    )
    links: Annotated[bool, _about("Write the links table.")] = True
    max_stored_pages: Annotated[
        int,
        _about(
            "Keep the responses of at most so many pages, those that are worth most by the order; "
            "0 is no limit. Of the others the row in the pages table stays.",
            ge=0,
        ),
    ] = 0
    rows: Annotated[
        int,
        _about(
            "Rows of links, or a quarter of it of pages, before a Parquet file is written.", ge=1
        ),
    ] = 100_000
    history_memory: Annotated[
        int,
        _about("Bytes of memory for when each URL was fetched; the rest is on disk.", ge=1 << 20),
    ] = 32 << 20
    checkpoint_every: Annotated[
        float, _about("Seconds between two checkpoints; commits are made every second.", gt=0)
    ] = 300.0
    tables_every: Annotated[
        float,
        _about(
            "Seconds after which a running crawl brings its tables up to date; checkpoints do so, too.",
            gt=0,
        ),
    ] = 30.0
    journal_bytes: Annotated[
        int, _about("Bytes of journal after which there is a checkpoint, too.", ge=1)
    ] = 64 << 20


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """All sections of `crawl.toml`.

    >>> Settings(politeness=PolitenessSettings(delay=5.0)).politeness.delay
    5.0
    """

    crawl: CrawlSettings = CrawlSettings()
    agent: AgentSettings = AgentSettings()
    politeness: PolitenessSettings = PolitenessSettings()
    url: UrlSettings = UrlSettings()
    frontier: FrontierSettings = FrontierSettings()
    seen: SeenSettings = SeenSettings()
    dns: DnsSettings = DnsSettings()
    robots: RobotsSettings = RobotsSettings()
    fetch: FetchSettings = FetchSettings()
    parse: ParseSettings = ParseSettings()
    content: ContentSettings = ContentSettings()
    scope: ScopeSettings = ScopeSettings()
    detect: DetectSettings = DetectSettings()
    budget: BudgetSettings = BudgetSettings()
    order: OrderSettings = OrderSettings()
    store: StoreSettings = StoreSettings()
