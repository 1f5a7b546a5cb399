"""The fields of an index, and how much each part of a page counts.

Two fields are ranked. `words` has the main text and, once each, what a page is called. `names` has only what
it is called: title, links to it, headings. BM25 measures each against its own mean length, so that a title of
three words counts on a page of ten thousand as it does on a short one. Within `names` a part stands as often
as it weighs, which is BM25F (Robertson, Zaragoza and Taylor 2004) over parts of about one length.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct
from xxhash import xxh3_64_intdigest

from gossamer.core.settings import SearchSettings
from gossamer.search.terms import GROUPS, analyser, group_of, spread

if TYPE_CHECKING:
    import tantivy

_LONGEST_ENDING = 8
FORMAT = 2
"""Changes when an index of before cannot be searched or added to any more."""


_USUAL = SearchSettings()


class FieldWeights(Struct, frozen=True):
    """Settings that are built into an index; `SearchSettings` describes each."""

    title: int = _USUAL.title
    headings: int = _USUAL.headings
    anchors: int = _USUAL.anchors
    url: int = _USUAL.url
    description: int = _USUAL.description
    pagerank: float = _USUAL.pagerank


def weights_of(settings: SearchSettings) -> FieldWeights:
    """
    >>> weights_of(SearchSettings(title=3)).title
    3
    """
    return FieldWeights(*(getattr(settings, name) for name in FieldWeights.__struct_fields__))


class IndexedPage(Struct, frozen=True):
    """A page as it is found, with all its copies."""

    url: str
    title: str = ""
    headings: tuple[str, ...] = ()
    anchors: tuple[str, ...] = ()
    """What other pages call it: each text as often as it shall count."""
    description: str = ""
    main_text: str = ""
    full_text: str = ""
    language: str = ""
    media_type: str = ""
    moment: int = 0
    """Published, changed or else fetched: seconds since 1970."""
    worth: float = 0.0
    """From 0, nobody links to it, to 1, nothing is linked to more."""
    also: tuple[str, ...] = ()
    """Other URLs with the same content."""
    group: int = 0
    """Pages that are nearly alike have the same one."""
    stems: str = ""
    """The group of languages by whose rules it is searched, if that is not the one of its own language."""

    @property
    def words_group(self) -> str:
        return self.stems or group_of(self.language)


class Shown(Struct, frozen=True, array_like=True):
    """The parts of a page that an index stores to show it."""

    url: str
    title: str
    description: str
    text: str
    language: str
    media_type: str
    moment: int
    also: tuple[str, ...]
    stems: str = ""

    @property
    def words_group(self) -> str:
        return self.stems or group_of(self.language)


def words_field(group: str) -> str:
    return f"words_{group}"


def names_field(group: str) -> str:
    return f"names_{group}"


def rest_field(group: str) -> str:
    return f"rest_{group}"


def make_schema() -> "tantivy.Schema":
    from tantivy import SchemaBuilder

    builder = SchemaBuilder()
    for name in ("key", "host", "lang", "type"):
        builder.add_text_field(name, tokenizer_name="raw", index_option="basic")
    builder.add_text_field("title", tokenizer_name="any")
    builder.add_text_field("in_url", tokenizer_name="any")
    builder.add_text_field("unstemmed", tokenizer_name="any", index_option="basic")
    for group in GROUPS:
        builder.add_text_field(words_field(group), tokenizer_name=group)
        builder.add_text_field(names_field(group), tokenizer_name=group)
        builder.add_text_field(rest_field(group), tokenizer_name=group, index_option="freq")
    builder.add_integer_field("moment", indexed=True, fast=True)
    builder.add_float_field("worth", fast=True)
    for name in ("number", "version", "site", "group"):
        builder.add_unsigned_field(name, fast=True)
    builder.add_bytes_field("shown", stored=True)
    return builder.build()


def register_analysers(index: "tantivy.Index") -> None:
    for group in GROUPS:
        index.register_tokenizer(group, analyser(group))


def key_of(url: str) -> int:
    return xxh3_64_intdigest(url.encode())


def key_text(key: int) -> str:
    return f"{key:016x}"


def make_document(page: IndexedPage, version: int, weights: FieldWeights) -> "tantivy.Document":
    """All that an index has of a page."""
    document = make_ranked(page, version, weights)
    document.add_text("key", key_text(key_of(page.url)))
    for name, values in _exact(page).items():
        for value in values:
            document.add_text(name, value)
    document.add_text("title", spread(page.title))
    document.add_text("in_url", spread(" ".join((page.url, *page.also))))
    document.add_text("unstemmed", spread("\n".join((page.title, *page.headings, *page.anchors))))
    document.add_integer("moment", page.moment)
    document.add_bytes("shown", msgspec.msgpack.encode(_shown(page)))
    return document


def make_ranked(page: IndexedPage, version: int, weights: FieldWeights) -> "tantivy.Document":
    """Make a document with only the fields that ranking needs, to try out weights."""
    from tantivy import Document

    key, document, group = key_of(page.url), Document(), page.words_group
    document.add_unsigned("number", key)
    document.add_unsigned("version", version)
    document.add_unsigned("site", key_of(host_of(page.url)))
    document.add_unsigned("group", page.group or key)
    for text in _said(page, weights):
        document.add_text(words_field(group), text)
    for text in _names(page, weights):
        document.add_text(names_field(group), text)
    document.add_text(rest_field(group), spread(_rest(page)))
    document.add_float("worth", _factor_as_worth(page.worth * weights.pagerank))
    return document


def _exact(page: IndexedPage) -> dict[str, list[str]]:
    hosts = {host for url in (page.url, *page.also) for host in _hosts_above(host_of(url))}
    kind = page.media_type.lower()
    ports = {host for url in (page.url, *page.also) for host in host_and_port(url)}
    return {
        "host": sorted(hosts | ports),
        "lang": [page.language.lower()] if page.language else [],
        "type": sorted({kind, kind.rpartition("/")[2].removeprefix("x-"), ending(page.url)} - {""}),
    }


def host_of(url: str) -> str:
    """The host of a URL in its one spelling, without the port.

    >>> host_of("https://docs.example.org:8443/a?b"), host_of("http://[::1]:80/")
    ('docs.example.org', '[::1]')
    """
    place = url.partition("://")[2].partition("/")[0].rpartition("@")[2]
    return place.partition("]")[0] + "]" if place.startswith("[") else place.partition(":")[0]


def host_and_port(url: str) -> tuple[str, ...]:
    """The host with its port, where the URL names one.

    >>> host_and_port("http://example.org:8080/a"), host_and_port("https://example.org/")
    (('example.org:8080',), ())
    """
    place = url.partition("://")[2].partition("/")[0].rpartition("@")[2]
    return () if place == host_of(url) else (place,)


def ending(url: str) -> str:
    """The ending of a file's name, in lower case.

    >>> ending("http://example.org/a/Notes.TXT?x=1.html"), ending("http://example.org"), ending("http://a.test/v1.2/")
    ('txt', '', '')
    """
    name = url.partition("://")[2].partition("?")[0].partition("#")[0].partition("/")[2]
    _, dot, last = name.rpartition("/")[2].rpartition(".")
    return last.lower() if dot and last.isalnum() and len(last) <= _LONGEST_ENDING else ""


def _hosts_above(host: str) -> list[str]:
    """
    >>> _hosts_above("docs.example.org")
    ['docs.example.org', 'example.org', 'org']
    """
    labels = host.split(".")
    return [".".join(labels[at:]) for at in range(len(labels))]


def _said(page: IndexedPage, weights: FieldWeights) -> list[str]:
    """The text of a page and what belongs to it; what is long stands last, so that phrases are found early.

    A part is one text, for the engine takes longer over many short ones.
    """
    parts = (
        (page.title, min(1, weights.title)),
        ("\n".join(page.anchors), min(1, weights.anchors)),
        (path_words(page.url), weights.url),
        (page.description, weights.description),
        (page.main_text, 1),
    )
    return _as_often(parts)


def _names(page: IndexedPage, weights: FieldWeights) -> list[str]:
    """The names of a page: title, headings, link texts."""
    parts = (
        (page.title, weights.title),
        ("\n".join(page.anchors), weights.anchors),
        ("\n".join(page.headings), weights.headings),
    )
    return _as_often(parts)


def _as_often(parts: Sequence[tuple[str, int]]) -> list[str]:
    """Each part as often as it weighs."""
    return [text for part, times in parts if part and times for text in [spread(part)] * times]


def path_words(url: str) -> str:
    """
    >>> path_words("https://docs.example.org/guide/first-steps.html?page=2")
    'docs.example.org/guide/first-steps?page=2'
    """
    place = url.partition("://")[2]
    return place.replace(".html", "").replace(".htm", "")


def _rest(page: IndexedPage) -> str:
    """The text of a page outside of its main text: menus, footers."""
    if not page.main_text:
        return page.full_text
    main = {*page.main_text.split("\n")}
    return "\n".join(line for line in page.full_text.split("\n") if line not in main)


def _factor_as_worth(worth: float) -> float:
    """The engine multiplies a score by log2(2 + field): have that be 1 + worth."""
    return float(2.0 ** (1.0 + worth) - 2.0)


def _shown(page: IndexedPage) -> Shown:
    text = page.main_text or page.full_text
    return Shown(
        page.url,
        page.title,
        page.description,
        text,
        page.language,
        page.media_type,
        page.moment,
        page.also,
        page.stems,
    )


def read_shown(document: Any) -> Shown:
    return msgspec.msgpack.decode(bytes(document.get_first("shown")), type=Shown)
