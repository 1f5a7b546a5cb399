"""Posts of threads and comments on pages, by repeated structure, where no structured data says so.

A record is a post if its shape is named so (`post`, `message`, `comment` …), and it has a date or an author.
"""

import re
from typing import Any

from msgspec import Struct

from gossamer.core.page_tree import Element, PageTree, collapse
from gossamer.items.records.record_regions import RecordRegion

_POST = re.compile(
    r" (?:posts?|message|messages|thread post|topic post|answer|reply|replies|beitrag|postbit|entry post) "
)
_COMMENT = re.compile(
    r" (?:comments?|commentlist|comment body|kommentar\w*|commentaires?|comentarios?|review) "
)
_AUTHOR = re.compile(
    r" (?:author|username|user name|poster|postauthor|nick(?:name)?|commenter|user|member|by|fn|verfasser) "
)
_BODY = re.compile(
    r" (?:content|postbody|post body|post text|message body|message content|comment text|"
    r"comment body|comment content|"
    r"post content|post message|body|text|bbwrapper|entry content|cooked) "
)
_DATE = re.compile(
    r"\b(?:\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|\d{4}-\d\d-\d\d|\d{1,2}\.? (?:[A-Za-zäéû]{3,10})\.? \d{4}|"
    r"[A-Z][a-z]{2,8} \d{1,2}, \d{4}|\d+ (?:minutes?|hours?|days?|weeks?|months?|years?) ago|"
    r"yesterday|today)\b"
)
_LEAST_TEXT = 15


class Post(Struct, frozen=True):
    """A post or a comment."""

    type: str
    fields: dict[str, Any]
    place: int


def find_posts(page: PageTree, regions: list[RecordRegion], title: str) -> list[Post]:
    """The posts of a page, in its order; none on a page that lists links to threads."""
    for region in regions:
        kind = _kind_of(region)
        if not kind or _are_articles(region) or _are_pointers(region):
            continue
        posts = [
            _read_post(page, one, kind, number) for number, one in enumerate(region.records, 1)
        ]
        whole = [one for one in posts if one is not None]
        if 2 * len(whole) > len(region.records):
            if kind == "DiscussionForumPosting" and title:
                whole[0].fields.setdefault("headline", title)
            return whole
    return []


def _are_articles(region: RecordRegion) -> bool:
    """Has each record a heading of its own, as articles have? Posts share the title of a thread."""
    headings = []
    for record in region.records:
        heading = _first_heading(record)
        if heading is not None:
            headings.append(re.sub(r"^(?:re|aw|sv|antw)\s*[:.]\s*", "", heading.text().lower()))
    return 2 * len(headings) > len(region.records) and 2 * len(set(headings)) > len(headings)


def _are_pointers(region: RecordRegion) -> bool:
    """Is each record a line or two with a link to a page of its own, as the latest posts in a sidebar?"""
    links = {one for one in region.links if one}
    return 5 * len(links) >= 3 * len(region.records) and region.weight < 120 * len(region.records)


def _first_heading(element: Element) -> Element | None:
    waiting = element.elements[::-1]
    while waiting:
        one = waiting.pop()
        if one.tag in ("h1", "h2", "h3") and one.text():
            return one
        waiting.extend(reversed(one.elements))
    return None


def _kind_of(region: RecordRegion) -> str:
    names = " ".join(region.records[0].words())
    outer = " ".join(region.container.words())
    if _COMMENT.search(f" {names} ") or _COMMENT.search(f" {outer} "):
        return "Comment"
    return "DiscussionForumPosting" if _POST.search(f" {names} ") else ""


def _read_post(page: PageTree, record: Element, kind: str, number: int) -> Post | None:
    parts = page.below(record)[1:]
    named = [one for one in parts if _is_named(one, _AUTHOR) and 0 < len(one.text()) < 50]
    author = min(named, key=lambda one: one.end - one.start).text() if named else ""
    when = next(
        (one.get("datetime") for one in parts if one.tag == "time" and one.get("datetime")), ""
    )
    if not when:
        found = _DATE.search(record.text()[:400]) or _DATE.search(record.text()[-200:])
        when = found[0] if found else ""
    body = _body(parts)
    text = body.text() if body is not None else ""
    if len(text) < _LEAST_TEXT or not (author or when):
        return None
    fields: dict[str, Any] = {"text": text, "position": number}
    if when:
        fields["datePublished"] = when
    if author:
        fields["author"] = author
    name = record.get("id") or next((one.get("id") for one in parts[:6] if one.get("id")), "")
    if name:
        fields["identifier"] = collapse(name)
    return Post(kind, fields, record.start)


def _is_named(element: Element, names: re.Pattern[str]) -> bool:
    return element.end - element.start < 12 and bool(names.search(f" {' '.join(element.words())} "))


def _body(parts: list[Element]) -> Element | None:
    """The part that holds what was written: the one named so with the longest text, or else a paragraph."""
    named = [one for one in parts if _BODY.search(f" {' '.join(one.words())} ")]
    return max(
        named or [one for one in parts if one.tag in ("p", "blockquote", "td", "div")],
        key=lambda one: len(one.text()),
        default=None,
    )
