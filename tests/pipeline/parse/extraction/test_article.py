"""The main text of articles: what is left out of it, and what other pages must not lose."""

import pytest

from gossamer.core.records import Document
from gossamer.pipeline.parse.extraction import read_page
from gossamer.pipeline.parse.extraction.outline import build_outline
from gossamer.pipeline.parse.extraction.tree_safety import calm, is_tame
from tests.pipeline.parse.parse_pages import page_of

FIRST = "The ferry left the harbour at dawn, and the gulls that slept on its roof rose with a cry."
MIDDLE = (
    "Nobody on deck spoke, for the captain had asked for silence until the last buoy was passed."
)
LAST = (
    "When the island came into sight, the children ran to the bow; the old man stayed where he was."
)
PROSE = [FIRST, MIDDLE, LAST, FIRST.replace("ferry", "boat"), MIDDLE.replace("deck", "board")]
BODY = "".join(f"<p>{sentence}</p>" for sentence in PROSE)
DECLARED = "<meta property=og:type content=article>"
EXTRA = "EXTRA words of another matter"
LINKS = "".join(f"<li><a href=/{n}>{EXTRA} {n}</a></li>" for n in range(5))


def main_text(body: str, head: str = DECLARED) -> str:
    html = f"<!doctype html><html><head><title>T</title>{head}</head><body>{body}</body></html>"
    return read_page(Document(page_of(html))).main_text


def assert_whole(text: str) -> None:
    assert [sentence for sentence in PROSE if sentence not in text] == []


BOILERPLATE = {
    "navigation": f"<nav>{EXTRA}</nav>",
    "an aside": f"<aside><p>{EXTRA}, and a sentence that is long enough to be prose.</p></aside>",
    "a form": f"<form><p>{EXTRA}</p></form>",
    "a hidden element": f"<div hidden><p>{EXTRA}.</p></div>",
    "a hidden style": f"<div style='color: red; display:none'><p>{EXTRA}.</p></div>",
    "a caption": f"<figure><img src=x alt='{EXTRA}'><figcaption>{EXTRA}.</figcaption></figure>",
    "a picture": f"<p><img src=x alt='{EXTRA}'></p>",
    "a share bar": f"<div class=ShareBar><p>{EXTRA}</p></div>",
    "a newsletter": f"<div class=c-newsletter__box><p>{EXTRA}, now and free of charge, for you.</p></div>",
    "cookies": f"<section id=cookie-banner><p>{EXTRA}, which we need to serve you better.</p></section>",
    "related articles": f"<div class='box relatedPosts'><h2>{EXTRA}</h2><p>{EXTRA}.</p></div>",
    "an author": f"<div class=author-box><p>{EXTRA}, who has written here for many years.</p></div>",
    "tags": f"<div class=article-tags>{EXTRA}</div>",
    "Werbung": f"<div class=werbung_unten><p>{EXTRA}</p></div>",
    "a role": f"<div role=complementary><p>{EXTRA}</p></div>",
    "a list of links": f"<ul>{LINKS}</ul>",
    "a box of links": f"<div><div>{LINKS}</div></div>",
    "a box with a heading": f"<h3>{EXTRA}</h3><ul>{LINKS}</ul><h3>Later</h3>",
    "a label above links": f"<p>{EXTRA}:</p><ul>{LINKS}</ul>",
    "a line that is a link": f"<p><a href=/x>{EXTRA}</a></p>",
    "a pointer": f"<p>Read more: {EXTRA}</p>",
    "ein Hinweis": f"<div><strong>Lesen Sie auch</strong> {EXTRA}</div>",
}


@pytest.mark.parametrize("what", BOILERPLATE)
@pytest.mark.parametrize("place", ["within", "after"])
def test_boilerplate_is_left_out(what: str, place: str) -> None:
    piece = BOILERPLATE[what]
    parts = BODY.split("</p>", 2)
    inner = (
        "</p>".join(parts[:2]) + "</p>" + piece + parts[2] if place == "within" else BODY + piece
    )
    text = main_text(f"<div id=page><h1>At sea</h1><div class=text>{inner}</div></div>")
    assert_whole(text)
    assert "EXTRA" not in text


