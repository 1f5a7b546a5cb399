"""SKU, GTIN and MPN of a product: from structured data, from labels, from the URL, and by how they agree."""

import re
from collections.abc import Iterable
from urllib.parse import unquote, urlsplit

from gossamer.core.page_tree import PageTree
from gossamer.core.word_sets import word_set
from gossamer.items.labelled_values import LabelledValue

_CODE_WORDS = word_set(
    "code number num no nr id sku ref reference cod código codigo code codice kód kod kodu "
    "kods koodi kood kodas kodu nummer numéro numero número číslo numer šifra cikkszám numero "
    "nro numeris номер код артикул арт kennung ident varenr réf référence referenz referencia "
    "referência referens"
)
_THING_WORDS = word_set(
    "item product products article art artikel artikels artikul artículo articulo articolo "
    "artigo prodotto produto producto produit produkt produktu produkta produs produsului "
    "tovaru towaru zboží výrobku izdelka proizvoda artikla artykułu toote tuote tuotteen "
    "preces prekės vare varu ürün stok stock catalog catalogue katalog katalogov katalogové "
    "katalogowy order ad listing offer lot web style model bestell товара товару продукта "
    "изделия anzeigen inserat annonce anuncio oferta oferty deal auction variant"
)
_ALONE = word_set(
    "sku asin artnr ref réf référence reference referenz referencia referência código codigo "
    "codice cod kód kod šifra cikkszám symbol indeks артикул арт код code id artikelnummer "
    "artikelnr bestellnummer bestellnr produktnummer produktcode artikelcode productcode "
    "productnummer varenummer varenr tuotenumero tuotekoodi tootekood artikuls tootekood "
    "termékkód produktkod itemno partnumber styleid item 品番 商品コード 商品番号 型番 货号 商品编号 "
    "商品編號 "
    "품번 "
    "상품번호 상품코드 딜번호 מקט artikelnummer"
)
_PHRASES = frozenset(("رقم المنتج", "رقم الموديل", 'מק"ט', "nr ref", "lot", "product ref", "art"))
_MPN_LABEL = re.compile(
    r"^(?:mpn|model(?: (?:number|no\.?|name|#))?|part (?:number|no\.?)|manufacturer(?:'s)? "
    r"(?:part )?(?:number|no\.?|code)|"
    r"modell(?:nummer)?|herstellernummer|modelo|modello|modèle|číslo modelu|modelnummer|"
    r"modell?nr\.?|модель|型號|型号)$",
    re.IGNORECASE,
)
_GTIN_LABEL = re.compile(
    r"^(?:gtin(?:-?\d+)?|ean(?:[- ]?(?:13|8|code|nummer|kód|kod))?|upc|isbn(?:[- ]?1[03])?|"
    r"barcode|штрихкод|jan)$",
    re.IGNORECASE,
)
_BRAND_LABEL = re.compile(
    r"^(?:brand(?: name)?|make|manufacturer|marke|hersteller|marque|marca|fabricante|fabricant|"
    r"merk|značka|výrobce|výrobca|"
    r"marka|producent|gyártó|márka|proizvođač|proizvajalec|znamka|brend|ražotājs|zīmols|gamintojas|tootja|kaubamärk|"
    r"merkki|valmistaja|märke|mærke|merke|üretici|бренд|производитель|марка|виробник|producător|brand:|ブランド|メーカー|"
    r"品牌|브랜드|제조사|العلامة التجارية|الماركة|מותג|seller|publisher|designer|artist)$",
    re.IGNORECASE,
)
_CODE = re.compile(r"[A-Za-z0-9][\w./\- ]{0,39}")


def labelled_codes(values: Iterable[LabelledValue]) -> dict[str, list[LabelledValue]]:
    """The labelled values that are codes or the brand, by the names of fields."""
    found: dict[str, list[LabelledValue]] = {"sku": [], "mpn": [], "gtin": [], "brand": []}
    for one in values:
        if _is_sku_label(one.label):
            if _is_code(one.value):
                found["sku"].append(one)
        elif _GTIN_LABEL.match(one.label):
            if is_gtin(one.value):
                found["gtin"].append(one)
        elif _MPN_LABEL.match(one.label):
            if _is_code(one.value) or len(one.value) < 25:
                found["mpn"].append(one)
        elif _BRAND_LABEL.match(one.label) and len(one.value) < 50:
            found["brand"].append(one)
    return found


