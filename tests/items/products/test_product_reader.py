"""Products put together from pages without structured data, with some, and with some that is wrong."""

from typing import Any

import pytest

from gossamer.items import Item, read_items
from gossamer.items.labelled_values import LabelledValue
from gossamer.items.products.amounts import find_amounts, read_price
from gossamer.items.products.product_codes import is_gtin, labelled_codes, url_codes
from gossamer.items.products.stock_words import named_availability

URL = "https://shop.example/tea/green-tea-p48213.html"

PLAIN = """<html lang=de><head><title>Grüner Tee | Shop</title></head><body><header>Warenkorb 0,00 €</header>
<h1>Grüner Tee</h1><p>Artikelnummer: 48213</p><p>Marke: Leaf</p>
<div class="price"><del>12,90 €</del> <span class="price-new">9,90 €</span></div><p>zzgl. 4,90 € Versand</p>
<p>Auf Lager</p><button>In den Warenkorb</button>
<div class="related"><h2>Ähnliche Produkte</h2><div><span class="price">3,00 €</span></div>
<div><span class="price">4,00 €</span></div></div></body></html>"""


def _product(html: str, url: str = URL) -> Item | None:
    found = [one for one in read_items(html, url).items if one.type == "Product"]
    return found[0] if found else None


def _fields(html: str, url: str = URL) -> dict[str, Any]:
    item = _product(html, url)
    assert item is not None
    return item.fields


def test_a_page_without_structured_data() -> None:
    fields = _fields(PLAIN)
    assert fields["name"] == "Grüner Tee"
    assert (fields["price"], fields["currency"], fields["price_as_found"]) == (
        "9.90",
        "EUR",
        "9,90 €",
    )
    assert (fields["sku"], fields["brand"], fields["availability"]) == ("48213", "Leaf", "InStock")


def test_sources_say_where_each_field_is_from() -> None:
    item = _product(PLAIN)
    assert item is not None
    assert item.sources["price"] == "shown"
    assert item.sources["sku"] == "label"
    assert item.sources["availability"] == "words"
    assert item.key == "Product:shop.example:48213"


@pytest.mark.parametrize(
    "words",
    ["Ausverkauft", "Out of stock", "Rupture de stock", "Нет в наличии", "売り切れ", "Esgotado"],
)
def test_out_of_stock_in_many_languages(words: str) -> None:
    html = PLAIN.replace("Auf Lager", words).replace("<button>In den Warenkorb</button>", "")
    assert _fields(html)["availability"] == "OutOfStock"


def test_structured_data_comes_first() -> None:
    script = """<script type="application/ld+json">{"@type": "Product", "name": "Grüner Tee", "sku": "48213",
    "offers": {"@type": "Offer", "price": "9.90", "priceCurrency": "CHF", "availability":
    "SoldOut"}}</script>"""
    item = _product(PLAIN.replace("</body>", f"{script}</body>"))
    assert item is not None
    assert item.fields["availability"] == "OutOfStock"
    assert item.fields["currency"] == "CHF"
    assert item.sources["price"] == "json-ld"


def test_a_price_that_the_page_has_struck_through_is_not_asked_for_any_more() -> None:
    html = """<h1>Green tea</h1><div itemscope itemtype="http://schema.org/Product"><span
    itemprop="name">Green
    tea</span><div itemprop="offers" itemscope><meta itemprop="price" content="219.99"></div></div>
    <div class="product-price"><del>EUR 219.99</del> <strong class="current-price">EUR 110.00</strong></div>
    <button>Add to cart</button>"""
    assert _fields(html)["price"] == "110"


def test_cents_that_are_small() -> None:
    html = PLAIN.replace("9,90 €", "<b>9</b><sup>90</sup> €")
    assert _fields(html)["price"] == "9.90"


