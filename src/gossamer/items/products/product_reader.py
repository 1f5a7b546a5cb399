"""Reads the product that a page is about: structured data first, then labelled values, then what is shown."""

import re
from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any
from urllib.parse import urlsplit

from msgspec import Struct, field

from gossamer.core.page_tree import PageTree, collapse
from gossamer.core.word_sets import word_set
from gossamer.items.labelled_values import LabelledValue, find_labelled
from gossamer.items.products.amounts import Amount, currency_code, read_price
from gossamer.items.products.product_area import ProductArea, find_area
from gossamer.items.products.product_codes import (
    is_gtin,
    labelled_codes,
    marked_codes,
    named_codes,
    url_codes,
)
from gossamer.items.products.shown_prices import ShownPrice, find_prices
from gossamer.items.products.stock_words import IN_STOCK, OUT_OF_STOCK, named_availability
from gossamer.items.structured_data.entity import Entity, text_of

_PRODUCTS = word_set(
    "product productgroup individualproduct productmodel someproducts vehicle car motorcycle "
    "hproduct h-product offer:product drug apartment"
)
_SYNTAXES = ("json-ld", "microdata", "rdfa", "microformats", "opengraph")
_LEAST_PRICE_SCORE = 2.6
_SURE_PRICE_SCORE = 5.5


class ProductFields(Struct):
    """The fields of a product, and where each was found."""

    fields: dict[str, Any] = field(default_factory=dict)
    sources: dict[str, str] = field(default_factory=dict)
    place: int = -1
    variants: int = 0
    """How many products of one name the page describes: sizes, colours."""

    def put(self, name: str, value: Any, source: str) -> None:
        if value not in ("", None, []) and name not in self.fields:
            self.fields[name] = value
            self.sources[name] = source


def is_product(entity: Entity) -> bool:
    return any(
        one.lower().rpartition("/")[2].rpartition("#")[2] in _PRODUCTS for one in entity.types
    )


def read_product(page: PageTree, url: str, entities: list[Entity]) -> ProductFields | None:
    """The product of a page, or None if it is not about one."""
    title = _title(page)
    named = _choose(entities, title, url)
    found = ProductFields()
    for entity in named:
        _read_variants(found, entity, entities)
        _read_entity(found, entity)
    metas = _metas(page)
    _read_metas(found, metas)
    names = [str(found.fields.get("name", "")), metas.get("og:title", ""), _page_title(page)]
    area = find_area(page, names)
    labelled = find_labelled(page)
    near = _near(page, area)
    sku_label = _read_codes(found, labelled, page, url, area, named)
    _read_prices(found, find_prices(page, area))
    if not named and not _is_evident(found, metas, area, near, sku_label, url):
        return None
    if not found.fields.keys() & {"price", "sku", "gtin", "availability", "brand", "rating"}:
        return None
    _read_availability(found, near, area)
    heading = area.heading.text() if area.heading is not None else ""
    found.put("name", heading or title, "heading")
    found.put("images", [metas["og:image"]] if metas.get("og:image") else [], "meta")
    found.put("description", metas.get("og:description") or metas.get("description", ""), "meta")
    return found


def _is_evident(
    found: ProductFields,
    metas: Mapping[str, str],
    area: ProductArea,
    near: str,
    has_label: bool,
    url: str,
) -> bool:
    """Is a page without structured data about one product? It shows a price, and two more of its signs."""
    signs = [
        bool(area.carts),
        has_label,
        metas.get("og:type", "").lower().endswith("product")
        or found.sources.get("price") == "meta",
        bool(IN_STOCK.search(near) or OUT_OF_STOCK.search(near)),
        found.sources.get("brand") == "label",
        found.sources.get("gtin") == "label",
    ]
    if urlsplit(url).path in ("", "/") and not urlsplit(url).query:
        return False
    if area.heading is None or (
        "price" not in found.fields and metas.get("og:type", "").lower() == "article"
    ):
        return False
    return sum(signs) >= (2 if "price" in found.fields else 3)


def _page_title(page: PageTree) -> str:
    return next((one.text(is_whole=True) for one in page.find("title")), "")


