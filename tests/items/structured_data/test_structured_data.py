"""Structured data in each syntax, whole and broken: what is nested, named twice, in cycles, by reference."""

from typing import Any

from gossamer.core.page_tree import parse_page
from gossamer.items.structured_data.entity import Entity, short_type
from gossamer.items.structured_data.linked_data import read_linked_data
from gossamer.items.structured_data.microdata import read_microdata
from gossamer.items.structured_data.microformats import read_microformats
from gossamer.items.structured_data.open_graph import read_open_graph
from gossamer.items.structured_data.rdfa import read_rdfa

URL = "https://a.example/shop/tea"


def _plain(entities: list[Entity]) -> list[tuple[str, dict[str, Any]]]:
    return [(one.type, one.plain()) for one in entities]


def _json_ld(*scripts: str) -> list[tuple[str, dict[str, Any]]]:
    html = "".join(f'<script type="application/ld+json">{one}</script>' for one in scripts)
    return _plain(read_linked_data(parse_page(html)))


def test_json_ld_of_one_thing() -> None:
    found = _json_ld(
        '{"@context": "https://schema.org", "@type": "Product", "name": "Tea &amp; cups",'
        '"offers": {"@type": "Offer", "price": 3.5, "priceCurrency": "EUR"}}'
    )
    assert found == [
        (
            "Product",
            {
                "name": "Tea & cups",
                "offers": {"type": "Offer", "price": 3.5, "priceCurrency": "EUR"},
            },
        )
    ]


def test_json_ld_graphs_and_references() -> None:
    found = _json_ld(
        '{"@context": "https://schema.org", "@graph": ['
        '{"@type": "Article", "@id": "#a", "headline": "On tea", "publisher": {"@id": "#p"}},'
        '{"@type": "Organization", "@id": "#p", "name": "Tea press"}]}'
    )
    assert found[0] == (
        "Article",
        {"headline": "On tea", "publisher": {"type": "Organization", "name": "Tea press"}},
    )
    assert found[1][0] == "Organization"


def test_json_ld_references_to_another_script_and_in_circles() -> None:
    found = _json_ld(
        '{"@type": "Article", "@id": "#a", "name": "x", "isPartOf": {"@id": "#b"}}',
        '{"@type": "WebPage", "@id": "#b", "name": "y", "mainEntity": {"@id": "#a"}}',
    )
    assert found[0][1]["isPartOf"]["name"] == "y"
    assert len(str(found)) < 1000


def test_json_ld_that_names_things_many_times_stays_small() -> None:
    chain = ",".join(
        f'{{"@id": "#{n}", "@type": "Thing", "name": "n{n}",'
        f'"a": {{"@id": "#{n + 1}"}}, "b": {{"@id": "#{n + 1}"}}}}'
        for n in range(40)
    )
    found = _json_ld(f'{{"@graph": [{chain}]}}')
    assert len(found) == 40
    assert len(str(found[0])) < 20_000


def test_json_ld_that_is_no_object() -> None:
    assert _json_ld('"text"', "[]", "3", "null", "[[[]]]", "{}") == []


MICRODATA = """<div itemscope itemtype="http://schema.org/Product" itemid="#p" itemref="more">
  <h1 itemprop="name">Green <b>tea</b></h1><img itemprop="image" src="/tea.png">
  <div itemprop="offers" itemscope itemtype="http://schema.org/Offer"><span itemprop="price"
  content="3.50">3,50
  €</span><meta itemprop="priceCurrency" content="EUR"><link itemprop="availability"
  href="http://schema.org/InStock"></div><time itemprop="releaseDate" datetime="2020-05-01">May</time></div>
  <p id="more" itemprop="description">Loose</p><div itemscope><span itemprop="name">Other</span></div>"""


