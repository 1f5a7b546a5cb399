"""The value of an element that carries a property, by the rules of microdata, and what pages make of them."""

from gossamer.core.page_tree import Element, PageTree, collapse
from gossamer.core.url.spelling import Base, join
from gossamer.core.url.spelling import base as url_base

_LINKED = {
    **dict.fromkeys(("a", "area", "link"), "href"),
    **dict.fromkeys(("audio", "embed", "iframe", "img", "source", "track", "video"), "src"),
    "object": "data",
}


def base_of(page: PageTree, url: str) -> Base | None:
    """The base of the relative URLs of a page."""
    own = url_base(url)
    declared = next((one.get("href").strip() for one in page.find("base") if one.get("href")), "")
    found = join(own, declared) if own is not None and declared else None
    return url_base(found.text) if found is not None else own


def absolute(base: Base | None, href: str) -> str:
    """A link as an absolute URL; as it is if that cannot be."""
    href = href.strip()
    if base is None or not href or href.startswith(("data:", "javascript:")):
        return href
    found = join(base, href)
    return found.text if found is not None else href


def value_of(element: Element, base: Base | None) -> str:
    """The value of a property."""
    if element.tag == "meta" or element.get("content"):
        return collapse(element.get("content"))
    if (name := _LINKED.get(element.tag)) is not None:
        source = element.get(name) or element.get("data-src")
        return absolute(base, source) if source else element.text()
    if element.tag in ("data", "meter") and "value" in element.attributes:
        return collapse(element.get("value"))
    if element.tag == "time" and element.get("datetime"):
        return collapse(element.get("datetime"))
    if element.tag in ("input", "button", "option") and element.get("value"):
        return collapse(element.get("value"))
    return element.text()
