"""OpenGraph, product and Twitter properties in the head of a page, as one entity."""

from gossamer.core.page_tree import PageTree, collapse
from gossamer.items.structured_data.entity import Entity

_PREFIXES = ("og:", "article:", "product:", "book:", "profile:", "video:", "music:", "twitter:", "place:",
             "business:", "event:", "eg:", "fb:", "restaurant:")  # fmt: skip
_TYPES = {
    "article": "Article",
    "blog": "Blog",
    "book": "Book",
    "product": "Product",
    "product.item": "Product",
    "product.group": "ProductGroup",
    "og:product": "Product",
    "profile": "Person",
    "website": "WebSite",
    "event": "Event",
    "food": "Recipe",
    "recipe": "Recipe",
}


def read_open_graph(page: PageTree) -> list[Entity]:
    """One entity, or none if the page says too little: names keep their prefix, but for `og:`."""
    entity = Entity((), syntax="opengraph")
    for element in page.find("meta"):
        name = (element.get("property") or element.get("name")).strip().lower()
        if name.startswith(_PREFIXES):
            if entity.place < 0:
                entity.place = element.start
            entity.add(name.removeprefix("og:"), collapse(element.get("content")))
    if not entity.properties:
        return []
    kind = entity.text("type").lower()
    if "product:price:amount" in entity.properties or "price:amount" in entity.properties:
        kind = "product"
    entity.types = (_TYPES.get(kind) or _TYPES.get(kind.rpartition(":")[2]) or kind or "WebPage",)
    return [entity]