def _title(page: PageTree) -> str:
    heading = next((one.text() for one in page.find("h1") if one.text()), "")
    title = next((one.text(is_whole=True) for one in page.find("title")), "")
    return heading or title


def _metas(page: PageTree) -> dict[str, str]:
    found: dict[str, str] = {}
    for one in page.find("meta"):
        name = (one.get("property") or one.get("name") or one.get("itemprop")).strip().lower()
        if name:
            found.setdefault(name, collapse(one.get("content")))
    return found


def _choose(entities: list[Entity], title: str, url: str) -> list[Entity]:
    """The entities of the product of this page, one of each syntax at most, the best syntax first."""
    found = []
    for syntax in _SYNTAXES:
        mine = [one for one in entities if one.syntax == syntax]
        top = [one for one in mine if is_product(one)]
        for one in mine:
            if not is_product(one):
                top += [
                    inner
                    for inner in one.entities("mainEntity", "about", "itemOffered")
                    if is_product(inner)
                ]
        if not top:
            continue
        best = max(top, key=lambda one: (_likeness(one, title, url) + _has_offer(one), -one.place))
        if len({one.text("name") for one in top}) > 2 and _likeness(best, title, url) < 0.3:
            continue  # a list of products
        found.append(best)
    return found


def _likeness(entity: Entity, title: str, url: str) -> float:
    name = set(re.findall(r"\w+", entity.text("name", "title").lower()))
    wanted = set(re.findall(r"\w+", title.lower()))
    common = len(name & wanted) / len(name | wanted) if name | wanted else 0.0
    own = entity.text("url", "@id") or entity.id
    same = (
        0.5
        if own and own.split("?")[0].rstrip("/").rpartition("/")[2] in url and own.count("/") > 2
        else 0.0
    )
    return common + same


def _has_offer(entity: Entity) -> float:
    return 0.3 if entity.values("offers", "price", "product:price:amount") else 0.0


def _read_variants(found: ProductFields, entity: Entity, entities: list[Entity]) -> None:
    """Of several products of one name, one that can be bought is enough."""
    name = entity.text("name")
    same = [
        one
        for one in entities
        if one.syntax == entity.syntax and is_product(one) and one.text("name") == name
    ]
    if not name or len(same) < 2:
        return
    found.variants = max(found.variants, len({one.text("sku") for one in same if one.text("sku")}))
    states = [
        named_availability(offer.text("availability")) for one in same for offer in _offers(one)
    ]
    if "InStock" in states:
        found.put("availability", "InStock", entity.syntax)


def _read_entity(found: ProductFields, entity: Entity) -> None:
    source = entity.syntax
    if entity.syntax == "opengraph":
        _read_open_graph(found, entity)
        return
    if found.place < 0:
        found.place = entity.place
    found.put("name", entity.text("name"), source)
    found.put("brand", entity.text("brand", "manufacturer"), source)
    found.put("mpn", entity.text("mpn", "model"), source)
    found.put("color", entity.text("color"), source)
    found.put("description", _plain(entity.text("description")), source)
    for one in entity.values("gtin", "gtin13", "gtin14", "gtin12", "gtin8", "isbn", "ean"):
        if is_gtin(text_of(one)):
            found.put("gtin", text_of(one), source)
    images = [text_of(one) for one in entity.values("image", "photo")]
    found.put("images", list(dict.fromkeys(one for one in images if one)), source)
    for rating in entity.entities("aggregateRating"):
        found.put("rating", rating.text("ratingValue"), source)
        found.put("rating_count", rating.text("reviewCount", "ratingCount"), source)
    _read_offers(found, entity, source)
    sku = entity.text("sku", "productID", "productId", "identifier")
    offers = entity.entities("offers")
    found.put(
        "sku",
        _code(sku) or _code(next((o.text("sku") for o in offers if o.text("sku")), "")),
        source,
    )


def _code(text: str) -> str:
    return re.sub(r"^(?:sku|mpn|id|isbn)\s*:\s*", "", text.strip(), flags=re.IGNORECASE)


def _plain(text: str) -> str:
    return collapse(re.sub(r"<[^>]{1,200}>", " ", text))[:2000]


