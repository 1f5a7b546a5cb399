"""Dates that pages show to people and tell no machine."""

from datetime import UTC, datetime

import pytest
from msgspec.structs import replace

from gossamer.core.records import Document
from gossamer.pipeline.parse.extraction import read_page
from gossamer.pipeline.parse.extraction.written_dates import read_written_date
from tests.pipeline.parse.parse_pages import page_of

DAY = datetime(2023, 2, 15, tzinfo=UTC)
PROSE = "Tea is hot, and it is good for you, unless you drink too much of it."


def published(body: str, url: str = "http://a.test/tea") -> datetime | None:
    page = replace(page_of(body, url=url), started=1.7e9)
    return read_page(Document(page)).published


@pytest.mark.parametrize(
    "body",
    [
        "<h1>Tea</h1><time datetime=2023-02-15>last week</time><p>It is hot.",
        "<h1>Tea</h1><time datetime=2023-2-15>15 Feb</time>",
        "<h1>Tea</h1><span itemprop=datePublished content=2023-02-15>then</span>",
        "<div itemprop=datePublished>15. Februar 2023</div>",
        "<p class='entry-date'><a href=/2023/02>February 15, 2023</a></p><h1>Tea</h1><p>It is hot.",
        "<h1>Tea</h1><p>Published on February 15, 2023 by Ann",
        "<p>Veröffentlicht am Mittwoch, den 15. Februar 2023",
        "<h1>Tea</h1><span class=date>15.02.2023</span>"
        "<aside><time datetime=2023-05-05>5 May</time></aside>",
        "<h1>Tea</h1><div class=meta><time datetime=2023-02-15></time></div><p>Hot.</p>"
        "<ul class=related><li><a href=x><time datetime=2023-01-01></time></a></ul>",
        "<meta property=article:published_time content='15.02.2023, 07:00'>",
        "<svg><a/></svg><h1>Tea</h1><time datetime=2023-02-15>last week</time>",
        "<h1>Tea</h1><p>15 February 2023 | Drinks</p><p>It is hot.",
        "<h1>Tea</h1><div><span>dpa</span><span> am 15.02.2023</span></div>",
        "<title>All about tea | Shop</title><h1>The Shop</h1><h1>All about tea</h1>"
        "<b class=date>15.02.2023</b>",
        "<title>All about tea | Shop</title><h2>All about tea</h2><b class=date>15.02.2023</b>"
        "<ul><li><b class=date>16.02.2023</b></ul>",
        "<h1>A</h1><h1>B</h1><div class='field--name-field-publishing-date field'>15.02.2023</div>",
        "<div class=date-create>2023-02-15</div><b class=date>16.02.2023</b>",
        "<script type=application/ld+json>{'@type': 'Article', \"datePublished\": '2023-02-15',}</script>",
        # A page has a sidebar, and is none.
        "<body class='page one-sidebar'><article><time class=date>15.02.2023</time></article>",
        # The only h1 is the name of the site.
        "<title>All about tea - a.test</title><h1>a.test</h1>"
        + "<p>Menu</p>" * 20
        + "<h2>All about tea</h2>"
        "<p>by Ann | 15 February 2023</p><p>It is hot.",
        # Many times are for machines: that by the headline counts.
        "<ul><li><time class=published datetime='2020-12-03'>3 Dec</time><li><time class=published "
        "datetime='2021-12-03'>3 Dec</time></ul><h1>Tea</h1><span class=published>15 February 2023</span>",
        # Structured data took the date of a change for that of the publication.
        "<meta property=article:published_time content=2023-02-15><script type=application/ld+json>"
        '{"@type": "Article", "datePublished": "2024-02-15", "dateModified": "2024-02-15"}</script>',
        "<meta property=article:published_time content=2024-02-15><script type=application/ld+json>"
        '{"@type": "Article", "datePublished": "2023-02-15"}</script>',
        # Dates of what is on the page are not its own.
        '<script type=application/ld+json>[{"@type":"ImageObject","datePublished":"2021-01-01"},'
        '{"@type":"Comment","datePublished":"2024-01-01"}]</script><time>15.02.2023</time>',
        "<h1>Tea</h1><p>15.Februar 2023 | dpa",
        # The day comes first, except in English.
        "<html lang=es><meta property=article:published_time content='15/02/2023 05:22 pm'>",
        # The line of the date stands above the headline, in what holds it.
        "<article><p class=category>15 February 2023 | <a href=x>Drinks</a></p><h1>Tea</h1><p>It is hot.",
        # Boxes of advertisements stand between.
        "<h1>Tea</h1>"
        + "<div class=ad></div>" * 20
        + "<div>15.02.2023 11:38<br>Drinks: <a>Tea</a></div>",
        # A longer line about it, in which it has an element of its own.
        "<h1>Tea</h1><h2>Drinks, page 1 of 2. <span>15.02.2023 13:30, Ann</span> "
        "<span>(photo: Bob)</span></h2>",
        # A short form for small screens stands beside it.
        f"<h1>Tea</h1><p>{PROSE}</p><time><span>Wednesday, 15 <i>February</i> 2023</span>"
        "<span>15/02/2023</span></time>",
        f"<h1>Tea</h1><p>{PROSE}</p><span class=text_datum>15. Februar 2023.</span>",
        # RDFa, as Drupal writes it.
        "<h1>Tea</h1><p>Hot.</p><div><span property='dc:date dc:created' content='2023-02-15T00:00:00+00:00' "
        "datatype='xsd:dateTime'>Wed, 02/15/2023</span></div>",
        "<meta property=article:published content=2023-02-15>",
        "<meta name=cXenseParse:recs:publishtime content=2023-02-15>",
    ],
)
def test_a_date_is_found(body: str) -> None:
    assert published(body) == DAY


