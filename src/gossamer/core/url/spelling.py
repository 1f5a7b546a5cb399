"""From what stands in a page to the one spelling of a URL."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from xxhash import xxh3_64_intdigest

from gossamer.core.mistakes import Mistakes
from gossamer.core.url.legacy import encode_query, find_encoding
from gossamer.core.url.percent_encoding import normalise
from gossamer.core.url.rules import find_rules, settle
from gossamer.core.url.standard import (
    CarefulUrl,
    Parsed,
    join_standard,
    parse_again,
    parse_carefully,
    parse_standard,
    repair_path,
)
from gossamer.core.url.url import Url
from gossamer.core.url.url_limits import (
    LONGEST_HOST,
    LONGEST_URL,
    MOST_JOINED,
    has_endless_host,
)

_WITH_ORIGIN = frozenset({"http:", "https:", "ftp:", "ws:", "wss:"})
_MOST_OWNERS = 1 << 16


class Owner(NamedTuple):
    """Whom a URL belongs to. Shared by all URLs of an origin: a crawl holds millions of them."""

    host: str
    origin: str


class Base:
    """The URL that relative links are joined with: made once for a page."""

    __slots__ = ("encoding", "most", "parsed", "parts")

    def __init__(self, parsed: Parsed, owner: Owner, encoding: str) -> None:
        self.parsed = parsed
        self.encoding = encoding
        self.most = max(1, MOST_JOINED // len(parsed.href))
        """Links that may be joined with it before the memory for that is checked."""
        # What the links to the same origin begin with, and what they have in common.
        self.parts = (parsed, owner.origin + "/", owner.host, owner.origin)

    @property
    def text(self) -> str:
        return str(self.parsed.href)


class Spelling:
    """Writes every URL in one canonical way, with the optional rules that are named.

    >>> spelling = Spelling(["tracking", "query_order"])
    >>> base = spelling.base("https://example.org/news/today.html")
    >>> spelling.join(base, "../shop?z=1&utm_source=mail&a=2#top").text
    'https://example.org/shop?a=2&z=1'
    >>> spelling.join(base, "http://[nonsense") is None
    True
    """

    def __init__(self, rules: Sequence[str] = (), mistakes: Mistakes | None = None) -> None:
        self.rules = tuple(rules)
        self._rules = find_rules(self.rules, mistakes)
        self._owners: dict[str, Owner] = {}

    def parse(self, text: str) -> Url | None:
        """The URL that stands on its own, or None when it is none."""
        parsed = parse_standard(text)
        return None if parsed is None else self._spell_parsed(parsed)

    def base(self, text: str, encoding: str = "utf-8") -> Base | None:
        """The base of links on the page at `text`, or None when it is no URL, or too long.

        The optional rules do not touch it: links are relative to where the page really is. The
        page's encoding is that of the queries of its links (`legacy.py`).
        """
        parsed = parse_standard(text) if len(text) <= LONGEST_URL else None
        return None if parsed is None else self._base(parsed, find_encoding(encoding))

    def rebase(self, base: Base, href: str) -> Base | None:
        """The base of links after `<base href>`, or None when that is no URL, or too long."""
        parsed = join_standard(base.parsed, href)
        if parsed is None or len(parsed.href) > LONGEST_URL:
            return None
        return self._base(parsed, base.encoding)

    def join(self, base: Base | None, href: str) -> Url | None:
        """The URL that a link points to, or None when it points nowhere."""
        return self.join_all(base, (href,))[0]

    def join_all(self, base: Base | None, hrefs: Iterable[str]) -> list[Url | None]:
        """The URLs that links point to, in their order; without a base, only those that need none.

        A long base and many links make more than a page should: what is too much, all in all, points
        nowhere. `docs/reading.md` names the bounds.
        """
        hrefs = list(hrefs)
        if base is None:
            return [self.parse(href) for href in hrefs]
        if len(hrefs) > base.most:
            return self._join_some(base, hrefs)
        return self._join_all(base, hrefs)

    def _join_some(self, base: Base, hrefs: list[str]) -> list[Url | None]:
        """The same as far as `MOST_JOINED` goes; links that take nothing from the base cost nothing."""
        urls: list[Url | None] = []
        room = MOST_JOINED
        while room > 0 and len(urls) < len(hrefs):
            some = hrefs[len(urls) : len(urls) + base.most]
            found = self._join_all(base, some)
            pairs = zip(found, some, strict=True)
            room -= sum(max(0, len(url.text) - len(href)) for url, href in pairs if url)
            urls += found
        return urls + [None] * (len(hrefs) - len(urls))

    def _join_all(self, base: Base, hrefs: list[str]) -> list[Url | None]:
        """The hot path of the crawler, so everything is in one loop, and a link to the base's own origin
        takes its host and origin from the base.
        """
        urls: list[Url | None] = []
        add, parsed_base, prefix, host, origin = urls.append, *base.parts
        length, has_rules = len(prefix), bool(self._rules)
        if base.encoding:
            hrefs = [encode_query(href, base.encoding) for href in hrefs]
        for href in hrefs:
            if len(href) > LONGEST_HOST and has_endless_host(href):
                add(None)
                continue
            try:
                parsed = parsed_base + href
            except (ValueError, TypeError):  # TypeError: lone surrogates
                add(self._join_carefully(base, href))
                continue
            text = parsed.href
            if "#" in text:
                text = text[: text.index("#")]
            if text[:length] != prefix:  # a third faster than startswith
                if href.isascii():
                    add(self._spell(parsed, text))
                else:
                    add(self._join_carefully(base, href))
                continue
            if has_rules or "%" in text or "/." in text or "^" in text or text[-1] == "?":
                text = self._tidy(text, origin)
            add(Url(text, host, origin, xxh3_64_intdigest(text.encode())))
        return urls

    def _join_carefully(self, base: Base, href: str) -> Url | None:
        parsed = parse_carefully(href, base.parsed)
        return None if parsed is None else self._spell_parsed(parsed)

    def _spell_parsed(self, parsed: Parsed) -> Url:
        return self._spell(parsed, parsed.href.partition("#")[0])

    def _spell(self, parsed: Parsed, text: str) -> Url:
        """The URL of a parsed one, whose `text` has no fragment."""
        # The shortest host of http begins at 7, so the first slash from 8 on ends the authority.
        # For other schemes this finds some other piece of text, which is no key of `_owners`.
        authority = text[: text.find("/", 8)]
        owner = self._owners.get(authority)
        if owner is None:
            if parsed.protocol not in _WITH_ORIGIN:
                return _spell_without_origin(parsed, text)
            authority, owner = self._meet(parsed, text)
        host, origin = owner
        if authority != origin:
            text = origin + text[len(authority) :]
        if self._rules or "%" in text or "/." in text or "^" in text or text[-1] == "?":
            text = self._tidy(text, origin)
        return Url(text, host, origin, xxh3_64_intdigest(text.encode()))

    def _meet(self, parsed: Parsed, text: str) -> tuple[str, Owner]:
        """The authority as it stands in the text, and its owner, remembered by it if it is short."""
        authority = text[: text.index("/", len(parsed.protocol) + 2)]
        if len(authority) > 2 * LONGEST_HOST:  # passwords may be of any length
            return authority, _owner(parsed)
        if len(self._owners) >= _MOST_OWNERS:
            self._owners.clear()
        return authority, self._owners.setdefault(authority, _owner(parsed))

    def _tidy(self, text: str, origin: str) -> str:
        """Escapes in one form, optional rules, no empty query."""
        path, _, query = text[len(origin) :].partition("?")
        path = repair_path(path)
        if "%" in text:
            path, query = normalise(path), normalise(query)
        if self._rules:
            path, query = settle(self._rules, path, query)
        return f"{origin}{path}?{query}" if query else origin + path

    def _base(self, parsed: Parsed, encoding: str) -> Base:
        if parsed.protocol not in _WITH_ORIGIN:
            return Base(parsed, Owner(parsed.hostname, "null"), encoding)
        text = parsed.href
        authority, owner = self._meet(parsed, text)
        # Links inherit neither credentials nor the last dot of a host.
        return Base(parse_again(owner.origin + text[len(authority) :]), owner, encoding)


def _owner(parsed: Parsed) -> Owner:
    host: str = parsed.hostname
    origin: str = parsed.origin
    # `a..` stays: without its dots, `1..` would become an address. So does the lone `.`.
    if host[-1] != "." or host[-2:] in ("..", "."):
        return Owner(host, origin)
    bare = host[:-1]
    return Owner(bare, origin.replace("//" + host, "//" + bare, 1))


def _spell_without_origin(parsed: Parsed, text: str) -> Url:
    """Drops fragment, credentials and empty query, and leaves the rest: its meaning is unknown."""
    if " " in text or "^" in text or "/." in text:
        parsed = CarefulUrl(parsed.href)
        text = parsed.href.partition("#")[0]
    if "@" in text and (parsed.username or parsed.password):
        scheme, _, rest = text.partition("//")
        text = f"{scheme}//{rest.partition('@')[2]}"
    if text[-1] == "?" and text.index("?") == len(text) - 1:
        text = text[:-1]
    return Url(text, parsed.hostname, parsed.origin, xxh3_64_intdigest(text.encode()))


_plain = Spelling()


def parse(text: str) -> Url | None:
    """The URL that stands on its own, in its canonical spelling without optional rules.

    >>> parse("https://user@example.org:443/%61?#b").text
    'https://example.org/a'
    >>> parse("/no/host") is None
    True
    """
    return _plain.parse(text)


def base(text: str, encoding: str = "utf-8") -> Base | None:
    """The base of links on the page at this address; see `Spelling.base`."""
    return _plain.base(text, encoding)


def join(base: Base, href: str) -> Url | None:
    """The URL a link points to, in its canonical spelling without optional rules.

    >>> from gossamer.core import url
    >>> url.join(url.base("https://example.org/a/b"), "?c").text
    'https://example.org/a/b?c'
    """
    return _plain.join(base, href)
