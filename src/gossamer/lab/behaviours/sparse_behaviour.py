"""Pages that a script makes up: a title, a line or two, and links to more of their kind."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from gossamer.lab.url_answer import Answer, LabLink


def sparse_page(site: int, kind: str, title: str, text: str, links: Sequence[LabLink]) -> Answer:
    """A page with little on it."""
    items = "".join(f'<li><a href="{escape(link.url)}">{link.anchor}</a></li>\n' for link in links)
    body = (
        '<!DOCTYPE html>\n<html lang="en"><head>\n<meta charset="utf-8">\n'
        f"<title>{title}</title>\n</head><body>\n<h1>{title}</h1>\n<p>{text}</p>\n"
        f"<ul>\n{items}</ul>\n</body></html>\n"
    )
    return Answer(site, 0, kind, extra=links, content=body.encode())