def test_one_size_in_stock_is_enough() -> None:
    sizes = ",".join(
        f'{{"@type": "Product", "name": "Boot", "sku": "77-{size}",'
        f'"offers": {{"@type": "Offer", "price": "69.95",'
        f'"availability": "http://schema.org/{state}"}}}}'
        for size, state in ((38, "OutOfStock"), (39, "InStock"), (40, "OutOfStock"))
    )
    html = f"""<h1>Boot</h1><span data-qa="product-reference">1002/710</span><b>69.95 EUR</b>
    <script type="application/ld+json">[{sizes}]</script>"""
    fields = _fields(html)
    assert (fields["availability"], fields["sku"]) == ("InStock", "1002/710")


@pytest.mark.parametrize(
    "html",
    [
        "<h1>On tea</h1><article><p>A cup costs 3 € in Bath, and 4 € in York.</p></article>",
        "<h1>Teas</h1>"
        + "".join(f'<li><a>Tea {n}</a> <b class="price">{n} €</b></li>' for n in range(1, 9)),
        "<h1>Contact</h1><p>Phone: 0123456</p>",
        "",
    ],
    ids=["article", "list", "contact", "empty"],
)
def test_pages_that_are_about_no_product(html: str) -> None:
    assert _product(html, "https://a.example/page") is None


@pytest.mark.parametrize(
    ("text", "value", "currency"),
    [
        ("1.299,00 €", "1299", "€"),
        ("€ 1.299,-", "1299", "€"),
        ("$1,299.95", "1299.95", "$"),
        ("Rs. 23,450", "23450", "Rs."),
        ("CHF 12.–", "12", "CHF"),
        ("1 299 Kč", "1299", "Kč"),
        ("44 890 тг.", "44890", "тг."),
        ("12,5 zł", "12.50", "zł"),
        ("R$ 1.759,99", "1759.99", "R$"),
        ("١٢٫٥٠ ر.س", "12.50", "ر.س"),
        ("28,800원", "28800", "원"),
        ("¥1,980", "1980", "¥"),
        ("0,99 €", "0.99", "€"),
        ("1'299.00 CHF", "1299", "CHF"),
    ],
)
def test_amounts(text: str, value: str, currency: str) -> None:
    [found] = find_amounts(text)
    assert (found.text, found.currency) == (value, currency)


@pytest.mark.parametrize(
    "value", ["", "call us", None, True, float("nan"), -3.0, "1" * 400, {}, []]
)
def test_values_that_are_no_price(value: object) -> None:
    assert read_price(value) is None


def test_gtins_are_checked() -> None:
    assert is_gtin("4006381333931")
    assert not is_gtin("4006381333930")
    assert not is_gtin("123")


@pytest.mark.parametrize(
    "label",
    ["sku", "item no.", "item #", "product code", "artikel-nr.", "kód produktu", "cod produs", "код товара",
     "id produto", "numéro d'article", "réf.", "reference", "código", "varenr", "ad id", "produkta kods"],
)  # fmt: skip
def test_labels_of_codes(label: str) -> None:
    expected = [] if "'" in label else ["A-12"]
    assert [
        one.value for one in labelled_codes([LabelledValue(label, "A-12", 1)])["sku"]
    ] == expected


@pytest.mark.parametrize(
    "label", ["phone", "zip code", "discount code", "price", "order", "model year"]
)
def test_labels_of_other_things(label: str) -> None:
    assert labelled_codes([LabelledValue(label, "A-12", 1)])["sku"] == []


def test_codes_in_urls() -> None:
    assert url_codes("https://a.example/item/93133869_pillows") == []
    assert url_codes("https://a.example/p/48213?sku=X12-9")[0] == "X12-9"
    assert "12222651" in url_codes("https://a.example/product/bell/12222651")


def test_availability_as_structured_data_has_it() -> None:
    assert named_availability("https://schema.org/LimitedAvailability") == "InStock"
    assert named_availability("http://schema.org/OutOfStock") == "OutOfStock"
    assert named_availability("PreOrder") == "PreOrder"
    assert named_availability("soon") == ""