def test_comments_are_left_out() -> None:
    talk = "".join(
        f"<p>Comment {n}: I was there, too, and I remember it well enough.</p>" for n in range(30)
    )
    text = main_text(f"<article><h1>At sea</h1>{BODY}<div id=comments>{talk}</div></article>")
    assert_whole(text)
    assert "Comment" not in text


def test_a_page_of_comments_keeps_them() -> None:
    posts = "".join(f"<div class=comment><p>{sentence}</p></div>" for sentence in PROSE)
    assert_whole(main_text(f"<h1>Who was there?</h1><div>{posts}</div>"))


def test_dates_and_names_around_the_prose_are_left_out() -> None:
    before = "<div>12 May 2024</div><p>By A. Writer</p>"
    text = main_text(f"<div><h1>At sea</h1>{before}{BODY}<div>aw/dpa</div></div>")
    assert text.startswith("At sea")
    assert_whole(text)
    assert not any(word in text for word in ("May", "Writer", "dpa"))


def test_a_short_last_sentence_stays() -> None:
    assert main_text(f"<div><h1>At sea</h1>{BODY}<p>He waited.</p></div>").endswith("He waited.")


@pytest.mark.parametrize("name", ["", "class=teaser", "class='c-intro date'"])
def test_the_lead_is_kept_wherever_it_stands(name: str) -> None:
    lead = "A ferry leaves in the morning, and not all of those on deck will come back."
    text = main_text(
        f"<div><header><h1>At sea</h1><div {name}><p>{lead}</p></div></header>"
        f"<div class=image-caption>A ferry, as seen from the harbour wall in the morning.</div>"
        f"<div>{BODY * 2}</div></div>"
    )
    assert lead in text
    assert "harbour wall" not in text
    assert text.index(lead) < text.index(FIRST)


def test_sections_alike_belong_together() -> None:
    sections = (
        f"<div class=part>{BODY * 3}</div><div class=part><p>{'So it ended. ' * 20}</p></div>"
    )
    assert "So it ended." in main_text(f"<div>{sections}</div>")


@pytest.mark.parametrize("name", ["newsletter", "share", "comments", "sidebar related", "cookie"])
def test_a_name_does_not_cost_a_page_its_text(name: str) -> None:
    assert_whole(main_text(f"<div class='{name}'><h1>At sea</h1>{BODY}</div>"))
    assert_whole(main_text(f"<div class='{name}'>{BODY}</div>"))


def test_topics_of_an_entry_are_no_names() -> None:
    article = f"<div class='post tag-cookie category-newsletter'>{BODY}</div>"
    other = "".join(f"<p>{sentence[::-1]}</p>" for sentence in PROSE)
    assert_whole(main_text(f"{article}<div>{other}</div>"))


def test_tables_code_and_lists_within_an_article_stay() -> None:
    kept = (
        "<table><tr><td>tonnage</td><td>512</td></tr></table><pre>sail --to island</pre>"
        "<figure><table><tr><td>draught</td></tr></table></figure><figure><pre>anchor()</pre></figure>"
        "<ul><li>two masts</li><li>one funnel</li></ul><blockquote>Ahoy</blockquote>"
        f"<ol><li>{'A long entry about the literature of the sea. ' * 3}<a href=/x>source</a></ol>"
    )
    text = main_text(f"<div><h1>At sea</h1>{BODY}{kept}</div>")
    for word in (
        "tonnage",
        "512",
        "sail --to",
        "draught",
        "anchor()",
        "one funnel",
        "Ahoy",
        "source",
    ):
        assert word in text


def test_headings_above_text_or_pictures_stay() -> None:
    inner = f"<h2>Morning</h2><h3>Dawn</h3>{BODY}<h2>Noon</h2><img src=x><h2>Night</h2>{BODY}"
    text = main_text(f"<div><h1>At sea</h1>{inner}</div>")
    assert all(heading in text for heading in ("Morning", "Dawn", "Noon", "Night"))


