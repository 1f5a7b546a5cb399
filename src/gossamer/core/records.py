"""Records that travel round the ring: Candidate → Visit → Page → Document → Link → Candidate.

Every record is immutable and says one thing. A step takes a batch of one kind and returns a
batch of the next, so the types draw the flow.
"""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

from msgspec import Struct

from gossamer.core.outcomes import Outcome, ParseFailure, Refusal, Truncation
from gossamer.core.url import Url


class Via(StrEnum):
    """The source of a URL."""

    SEED = "seed"
    LINK = "link"
    REDIRECT = "redirect"
    SITEMAP = "sitemap"
    FEED = "feed"
    ROBOTS = "robots"
    REQUISITE = "requisite"
    PROBE = "probe"
    PUSH = "push"
    REQUEST = "request"
    """A request that a user named: with a method, a body or a session, so that its URL is a `RequestUrl`."""


class Candidate(Struct, frozen=True, gc=False):
    """A URL that passed the scope and may enter the frontier, if it is new.

    >>> from gossamer.core.url import parse
    >>> Candidate(parse("http://a.test/"), depth=2, anchor="Read on").depth
    2
    """

    url: Url
    depth: int = 0
    via: Via = Via.SEED
    source: str = ""
    """The page that named it; empty for a seed."""
    hops: int = 0
    """Redirects followed to come here."""
    anchor: str = ""
    context: int = 0
    """What is known of the link, as `analyzers/redundancy/worth` packs it; 0 for none."""
    wish: int = -1
    """The level that its order wants for it, if it stands in another one."""
    memory: bytes = b""
    """A summary of earlier visits, packed by `policy/revisit/page_memory`; empty before the first one."""


VISITED = 1
"""What the first four bits of a memory are if the URL itself was visited. The next four are its form."""


class Visit(Struct, frozen=True, gc=False):
    """A URL leased from the frontier, to be fetched now."""

    url: Url
    depth: int = 0
    via: Via = Via.SEED
    source: str = ""
    hops: int = 0
    attempt: int = 0
    """How often it was tried before."""
    level: int = 0
    """The front queue it came through."""
    context: int = 0
    """What is known of the link that led here; 0 for none."""
    wish: int = -1
    """The level that its order wanted for it, if it stood in another one."""
    memory: bytes = b""
    """What is remembered of earlier visits, or of the page that moved here; empty if nothing is."""

    @property
    def is_return(self) -> bool:
        """Was this URL visited before, and is it visited again because it is due?"""
        return bool(self.memory) and self.memory[0] & 15 == VISITED

    @property
    def is_home_page(self) -> bool:
        """Is it a seed, or what a seed redirects to?"""
        return not self.depth and self.via in _HOME_PAGES

    @property
    def is_extra(self) -> bool:
        """Is it made now because the page was announced, beside those that are due?"""
        return self.level < 0 and self.via is Via.PUSH

    @property
    def again(self) -> Candidate:
        """The record as it was before it was leased."""
        return Candidate(
            *(self.url, self.depth, self.via, self.source, self.hops),
            context=self.context,
            memory=self.memory,
        )


_HOME_PAGES = frozenset({Via.SEED, Via.REDIRECT, Via.REQUEST})


class Headers:
    """The fields of an HTTP message in the order they came; names compare without case.

    >>> headers = Headers([("Content-Type", "text/html"), ("Via", "a"), ("via", "b")])
    >>> headers.get("content-type")
    'text/html'
    >>> headers.get_all("VIA")
    ['a', 'b']
    """

    __slots__ = ("_fields", "_first")

    def __init__(self, fields: list[tuple[str, str]]) -> None:
        self._fields = fields
        self._first: dict[str, str] = {}
        """The first value of each name, made at the first lookup."""

    def get(self, name: str, default: str = "") -> str:
        if not self._first and self._fields:
            self._first = {known.lower(): value for known, value in reversed(self._fields)}
        return self._first.get(name.lower(), default)

    def get_all(self, name: str) -> list[str]:
        if not self.get(name) and name.lower() not in self._first:  # nearly always
            return []
        name = name.lower()
        return [value for known, value in self._fields if known.lower() == name]

    @property
    def media_type(self) -> str:
        """The essence of Content-Type, lower-cased; empty when there is none."""
        return self.get("content-type").partition(";")[0].strip().lower()

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return iter(self._fields)

    def __len__(self) -> int:
        return len(self._fields)

    def __repr__(self) -> str:
        return f"Headers({self._fields!r})"