def test_microdata() -> None:
    found = _plain(read_microdata(parse_page(MICRODATA), URL))
    assert found == [
        (
            "Product",
            {
                "name": "Green tea",
                "image": "https://a.example/tea.png",
                "offers": {
                    "type": "Offer",
                    "price": "3.50",
                    "priceCurrency": "EUR",
                    "availability": "http://schema.org/InStock",
                },
                "releaseDate": "2020-05-01",
                "description": "Loose",
            },
        ),
        ("", {"name": "Other"}),
    ]


def test_microdata_that_refers_to_itself_ends() -> None:
    inner = '<div id="b" itemprop="x" itemscope itemref="a b">text</div>'
    html = f'<div itemscope id="a" itemref="b"></div>{inner}'
    [entity] = read_microdata(parse_page(html), URL)
    assert list(entity.properties) == ["x"]


def test_rdfa_lite() -> None:
    html = """<div vocab="http://schema.org/" typeof="Recipe"><span property="name">Tea</span>
    <div property="author" typeof="Person"><span property="name">Ada</span></div>
    <a property="url" href="/tea">more</a><meta property="cookTime" content="PT5M"></div>
    <p prefix="dc: http://purl.org/dc/terms/" typeof="schema:Event"><span
    property="dc:title">Fair</span></p>"""
    assert _plain(read_rdfa(parse_page(html), URL)) == [
        (
            "Recipe",
            {
                "name": "Tea",
                "author": {"type": "Person", "name": "Ada"},
                "url": "https://a.example/tea",
                "cookTime": "PT5M",
            },
        ),
        ("Event", {"http://purl.org/dc/terms/title": "Fair"}),
    ]


def test_open_graph() -> None:
    html = """<head><meta property="og:type" content="product"><meta property="og:title" content="Tea">
    <meta property="og:image" content="a.png"><meta property="og:image" content="b.png">
    <meta name="product:price:amount" content="3"></head>"""
    assert _plain(read_open_graph(parse_page(html))) == [
        (
            "Product",
            {
                "type": "product",
                "title": "Tea",
                "image": ["a.png", "b.png"],
                "product:price:amount": "3",
            },
        )
    ]


def test_microformats_of_today() -> None:
    html = """<article class="h-entry"><h1 class="p-name">On tea</h1><a class="p-author h-card"
    href="/ada">Ada</a>
    <time class="dt-published" datetime="2020-05-01">May</time><div class="e-content"><p>Green
    <b>leaves</b></p></div>
    <a class="u-url" href="/tea">link</a></article><a class="h-card" href="/bob"><img src="/b.png"
    alt="Bob"></a>"""
    assert _plain(read_microformats(parse_page(html), URL)) == [
        (
            "h-entry",
            {
                "name": "On tea",
                "author": {"type": "h-card", "name": "Ada", "url": "https://a.example/ada"},
                "published": "2020-05-01",
                "content": "Green leaves",
                "url": "https://a.example/tea",
            },
        ),
        (
            "h-card",
            {"name": "Bob", "photo": "https://a.example/b.png", "url": "https://a.example/bob"},
        ),
    ]


def test_classic_microformats_by_their_names_of_today() -> None:
    html = """<div class="hproduct"><span class="fn">Tea</span><span class="price">3 EUR</span>
    <span class="brand">Leaf</span></div><div class="vevent"><span class="summary">Fair</span>
    <abbr class="dtstart" title="2020-05-01">May 1st</abbr><span class="location">Bath</span></div>"""
    assert _plain(read_microformats(parse_page(html), URL)) == [
        ("h-product", {"name": "Tea", "price": "3 EUR", "brand": "Leaf"}),
        ("h-event", {"name": "Fair", "start": "2020-05-01", "location": "Bath"}),
    ]


def test_classes_that_only_look_like_microformats() -> None:
    assert (
        read_microformats(parse_page('<div class="h-100 h-Big hentry-x">no</div>'), URL)
        == [Entity(("h-100",), syntax="microformats")]
        or read_microformats(parse_page('<div class="h-100 h-Big hentry-x">no</div>'), URL) == []
    )


def test_short_types() -> None:
    assert short_type("https://schema.org/Product/") == "Product"
    assert short_type("http://example.org/Thing") == "http://example.org/Thing"