def test_a_refrain_stays() -> None:
    assert main_text(f"<div>{BODY}<p>{FIRST}</p></div>").count(FIRST) == 2


def test_soft_hyphens_are_no_part_of_words() -> None:
    assert "harbour" in main_text("<p>the har&shy;bour")


DECLARATIONS = {
    "og:type": DECLARED,
    "article:": "<meta property=article:published_time content=2024-01-01>",
    "JSON-LD": '<script type="application/ld+json">{"@graph": [{"@type": ["NewsArticle"]}]}</script>',
    "microdata": "<div itemscope itemtype='https://schema.org/BlogPosting'></div>",
    "microformats": "<p class='post hentry'></p>",
}


@pytest.mark.parametrize("kind", DECLARATIONS)
def test_pages_that_call_themselves_articles(kind: str) -> None:
    """Half prose is enough for them; a page that says nothing keeps what may be its matter."""
    tables = "<table>" + "<tr><td>depth</td><td>12</td></tr>" * 200 + "</table>"
    body = f"<main><h1>At sea</h1>{BODY}{tables}<ul>{LINKS}</ul></main>"
    assert "EXTRA" not in main_text(body, DECLARATIONS[kind])
    assert "EXTRA" in main_text(body, "")


HONEST = {
    "documentation": "<main><h1>open()</h1><p>Opens a file, and returns it.</p><dl>"
    + "".join(
        f"<dt><code>flag{n}</code></dt><dd>See <a href=/f{n}>flag {n}</a>.</dd>" for n in range(40)
    )
    + f"</dl><div class=related>last words</div>{BODY}</main>",
    "numbers": "<h1>Tides</h1><table>"
    + "<tr><td>1.5</td><td>last words</td></tr>" * 300
    + "</table>",
    "a listing": "<h1>Ferries</h1><ul>"
    + "".join(f"<li>Ferry {n}, built 19{n}" for n in range(10, 90))
    + "</ul>last words",
    "a poem": "<h1>Sea</h1><p>"
    + "<br>".join(["Roll on", "thou deep", "and dark"] * 40)
    + "<p>last words",
    "links": "<h1>Ports</h1><main><ul>" + LINKS + "</ul>last words</main>",
    "a small page": "<p>last words",
    "odd markup": f"<b><div><font size=2>{' '.join(PROSE)}<br><br>last words.</b></font>",
    "a layout of tables": f"<table><tr><td><table><tr><td>{'<br>'.join(PROSE)} last words.</table></table>",
}


@pytest.mark.parametrize("name", HONEST)
def test_honest_pages_keep_their_text(name: str) -> None:
    text = main_text(HONEST[name], head="")
    assert "last words" in text
    wanted = read_page(Document(page_of(HONEST[name]))).text
    assert len(text) > 0.9 * len(wanted)


def test_one_method_is_not_the_article_of_its_class() -> None:
    """A reference has most of its prose in one place, and says nothing of itself."""
    method = f"<section><div>{BODY}</div></section>"
    others = "".join(
        f"<section><h4>impl Trait{n} for Cursor where Item: Clone</h4></section>" for n in range(16)
    )
    text = main_text(f"<main><h1>Cursor</h1>{method}{others}</main>", head="")
    assert_whole(text)
    assert all(f"Trait{number} " in text for number in range(16))


def test_a_forum_keeps_its_posts() -> None:
    posts = "".join(
        f"<li class=post><div class=author>sailor{n}</div><div><p>{sentence}</p></div></li>"
        for n, sentence in enumerate(PROSE * 4)
    )
    assert_whole(main_text(f"<h1>Who was there?</h1><ol>{posts}</ol>", head=""))


def test_japanese() -> None:
    sentence = (
        "船は夜明けに港を出て、屋根で眠っていた鳥たちは鳴きながら飛び立った。誰も話さなかった。"
    )
    text = main_text(
        f"<div><h1>海</h1><p>{sentence * 3}</p><p>{sentence * 4}</p><ul>{LINKS}</ul></div>"
    )
    assert sentence * 4 in text
    assert "EXTRA" not in text