NO_HEADERS = Headers([])


class Page(Struct, frozen=True):
    """The result of one visit: a response, or a named failure.

    `payload` is the body as it came over the wire (chunked, compressed); `body` is the same
    decoded. Both may be cut short, and then `truncated` says why. A payload can be whole and still be
    impossible to decode; then it `is_damaged`.

    >>> from gossamer.core.url import parse
    >>> headers = Headers([("Content-Type", "text/html; charset=utf-8")])
    >>> page = Page(Visit(parse("http://a.test/")), Outcome.FETCHED, 0.0, headers=headers)
    >>> page.url, page.media_type
    ('http://a.test/', 'text/html')
    """

    visit: Visit
    outcome: Outcome
    started: float
    """When the request went out, in seconds since 1970."""
    seconds: float = 0.0
    """How long the exchange took."""
    status: int = 0
    headers: Headers = NO_HEADERS
    request: bytes = b""
    """The request head as sent."""
    head: bytes = b""
    """The response's status line and header fields as received, with the empty line."""
    payload: bytes = b""
    body: bytes = b""
    truncated: Truncation = Truncation.NONE
    address: str = ""
    """The server's IP address."""
    protocol: str = "http/1.1"
    """What was spoken: http/1.0, http/1.1, h2 or h3, the names of `WARC-Protocol`."""
    detail: str = ""
    """What a person should know about a failure."""
    is_damaged: bool = False
    """The payload could not be decoded, or not to its end; `body` is what could be."""

    @property
    def url(self) -> str:
        return self.visit.url.text

    @property
    def fetched_at(self) -> datetime:
        """The time of the request, in UTC, as tables have it."""
        return datetime.fromtimestamp(self.started, UTC)

    @property
    def media_type(self) -> str:
        """The essence of Content-Type, lower-cased; empty when there is none."""
        return self.headers.media_type

    @property
    def location(self) -> str:
        """The target of a redirect, as the server wrote it; empty when it is none."""
        return self.headers.get("location") if self.status in _REDIRECTS else ""

    def __repr__(self) -> str:
        what = f"{self.status} " if self.outcome is Outcome.FETCHED else f"{self.outcome} "
        size = f", {len(self.body):,} bytes" if self.body else ""
        return f"<Page {what}{_short(self.url)}{size}>"


_REDIRECTS = frozenset({301, 302, 303, 307, 308})


class LinkKind(StrEnum):
    """The place a link was found in."""

    ANCHOR = "a"
    AREA = "area"
    FRAME = "frame"
    NEXT = "next"
    CANONICAL = "canonical"
    ALTERNATE = "alternate"
    REFRESH = "refresh"
    REDIRECT = "redirect"
    SITEMAP = "sitemap"
    FEED = "feed"
    IMAGE = "image"
    SCRIPT = "script"
    STYLE = "style"
    MEDIA = "media"
    TRANSLATION = "translation"
    """The same page in another language (`rel=alternate` with `hreflang`)."""


REQUISITES = frozenset({LinkKind.IMAGE, LinkKind.SCRIPT, LinkKind.STYLE, LinkKind.MEDIA})
"""What a page needs to be shown as it was."""


class Link(Struct, frozen=True, gc=False):
    """One link, from where it stands to where it points.

    >>> from gossamer.core.url import parse
    >>> link = Link("http://a.test/", parse("http://b.test/"), anchor="B", rel="nofollow")
    >>> str(link.target), link.is_nofollow
    ('http://b.test/', True)
    """

    source: str
    target: Url
    kind: LinkKind = LinkKind.ANCHOR
    anchor: str = ""
    rel: str = ""
    position: str = ""
    """Where on the page it stands: navigation, main, footer, header, aside, or nothing of these."""
    offset: int = -1
    """Where its anchor text begins in the document's `text_utf8`; -1 when it has none there."""

    @property
    def is_nofollow(self) -> bool:
        return "nofollow" in self.rel


