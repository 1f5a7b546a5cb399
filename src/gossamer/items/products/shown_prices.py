"""The price that a page shows for its product: near heading and cart button, not struck through."""

import re
from decimal import Decimal

from msgspec import Struct

from gossamer.core.page_tree import Element, PageTree, collapse
from gossamer.items.products.amounts import Amount, find_amounts
from gossamer.items.products.product_area import ProductArea

_PRICE = re.compile(
    r"price|prix|preis|precio|preco|prezzo|cena|ceny|prijs|hinta|pris|fiyat|kaina|hind|cost|amount|prc|tsena|"
    r"betrag|valor|pret|ár(?![a-z])"
)
_OLD = re.compile(
    r" (?:old|was|regular|list|strike\w*|striked|crossed|cross|before|original|retail|rrp|uvp|"
    r"msrp|statt|previous|"
    r"discount\w*|saving\w*|save|you|rebate|compare|instal+ment\w*|instalments?|finance|credit|monthly|month|"
    r"shipping|delivery|versand|unit|per|base|grundpreis|tax|vat|netto|deposit|voucher|coupon|points?|"
    r"gift|from|range|stara|bazna|antes|ancien|barr[eé]e?|alt|lowest|total|subtotal|fbt|"
    r"parcel\w*|leasing|rate) "
)
_NOW = re.compile(
    r" (?:current|now|final|sale|special|actual|new|our|main|offer|today|selling|deal|buy|big|value|best) "
)
_OLD_WORDS = re.compile(
    r"\b(?:was|rrp|uvp|msrp|statt|instead of|list price|regular price|old price|original price|retail price|"
    r"save|you save|sparen|prix conseillé|au lieu de|antes|precio anterior|prezzo di listino|invece di|"
    r"per month|/ ?mo(?:nth)?|monthly|monatlich|mtl|raten?|par mois|al mes|al mese|/kk|mesečno|mesiac|msc|"
    r"shipping|delivery|versand|livraison|envío|envio|frete|spedizione|spese|doprava|dostava|dostawa|доставка|"
    r"free over|orders over|ab einem|minimum|deposit|pro (?:kg|l|stück|100)|per (?:kg|100|litre|"
    r"unit)|/ ?(?:kg|l|"
    r"100 ?g|100 ?ml|st|stk|m²|m2|tk|kpl|pc|piece|szt)|rabat|discount|cashback|points|кредит|"
    r"рассрочк|в месяц)\b",
    re.IGNORECASE,
)
_SOFT = re.compile(
    r" (?:carousel|slider|swiper|slick|list|grid|item|items|teaser|tile|card|others?|more|tabs?) "
)
_CENTS = re.compile(
    r" (?:cents?|decimals?|fraction|penny|pence|centavos|dec|kop|centimes?|superscript|sup) "
)
_STRUCK = frozenset({"del", "s", "strike"})
_LINE_THROUGH = re.compile(r"line-through", re.IGNORECASE)


class ShownPrice(Struct):
    amount: Amount
    text: str
    place: int
    score: float
    is_text: bool = True
    """Is it to be seen, and not in an attribute?"""


def find_prices(page: PageTree, area: ProductArea) -> list[ShownPrice]:
    """The prices near a product, the most likely first."""
    found = []
    for element in page.elements:
        named = (
            bool(_PRICE.search(f"{element.get('class')} {element.get('id')}".lower()))
            or element.get("itemprop") == "price"
        )
        text = _short_text(element, named)
        if not text:
            continue
        amounts = find_amounts(text, is_plain=named and len(text) < 20)
        if not amounts or len(amounts) > 2 or amounts[0].value <= 0:
            continue
        score = _weigh(element, text, amounts, named, area)
        found.append(ShownPrice(amounts[0], text, element.start, score, element.tag != "meta"))
    _put_down_lists(page, found)
    _count_agreement(found)
    return sorted(found, key=lambda one: (-one.score, one.place))


