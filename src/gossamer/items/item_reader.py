"""Reads the items and the pagination of one page."""

import re
from datetime import datetime
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct, field
from xxhash import xxh3_64_hexdigest

from gossamer.core.page_tree import PageTree, parse_page
from gossamer.items.item_types import PERSONAL_FIELDS, PERSONAL_TYPES, general_type
from gossamer.items.pagination import Pagination, read_pagination
from gossamer.items.pagination.pager_links import list_links
from gossamer.items.products.product_reader import ProductFields, is_product, read_product
from gossamer.items.records.posts import Post, find_posts
from gossamer.items.records.record_regions import find_list, find_regions
from gossamer.items.structured_data.element_values import absolute, base_of
from gossamer.items.structured_data.entity import Entity
from gossamer.items.structured_data.linked_data import read_linked_data
from gossamer.items.structured_data.microdata import read_microdata
from gossamer.items.structured_data.microformats import read_microformats
from gossamer.items.structured_data.open_graph import read_open_graph
from gossamer.items.structured_data.rdfa import read_rdfa

_POSTS = ("DiscussionForumPosting", "Comment")
MOST_ITEMS = 2_000
"""Of one page."""
_DATES = re.compile(
    r"(?:date[A-Z]\w*|\w*Date|date|startTime|endTime|validFrom|validThrough|\w*Time|published|updated|start|end|"
    r"priceValidUntil|uploadDate|availability(?:Starts|Ends)|.*_time)"
)
_encode = msgspec.json.Encoder(order="deterministic").encode


class Item(Struct, frozen=True):
    """A thing that a page is about."""

    type: str
    """`Product`, `Article`, `Event` …; else as the page calls it."""
    key: str
    """The same at each visit: its own id, its code, its URL, or a digest of what it says."""
    fields: dict[str, Any]
    source: str
    """The syntax that it was found in; `page` for a product put together from the whole page."""
    sources: dict[str, str] = field(default_factory=dict)
    """Where single fields were found, of a product."""


class ItemPage(Struct, frozen=True):
    """All that one page says of items, and how its list goes on."""

    url: str
    items: tuple[Item, ...]
    pagination: Pagination
    records: tuple[str, ...] = ()
    """The links to the items of the list that the page shows, each once."""


def read_entities(page: PageTree, url: str) -> list[Entity]:
    """All structured data of a page, syntax by syntax."""
    return [
        *read_linked_data(page),
        *read_microdata(page, url),
        *read_rdfa(page, url),
        *read_microformats(page, url),
        *read_open_graph(page),
    ]


def read_items(html: str, url: str, has_persons: bool = False) -> ItemPage:
    """The items and the pagination of a page; with `has_persons`, personal data as well.

    >>> page = read_items('<a href="/list?page=2" rel="next">Next</a>', "https://a.example/list")
    >>> page.pagination.next, page.items
    (('https://a.example/list?page=2',), ())
    """
    page = parse_page(html)
    entities = read_entities(page, url)
    items = []
    product = read_product(page, url, entities)
    if product is not None:
        items.append(_product_item(page, product, url, has_persons))
    for entity in entities[:MOST_ITEMS]:
        if product is not None and (_is_told(entity, product) or entity.syntax == "opengraph"):
            continue
        item = _entity_item(entity, url, has_persons)
        if item is not None:
            items.append(item)
    links = list_links(page, url)
    regions = find_regions(page, links, url)
    if not any(one.type in _POSTS for one in items):
        items += [
            _post_item(one, url, has_persons) for one in find_posts(page, regions, _title(page))
        ]
    return ItemPage(
        url, tuple(_each_once(items)), read_pagination(page, url, links), find_list(regions)
    )


def _title(page: PageTree) -> str:
    return next((text for one in page.find("h1", "title") if (text := one.text(is_whole=True))), "")


def _post_item(post: Post, url: str, has_persons: bool) -> Item:
    fields = dict(post.fields) if has_persons else without_persons(post.fields)
    fields = _with_plain_dates(fields)
    name = fields.get("identifier")
    said = _encode([fields["text"], fields.get("datePublished", "")])
    key = f"{post.type}:{_host(url)}:{name or xxh3_64_hexdigest(said)}"
    return Item(post.type, key, fields, "page")