def _read_offers(found: ProductFields, entity: Entity, source: str) -> None:
    offers = _offers(entity)
    sold = [one for one in offers if named_availability(one.text("availability")) != "OutOfStock"]
    for offer in [*sold, *offers]:
        for value in _prices(offer):
            amount = read_price(value)
            if amount is not None and amount.value > 0:
                _put_price(found, amount, text_of(value), source)
                found.put("currency", _currency(offer) or currency_code(amount.currency), source)
                break
    states = [named_availability(one.text("availability")) for one in [*offers, entity]]
    known = [one for one in states if one]
    if known:
        best = "InStock" if "InStock" in known else known[0]
        found.put("availability", best, source)


def _offers(entity: Entity) -> list[Entity]:
    """Offers, with those within offers, and the product itself if it has a price."""
    found = []
    for one in entity.entities("offers", "offer", "makesOffer"):
        found.append(one)
        found += one.entities("offers")
    for variant in entity.entities("hasVariant", "model")[:50]:
        found += variant.entities("offers")
    if entity.values("price"):
        found.append(entity)
    return found


def _prices(offer: Entity) -> Iterable[Any]:
    yield from offer.values("price", "lowPrice")
    for one in offer.entities("priceSpecification"):
        yield from one.values("price", "minPrice")
    yield from offer.values("highPrice")


def _currency(offer: Entity) -> str:
    specified = next(
        (one.text("priceCurrency") for one in offer.entities("priceSpecification")), ""
    )
    return currency_code(offer.text("priceCurrency", "currency") or specified)


def _put_price(found: ProductFields, amount: Amount, text: str, source: str) -> None:
    if "price" not in found.fields:
        found.put("price", amount.text, source)
        found.put("price_as_found", text, source)


def _read_open_graph(found: ProductFields, entity: Entity) -> None:
    source = "opengraph"
    for name in ("product:sale_price:amount", "product:price:amount", "price:amount"):
        amount = read_price(entity.text(name))
        if amount is not None and amount.value > 0:
            _put_price(found, amount, entity.text(name), source)
            found.put(
                "currency", currency_code(entity.text(name.replace("amount", "currency"))), source
            )
            break
    found.put("brand", entity.text("product:brand", "brand"), source)
    found.put(
        "sku", entity.text("product:retailer_item_id", "product:retailer_part_no", "sku"), source
    )
    found.put(
        "availability",
        named_availability(entity.text("product:availability", "availability")),
        source,
    )


def _read_metas(found: ProductFields, metas: Mapping[str, str]) -> None:
    source = "meta"
    for name in (
        "product:sale_price:amount",
        "product:price:amount",
        "og:price:amount",
        "price",
        "twitter:data1",
    ):
        amount = read_price(metas.get(name, ""))
        if amount is not None and amount.value > 0 and (name != "twitter:data1" or amount.currency):
            _put_price(found, amount, metas[name], source)
            found.put("currency", currency_code(amount.currency), source)
    for name in ("product:price:currency", "og:price:currency", "pricecurrency"):
        found.put("currency", currency_code(metas.get(name, "")), source)
    for name in ("product:retailer_item_id", "sku", "product:retailer_part_no"):
        found.put("sku", metas.get(name, ""), source)
    for name in ("product:availability", "og:availability", "availability"):
        found.put("availability", named_availability(metas.get(name, "")), source)
    found.put("brand", metas.get("product:brand") or metas.get("og:brand", ""), source)


