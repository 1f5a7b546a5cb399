"""Titles, dates and authors: many places say them, and the most careful one counts."""

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from itertools import chain
from math import inf
from typing import Any

from msgspec import Struct

from gossamer.pipeline.parse.extraction.bounds import clip
from gossamer.pipeline.parse.extraction.json_ld import walk
from gossamer.pipeline.parse.extraction.meta import Meta
from gossamer.pipeline.parse.extraction.written_dates import read_written_date, writes_day_first
from gossamer.pipeline.parse.feed_dates import read_date

_PUBLISHED = (
    "article:published_time", "og:article:published_time", "og:published_time", "datepublished",
    "dcterms.issued", "dcterms.created", "dc.date.issued", "dc.date.created", "citation_publication_date",
    "citation_date", "dc.date", "dcterms.date", "publishdate", "publish-date", "publication_date", "pubdate",
    "parsely-pub-date", "sailthru.date", "dateposted", "datecreated", "date_published", "date-published",
    "published_at", "published-date", "published_date", "published_time", "published", "publish_date",
    "publish_time", "publishtime", "pub_date", "og:pubdate", "og:publish_date", "article:published",
    "article.published", "article:publish_date", "article_published", "article_publish_date",
    "article_publication_date", "article.created", "article:created", "citation_online_date",
    "cxenseparse:recs:publishtime",
    "cxenseparse:publishtime", "prism.publicationdate", "dc.created", "dc.issued", "dcterms:issued",
    "dcterms:created",
    "dc:issued", "dc:created", "dc:date", "dc.date.published", "dc.date.publication", "eprints.date",
    "bt:pubdate",
    "rnews:datepublished", "schema:datepublished", "originalpublicationdate",
    "shareaholic:article_published_time",
    "date",
)  # fmt: skip
_MODIFIED = (
    "article:modified_time", "og:article:modified_time", "og:updated_time", "og:modified_time",
    "datemodified", "dcterms.modified", "dc.date.modified", "lastmod", "last-modified", "revised",
)  # fmt: skip
_AUTHORS = (
    "author",
    "article:author",
    "dc.creator",
    "dcterms.creator",
    "citation_author",
    "parsely-author",
)
_ARTICLES = re.compile("(?:article|blogposting|report)$", re.IGNORECASE)
"""The types of schema.org that are texts: `NewsArticle`, `TechArticle`, `LiveBlogPosting` …"""
_PARTS = frozenset(("Answer", "Comment", "ImageObject", "Review", "UserComments"))
_BETWEEN = re.compile(r"\s+(?:[|\-–—·•»:]|::|\|\|)\s+")
"""What stands between a title and the name of its site."""
_MAX_AUTHORS = 32
_FUTURE = 2 * 86_400.0
"""Seconds that a page's date may lie ahead of its visit: clocks and time zones differ."""


class Sources(Struct, frozen=True):
    """All that was found on a page."""

    meta: Meta
    json_ld: tuple[Any, ...] = ()
    microdata: tuple[Any, ...] = ()
    times: tuple[str, ...] = ()
    """`time` elements that say that they are of the publication."""
    authors: tuple[str, ...] = ()
    visited: float = 0.0
    """When the page was fetched; 0 when that is not known."""
    language: str = ""
    """What the page says that it is written in."""


def choose_published(found: Sources) -> datetime | None:
    """The day when the page first appeared: the earlier one, if metadata for sharing disagree.

    Several days for machines, such as those of teasers, are left to what the page shows.
    """
    said = _first_date(
        _said(found, "datePublished", "dateCreated", "uploadDate", of_itself=True), found
    )
    shared = _first_date(found.meta.all("article:published_time"), found)
    if said is not None:
        return min(said, shared) if shared is not None and shared.date() < said.date() else said
    named = _first_date(found.meta.all(*_PUBLISHED), found)
    if named is not None:
        return named
    days = {moment.date() for text in found.times if (moment := _first_date([text], found))}
    return _first_date(found.times, found) if len(days) == 1 else None


def choose_modified(found: Sources, last_modified: str) -> datetime | None:
    """The time of the last change; the server's word is the last resort."""
    said = chain(_said(found, "dateModified"), found.meta.all(*_MODIFIED), [last_modified])
    return _first_date(said, found)


