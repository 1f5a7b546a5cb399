"""A page read deeply: what it says about itself, and its text."""

import re
from datetime import UTC, datetime
from random import Random

import pytest
from msgspec.structs import replace

from gossamer.core.extracted_page import Reading
from gossamer.core.records import Document
from gossamer.pipeline.parse.extraction import read_page
from gossamer.pipeline.parse.extraction.main_text import leave_out_signs
from tests.pipeline.parse.parse_pages import page_of
from tests.pipeline.parse.parse_pages import read as parse


def read(
    body: str | bytes, content_type: str | None = "text/html", *fields: tuple[str, str]
) -> Reading:
    return read_page(Document(page_of(body, content_type, *fields)))


def day(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


ARTICLE = """<!doctype html><html lang="en-GB"><head>
<title> Tea at
 five </title><base href="/base/"><link rel="canonical" href="tea">
<meta name="description" content="How  tea is made.">
<meta property="og:title" content="Tea!"><meta property="og:image" content="/a.png">
<meta property="og:image" content="/b.png"><meta name="author" content="A. Leaf">
<meta property="article:published_time" content="2024-03-01T10:00:00Z">
<script type="application/ld+json">{"@context": "https://schema.org", "@graph": [
 {"@type": "Article", "headline": "Tea", "author": [{"name": "B. Bud"}, "A. Leaf"],
  "datePublished": "2024-02-29", "dateModified": "2024-04-01"}]}</script>
</head><body><nav><a href=/>Home</a> <a href=/x>All our many other articles</a></nav>
<main><h1>Tea at five</h1><p>The water has to boil before it is poured over the leaves, and then one
waits for three minutes.</p><ul><li>first the pot<li>then the tea</ul></main>
<footer>Copyright and other small print</footer></body></html>"""


def test_an_article() -> None:
    reading = read(ARTICLE)
    assert reading.title == "Tea at five"
    assert reading.description == "How tea is made."
    assert (reading.language, reading.declared_language) == ("en", "en-GB")
    assert reading.published == day("2024-02-29")
    assert reading.modified == day("2024-04-01")
    assert reading.canonical == "http://www.example.org/base/tea"
    assert reading.authors == ("B. Bud", "A. Leaf")
    assert reading.open_graph["og:image"] == ["/a.png", "/b.png"]
    assert reading.open_graph["article:published_time"] == ["2024-03-01T10:00:00Z"]
    assert [one["@type"] for one in reading.json_ld] == ["Article"]
    assert "Home" in reading.text
    assert "small print" in reading.text
    assert reading.main_text.startswith("Tea at five")
    assert "then the tea" in reading.main_text
    assert "Home" not in reading.main_text
    assert "small print" not in reading.main_text


@pytest.mark.parametrize(
    ("head", "published"),
    [
        ('<meta property="article:published_time" content="2020-01-02">', "2020-01-02"),
        ('<meta name="DC.date.issued" content="2020-01-02">', "2020-01-02"),
        ('<meta name="date" content="Thu, 02 Jan 2020 00:00:00 GMT">', "2020-01-02"),
        ('<meta itemprop="datePublished" content="2020-01-02">', "2020-01-02"),
        (
            "<div itemscope><time itemprop=datePublished datetime=2020-01-02>x</time></div>",
            "2020-01-02",
        ),
        ("<article><time datetime=2020-01-02>x</time></article>", "2020-01-02"),
        (
            "<main><time datetime=2019-01-01>a<time pubdate datetime=2020-01-02>b</main>",
            "2020-01-02",
        ),
        (
            '<script type="application/ld+json">{"a": {"datePublished": "2020-01-02"}}</script>',
            "2020-01-02",
        ),
        ("<aside><time datetime=2020-01-02>in a side bar</time></aside>", None),
        ('<meta name="date" content="soon">', None),
    ],
)
def test_where_a_date_can_stand(head: str, published: str | None) -> None:
    assert read(head).published == (published and day(published))


def test_the_first_date_that_makes_sense_counts() -> None:
    body = '<meta name="date" content="nonsense"><meta name="dcterms.created" content="2001-02-03">'
    assert read(body).published == day("2001-02-03")


def test_a_date_in_the_future_is_none() -> None:
    page = page_of('<meta name="date" content="2999-01-01">')
    assert read_page(Document(page)).published == day("2999-01-01")
    visited = replace(page, started=day("2024-01-01").timestamp())
    assert read_page(Document(visited)).published is None


def test_last_modified_is_the_last_resort() -> None:
    field = ("Last-Modified", "Fri, 03 Jan 2020 00:00:00 GMT")
    assert read("<p>", "text/html", field).modified == day("2020-01-03")
    body = '<meta property="article:modified_time" content="2020-01-01">'
    assert read(body, "text/html", field).modified == day("2020-01-01")
    assert read("x", "text/plain", field).modified == day("2020-01-03")


@pytest.mark.parametrize(
    ("body", "title", "description"),
    [
        ("<meta property=og:title content=A><meta property=og:description content=B>", "A", "B"),
        (
            '<script type="application/ld+json">{"headline": "A", "description": "B"}</script>',
            "A",
            "B",
        ),
        ("<title></title><p>x", "", ""),
    ],
)
def test_titles_and_descriptions_from_elsewhere(body: str, title: str, description: str) -> None:
    reading = read(body)
    assert (reading.title, reading.description) == (title, description)


@pytest.mark.parametrize(
    ("body", "field", "wanted"),
    [
        ("<html lang=de>", (), "de"),
        ('<meta http-equiv="Content-Language" content="fr, en">', (), "fr"),
        ("<p>", ("Content-Language", "sv"), "sv"),
        ("<meta property=og:locale content=pt_BR>", (), "pt_BR"),
    ],
)
def test_declared_languages(body: str, field: tuple[str, str], wanted: str) -> None:
    assert read(body, "text/html", *([field] if field else [])).declared_language == wanted


SENTENCES = {
    "en": "The weather was fine and so they went for a walk along the river until it was dark.",
    "de": "Das Wetter war schön, und so gingen sie am Fluss spazieren, bis es dunkel wurde.",
    "fr": "Il faisait beau, alors ils se sont promenés le long de la rivière jusqu'à la nuit.",
    "es": "Hacía buen tiempo y por eso pasearon junto al río hasta que se hizo de noche.",
    "ru": "Погода была хорошая, и поэтому они гуляли вдоль реки, пока не стало темно.",
    "ja": "天気が良かったので、彼らは暗くなるまで川沿いを散歩しました。とても楽しい一日でした。",
    "zh": "天气很好,所以他们沿着河边散步,一直走到天黑为止。这是非常愉快的一天。",
    "ko": "날씨가 좋아서 그들은 어두워질 때까지 강을 따라 산책했습니다. 아주 즐거운 하루였습니다.",
    "el": "Ο καιρός ήταν καλός και έτσι περπάτησαν δίπλα στο ποτάμι μέχρι που νύχτωσε.",
}


@pytest.mark.parametrize("language", SENTENCES)
def test_detected_languages(language: str) -> None:
    sentence = SENTENCES[language]
    assert read(f"<html lang=xx><p>{sentence} {sentence}").language in (language, "")
    assert read(f"<html lang={language}-XX><p>{sentence} {sentence}").language == language


def test_a_longer_text_needs_no_declaration() -> None:
    text = " ".join(
        (
            "El gobierno anunció ayer una serie de medidas para mejorar la situación del país.",
            "Los sindicatos han criticado el plan porque no tiene en cuenta a los trabajadores.",
            "Las nuevas reglas entrarán en vigor el próximo año, según dijo la ministra.",
        )
    )
    assert read(f"<html lang=en><p>{text}").language == "es"


def test_too_little_text_has_no_language() -> None:
    assert read("<p>ok").language == ""


def test_a_main_part_that_only_a_script_would_fill_is_none() -> None:
    body = f"<main id=app></main><div><p>{SENTENCES['en'] * 3}</p></div>"
    assert SENTENCES["en"] in read(body).main_text


def test_other_types_bring_their_own_text() -> None:
    text = parse(SENTENCES["de"] * 2, "text/plain; charset=utf-8")
    reading = read_page(text)
    assert reading.text == reading.main_text == text.text
    assert reading.language in ("de", "")
    assert read_page(parse("# Title\n\nwords", "text/markdown")).title == "Title"


def test_the_charset_counts() -> None:
    body = "<title>naïve</title><p>café".encode("latin-1")
    reading = read(body, "text/html; charset=latin1")
    assert (reading.title, reading.text) == ("naïve", "café")


def test_a_wild_page_is_read_without_a_tree() -> None:
    body = (
        "<title>Long</title><meta name=description content='Many lines'>"
        '<meta property="article:published_time" content="2020-01-02">'
        "<script>var a = '<p>no</p>'</script><h1>Long <a href=#long>¶</a></h1>"
        + "<p>line <b>of</b> text</p>"
        * 20_000
    )
    reading = read(body)
    assert (reading.title, reading.description) == ("Long", "Many lines")
    assert reading.published == day("2020-01-02")
    assert reading.text.count("line of text\n") == 19_999
    assert "no" not in reading.text
    assert "¶" not in reading.text


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        ("<nav><h2>Menu</h2></nav><h1>Tea</h1><footer><h3>About us</h3></footer>", ("Tea",)),
        ("<div role=navigation><h3>Next topic</h3></div><h1>Tea</h1>", ("Tea",)),
        (
            "<h1>Tea<a href=#tea>¶</a></h1><h2>C#</h2><h2>Hot <a href=#hot>#</a></h2>",
            ("Tea", "C#", "Hot"),
        ),
        ("<h1>Tea</h1><h2>2 Comments</h2><h3>No Responses to Tea</h3>", ("Tea",)),
        ("<h1>Tea</h1><h2>Comments in Python</h2>", ("Tea", "Comments in Python")),
        ("<main><h1>Tea</h1><aside><h2>Note</h2></aside></main>", ("Tea", "Note")),
        ("<h1>Tea</h1><aside><h2>Most read</h2></aside>", ("Tea",)),
        ("<svg><a/></svg><nav><h2>Menu</h2></nav><h1>Tea</h1>", ("Tea",)),
    ],
)
def test_headings_of_the_page_itself(body: str, wanted: tuple[str, ...]) -> None:
    assert read(body).headings == wanted