def _read_codes(
    found: ProductFields,
    labelled: list[LabelledValue],
    page: PageTree,
    url: str,
    area: ProductArea,
    entities: list[Entity],
) -> bool:
    """Read codes and brand; is there a label for the code of a product?"""
    mine = [one for one in labelled if not area.is_left_out(one.place)]
    codes = labelled_codes(mine)
    for name in ("gtin", "mpn", "brand"):
        if codes[name]:
            found.put(name, codes[name][0].value, "label")
    skus = codes["sku"] or labelled_codes(labelled)["sku"]
    candidates: dict[str, tuple[float, str]] = {}

    def add(value: str, weight: float, source: str) -> None:
        value = _code(value)
        if value:
            most = candidates.get(value, (0.0, source))
            candidates[value] = (most[0] + weight, source if weight > most[0] else most[1])

    for entity in entities:
        for value in dict.fromkeys(_structured_codes(entity)):
            add(value, 2.0 if found.variants < 2 else 0.8, entity.syntax)
    for value in dict.fromkeys(
        value for value, place in named_codes(page) if area.distance(place) < 150
    ):
        add(value, 1.6, "attribute")
    if "sku" in found.fields and found.sources["sku"] in ("meta", "opengraph"):
        add(str(found.fields["sku"]), 1.2, found.sources["sku"])
    for value in dict.fromkeys(one.value for one in skus):
        place = next(one.place for one in skus if one.value == value)
        add(value, 2.3 if area.distance(place) < 150 else 1.7, "label")
    for value in url_codes(url)[:3]:
        add(value, 1.0, "url")
    marked = marked_codes(page)
    for value in dict.fromkeys(marked):
        add(value, 0.4 + min(marked.count(value), 4) * 0.1, "attribute")
    if candidates:
        weighed = {
            value: weight + (1.0 if value.lower() in url.lower() else 0.0) + _shown(page, value)
            for value, (weight, _) in candidates.items()
        }
        best = max(weighed, key=lambda value: weighed[value])
        if weighed[best] >= 1.4:
            found.fields["sku"], found.sources["sku"] = best, candidates[best][1]
        return bool(codes["sku"]) or weighed[best] > 2.5
    return False


def _structured_codes(entity: Entity) -> list[str]:
    offers = entity.entities("offers")
    own = (
        entity.values("sku", "productID", "productId")
        or [value for offer in offers for value in offer.values("sku")]
        or entity.values("identifier")
    )
    return [text_of(one) for one in own[:1]]


def _shown(page: PageTree, value: str) -> float:
    """Is a code to be read on the page?"""
    for one in page.elements:
        if one.tag in ("script", "style", "title"):
            continue
        for piece in one.children:
            if isinstance(piece, str) and len(piece) < 200 and value in piece:
                return 0.8
    return 0.0


def _read_prices(found: ProductFields, prices: list[ShownPrice]) -> None:
    """The price that is shown, where structured data has none, or one that the page no longer asks for."""
    best = prices[0] if prices else None
    if best is None or best.score < _LEAST_PRICE_SCORE:
        return
    if "price" in found.fields and best.score >= _SURE_PRICE_SCORE:
        declared = Decimal(found.fields["price"])
        shown = [one.score for one in prices if one.amount.value == declared and one.is_text]
        is_near = declared / 10 < best.amount.value < declared * 10
        if best.is_text and is_near and shown and max(shown) < min(4.0, best.score - 1.5):
            del found.fields["price"], found.fields["price_as_found"]
    _put_price(found, best.amount, best.text, "shown")
    found.put("currency", currency_code(best.amount.currency), "shown")


def _read_availability(found: ProductFields, near: str, area: ProductArea) -> None:
    if "availability" in found.fields:
        return
    gone, here = OUT_OF_STOCK.search(near), IN_STOCK.search(near)
    if gone and not (here and area.carts and here.start() < gone.start()):
        found.put("availability", "OutOfStock", "words")
    elif here:
        found.put("availability", "InStock", "words")
    elif area.carts:
        found.put("availability", "InStock", "cart button")
    elif "price" in found.fields:
        found.put("availability", "InStock", "price alone")


def _near(page: PageTree, area: ProductArea) -> str:
    """The text around the heading and the cart buttons, in short pieces."""
    start = area.heading.start if area.heading is not None else 0
    pieces = []
    for one in page.elements[max(0, start - 30) : start + 250]:
        if area.is_left_out(one.start) or one.tag in ("script", "style", "option"):
            continue
        own = collapse("".join(part for part in one.children if isinstance(part, str)))
        if 2 < len(own) < 80 and not any(
            up.is_hidden for up in (one, *([one.parent] if one.parent else []))
        ):
            pieces.append(own)
    return " | ".join(pieces)