def _is_sku_label(label: str) -> bool:
    """Does a label name the code of a product, alone or as thing and code: `Item no.`, `Kód produktu`?"""
    words = [
        one
        for one in re.split(r"[\s.,:#()/_№-]+", label.replace("-nr", " nr").replace("-id", " id"))
        if one
    ]
    plain = " ".join(words)
    if not words or len(words) > 4:
        return False
    if plain in _PHRASES or (len(words) == 1 and words[0] in _ALONE):
        return True
    words = [
        one
        for one in words
        if one not in ("the", "de", "du", "del", "do", "da", "of", "our", "der", "unsere")
    ]
    has_code = any(one in _CODE_WORDS for one in words)
    has_thing = any(one in _THING_WORDS or one in _ALONE for one in words)
    return (
        has_code
        and has_thing
        and all(one in _CODE_WORDS or one in _THING_WORDS or one in _ALONE for one in words)
    )


def _is_code(value: str) -> bool:
    """Could a value be a code: short, with a digit, and no more than two words?"""
    return (
        2 < len(value) <= 40
        and bool(_CODE.fullmatch(value))
        and any(one.isdigit() for one in value)
        and len(value.split()) <= 2
    )


def is_gtin(value: str) -> bool:
    """Has a number 8, 12, 13 or 14 digits, the last of which checks the others?

    >>> is_gtin("4054278533728"), is_gtin("4054278533729")
    (True, False)
    """
    digits = re.sub(r"[\s-]", "", value)
    if not digits.isascii() or not digits.isdigit() or len(digits) not in (8, 12, 13, 14):
        return False
    total = sum(
        int(one) * (3 if index % 2 == 0 else 1) for index, one in enumerate(reversed(digits[:-1]))
    )
    return (10 - total % 10) % 10 == int(digits[-1])


def url_codes(url: str) -> list[str]:
    """Pieces of a URL that could be the code of its product, the likeliest first."""
    parts = urlsplit(url)
    path = unquote(parts.path)
    query = [one.partition("=") for one in parts.query.split("&")]
    named = [
        unquote(value)
        for name, _, value in query
        if re.fullmatch(
            r"(?:.*[_-])?(?:sku|pid|product_?id|item(?:_?id)?|id|article|prod|p)",
            name,
            re.IGNORECASE,
        )
        and _is_code(unquote(value))
    ]
    last = [one for one in path.split("/") if one][-1:] or [""]
    stem = re.sub(r"\.(?:html?|php|aspx?|jsp)$", "", last[0])
    tail = re.findall(r"(?:^|[-_/,.])((?:[a-z]{0,4}\d{4,}[a-z0-9]*))$", stem, re.IGNORECASE)
    segments = [one for one in path.split("/") if re.fullmatch(r"[A-Za-z]{0,3}\d{4,}", one)]
    return list(dict.fromkeys([*named, *segments[::-1], *tail]))


_IDS = re.compile(
    r"(?:data-)?(?:sku|product-?_?(?:id|sku|code|no)|item-?_?(?:id|sku|code|no)|pid|asin|article-?_?(?:id|no|number)|variant-?_?sku|goods-?_?(?:id|no))",
    re.IGNORECASE,
)


def marked_codes(page: PageTree) -> list[str]:
    """Codes in attributes and hidden fields of forms that are named so."""
    found = []
    for one in page.elements:
        for name, value in one.attributes.items():
            if name.startswith("data-") and _IDS.fullmatch(name) and _is_code(value):
                found.append(value)
        if (
            one.tag == "input"
            and one.get("type").lower() in ("hidden", "")
            and _IDS.fullmatch(one.get("name") or one.get("id"))
            and _is_code(one.get("value"))
        ):
            found.append(one.get("value"))
    return found


_NAMED_SO = re.compile(
    r"(?:^|[^a-z])(?:sku|(?:product|item|article|style|artikel|prod|art)[-_ ]?"
    r"(?:ref|reference|code|number|no|nr|num|id|sku|nummer))(?:[^a-z]|$)",
    re.IGNORECASE,
)


def named_codes(page: PageTree) -> list[tuple[str, int]]:
    """Codes shown in elements that are named for it, each with the number of its element."""
    found = []
    for one in page.elements:
        if one.end - one.start > 3 or one.tag in ("script", "style", "input", "option", "meta"):
            continue
        named = [
            value
            for name, value in one.attributes.items()
            if name in ("class", "id") or name.startswith("data-")
        ]
        if any(len(value) < 120 and _NAMED_SO.search(value) for value in named):
            text = one.text()
            value = text.rpartition(":")[2].strip() if len(text) < 60 else ""
            if _is_code(value):
                found.append((value, one.start))
    return found
