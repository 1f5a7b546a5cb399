"""A link as a whole: its URL, its words and its rel."""

from gossamer.core.records import Link
from gossamer.pipeline.scope.actions.action_urls import UrlParts
from gossamer.pipeline.scope.actions.action_words import LOGOUT, PHRASES, plain

_LONGEST = 40
"""Characters of an anchor text that may be the name of an action."""

_EDITS = frozenset({"edit", "edit-form", "edit-media"})
"""Relations that lead to a form; many applications lock what is being edited."""


def find_action(link: Link) -> str:
    """The sign that following a link changes something; empty when there is none.

    >>> from gossamer.core.url import parse
    >>> find_action(Link("", parse("http://a.test/node/5/delete")))
    'delete'
    >>> find_action(Link("", parse("http://a.test/exit?u=7"), anchor="Abmelden"))
    'Abmelden'
    >>> find_action(Link("", parse("http://a.test/docs/sql-delete.html"), anchor="DELETE"))
    ''
    """
    address = UrlParts(link.target.path)
    return address.action() or _said(link, address)


def describe(action: str) -> str:
    """The reason in words, and what can be done about it."""
    return (
        f"following it probably changes something ({action}), and the crawl is logged in there; to "
        "fetch it anyway, add it as a seed, or set scope.follow_actions to true"
    )


def _said(link: Link, address: UrlParts) -> str:
    """Do the words on the link say so, or its rel?"""
    if link.rel and not _EDITS.isdisjoint(link.rel.split()):
        return f"rel={link.rel}"
    anchor = link.anchor
    if not anchor or len(anchor) > _LONGEST or link.target.text == link.source:
        return ""  # a page that leads to itself has a script behind those words
    word = plain(anchor.strip(" \t[](){}«»‹›×✖✕❌🗑|·•:!"))
    if word not in PHRASES or address.is_document or address.is_about or address.mentions(word):
        return ""
    return anchor if word in LOGOUT or address.has_number else ""
