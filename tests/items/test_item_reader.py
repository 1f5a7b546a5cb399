"""Items of a page: types, keys, personal data, dates, and pages that try to be too much."""

import msgspec

from gossamer.core.page_tree import parse_page
from gossamer.items import read_items
from gossamer.items.item_reader import plain_date, without_persons

URL = "https://a.example/news/tea"
ARTICLE = """<script type="application/ld+json">{"@type": "NewsArticle",
"@id": "https://a.example/news/tea#article",
"headline": "On tea",
"datePublished": "Fri, 01 May 2020 10:00:00 +0200", "author": {"@type": "Person", "name":
"Ada"}, "publisher": {"@type": "Organization", "name": "Press"}}</script>
<div itemscope itemtype="http://schema.org/Person"><b itemprop="name">Bob</b></div>"""


def test_types_keys_and_dates() -> None:
    [item] = read_items(ARTICLE, URL).items
    assert item.type == "Article"
    assert item.key == "Article:https://a.example/news/tea#article"
    assert item.fields["@type"] == ["NewsArticle"]
    assert item.fields["datePublished"] == "2020-05-01T10:00:00+02:00"
    assert item.fields["datePublished_as_found"] == "Fri, 01 May 2020 10:00:00 +0200"


def test_personal_data_is_left_out_unless_it_is_asked_for() -> None:
    [item] = read_items(ARTICLE, URL).items
    assert "author" not in item.fields
    assert item.fields["publisher"] == {"type": "Organization", "name": "Press"}
    article, person = read_items(ARTICLE, URL, has_persons=True).items
    assert article.fields["author"] == {"type": "Person", "name": "Ada"}
    assert (person.type, person.fields) == ("Person", {"name": "Bob"})


def test_persons_are_left_out_at_any_depth() -> None:
    fields = {
        "review": [
            {"type": "Review", "rating": "5", "author": "Ada"},
            {"type": "Person", "name": "B"},
        ]
    }
    assert without_persons(fields) == {"review": [{"type": "Review", "rating": "5"}]}


def test_a_key_is_the_same_at_each_visit() -> None:
    html = '<div itemscope itemtype="http://schema.org/Event"><b itemprop="name">Fair</b></div>'
    assert read_items(html, URL).items[0].key == read_items(html + "<p>more", URL).items[0].key


def test_the_same_thing_twice_is_one_item() -> None:
    one = '<div itemscope itemtype="http://schema.org/Event"><b itemprop="name">Fair</b></div>'
    assert len(read_items(one + one, URL).items) == 1


def test_dates() -> None:
    assert plain_date("2020-05-01") == "2020-05-01"
    assert plain_date("1 May") == ""
    assert plain_date("99999999999999999999") == ""


def test_deep_and_wide_pages_are_read() -> None:
    deep = "<div itemscope itemprop=a>" * 3000 + "x"
    wide = "<a href='?page=2'>2</a>" * 3000
    for html in (deep, wide, "<div>" * 20_000 + "9,90 €", "<table><tr>" * 2000):
        msgspec.json.encode(read_items(html, URL))


def test_a_page_tree_has_all_elements_in_order() -> None:
    page = parse_page("<title>T</title><p>a<b>c</b>d<p>e")
    assert [one.tag for one in page.elements] == ["html", "head", "title", "body", "p", "b", "p"]
    paragraph = page.find("p")[0]
    assert paragraph.text() == "acd"
    assert [one.tag for one in page.below(paragraph)] == ["p", "b"]
    assert page.root.text() == "acd e"


def test_pages_made_to_take_long_do_not() -> None:
    """Each would take hours if a step were repeated for each of the others."""
    references = " ".join(f"r{n}" for n in range(40))
    scopes = "".join(
        f'<p id="r{n}" itemprop="x" itemscope itemref="{references}">' for n in range(40)
    )
    for html in (
        "<h1>Tea</h1>" + '<div class="menu"></div><b>9 €</b>' * 20_000,
        "<div>" + "<a href='?page=3'>3</a><i>x</i>" * 15_000,
        f"<div itemscope itemref='{references}'></div>{scopes}",
        "<dl>" * 3_000 + "<dt>SKU<dd>1",
        '<script type="application/ld+json">' + "[" * 900 + '{"@type": "A"}' + "]" * 900,
        '<script type="application/ld+json">{"a": {"@value": 1' + "0" * 400 + "}}",
        f"<div class=pager><a href='/{'1' * 5000}'>1</a><a href='/{'1' * 5000}2'>2</a></div>",
        "<table><tr><td colspan='²'><a href='/1'>1</a><td><a href='/2'>2</a></table>",
        '<script type="application/ld+json">{' + ",/*" * 100_000,
        '<script type="application/ld+json">' + '{"a":' * 50_000,
    ):
        assert read_items(html, URL).url == URL