@pytest.mark.parametrize(
    ("head", "wanted"),
    [
        ("<title>Tea | The Shop</title><meta property=og:site_name content='the shop'>", "Tea"),
        (
            "<title>The Shop - Tea - Hot</title><meta name=application-name content='The Shop'>",
            "Tea - Hot",
        ),
        ("<title>Tea — Docs 3.1</title><h1>Tea<a href=#>¶</a></h1>", "Tea"),
        ("<title>Tea – a drink</title><h1>Hot</h1>", "Tea – a drink"),
        ("<title>Tea - Hot</title><meta property=og:title content=Tea>", "Tea"),
        (
            "<title>Tea - Hot</title><meta property=og:title content='Tea - Hot'><h1>Tea</h1>",
            "Tea - Hot",
        ),
        ("<title>The Shop</title><meta property=og:site_name content='The Shop'>", "The Shop"),
        ("<title>Tea-Time</title><h1>Tea</h1>", "Tea-Time"),
    ],
)
def test_a_title_without_the_name_of_its_site(head: str, wanted: str) -> None:
    assert read(head).title == wanted


@pytest.mark.parametrize("around", ["<main>{}</main>", "<div>{}</div>", "<article>{}</article>"])
def test_links_of_headings_to_themselves_are_no_text(around: str) -> None:
    body = (
        "<h1>Tea<a href=#tea>¶</a></h1><p>It is hot. ¶ is a pilcrow, and so is this ¶ one.</p>"
        "<dl><dt>brew()<a href=#brew title=Link>\uf0c1</a></dt><dd>Makes tea.</dd></dl>"
    )
    reading = read(around.format(body))
    for text in (reading.text, reading.main_text):
        lines = [line.strip() for line in text.splitlines() if line.strip()]
        assert lines == [
            "Tea",
            "It is hot. ¶ is a pilcrow, and so is this ¶ one.",
            "brew()",
            "Makes tea.",
        ]


def test_signs_behind_headings_are_left_out_line_by_line() -> None:
    """What one expression for the whole text leaves out, from lines with several signs, too."""
    draw = Random(11)
    whole = re.compile("(?<=\\S)[ \\t]*[¶\uf0c1🔗]+(?=[ \\t]*$)", re.MULTILINE)
    for _ in range(2000):
        text = "".join(draw.choices(["a", " ", "\t", "\n", "¶", "\uf0c1", "🔗", "b c"], k=12))
        assert leave_out_signs(text) == whole.sub("", text)