class Entry(Struct, frozen=True, gc=False):
    """One line of a sitemap or item of a feed: a URL, and what its publisher says about it."""

    url: Url
    lastmod: float | None = None
    """When it last changed, in seconds since 1970."""
    changefreq: str = ""
    """always, hourly, daily, weekly, monthly, yearly or never; empty when not said."""
    priority: float | None = None
    """From 0 to 1, relative to the publisher's other pages."""
    title: str = ""
    """Of a news article or a feed's item."""
    media: tuple[Url, ...] = ()
    """Images and videos that are shown on it."""


class Document(Struct, frozen=True):
    """A page that was read: what it says, and where it points.

    This is what `gossamer.Crawl` yields.

    >>> from gossamer.core.url import parse
    >>> page = Page(Visit(parse("http://a.test/")), Outcome.FETCHED, started=0.0, status=200)
    >>> document = Document(page, title="A")
    >>> document.status, document.url, document.title, len(document.links)
    (200, 'http://a.test/', 'A', 0)
    """

    page: Page
    title: str = ""
    charset: str = ""
    media_type: str = ""
    links: Sequence[Link] = ()
    """In the order they stand; parsers here bring `Links`, which are columns."""
    is_indexable: bool = True
    """False when the page asks not to be kept in an index (meta robots, X-Robots-Tag)."""
    is_followable: bool = True
    """False when the page asks for its links not to be followed."""
    bad_links: int = 0
    """Links that are no URLs at all, or too long together because of the base they are joined with."""
    entries: tuple[Entry, ...] = ()
    """What a sitemap or feed says of the URLs it lists."""
    text_utf8: bytes = b""
    """All that a reader would see, tags taken out, references resolved; one space between two words."""
    failure: ParseFailure = ParseFailure.NONE
    """Why it could not be read, when it could not."""
    items: tuple[Any, ...] = ()
    """What a parser of a program found besides: dicts, structs or dataclasses; stored with the page."""

    @property
    def url(self) -> str:
        return self.page.visit.url.text

    @property
    def fetched_at(self) -> datetime:
        """The time of the request, in UTC, as tables have it."""
        return self.page.fetched_at

    @property
    def status(self) -> int:
        return self.page.status

    @property
    def body(self) -> bytes:
        return self.page.body

    @property
    def text(self) -> str:
        """All that a reader would see."""
        return self.text_utf8.decode("utf-8", "replace")

    def __repr__(self) -> str:
        status = self.status or self.page.outcome
        failure = f", {self.failure}" if self.failure else ""
        sizes = f"{len(self.links):,} links, {len(self.text_utf8):,} bytes of text"
        return f"<Document {status} {_short(self.url)} {_short(self.title)!r}, {sizes}{failure}>"

    def context(self, link: Link, reach: int = 80) -> tuple[str, str]:
        """The words before and after a link, up to this many characters on each side.

        >>> from gossamer.core.url import parse
        >>> page = Page(Visit(parse("http://a.test/")), Outcome.FETCHED, started=0.0)
        >>> link = Link("http://a.test/", parse("http://b.test/"), anchor="cake", offset=6)
        >>> Document(page, links=(link,), text_utf8=b"Tea & cake at five").context(link, 10)
        ('Tea &', 'at five')
        """
        if link.offset < 0:
            return "", ""
        words = link.anchor.encode()
        text, start = self.text_utf8, link.offset
        end = start + len(words) if text.startswith(words, start) else start
        before = text[max(0, start - 4 * reach) : start].decode("utf-8", "ignore")
        after = text[end : end + 4 * reach].decode("utf-8", "ignore")
        return _whole_words(before[::-1], reach)[::-1], _whole_words(after, reach)


