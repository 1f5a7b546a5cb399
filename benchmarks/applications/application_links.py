"""The links of a page that may be followed: `<a href>`, without those that say nofollow."""

from resiliparse.parse.html import HTMLTree

from benchmarks.applications.origin import Reply
from gossamer.core.url import base, join


def links_of(url: str, reply: Reply) -> list[str]:
    """Where a page or a redirect leads, in the crawler's own spelling, each once."""
    if 300 <= reply.status < 400:
        return _spelled(url, [reply.field("location")])
    if reply.status != 200 or not reply.is_html or "nofollow" in reply.field("x-robots-tag"):
        return []
    document = HTMLTree.parse_from_bytes(reply.body, "utf-8").document
    if any(_forbids(meta) for meta in document.get_elements_by_tag_name("meta")):
        return []
    storage = next((tag.getattr("href") for tag in document.get_elements_by_tag_name("base")), None)
    anchors = document.get_elements_by_tag_name("a")
    wanted = [a for a in anchors if "nofollow" not in (a.getattr("rel") or "").lower().split()]
    found = [href for a in wanted if (href := a.getattr("href")) is not None]
    return _spelled(next(iter(_spelled(url, [storage])), url) if storage else url, found)


def _forbids(meta: object) -> bool:
    says = (meta.getattr("content") or "").lower()  # type: ignore[attr-defined]
    name = (meta.getattr("name") or "").lower()  # type: ignore[attr-defined]
    return name == "robots" and ("nofollow" in says or says.strip() == "none")


def _spelled(url: str, found: list[str]) -> list[str]:
    storage = base(url)
    joined = (join(storage, href) for href in found) if storage else ()
    return list(dict.fromkeys(target.text for target in joined if target is not None))