@pytest.mark.parametrize(
    "body",
    [
        "<p>The battle of 15.02.2023",
        "<ul><li><time datetime=2023-02-15>x</time><li><time datetime=2023-02-16>y</time></ul>",
        "<h1>Tea</h1><span class=date>03/04/2023</span>",
        "<html lang=en-US><h1>Tea</h1><span class=date>03/04/2023</span>",
        "<h1>Tea</h1><span class=date>Updated 15.02.2023</span>",
        "<h1>Tea</h1><span class=modified-date>15.02.2023</span>",
        "<h1>Tea</h1><span itemprop=startDate class=date>15.02.2023</span>",
        "<h1>Tea</h1><div class=comments><time datetime=2023-02-15>x</time></div>",
        "<h1>Tea</h1><footer><span class=date>15.02.2023</span></footer>",
        "<h1>Tea</h1><span class=entry-date>15.02.2090</span>",
        "<h1>Tea</h1><p>Published on February 15, 2023<p>Published on May 1, 2023",
        "<h1>Tea</h1><time datetime=2023>2023</time><time>19:30</time>",
        "<h1>Tea</h1><p>Last changed on 15.02.2023</p>",
        "<h1>Tea</h1><p>The treaty of tea was signed on 15.02.2023 in Vienna by all, and is in force.</p>",
        "<h1>Tea</h1><p>From 15.02.2023 to 17.02.2023</p>",
        "<h1>Tea</h1><div class=event-line>15.02.2023</div>",
        "<title>All about tea</title><h1>Shop</h1><h1>News</h1><b class=date>15.02.2023</b>",
        "<script type=application/ld+json>{'datePublished': '2023-02-15', 'datePublished': '2023-02-16',}"
        "</script>",
        # A teaser below the article.
        f"<main><h1>Tea</h1><p>{PROSE}</p><div>"
        "<h2>Coffee</h2><time datetime=2023-02-15></time></div></main>",
        # The day of today, beside the menu.
        "<div class=navtop><time datetime=2023-02-15></time></div><h1>Tea</h1>",
        # Teasers of a home page: the first is not the day of the page.
        "<main><article><h2>Tea</h2><time datetime=2023-02-15></time></article><article><h2>Coffee</h2>"
        "<time datetime=2023-02-14></time></article></main>",
        "<body><p>15 February 2023</p><h1>Tea</h1>",
    ],
)
def test_another_date_is_none(body: str) -> None:
    assert published(body) is None


@pytest.mark.parametrize(
    "path", ["2023-02/15/a", "news/20230215-tea.html", "20230215_tea", "20230215"]
)
def test_other_dates_in_addresses(path: str) -> None:
    assert published("<h1>Tea</h1><p>Hot.", f"http://a.test/{path}") == DAY


@pytest.mark.parametrize(
    "path", ["a20230215-tea", "20232015-tea", "120230215", "18230215-tea", "2023/0215"]
)
def test_numbers_in_addresses_are_no_dates(path: str) -> None:
    assert published("<h1>Tea</h1><p>Hot.", f"http://a.test/{path}") is None


def test_a_page_without_a_tree_has_the_date_of_its_address() -> None:
    deep = "<div>" * 5000
    assert published(f"{deep}Tea", "http://a.test/2023/02/15/tea/") == DAY
    assert published(f"{deep}Published on February 15, 2023") == DAY


def test_the_date_in_an_address() -> None:
    url = "http://a.test/2023/02/15/tea/"
    assert published("<h1>Tea</h1><p>Hot.", url) == DAY
    assert published("<time class=entry-date datetime=2023-02-14></time>", url) != DAY
    assert published("<h1>Tea", "http://a.test/2023/02/45/tea") is None
    assert published("<h1>Tea", "http://a.test/20/23/02/15") is None


@pytest.mark.parametrize(
    "text",
    [
        "15 February 2023", "Feb. 15, 2023", "15th of February 2023", "15. Februar 2023", "15 février 2023",
        "15 de febrero de 2023", "15 luglio 2023".replace("luglio", "febbraio"), "15 февраля 2023",
        "2023年2月15日", "15.2.2023", "15.02.23", "15/02/2023", "2023/02/15", "on 2023-02-15.",
        "2023년 2월 15일", "2023. 2. 15", "2023. február 15.", "15. helmikuuta 2023", "15 februarie 2023",
        "15 Şubat 2023", "15 Φεβρουαρίου 2023", "15 лютого 2023", "15. februára 2023", "15 Februari 2023",
    ],
)  # fmt: skip
def test_written_dates(text: str) -> None:
    assert read_written_date(text) == DAY.timestamp()


@pytest.mark.parametrize(
    "text",
    ["", "2023", "February 2023", "31.02.2023", "03/04/2023", "1.2.3.2023", "15.02.2023 – 16.02.2023",
     "15.02.1823", "12015.02.2023", "15.02.20233", "May 2023 15", "99 May 2023", "1/1/1/2023"],
)  # fmt: skip
def test_what_is_no_whole_date(text: str) -> None:
    assert read_written_date(text) is None


@pytest.mark.parametrize(
    "piece", ["<time>", "<b class=date>", "published on ", "15. ", "<b class=date><a>"]
)
def test_many_places(piece: str) -> None:
    assert published(piece * 20_000) is None


def test_the_day_comes_first_where_a_page_is_not_in_english() -> None:
    body = "<html lang={}><h1>Tea</h1><span class=date>02/03/2023</span>"
    assert published(body.format("es")) == datetime(2023, 3, 2, tzinfo=UTC)
    assert published(body.format("en")) is None
    assert published(body.format("en-GB")) == datetime(2023, 3, 2, tzinfo=UTC)