def choose_title(own: str, found: Sources, headings: Sequence[str] = ()) -> str:
    """The title, without the name of the site if that is known, or if what is left is a heading.

    >>> choose_title("Tea | A shop", Sources(Meta([("og:site_name", "A shop")])))
    'Tea'
    """
    other = found.meta.first("og:title", "twitter:title", "dc.title") or _word(found, "headline")
    if not own:
        return other
    sites = {_plain(name) for name in found.meta.all("og:site_name", "application-name")}
    alone = {_plain(name) for name in (other, *headings)}
    for place in _BETWEEN.finditer(own):
        before, after = own[: place.start()], own[place.end() :]
        if _plain(after) in sites or (_plain(before) in alone and _plain(own) not in alone):
            return before
        if _plain(before) in sites:
            return after
    return own


def _plain(name: str) -> str:
    return " ".join(name.split()).casefold()


def choose_description(found: Sources) -> str:
    names = ("description", "og:description", "twitter:description", "dc.description")
    return found.meta.first(*names) or _word(found, "description")


def choose_language(own: str, found: Sources, header: str) -> str:
    """The language that the page claims."""
    said = own or found.meta.first("content-language", "og:locale", "dc.language") or header
    return clip((said or _word(found, "inLanguage")).partition(",")[0].strip(), 64)


def choose_authors(found: Sources) -> tuple[str, ...]:
    """Names, each once; addresses are none."""
    structured = chain(*(_names(value) for value in _values(found, "author")))
    names = chain(structured, found.meta.all(*_AUTHORS), found.authors)
    cleaned = (" ".join(name[:1024].split())[:256] for name in names)
    wanted = (name for name in cleaned if name and "://" not in name)
    return tuple(dict.fromkeys(wanted))[:_MAX_AUTHORS]


def is_declared_article(found: Sources) -> bool:
    """Does the page say that it is an article: to those who share it, or in structured data?"""
    graph = found.meta.open_graph
    if "article" in graph.get("og:type", ()) or any(name.startswith("article:") for name in graph):
        return True
    types = chain(*(_types(one) for one in chain(walk(found.json_ld), walk(found.microdata))))
    return any(_ARTICLES.search(one) for one in types)


def _types(item: dict[str, Any]) -> Iterator[str]:
    for said in (item.get("@type"), item.get("type")):
        yield from (
            one for one in (said if isinstance(said, list) else [said]) if isinstance(one, str)
        )


def _first_date(texts: Iterable[str], found: Sources) -> datetime | None:
    latest, is_day_first = latest_date(found.visited), writes_day_first(found.language)
    for text in texts:
        said = text.strip()[:64]
        seconds = read_date(said)
        if seconds is None:
            seconds = read_written_date(said, is_day_first)
        if seconds is not None and 0 < seconds <= latest:
            return datetime.fromtimestamp(seconds, UTC)
    return None


def latest_date(visited: float) -> float:
    """The last date that a page may have that was visited then, in seconds since 1970."""
    return visited + _FUTURE if visited else inf


def _said(found: Sources, *names: str, of_itself: bool = False) -> Iterator[str]:
    """Plain values of these names, wherever they stand in structured data."""
    for name in names:
        for value in _values(found, name, of_itself):
            if isinstance(value, str):
                yield value


def _word(found: Sources, name: str) -> str:
    return next((" ".join(word.split()) for word in _said(found, name) if word.strip()), "")


def _values(found: Sources, name: str, of_itself: bool = False) -> Iterator[Any]:
    for one in walk(found.json_ld):
        if of_itself and _is_part(one):
            continue
        value = one.get(name)
        yield from value if isinstance(value, list) else [value]
    for item in walk(found.microdata):
        if of_itself and _is_part(item):
            continue
        properties = item.get("properties")
        if isinstance(properties, dict):
            yield from properties.get(name, ())


def _is_part(item: dict[str, Any]) -> bool:
    """Is it something on a page that has a date of its own?"""
    return any(one.rsplit("/", 1)[-1] in _PARTS for one in _types(item))


def _names(author: Any) -> Iterator[str]:
    """An author is a name, or a thing that has one."""
    if isinstance(author, str):
        yield author
    elif isinstance(author, dict):
        name = author.get("name")
        if isinstance(name, str):
            yield name
        properties = author.get("properties")
        if isinstance(properties, dict):
            yield from (one for one in properties.get("name", ()) if isinstance(one, str))
