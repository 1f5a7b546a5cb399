"""The part of a page that shows its product: heading, cart buttons, and parts that show other products."""

import re
from bisect import bisect_right

from msgspec import Struct

from gossamer.core.page_tree import Element, PageTree
from gossamer.items.products.stock_words import CART

OTHERS = re.compile(
    r" (?:related|recommend\w*|similar|upsells?|crosssells?|cross sell(?:s|ing)?|recent(?:ly)?|"
    r"viewed|also|suggest\w*|"
    r"accessor(?:y|ies)|bundles?|crossselling|sponsored|advert\w*|reviews?|comments?|others? "
    r"products?|more products?|"
    r"minicart|mini cart|megamenu|menu|nav|navigation|footer|breadcrumbs?|newsletter|cookies?|"
    r"bestsellers?|zubehoer|"
    r"empfehlung\w*|cross products?|related products?|similar products?|podobne|podobn[eé]|"
    r"souvisejici|suvisiace|"
    r"product list|products list|product grid|products grid|footer\w*|questions?|qna|wishlist|"
    r"product carousel) "
)
_BEFORE = re.compile(
    r" (?:header|cart|basket|kosik|login|search|top|topbar|compare|popup|modal|overlay) "
)
_CART_PLACE = re.compile(
    r" (?:add ?to ?(?:cart|basket|bag)|addtocart|addtobasket|buy ?(?:box|button|now|block)?|atc|"
    r"cart ?button|btn ?cart|order ?button|kaufen|comprar|warenkorb|kosik) "
)


class ProductArea(Struct):
    """The place of a product on its page."""

    heading: Element | None
    carts: list[Element]
    left_out: list[tuple[int, int]]
    """Ranges of elements that show something else, in order, none within another."""

    def is_left_out(self, place: int) -> bool:
        at = bisect_right(self.left_out, (place, 1 << 60)) - 1
        return at >= 0 and place < self.left_out[at][1]

    def distance(self, place: int) -> int:
        """Count the elements from the heading to another; far if it stands before it."""
        if self.heading is None:
            return 500
        return (
            place - self.heading.start
            if place >= self.heading.start
            else 4 * (self.heading.start - place)
        )

    def cart_distance(self, place: int) -> int:
        return min((abs(place - one.start) for one in self.carts), default=100_000)


def find_area(page: PageTree, names: list[str]) -> ProductArea:
    """The area of the product that has one of these names, as far as it can be told."""
    heading = _find_heading(page, names)
    start = heading.start if heading is not None else 0
    left_out = []
    for one in page.elements:
        if one.start <= start < one.end:
            continue
        if one.tag in ("footer", "nav", "script", "style", "noscript", "template", "head") or (
            one.tag in ("header", "aside") and one.end < start
        ):
            left_out.append((one.start, one.end))
        elif one.attributes.get("class") or one.attributes.get("id"):
            hints = f" {' '.join(one.words())} "
            if OTHERS.search(hints) or (one.end < start and _BEFORE.search(hints)):
                left_out.append((one.start, one.end))
    area = ProductArea(heading, [], _merge(left_out))
    area.carts = [one for one in page.elements if _is_cart(one) and not area.is_left_out(one.start)]
    return area


def _merge(ranges: list[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, end in sorted(ranges):
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


_NAMED = re.compile(r" (?:title|name|heading|headline|nazov|titel|titulo|titre) ")


def _find_heading(page: PageTree, names: list[str]) -> Element | None:
    """The element that names the product: most like one of its names, a heading rather than another."""
    wanted = [set(_words(one)) for one in names if one]
    best, most = None, 0.0
    for one in page.elements:
        is_heading = one.tag in ("h1", "h2", "h3")
        if not is_heading:
            if one.end - one.start > 6 or one.tag in (
                "a",
                "title",
                "option",
                "script",
                "li",
                "img",
                "meta",
            ):
                continue
            if one.get("itemprop") != "name" and not _NAMED.search(f" {' '.join(one.words())} "):
                continue
        text = one.text()
        if not 2 < len(text) < 300:
            continue
        words = set(_words(text))
        value = max((_likeness(words, other) for other in wanted), default=0.0)
        value += {"h1": 0.35, "h2": 0.1}.get(one.tag, 0.0) + (
            0.2 if one.get("itemprop") == "name" else 0.0
        )
        if value > most + 1e-9:
            best, most = one, value
    return best if most >= 0.5 else next((one for one in page.find("h1") if one.text()), best)


def _likeness(words: set[str], name: set[str]) -> float:
    """The share of a name that an element has, and of the element that is in the name."""
    common = len(words & name)
    return 2 * common / (len(words) + len(name)) if common else 0.0


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def _is_cart(element: Element) -> bool:
    """Is it a button to buy, by its label or its name?"""
    if element.end - element.start > 6 or element.tag in (
        "script",
        "style",
        "option",
        "title",
        "meta",
        "img",
    ):
        return False
    if element.tag == "input":
        if element.get("type").lower() not in ("submit", "button", "image"):
            return False
        label = element.get("value") or element.get("title") or element.get("alt")
    else:
        label = element.text() if any(isinstance(one, str) for one in element.children) or element.tag in (
            "button", "a") else ""  # fmt: skip
        label = label or element.get("title") or element.get("aria-label")
    if 0 < len(label) < 32 and CART.search(label):
        return True
    return element.tag in ("button", "input", "a") and bool(
        _CART_PLACE.search(f" {' '.join(element.words())} ")
    )
