"""The knobs of a crawl: one frozen section per room, each field typed, bounded and described.

`crawl.toml` has the same shape. The descriptions here are the documentation: `gossamer settings`
prints them, `docs/settings.md` is made from them.
"""

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

AUTOMATIC = -1
"""A number that Gossamer chooses by itself."""

LONGEST_DELAY = 30 * 86_400.0
"""Seconds: a longer delay, wait or hold would be a block."""
LONGEST_SPAN = 10 * 365 * 86_400.0
"""Seconds: other times are no longer than that."""
_MOST_DAYS = LONGEST_SPAN / 86_400

CHANGEABLE = "changeable"
"""The mark of settings that may change while a crawl runs (`gossamer control DIR set`)."""


def _about(
    text: str,
    *,
    ge: float | None = None,
    gt: float | None = None,
    le: float | None = None,
    live: bool = False,
) -> Meta:
    """`live`: it may change while a crawl runs."""
    extra = {CHANGEABLE: True} if live else None
    if gt is not None:
        return Meta(description=text, gt=gt, le=le, extra=extra)
    return Meta(description=text, ge=ge, le=le, extra=extra)


MOST_PARTITIONS = 4096
"""Each has a queue on disk for each other one, and a file that is open for it."""


class CrawlSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """The crawl as a whole."""

    seeds: Annotated[tuple[str, ...], _about("URLs to start from.")] = ()
    max_pages: Annotated[
        int,
        _about(
            "The crawl stops after this many answered visits, whatever their status; 0: no limit. What "
            "`parse.page_requisites` fetches does not count: each page within the limit gets all that it "
            "needs, up to 1,000 requisites a page on average.",
            ge=0,
            live=True,
        ),
    ] = 0
    max_seconds: Annotated[
        float,
        _about(
            "The crawl stops after it has run for this many seconds, earlier runs included; 0: no limit.",
            ge=0,
            le=LONGEST_SPAN,
            live=True,
        ),
    ] = 0.0
    max_errors: Annotated[
        int,
        _about(
            "The crawl stops after this many errors in parsers, scope functions and orders that a program or "
            "an installed package provides, counted since the last start; 0: no limit.",
            ge=0,
            live=True,
        ),
    ] = 1000
    partitions: Annotated[
        int,
        _about(
            "Number of processes that share the work. 0: one per core if the crawl is started from the "
            "command line, its scope is all and its order works across processes; otherwise 1. The number "
            "cannot be changed later.",
            ge=0,
            le=MOST_PARTITIONS,
        ),
    ] = 0
    stop_within: Annotated[
        float,
        _about(
            "Seconds after SIGTERM in which a crawl from the command line may end cleanly, with its index; "
            "then it exits at once, without loss; 0: no limit.",
            ge=0,
            le=LONGEST_SPAN,
        ),
    ] = 60.0
    hung_after: Annotated[
        float,
        _about(
            "A partition that has been silent for this many seconds is restarted; 0: never. The time must be "
            "longer than its longest checkpoint, merge, start or end.",
            ge=0,
            le=LONGEST_SPAN,
        ),
    ] = 600.0
    brought: Annotated[
        tuple[Literal["scope", "parsers", "order"], ...],
        _about("Objects passed by a program that a file cannot hold; `resume` needs them again."),
    ] = ()
    known: Annotated[
        str,
        _about(
            "Directory of an earlier crawl, whose pages are fetched only if they changed; empty: none."
        ),
    ] = ""
    storage: Annotated[
        str,
        _about(
            "URL of remote storage to replicate the crawl to, such as s3://bucket/crawl; "
            "the crawl can be resumed from there; empty: none."
        ),
    ] = ""
    lease: Annotated[
        float,
        _about(
            "Seconds that a partition on another machine continues without contact to "
            "the supervisor. After that it is restarted elsewhere.",
            ge=0.5,
            le=LONGEST_SPAN,
        ),
    ] = 20.0
    random_seed: Annotated[
        int,
        _about(
            "Seed of the random choices in the order of a crawl; the same seed repeats them.", ge=0
        ),
    ] = 0


class AgentSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """The crawler's name for servers."""

    product: Annotated[
        str,
        _about(
            "Name of the crawler that robots.txt rules can address (product token); letters, - and _ only."
        ),
    ] = "Gossamer"
    contact: Annotated[
        str,
        _about("URL or mail address where a webmaster can find out about this crawl; empty: none."),
    ] = ""
    user_agent: Annotated[
        str, _about("The whole User-Agent line; empty: it is made from product and contact.")
    ] = ""


class PolitenessSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """Delays between requests to a host, and retries of visits."""

    delay: Annotated[
        float,
        _about(
            "Shortest delay between two requests to a host, in seconds; 0: none, not even a Crawl-delay.",
            ge=0,
            le=LONGEST_DELAY,
            live=True,
        ),
    ] = 1.0
    factor: Annotated[
        float,
        _about(
            "The delay is at least this many times as long as the last fetch from the host took.",
            ge=0,
            live=True,
        ),
    ] = 10.0
    ceiling: Annotated[
        float,
        _about(
            "Longest delay that delay, factor and the Crawl-delay of robots.txt can lead to, in seconds.",
            ge=0,
            le=LONGEST_DELAY,
            live=True,
        ),
    ] = 300.0
    per_host: Annotated[
        int,
        _about(
            "Number of connections to one host at the same time; more than 1 only for your own servers.",
            ge=1,
        ),
    ] = 1
    per_address: Annotated[
        int,
        _about(
            "Number of connections to one server address at the same time, whatever its host names.",
            ge=1,
        ),
    ] = 4
    address_delay: Annotated[
        float,
        _about(
            "Shortest delay between two requests to a server address, in seconds.",
            ge=0,
            le=LONGEST_DELAY,
        ),
    ] = 0.2
    retries: Annotated[
        int,
        _about(
            "Number of times that a visit is tried again after it failed for a temporary reason.",
            ge=0,
            live=True,
        ),
    ] = 2
    retry_wait: Annotated[
        float,
        _about(
            "Wait before the first retry, in seconds; it doubles with each further retry.",
            ge=0,
            le=LONGEST_DELAY,
            live=True,
        ),
    ] = 5.0
    hold_after: Annotated[
        int,
        _about(
            "Failed visits in a row after which a host is put on hold; each further failure doubles the "
            "time.",
            ge=1,
            live=True,
        ),
    ] = 5
    hold_ceiling: Annotated[
        float,
        _about(
            "Longest time that a host is on hold, in seconds, even if its Retry-After asks for more.",
            ge=0,
            le=LONGEST_DELAY,
            live=True,
        ),
    ] = 3600.0
    patience: Annotated[
        float,
        _about(
            "The crawl ends when all remaining URLs wait for hosts that are on hold for more than "
            "this many seconds.",
            ge=0,
            le=LONGEST_DELAY,
            live=True,
        ),
    ] = 600.0
    unanswered_wait: Annotated[
        float,
        _about(
            "When all remaining URLs wait for servers that have never answered, these are tried a "
            "few more times within this many seconds, then the crawl ends; 0: they are treated like "
            "other failing hosts. A continuous crawl goes on waiting for them.",
            ge=0,
            le=LONGEST_DELAY,
            live=True,
        ),
    ] = 60.0


class UrlSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """One spelling for every URL."""

    rules: Annotated[
        tuple[str, ...],
        _about(
            "Optional spelling rules, applied in the order given: tracking and session remove such "
            "parameters, index replaces an index page by its folder, query_order sorts the parameters."
        ),
    ] = ()


class FrontierSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """The queue of URLs to be fetched."""

    levels: Annotated[
        int,
        _about(
            "Number of front queues: one for each priority that a waiting URL can have.",
            ge=1,
            le=256,
        ),
    ] = 16
    back_queues: Annotated[
        int,
        _about(
            "Number of back queues, one for each open host; 0: three times fetch.max_transfers (Mercator's "
            "rule).",
            ge=0,
        ),
    ] = 0
    memory: Annotated[
        int, _about("Bytes of memory for waiting URLs; the rest waits on disk.", ge=16 << 20)
    ] = 128 << 20


class SeenSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """The URLs that are known, so that each is fetched once."""

    memory: Annotated[
        int,
        _about(
            "Bytes of memory for the keys of known URLs, or, once these are on disk, for the buffers.",
            ge=1 << 20,
        ),
    ] = 256 << 20


class DnsSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """Lookup of host names."""

    servers: Annotated[
        tuple[str, ...], _about("Name servers, as HOST or HOST:PORT; empty: those of the system.")
    ] = ()
    families: Annotated[
        tuple[Literal["ipv4", "ipv6"], ...],
        _about("Kinds of addresses to ask for; the preferred kind comes first."),
    ] = ("ipv4", "ipv6")
    min_ttl: Annotated[
        float,
        _about(
            "Shortest time that an answer is kept, in seconds, even if its time to live is shorter.",
            ge=1,
            le=LONGEST_SPAN,
        ),
    ] = 60.0
    max_ttl: Annotated[
        float,
        _about(
            "Longest time that an answer is kept, in seconds, even if its time to live is longer.",
            ge=1,
            le=LONGEST_SPAN,
        ),
    ] = 86400.0
    not_found_ttl: Annotated[
        float,
        _about(
            "Seconds before a name that does not exist is looked up again.", ge=1, le=LONGEST_SPAN
        ),
    ] = 3600.0
    failed_ttl: Annotated[
        float,
        _about(
            "Seconds before a name whose servers failed is looked up again.", ge=1, le=LONGEST_SPAN
        ),
    ] = 300.0
    cache_size: Annotated[
        int,
        _about("Number of names kept in memory; those unused for the longest time leave it.", ge=2),
    ] = 200_000
    disk_bytes: Annotated[
        int, _about("Bytes on disk for answers that do not fit into memory.", ge=1 << 20)
    ] = 1 << 30
    attempts: Annotated[
        int, _about("Number of attempts to look up a name before the lookup fails.", ge=1, le=16)
    ] = 5
    first_wait: Annotated[
        float,
        _about(
            "Seconds that the first attempt waits for an answer; later attempts wait longer, up to "
            "last_wait.",
            gt=0,
            le=LONGEST_SPAN,
        ),
    ] = 1.0
    last_wait: Annotated[
        float,
        _about(
            "Seconds that the last of several attempts waits for an answer.", gt=0, le=LONGEST_SPAN
        ),
    ] = 90.0
    per_domain: Annotated[
        int,
        _about(
            "Number of names of one pay-level domain looked up at the same time; its other names wait.",
            ge=1,
        ),
    ] = 32
    in_flight: Annotated[
        int,
        _about(
            "Number of DNS lookups at the same time, each for first, second and later attempts.",
            ge=1,
            le=16384,
        ),
    ] = 4096


class RobotsSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """Use of robots.txt, for each origin."""

    obey: Annotated[bool, _about("Fetch robots.txt and obey it.")] = True
    sitemaps: Annotated[bool, _about("Visit the sitemaps that robots.txt names.")] = True
    give_up: Annotated[
        int,
        _about(
            "Failures of robots.txt in a row after which the origin's pages are given up; 0: never, they "
            "wait.",
            ge=0,
        ),
    ] = 0
    max_age: Annotated[
        float,
        _about(
            "Longest time that a robots.txt is used before it is fetched again, in seconds.",
            ge=1,
            le=86_400,
        ),
    ] = 86_400.0
    min_age: Annotated[
        float,
        _about(
            "Shortest time that a robots.txt is used, in seconds, even if the server forbids all caching.",
            ge=1,
            le=LONGEST_SPAN,
        ),
    ] = 300.0
    stale_age: Annotated[
        float,
        _about(
            "While robots.txt cannot be fetched again, the old copy is used until it is this many seconds "
            "old.",
            ge=0,
            le=LONGEST_SPAN,
        ),
    ] = 7 * 86_400.0
    failure_wait: Annotated[
        float,
        _about(
            "Wait before a failed robots.txt is fetched again, in seconds; it doubles with each failure.",
            gt=0,
            le=LONGEST_DELAY,
        ),
    ] = 60.0
    failure_ceiling: Annotated[
        float,
        _about(
            "Longest wait before a failed robots.txt is fetched again, in seconds.",
            gt=0,
            le=LONGEST_DELAY,
        ),
    ] = 6 * 3_600.0
    failure_limit: Annotated[
        float,
        _about(
            "After a robots.txt has failed for this many seconds, the host counts as one without robots.txt.",
            ge=0,
            le=LONGEST_SPAN,
        ),
    ] = 30 * 86_400.0
    max_redirects: Annotated[
        int,
        _about(
            "Number of redirects followed to find a robots.txt; RFC 9309 asks for at least five.",
            ge=5,
        ),
    ] = 5
    max_crawl_delay: Annotated[
        float,
        _about(
            "Longest Crawl-delay that is obeyed, in seconds; a longer one counts as this one.",
            ge=0,
            le=LONGEST_DELAY,
        ),
    ] = 300.0
    cached_origins: Annotated[
        int, _about("Number of origins whose robots.txt rules are kept in memory.", ge=1)
    ] = 100_000
    cached_bytes: Annotated[
        int, _about("Bytes of memory for robots.txt rules, estimated.", ge=1 << 20)
    ] = 256 << 20
    disk_bytes: Annotated[
        int, _about("Bytes on disk for robots.txt rules that do not fit into memory.", ge=1 << 20)
    ] = 4 << 30


class FetchSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """Fetching of URLs, and the limits of a transfer."""

    transfers: Annotated[
        int,
        _about(
            "Number of transfers at the same time, those that run longer than long_seconds not counted.",
            ge=1,
            le=20000,
        ),
    ] = 1000
    max_transfers: Annotated[
        int, _about("Number of transfers at the same time, all of them counted.", ge=1, le=50000)
    ] = 8000
    long_seconds: Annotated[
        float,
        _about(
            "A transfer that runs for longer than this many seconds no longer counts for transfers.",
            gt=0,
            le=LONGEST_SPAN,
        ),
    ] = 1.0
    connect_timeout: Annotated[
        float, _about("Time limit for connecting, in seconds, TLS included.", gt=0, le=1e6)
    ] = 20.0
    timeout: Annotated[
        float, _about("Time limit for a whole transfer, in seconds.", gt=0, le=1e6)
    ] = 120.0
    slow_bytes: Annotated[
        int,
        _about(
            "A transfer slower than this many bytes per second for slow_seconds is given up; 0: none is.",
            ge=0,
        ),
    ] = 64
    slow_seconds: Annotated[
        float,
        _about(
            "Seconds for which a transfer may be slower than slow_bytes before it is given up.",
            gt=0,
            le=1e6,
        ),
    ] = 30.0
    max_body: Annotated[
        int, _about("Largest body that is received, in bytes; the rest is cut off.", ge=1)
    ] = 64 << 20
    max_decoded: Annotated[
        int,
        _about(
            "Largest size of a compressed body after decompression, in bytes; the rest is cut off.",
            ge=1,
        ),
    ] = 128 << 20
    max_headers: Annotated[
        int,
        _about(
            "Largest size of the header fields of a response, in bytes; a visit with more fails.",
            ge=1024,
        ),
    ] = 256 << 10
    max_url: Annotated[
        int, _about("Longest URL, in characters; longer URLs are refused.", ge=64)
    ] = 2048
    max_redirects: Annotated[int, _about("Number of redirects followed in a row.", ge=0)] = 10
    allow_private: Annotated[
        bool, _about("Also fetch from loopback, private and other non-public addresses.")
    ] = False
    allow_addresses: Annotated[
        tuple[str, ...],
        _about("Non-public addresses or networks that may be fetched from, such as 10.1.0.0/16."),
    ] = ()
    max_ratio: Annotated[
        int,
        _about(
            "A compressed body may grow to this many times its size; up to 8 MB is always allowed.",
            ge=1,
        ),
    ] = 250
    verify_tls: Annotated[bool, _about("Refuse servers whose TLS certificate is not valid.")] = True
    schemes: Annotated[
        tuple[str, ...], _about("URL schemes that are fetched; to read local files, add file.")
    ] = ("http", "https")
    routes: Annotated[
        dict[str, str],
        _about(
            "Hosts that are not fetched over the network: for each host, files:DIRECTORY serves the files of "
            "a directory."
        ),
    ] = {}
    proxy: Annotated[
        str,
        _about("Proxy for all requests, as http://HOST:PORT or socks5h://HOST:PORT; empty: none."),
    ] = ""
    logins: Annotated[
        dict[str, str],
        _about("Logins (HTTP Basic): for each host, or SESSION@host, user:password."),
    ] = {}
    cookies: Annotated[
        dict[str, str],
        _about("Cookies to send: for each host, or SESSION@host, name=value; name=value."),
    ] = {}
    secrets: Annotated[
        str,
        _about(
            "TOML file with logins, cookies and a proxy that has a password ([fetch] logins = …). Only its "
            "owner may read it, and it is never sent to remote storage."
        ),
    ] = ""
    ca_file: Annotated[
        str, _about("PEM file of the certificate authorities to trust; empty: Mozilla's list.")
    ] = ""

    @property
    def personal_hosts(self) -> frozenset[str]:
        """Hosts that are asked in a person's name: with a login or with cookies."""
        return frozenset(key.rpartition("@")[2] for key in (*self.logins, *self.cookies))


class ParseSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """Reading of text and links from bytes."""

    max_html: Annotated[
        int, _about("Bytes of an HTML page that are read; the rest is ignored.", ge=1 << 10)
    ] = 16 << 20
    max_sitemap: Annotated[
        int,
        _about(
            "Bytes of a sitemap or feed that are read, after decompression; the rest is ignored.",
            ge=1 << 10,
        ),
    ] = 50 << 20
    max_links: Annotated[
        int, _about("Number of links taken from one page; further links are ignored.", ge=0)
    ] = 20_000
    max_entries: Annotated[
        int,
        _about("Number of URLs taken from one sitemap or feed; further URLs are ignored.", ge=0),
    ] = 50_000
    page_requisites: Annotated[
        bool,
        _about(
            "Also fetch the images, scripts, style sheets and media that pages need, from any host. They "
            "come before more pages, and `crawl.max_pages` does not count them."
        ),
    ] = False
    text_links: Annotated[bool, _about("Also take the URLs in plain text as links.")] = False
    installed: Annotated[bool, _about("Use the parsers of installed packages (entry points).")] = (
        True
    )
    sandbox_processes: Annotated[
        int, _about("Number of sandboxed processes that parse PDF and other risky types.", ge=1)
    ] = 1
    sandbox_seconds: Annotated[
        float,
        _about(
            "Time limit for one page in a child process, in seconds, both of real time and of CPU time.",
            gt=0,
            le=3600,
        ),
    ] = 10.0
    sandbox_memory: Annotated[
        int, _about("Bytes of address space that a child process may have.", ge=256 << 20)
    ] = 1 << 30


class ContentSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """Which pages have the same or nearly the same content as another."""

    memory: Annotated[
        int,
        _about(
            "Bytes of memory to look up fingerprints and sketches, which are on disk.",
            ge=1 << 20,
        ),
    ] = 256 << 20
    near: Annotated[bool, _about("Find pages with nearly the same text (near-duplicates).")] = True
    shingle: Annotated[
        int,
        _about(
            "Number of words in a row that make a shingle, the unit by which pages are compared.",
            ge=1,
            le=64,
        ),
    ] = 4
    threshold: Annotated[
        float,
        _about(
            "Two pages are near-duplicates when at least this share of all their shingles is in "
            "both (Jaccard).",
            gt=0,
            le=1,
        ),
    ] = 0.8
    sketch: Annotated[
        int,
        _about(
            "Number of sketch values kept for each page to compare it with others, half a byte each.",
            ge=64,
            le=1 << 16,
        ),
    ] = 1024
    least_text: Annotated[
        int,
        _about(
            "Texts with fewer letters and digits than this, in bytes, are not compared; bodies still are.",
            ge=1,
        ),
    ] = 150
    novelty_memory: Annotated[
        int,
        _about(
            "Largest memory, in bytes, for pairs of words, which show how much of a page is new on "
            "its host; it starts at one MiB.",
            ge=1 << 20,
        ),
    ] = 64 << 20


class ScopeSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """Which links are followed."""

    kind: Annotated[
        Literal["site", "host", "domain", "all"],
        _about(
            "site: URLs below the folders of the seeds; host: the hosts of the seeds; domain: the pay-level "
            "domains of the seeds; all: all URLs."
        ),
    ] = "host"
    include: Annotated[
        tuple[str, ...],
        _about(
            "Regular expressions: a URL must match at least one of them; empty: no URL has to.",
            live=True,
        ),
    ] = ()
    exclude: Annotated[
        tuple[str, ...],
        _about("Regular expressions: a URL that matches one of them is refused.", live=True),
    ] = ()
    max_depth: Annotated[
        int,
        _about("Largest number of links from a seed to a page; -1: no limit.", ge=-1, live=True),
    ] = AUTOMATIC
    nofollow: Annotated[bool, _about("Obey rel=nofollow and meta robots nofollow.", live=True)] = (
        True
    )
    follow_duplicates: Annotated[
        bool,
        _about(
            "Follow the links of a page whose content was already found at another URL.", live=True
        ),
    ] = False
    follow_near: Annotated[
        int,
        _about(
            "Length of a chain of near-duplicates, each found on the one before, whose links are "
            "still followed; -1: no limit.",
            ge=-1,
            live=True,
        ),
    ] = 3
    follow_last: Annotated[
        bool,
        _about(
            "When nothing else is left, follow the links that follow_duplicates and follow_near "
            "left out, except those that look like a trap (detect.traps).",
            live=True,
        ),
    ] = False
    follow_actions: Annotated[
        bool,
        _about(
            "On hosts with fetch.logins or fetch.cookies, also follow links that seem to change "
            "something: log out, delete, vote, edit. Seeds are always fetched."
        ),
    ] = False


class DetectSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """Detection of URLs that are not worth a fetch, learned while the crawl runs."""

    worth: Annotated[
        bool,
        _about(
            "Fetch URLs from which less new content is expected later; the crawl learns this from "
            "similar URLs."
        ),
    ] = True
    traps: Annotated[
        bool,
        _about(
            "Hold back URLs of a crawler trap: a pattern that keeps growing and has no new content; "
            "see barren."
        ),
    ] = True
    soft_errors: Annotated[
        bool,
        _about(
            "Mark pages that look like the answer of their host to a URL that does not exist (soft 404)."
        ),
    ] = True
    dust: Annotated[
        bool, _about("Learn which different URLs lead to the same text, and use only one of them.")
    ] = True
    as_found: Annotated[
        tuple[str, ...],
        _about(
            "Regular expressions: a URL that matches one of them is fetched in its own spelling, "
            "whatever was learned, even if it was folded before."
        ),
    ] = ()
    mirrors: Annotated[
        bool,
        _about(
            "If several hosts have the same pages, crawl one of them and fetch only samples of the others."
        ),
    ] = True
    share: Annotated[
        float,
        _about(
            "Least share of a host's fetches for URLs with little expected content, so that wrong "
            "estimates are noticed.",
            ge=0,
            le=1,
        ),
    ] = 0.06
    barren: Annotated[
        int,
        _about(
            "A pattern is held back after this many pages in a row without new content; after more, "
            "if more of its pages had new content before.",
            ge=5,
        ),
    ] = 50
    sample_every: Annotated[
        int,
        _about(
            "Of the URLs of a pattern or host that is held back, one in this many is fetched anyway.",
            ge=1,
        ),
    ] = 32
    looks: Annotated[
        int,
        _about(
            "URLs of each held-back pattern or host that are fetched to test it again when nothing else is "
            "left.",
            ge=1,
        ),
    ] = 10
    same_answers: Annotated[
        int,
        _about(
            "Soft 404: after this number of equal answers, compare with a URL that cannot exist.",
            ge=2,
        ),
    ] = 5
    pairs: Annotated[
        int,
        _about("A spelling rule is tried after this many pairs of URLs had the same text.", ge=1),
    ] = 3
    samples: Annotated[
        int,
        _about(
            "A spelling rule is used after this many further pairs, both URLs fetched, had the same text.",
            ge=1,
        ),
    ] = 3
    agreements: Annotated[
        int,
        _about(
            "Two hosts are mirrors when this many different pages are the same at the same paths.",
            ge=2,
        ),
    ] = 8
    patterns: Annotated[
        int,
        _about(
            "Number of URL patterns kept in memory; those unused for the longest time are dropped.",
            ge=100,
        ),
    ] = 20_000
    hosts: Annotated[
        int, _about("Number of hosts whose answers and rules are kept in memory.", ge=100)
    ] = 10_000


class BudgetSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """Pages of a pay-level domain per round (IRLbot's STAR and BEAST)."""

    kind: Annotated[
        Literal["auto", "on", "off"],
        _about("Use budgets for domains; auto: only in crawls whose scope is all."),
    ] = "auto"
    function: Annotated[
        str,
        _about(
            "Rule that turns the rank of a domain into its budget. interpolated: domains with a "
            "rank get between "
            "highest and lowest, the others lowest; equal: all get lowest; popular: domains with a rank get "
            "highest, the others nothing."
        ),
    ] = "interpolated"
    top: Annotated[
        int,
        _about(
            "Number of domains that have a rank: those to which the most other domains link.", ge=1
        ),
    ] = 10_000
    lowest: Annotated[
        int, _about("Pages per round of a domain without a rank: the default budget.", ge=1)
    ] = 10
    highest: Annotated[
        int, _about("Pages per round of the domain with the first rank.", ge=1, le=1 << 31)
    ] = 10_000
    delays: Annotated[
        bool,
        _about(
            "Wait longer between requests to domains with a low budget; the option --delay "
            "turns this off."
        ),
    ] = True
    host_delay: Annotated[
        float,
        _about(
            "Delay between two requests to a host, in seconds, if its domain has the lowest budget; higher "
            "budgets make it shorter.",
            ge=0,
            le=LONGEST_DELAY,
        ),
    ] = 40.0
    least_host_delay: Annotated[
        float,
        _about(
            "Shortest delay that a high budget can reduce host_delay to, in seconds.",
            ge=0,
            le=LONGEST_DELAY,
        ),
    ] = 1.0
    server_delay: Annotated[
        float,
        _about(
            "Delay between two requests to a server, in seconds, if the domain has the lowest budget; higher "
            "budgets make it shorter.",
            ge=0,
            le=LONGEST_DELAY,
        ),
    ] = 1.0
    least_server_delay: Annotated[
        float,
        _about(
            "Shortest delay that a high budget can reduce server_delay to, in seconds.",
            ge=0,
            le=LONGEST_DELAY,
        ),
    ] = 0.1
    queues: Annotated[
        int,
        _about(
            "Number of open rounds at the start, in which URLs over budget wait. It doubles "
            "whenever the URLs that fit into no open round are distributed.",
            ge=1,
        ),
    ] = 4
    most_queues: Annotated[
        int,
        _about("Largest number of open rounds; each of them needs an open file.", ge=1, le=4096),
    ] = 64
    seats: Annotated[
        int,
        _about(
            "Number of domains with a separate budget, 8 bytes each; further domains share budgets.",
            ge=1,
            le=1 << 28,
        ),
    ] = 1 << 22
    memory: Annotated[
        int, _about("Bytes of memory to count links between domains.", ge=1 << 20)
    ] = 64 << 20
    tail: Annotated[
        float,
        _about(
            "A round ends when no more than this part of its URLs is left; these are on slow hosts.",
            ge=0,
            le=1,
        ),
    ] = 0.5
    least_tail: Annotated[
        int, _about("A round also ends when no more than this many of its URLs are left.", ge=0)
    ] = 100
    busy_hosts: Annotated[
        float,
        _about(
            "A round also ends when all hosts are in their delay and less than this share of them "
            "have URLs left; see most_waiting.",
            ge=0,
            le=1,
        ),
    ] = 0.99
    most_waiting: Annotated[
        int,
        _about(
            "busy_hosts does not end a round while more URLs than this wait in host queues.", ge=0
        ),
    ] = 1_000_000


class OrderSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """Which pages come first."""

    name: Annotated[
        str,
        _about(
            "Which pages come first: the name of an order, with options after a colon "
            "(pagerank:damping=0.85); several orders are added with weights (pagerank + 0.1 * site-rank)."
        ),
    ] = "breadth-first"


class RevisitSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """Crawls that never end: when pages are visited again."""

    continuous: Annotated[
        bool,
        _about(
            "Visit pages again, for ever: each page is due at a time that depends on how often it changes."
        ),
    ] = False
    policy: Annotated[
        str,
        _about(
            "Goal of visits: freshness, age, content, capture, harmonic, uniform, "
            "proportional or buckets."
        ),
    ] = "freshness"
    visits_per_day: Annotated[
        float,
        _about(
            "Visits per day, new pages included. 0: as many as there are pages, as far as politeness allows.",
            ge=0,
        ),
    ] = 0.0
    visits_share: Annotated[
        float,
        _about(
            "Alternative to visits_per_day: a share of the visits that politeness allows at all "
            "known hosts; 0.5: half of them; 0: use visits_per_day.",
            ge=0,
            le=1,
        ),
    ] = 0.0
    new_share: Annotated[
        float,
        _about(
            "Share of all visits for new pages; visits that these do not need go to known pages.",
            ge=0,
            le=1,
        ),
    ] = 0.3
    discovery: Annotated[
        float,
        _about(
            "Largest share of the visits to known pages that goes to pages with links to new ones.",
            ge=0,
            le=1,
        ),
    ] = 0.1
    weights: Annotated[
        Literal["equal", "order"],
        _about("Value of a page: the same for all, or the score of the order (such as PageRank)."),
    ] = "equal"
    shortest: Annotated[
        float, _about("A page is not visited again before this many days.", gt=0, le=_MOST_DAYS)
    ] = 0.01
    longest: Annotated[
        float,
        _about(
            "A page is visited again after this many days at the latest, if the budget allows it.",
            gt=0,
            le=_MOST_DAYS,
        ),
    ] = 90.0
    half_life: Annotated[
        float,
        _about(
            "Half-life of observations, in days: recent visits count more for the change rate of a page.",
            gt=0,
            le=_MOST_DAYS,
        ),
    ] = 180.0
    believe: Annotated[
        bool,
        _about(
            "Use announcements of changes (Last-Modified, sitemaps, feeds, Cache-Control), "
            "as far as they have proved right."
        ),
    ] = True
    minor: Annotated[
        float,
        _about(
            "Share of a text that may differ without counting as a change, such as a date or a counter.",
            ge=0,
            le=1,
        ),
    ] = 0.05
    gone_after: Annotated[
        int,
        _about(
            "A page is given up after it was gone (404, 410) at this many visits in a row.",
            ge=1,
        ),
    ] = 3
    day: Annotated[
        float,
        _about(
            "Length of a day in seconds. Other values are for simulated webs only.",
            gt=0,
            le=LONGEST_SPAN,
        ),
    ] = 86_400.0


class ListenSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """Announcements to the crawl from outside (`gossamer listen`)."""

    announced: Annotated[
        bool, _about("Visit URLs that were announced to `gossamer listen` as new or changed.")
    ] = False
    listen_address: Annotated[
        str, _about("The address to listen on; the default is reached from this machine only.")
    ] = "127.0.0.1"
    listen_port: Annotated[
        int, _about("The port to listen on; 0: any free port.", ge=0, le=65535)
    ] = 8088
    public_url: Annotated[
        str,
        _about(
            "The public URL of the listener, for hubs, if it is behind another server; empty: its own "
            "address and port."
        ),
    ] = ""
    indexnow: Annotated[bool, _about("Accept announcements of sites by IndexNow.")] = True
    websub: Annotated[
        bool, _about("Subscribe to feeds and pages of the crawl that name a WebSub hub.")
    ] = True
    max_subscriptions: Annotated[
        int, _about("Number of WebSub subscriptions; further hubs are ignored.", ge=0)
    ] = 1000
    lease_days: Annotated[
        float, _about("Days for which a WebSub subscription is asked for each time.", gt=0, le=365)
    ] = 10.0
    hubs_every: Annotated[
        float,
        _about(
            "Seconds between two searches of new pages for WebSub hubs.",
            gt=0,
            le=LONGEST_SPAN,
        ),
    ] = 60.0
    urls_per_hour: Annotated[
        int, _about("Number of URLs that are accepted in an hour; more are refused.", ge=1)
    ] = 100_000
    host_urls_per_hour: Annotated[int, _about("The same for each host.", ge=1)] = 10_000
    keys_per_hour: Annotated[
        int,
        _about("Number of IndexNow keys that are checked for each host in an hour.", ge=1),
    ] = 10
    key_seconds: Annotated[
        float,
        _about(
            "Seconds that a request waits for its IndexNow key to be checked; then it is answered with 202.",
            ge=0,
            le=LONGEST_SPAN,
        ),
    ] = 5.0
    max_request: Annotated[
        int, _about("Largest body of a request, in bytes; larger ones are refused.", ge=1024)
    ] = 8 << 20
    max_clients: Annotated[
        int, _about("Number of connections at the same time; more are refused.", ge=1)
    ] = 100
    request_seconds: Annotated[
        float,
        _about("Time limit for receiving a whole request, in seconds.", gt=0, le=LONGEST_SPAN),
    ] = 10.0


class StoreSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """Output of a crawl."""

    warc: Annotated[bool, _about("Write WARC files and their CDXJ index.")] = True
    warc_size: Annotated[int, _about("Bytes after which a new WARC file begins.", ge=1 << 10)] = (
        1 << 30
    )
    links: Annotated[bool, _about("Write the links table.")] = True
    secret_fields: Annotated[
        tuple[str, ...],
        _about(
            "Form fields to redact: if the name of a field contains one of these words, its value "
            "is left out of request bodies in WARC files and tables."
        ),
    ] = (
        "password",
        "passwd",
        "passphrase",
        "pwd",
        "secret",
        "token",
        "csrf",
        "xsrf",
        "apikey",
        "api_key",
    )
    max_stored_pages: Annotated[
        int,
        _about(
            "Largest number of pages whose responses are kept: the most valuable ones by the order; 0: no "
            "limit. The other pages keep their row in the pages table.",
            ge=0,
        ),
    ] = 0
    rows: Annotated[
        int,
        _about(
            "Number of rows in a Parquet file of links; a file of pages has a quarter of it.", ge=1
        ),
    ] = 100_000
    history_memory: Annotated[
        int,
        _about(
            "Bytes of memory for the times at which each URL was fetched; the rest is on disk.",
            ge=1 << 20,
        ),
    ] = 32 << 20
    checkpoint_every: Annotated[
        float,
        _about(
            "Seconds between two checkpoints; between them, the crawl commits every second.",
            gt=0,
            le=LONGEST_SPAN,
            live=True,
        ),
    ] = 300.0
    commit_pages: Annotated[
        int,
        _about(
            "With remote storage, a partition also commits after this many pages, so that few are "
            "fetched again when its machine is lost; 0: every second only. These commits take at "
            "most a fifth of the time.",
            ge=0,
        ),
    ] = 50
    tables_every: Annotated[
        float,
        _about(
            "Seconds between two updates of the tables while the crawl runs; checkpoints update them, too.",
            gt=0,
            le=LONGEST_SPAN,
            live=True,
        ),
    ] = 30.0
    journal_bytes: Annotated[
        int,
        _about(
            "A checkpoint is also made when the journal has more bytes than this.", ge=1, live=True
        ),
    ] = 64 << 20

    @property
    def secret_names(self) -> tuple[str, ...]:
        """`secret_fields`, to be looked for in names in lower case."""
        return tuple(map(str.lower, self.secret_fields))


class SearchSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """The text index of a crawl, and what counts when it is searched; `gossamer index tune` finds values."""

    title: Annotated[
        int,
        _about(
            "Weight of the title among the names of a page (how often it is repeated); 0: left out. This "
            "setting, the next four and pagerank are built into an index: rebuild it after a change.",
            ge=0,
            le=100,
        ),
    ] = 2
    headings: Annotated[
        int, _about("Weight of the headings among the names of a page.", ge=0, le=100)
    ] = 1
    anchors: Annotated[
        int,
        _about(
            "Weight of the anchor texts that link to a page, beside its title and headings.",
            ge=0,
            le=100,
        ),
    ] = 1
    url: Annotated[int, _about("Weight of the URL in the text of a page.", ge=0, le=100)] = 1
    description: Annotated[
        int, _about("Weight of the meta description in the text of a page.", ge=0, le=100)
    ] = 1
    names: Annotated[
        float,
        _about(
            "Weight of a word among the names of a page; 1: the same as in the main text.",
            ge=0,
            le=10,
        ),
    ] = 0.3
    pagerank: Annotated[
        float,
        _about(
            "Share by which the best PageRank raises the score of a page; lower PageRanks raise it "
            "less. Needs gossamer graph rank.",
            ge=0,
            le=10,
        ),
    ] = 0.1
    surroundings: Annotated[
        float,
        _about(
            "Weight of a word in menus or footers; 1: the same as in the main text.",
            ge=0,
            le=10,
        ),
    ] = 0.05
    near: Annotated[
        float,
        _about(
            "Weight of two query words next to each other; 1: as much as both words.",
            ge=0,
            le=10,
        ),
    ] = 0.2
    memory: Annotated[
        int,
        _about(
            "Megabytes of memory for pages that are not written to the index yet; "
            "gossamer index needs about 300 more for libraries and tables.",
            ge=32,
            le=4000,
        ),
    ] = 128


class LogSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """The log of the crawl, in `log/` of its directory (`gossamer log`)."""

    log_level: Annotated[
        Literal["debug", "info", "warning", "error"],
        _about("Lowest level of events in the log; debug has a line for each page."),
    ] = "info"
    log_json: Annotated[bool, _about("Write each line as a JSON object.")] = False
    log_bytes: Annotated[
        int, _about("Size of a log file in bytes; then the next one begins.", ge=1_000)
    ] = 10_000_000
    log_files: Annotated[
        int, _about("Number of log files; older ones are deleted; 0: no log.", ge=0, le=1_000)
    ] = 5


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
    revisit: RevisitSettings = RevisitSettings()
    listen: ListenSettings = ListenSettings()
    store: StoreSettings = StoreSettings()
    search: SearchSettings = SearchSettings()
    log: LogSettings = LogSettings()
    analyzers: dict[str, dict[str, Any]] = {}
    """Sections of analyzers that differ from their defaults. In `crawl.toml` they stand like the others."""