def _short(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


_SHOWN = 200
"""Characters of a URL or a title that are shown."""


def _whole_words(text: str, reach: int) -> str:
    """The beginning of a text, without the word that would be cut."""
    if len(text) > reach and not text[reach].isspace():
        text = text[:reach].rpartition(" ")[0]
    return text[:reach].strip()


class Original(Struct, frozen=True, gc=False):
    """The place and time at which content was met first."""

    url: str
    date: float


class Similar(Struct, frozen=True, gc=False):
    """A page that says nearly the same."""

    group: int
    """The key of the page that the group of near-duplicates began with."""
    original: Original
    similarity: float
    """From 0 to 1: the part of all their shingles that both have (Jaccard), estimated."""
    streak: int = 1
    """How many near-duplicates led here in a row, each found on the one before; this one counts."""


class Compared(Struct, frozen=True):
    """The results of the content test for a document; the redundancy filter judges by them."""

    document: Document
    digest: bytes = b""
    """SHA-1 of the payload; empty when none arrived."""
    duplicate_of: Original | None = None
    """The same content was met there before."""
    is_same_payload: bool = False
    """Even the payload's bytes are the same, so that a WARC `revisit` record will do."""
    text_print: int = 0
    """64-bit fingerprint of the text without its case, spaces and punctuation; 0 when there is none."""
    masked_print: int = 0
    """The same without numbers and the words of the page's own URL; 0 when there is too little of it."""
    same_text_as: Original | None = None
    """The same text was met there before, in other markup."""
    similar_to: Similar | None = None
    """Nearly the same was met there before."""
    words: int = 0
    """Pairs of words that stand next to each other in its text …"""
    new_words: int = 0
    """… those of them that no page of its host had, lately …"""
    new_content: int = 0
    """… and those that no page had which is meant to be found; 0 if it is not meant to be found itself."""
    is_row: bool = False
    """Much longer pages, such as lists, have some of its text, which was counted again for that."""
    is_variant: bool = False
    """It names another URL as the one to be found (rel=canonical), and that was not read yet."""

    @property
    def is_duplicate(self) -> bool:
        """Was the same content met at another URL?"""
        return self.duplicate_of is not None and self.duplicate_of.url != self.document.url


class Validators(Struct, frozen=True, gc=False):
    """The header fields that ask a server whether a page has changed."""

    etag: str
    last_modified: str


class Judged(Struct, frozen=True):
    """A document on its way to the store: which content it is, and what is to be done about it.

    What analyzers say of it besides are columns (`PageBatch`): nothing here acts on those.
    """

    document: Document
    digest: bytes = b""
    """SHA-1 of the payload; empty when none arrived. Of an unchanged page (304): of what it stands for."""
    text_print: int = 0
    """64-bit fingerprint of the text without its case, spaces and punctuation; 0 when there is none."""
    original: Original | None = None
    """A page of this crawl that has the very same payload, so that a WARC `revisit` record will do."""
    archived: Original | None = None
    """A capture of an earlier visit or an earlier crawl that has it."""
    is_unchanged: bool = False
    """It is as it was before: by the server's word (304), or byte for byte."""
    validators: Validators | None = None
    """Those of the content that it stands for, if it came without."""
    refusal: Refusal | None = None
    """Why nothing is followed that it leads to."""
    is_lesser: bool = False
    """Visits to it are worth less than those to others: it is a copy, or no page at all."""
    is_variant: bool = False
    """It names another URL as the one to be found (rel=canonical), and that was not read yet."""
    change: str = ""
    """What is different since the visit before, in a crawl that visits pages again …"""
    extent: float = 0.0
    """… and the share of the text that differs."""

    def __repr__(self) -> str:
        copy = f", a copy of {_short(self.original.url)}" if self.original else ""
        return f"<Judged {self.document!r}{copy}>"


class Followed(Struct, frozen=True):
    """The fate of a page's links, or of its redirect, on the way to the frontier."""

    refused: Sequence[Refusal | None] = ()
    """For each link the reason why it was not offered, None when it was; empty when all were."""
    redirect_to: str = ""
    """Where a redirect leads, in its one spelling; empty when it is none, or leads to no URL."""
    redirect_refused: Refusal | None = None