def _is_told(entity: Entity, product: ProductFields) -> bool:
    """Is an entity the product that was put together already?"""
    return is_product(entity) and entity.text("name") == product.fields.get("name")


def _product_item(page: PageTree, product: ProductFields, url: str, has_persons: bool) -> Item:
    base = base_of(page, url)
    fields = dict(product.fields)
    fields["images"] = [absolute(base, one) for one in fields.get("images", [])]
    fields["url"] = url
    if not fields["images"]:
        del fields["images"]
    code = fields.get("gtin") or fields.get("sku")
    key = f"Product:{_host(url)}:{code}" if code else f"Product:{url}"
    return Item("Product", key, fields, "page", product.sources)


def _entity_item(entity: Entity, url: str, has_persons: bool) -> Item | None:
    kind = general_type(entity.types)
    if kind in PERSONAL_TYPES and not has_persons:
        return None
    fields = entity.plain()
    if not has_persons:
        fields = without_persons(fields)
    if not fields:
        return None
    fields = _with_plain_dates(fields)
    if entity.types and (len(entity.types) > 1 or entity.types[0] != kind):
        fields = {"@type": list(entity.types)} | fields
    return Item(kind, _key_of(kind, entity, fields, url), fields, entity.syntax)


def without_persons(value: Any) -> Any:
    """Plain values without the fields and the entities that are of persons."""
    if isinstance(value, dict):
        kept = {}
        for name, one in value.items():
            if name.lower() in PERSONAL_FIELDS:
                continue
            plain = without_persons(one)
            if plain is not None and plain != [] and plain != {}:
                kept[name] = plain
        if general_type((str(value.get("type", "")),)) in PERSONAL_TYPES:
            return None
        return kept
    if isinstance(value, list):
        return [plain for one in value if (plain := without_persons(one)) not in (None, {}, [])]
    return value


def _with_plain_dates(fields: dict[str, Any]) -> dict[str, Any]:
    """Dates as ISO 8601 has them; another spelling is kept beside."""
    found = {}
    for name, value in fields.items():
        if isinstance(value, str) and _DATES.fullmatch(name) and (plain := plain_date(value)):
            found[name] = plain
            if plain != value:
                found[f"{name}_as_found"] = value
        else:
            found[name] = value
    return found


def plain_date(text: str) -> str:
    """A date or time in ISO 8601; empty if it is none that is known for sure.

    >>> plain_date("2020-05-01T10:00:00+0200"), plain_date("soon")
    ('2020-05-01T10:00:00+02:00', '')
    """
    text = text.strip()
    if re.fullmatch(r"\d{4}-\d\d-\d\d", text):
        return text
    try:
        return datetime.fromisoformat(text).isoformat()
    except ValueError:
        pass
    try:
        return parsedate_to_datetime(text).isoformat()
    except (ValueError, TypeError, IndexError, OverflowError):
        return ""


def _key_of(kind: str, entity: Entity, fields: dict[str, Any], url: str) -> str:
    if entity.id.startswith("http"):
        return f"{kind}:{entity.id}"
    for name in ("gtin13", "gtin", "isbn", "sku", "identifier", "productID"):
        if code := entity.text(name):
            return f"{kind}:{_host(url)}:{code}"
    own = entity.text("url", "mainEntityOfPage", "@id")
    if own.startswith(("http://", "https://")):
        return f"{kind}:{own}"
    return f"{kind}:{xxh3_64_hexdigest(_encode([_host(url), kind, fields]))}"


def _host(url: str) -> str:
    return (urlsplit(url).hostname or "").removeprefix("www.")


def _each_once(items: list[Item]) -> list[Item]:
    """Items that say the same in the same syntax are one."""
    seen = set()
    found = []
    for one in items:
        told = (one.key, one.source, _encode(one.fields))
        if told not in seen:
            seen.add(told)
            found.append(one)
    return found
