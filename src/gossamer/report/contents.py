"""Read the archived pages of a site once: fragments, forms, faulty addresses, languages.

The latest version of each HTML page is read from `warc/`. In memory stay eight bytes for each name that a
fragment could have, and what is faulty.
"""

import re
from array import array
from collections.abc import Iterable, Iterator
from urllib.parse import unquote

import numpy as np
from msgspec import Struct
from xxhash import xxh3_64_intdigest

from gossamer.archive.stored_crawl import StoredCrawl
from gossamer.core.http import links_in_fields, read_media_type
from gossamer.core.records import Document, Headers, Page
from gossamer.core.url import Spelling
from gossamer.core.url.spelling import Base
from gossamer.pipeline.parse.encodings import sniff_encoding, to_utf8
from gossamer.pipeline.parse.refresh import refresh_target
from gossamer.report.crawled_site import HTML, Site, VisitedUrl
from gossamer.report.error_words import is_error_heading
from gossamer.report.hrefs import fault_of
from gossamer.report.language_codes import is_language
from gossamer.report.page_markup import PageMarkup, kind_of_relation, read_markup

_FEW_WORDS = 100
"""A page of more words has something to say, whatever its heading is."""
_NO_NAME = re.compile(r"\Z|top\Z|[!/]|[^=]*=", re.IGNORECASE)
"""Fragments that name no element: the page's top, routes and states of applications, pieces of text."""


class Use(Struct):
    """A fact about pages: how often it was found, and the first of them."""

    page: str
    count: int = 0


Uses = dict[tuple[str, str], Use]


class ArchivedMarkup:
    """Facts about pages that the tables do not have; `take` reads one more."""

    def __init__(self, site: Site, spelling: Spelling) -> None:
        self._site = site
        self._spelling = spelling
        self._names = array("Q")
        self._fragments: Uses = {}
        self.malformed: dict[tuple[str, str, str], Use] = {}
        """By address, element and fault."""
        self.forms: Uses = {}
        """By target and method."""
        self.named: Uses = {}
        """What pages name in ways that a crawl does not follow (citations, some relations, header fields), by
        target and kind."""
        self.languages: Uses = {}
        """By page and `hreflang`: those that are no language."""
        self.says_missing: dict[str, str] = {}
        """Pages with status 200 and few words, whose heading or title says that there is no such page."""
        self.read: set[str] = set()
        """Pages that were read to their end."""

    def take(
        self,
        page: VisitedUrl,
        markup: PageMarkup,
        charset: str,
        is_whole: bool,
        in_fields: Iterable[tuple[str, str]] = (),
    ) -> None:
        """Note what a page says, and its header fields: kinds and addresses."""
        base = self._base(page.url, markup, charset)
        if is_whole:
            self.read.add(page.url)
        self._names.extend(_key(page.url, name) for name in markup.names)
        for element, href in markup.hrefs:
            self._take_href(page, base, element, href)
        for form in markup.forms:
            self._take_form(page, base, form.action, form.method)
        for kind, href in (*markup.others, *in_fields):
            self._take_other(page, base, kind, href)
        for language in markup.languages:
            if not is_language(language):
                _note(self.languages, (page.url, language), page.url)
        if markup.words < _FEW_WORDS and page.is_page and not page.is_seed:
            for said in (markup.heading, page.title):
                if is_error_heading(said):
                    self.says_missing.setdefault(page.url, said)

    @property
    def remark(self) -> str:
        """A warning if there was nothing to read."""
        if self.read or not any(page.is_page and page.is_html for page in self._site):
            return ""
        return (
            "The crawl has no archived page (no warc/, or store.warc is off), so there is "
            "nothing to report."
        )

    def lost_fragments(self) -> list[tuple[str, str, Use]]:
        """Links to a part of a page that has no part of that name: the page, the fragment, its use."""
        wanted = [
            (end, target, fragment, use)
            for (target, fragment), use in self._fragments.items()
            if (end := self._site.follow(target).end) in self.read
        ]
        keys = np.array(
            [
                _key(end, one)
                for end, _, fragment, _ in wanted
                for one in (fragment, unquote(fragment))
            ],
            np.uint64,
        ).reshape(-1, 2)
        is_there = np.isin(keys, np.array(self._names)).sum(axis=1)
        return [wanted[place][1:] for place in np.flatnonzero(is_there == 0).tolist()]

    def _base(self, url: str, markup: PageMarkup, charset: str) -> Base | None:
        base = self._spelling.base(url, charset)
        if base is None or markup.base is None:
            return base
        return self._spelling.rebase(base, markup.base) or base

    def _take_href(self, page: VisitedUrl, base: Base | None, element: str, href: str) -> None:
        fault = fault_of(href, self._spelling, base) if href.strip() else "empty"
        if fault:
            use = self.malformed.setdefault((href, element, fault), Use(page.url))
            use.count += 1
            return
        _, mark, fragment = href.strip().partition("#")
        fragment = fragment.partition(":~:")[0]
        if not mark or element not in ("a", "area") or _NO_NAME.match(fragment):
            return
        if (target := self._spelling.join(base, href)) is not None:
            _note(self._fragments, (target.text, fragment), page.url)

    def _take_other(self, page: VisitedUrl, base: Base | None, kind: str, href: str) -> None:
        target = self._spelling.join(base, href) if href.strip() else None
        if target is not None and target.text != page.url and target.text.startswith("http"):
            _note(self.named, (target.text, kind), page.url)

    def _take_form(self, page: VisitedUrl, base: Base | None, action: str, method: str) -> None:
        target = self._spelling.join(base, action) if action.strip() else None
        if target is not None and target.text != page.url and target.text.startswith("http"):
            _note(self.forms, (target.text, method), page.url)


def read_contents(crawl: StoredCrawl, site: Site) -> ArchivedMarkup:
    """Read the latest version of each HTML page of the site from the archive."""
    contents = ArchivedMarkup(site, Spelling(crawl.settings.url.rules))
    limit = crawl.settings.parse.max_html

    def read(page: Page) -> Document:
        visited = site.get(page.url)
        if visited is not None and not visited.redirect_to:
            said = read_media_type(page.headers.get("content-type"))
            body = page.body[:limit]
            charset = sniff_encoding(body, said.charset)
            is_whole = not page.truncated and len(page.body) <= limit
            markup = read_markup(to_utf8(body, charset))
            contents.take(visited, markup, charset, is_whole, _in_fields(page.headers))
        return Document(page=page)

    if (crawl.path / "warc").is_dir():  # else it was moved away, and sections say so
        crawl.check_archive()
        _exhaust(crawl.latest(dict.fromkeys(HTML, read), HTML))
    return contents


def _in_fields(headers: Headers) -> Iterator[tuple[str, str]]:
    """Links in header fields: the kind, and the address as written."""
    for relation, href in links_in_fields(headers.get_all("link")):
        if kind := kind_of_relation(relation):
            yield kind, href
    if href := refresh_target(headers.get("refresh") or ""):
        yield "refresh", href


def _exhaust(documents: Iterable[Document]) -> None:
    for _ in documents:
        pass


def _note(uses: Uses, key: tuple[str, str], page: str) -> None:
    use = uses.setdefault(key, Use(page))
    use.count += 1


def _key(url: str, name: str) -> int:
    return xxh3_64_intdigest(f"{url}#{name}".encode("utf-8", "replace"))