def _short_text(element: Element, is_named: bool) -> str:
    """The text of an element that could be a price."""
    if element.tag in (
        "script",
        "style",
        "title",
        "option",
        "noscript",
        "template",
        "body",
        "html",
        "head",
        "select",
    ):
        return ""
    if element.end - element.start > 12:
        return ""
    own = "".join(one for one in element.children if isinstance(one, str))
    if not is_named and not any(one.isdigit() for one in own):
        return ""
    text = _with_cents(element, _without_struck(element))
    if not text:
        text = collapse(element.get("content") or element.get("data-price"))
    return text if len(text) <= 60 and any(one.isdigit() for one in text) else ""


def _without_struck(element: Element) -> str:
    """The text of an element, but for prices in it that are struck through."""
    text = element.text()
    if len(text) > 120 or element.tag in _STRUCK:
        return text
    waiting = element.elements
    while waiting:
        one = waiting.pop()
        if one.tag in _STRUCK:
            text = collapse(text.replace(one.text(), " ", 1))
        else:
            waiting.extend(one.elements)
    return text


def _with_cents(element: Element, text: str) -> str:
    """Put a point before cents that are set apart by their size only."""
    if len(text) > 60:
        return text
    waiting = element.elements
    while waiting:
        one = waiting.pop()
        cents = one.text()
        if (
            len(cents) == 2
            and cents.isdigit()
            and (one.tag == "sup" or _CENTS.search(f" {' '.join(one.words())} "))
        ):
            return re.sub(rf"(?<=\d)\s*{cents}(?!\d)", f".{cents}", text)
        waiting.extend(one.elements)
    return text


def _weigh(
    element: Element, text: str, amounts: list[Amount], is_named: bool, area: ProductArea
) -> float:
    score = 2.0 if is_named else 0.0
    score += 1.0 if amounts[0].currency else -0.5
    if len(amounts) > 1:
        score -= 0.7
    around = [element, *(one for _, one in zip(range(3), element.ancestors, strict=False))]
    own = f" {' '.join(element.words())} "
    hints = f" {'  '.join(' '.join(one.words()) for one in around)} "
    if any(one.tag in _STRUCK or _LINE_THROUGH.search(one.get("style")) for one in around):
        score -= 4
    if any(one.is_hidden for one in around):
        score -= 1.5
    if _OLD.search(own):
        score -= 2.5
    elif _OLD.search(hints):
        score -= 1.0
    if _NOW.search(own):
        score += 1.0
    if _OLD_WORDS.search(text) or "%" in text:
        score -= 2.5
    if area.is_left_out(element.start):
        score -= 4
    elif _SOFT.search(hints):
        score -= 0.7
    distance = area.distance(element.start)
    score += 2.5 / (1 + distance / 60)
    score += 1.5 / (1 + area.cart_distance(element.start) / 40)
    if element.get("itemprop") == "price":
        score += 2
    if element.tag in ("h1", "h2", "strong", "b", "ins"):
        score += 0.5
    if len(text) > 25:
        score -= 0.7
    if any(one.tag == "a" for one in around[:2]):
        score -= 0.7
    return score


def _place_name(element: Element) -> tuple[str, str, str]:
    parent = element.parent
    return (element.tag, element.get("class"), parent.get("class") if parent is not None else "")


def _put_down_lists(page: PageTree, found: list[ShownPrice]) -> None:
    """Prices that come in one kind of place with three values or more are those of a list."""
    values: dict[tuple[str, str, str], set[Decimal]] = {}
    for one in found:
        values.setdefault(_place_name(page.elements[one.place]), set()).add(one.amount.value)
    for one in found:
        if len(values[_place_name(page.elements[one.place])]) > 2:
            one.score -= 2


def _count_agreement(found: list[ShownPrice]) -> None:
    """A price that stands near the product more than once is the likelier one."""
    values: dict[Decimal, int] = {}
    for one in found:
        if one.score > 1:
            values[one.amount.value] = values.get(one.amount.value, 0) + 1
    for one in found:
        one.score += min(values.get(one.amount.value, 0), 4) * 0.15