def test_formatting_with_long_attributes_is_read_with_a_tree() -> None:
    """Real pages have links with thousands of bytes of attributes, and thousands of tags after them."""
    link = f"<a href=/x data-track='{'x' * 3000}'><b class=y>{EXTRA}</b></a>"
    html = f"{DECLARED}<nav>{link}</nav><div>{BODY}</div>{'<i class=z></i>' * 4000}".encode()
    assert not is_tame(html)
    assert is_tame(calm(html))
    reading = read_page(Document(page_of(html)))
    assert_whole(reading.main_text)
    assert "EXTRA" in reading.text
    assert "EXTRA" not in reading.main_text


@pytest.mark.parametrize(
    "html",
    [b"<p title='<b x' y>z", b"<script>'<b x=\"</script>'</script>", b"<!-- <b x> -->", b"<b x"],
)
def test_what_only_looks_like_formatting_stays(html: bytes) -> None:
    """A quote, the end of a script and a comment are where they were."""
    calmed = calm(html)
    assert calmed.count(b"'") == html.count(b"'")
    assert calmed.count(b"</script>") == html.count(b"</script>")


def test_formatting_left_open_cannot_blow_up_a_calm_page() -> None:
    """Three of a name are opened again, instead of 150."""
    opened = b"".join(b"<b id=number-%d>" % n for n in range(150))
    html = b"<p>" + opened + b"<p>x" * 7000
    assert not is_tame(html)
    outline = build_outline(html)
    assert outline is not None
    assert len(outline.elements) < 5 * 7000


ENTRIES = "".join(f"<li><a href=/{n}>entry number {n} of the index</a></li>" for n in range(60))
LICENCE = f"<p>{FIRST} {MIDDLE} {LAST}</p>"


@pytest.mark.parametrize(
    "page",
    [
        f"<div role=main><h1>Index</h1><ul>{ENTRIES}</ul></div><div class=bottom>{LICENCE}</div>",
        f"<main><h1>Index</h1><ul>{ENTRIES}</ul></main><div class=bottom>{LICENCE}</div>",
        f"<main><h1>Contents</h1><div>{LICENCE}</div><ul>{ENTRIES}</ul></main>",
        f"<div class=part><h1>Contents</h1>{LICENCE}<ul>{ENTRIES}</ul></div>",
    ],
    ids=["index", "index in main", "contents", "contents without a name"],
)
def test_a_page_of_links_keeps_them(page: str) -> None:
    """An index is made of links: neither the licence below nor the words above are its main text."""
    text = main_text(page, head="")
    assert [n for n in range(60) if f"entry number {n} of" not in text] == []


@pytest.mark.parametrize(
    "main",
    ["<main></main>", "<template><main>x</main></template>", "<svg><main>x</main></svg>"],
    ids=["filled by a script", "in a template", "in a picture"],
)
def test_a_main_part_that_is_not_shown_does_not_count(main: str) -> None:
    assert_whole(main_text(f"{main}<div class=story><h1>At sea</h1>{BODY}</div>", head=""))


def sections(*names: str) -> str:
    """Sections as Sphinx and Pandoc make them: each has its name from its heading."""
    prose = "It opens with a click, and closes when you choose a command or click elsewhere. " * 8
    parts = (
        f"<section id={name.lower().replace(' ', '-')}><h2>{name}<a href=#>¶</a></h2>"
        f"<p>{name}: {prose}</section>"
        for name in names
    )
    return f"<main><h1>The editor</h1>{''.join(parts)}</main>"


def test_sections_that_are_about_menus_and_comments_stay() -> None:
    names = ("Menus", "Related articles", "Comments", "Sidebar", "Windows")
    text = main_text(sections(*names))
    assert [name for name in names if f"{name}: It opens" not in text] == []


def test_a_section_of_comments_goes() -> None:
    prose = "All about tea, which is hot, and how to make it well at home. " * 20
    text = main_text(f"<main><h1>Tea</h1><p>{prose}</p>{sections('Comments')}</main>")
    assert "Comments: It opens" not in text
