"""The benchmark of applications: who is fetched first, what a URL shows, and how it is judged."""

import http.client
from pathlib import Path

import pytest
from benchmarks.applications import fifo
from benchmarks.applications.answers import kept_answers
from benchmarks.applications.application_inbox import PublicInbox
from benchmarks.applications.catalogue import APPLICATIONS, installed, named
from benchmarks.applications.cgit import Cgit
from benchmarks.applications.datasette import Datasette
from benchmarks.applications.dokuwiki import DokuWiki
from benchmarks.applications.figures import curve, judge, most_behind
from benchmarks.applications.fossil import Fossil
from benchmarks.applications.generated import Generated
from benchmarks.applications.git_history import blob_of
from benchmarks.applications.gitweb import GitWeb
from benchmarks.applications.mediawiki import MediaWiki
from benchmarks.applications.origin import Reply, without_nofollow
from benchmarks.applications.roundup import Roundup
from benchmarks.applications.trac import Trac
from benchmarks.applications.trial import Plan, try_application, try_generated
from benchmarks.applications.witness import Fetch, Witness, proxied
from benchmarks.applications.wordpress import WordPress
from benchmarks.generated_sites.generated_page import SiteLink

from benchmarks.generated_sites import FacetedCatalogue, GeneratedApplication, HonestSite, SitePage
from tests.needs import needs

SHA = "0123456789abcdef0123456789abcdef01234567"
START = "http://a.test/"


class Site:
    """Pages by target, and the order in which they were asked for."""

    def __init__(self, **pages: str) -> None:
        self.pages = {"/" + name.strip("_"): text for name, text in pages.items()}
        self.asked: list[str] = []

    def ask(self, target: str) -> Reply:
        self.asked.append(target)
        found = self.pages.get(target)
        kind = "text/plain" if target == "/robots.txt" else "text/html"
        return Reply(200 if found else 404, (("Content-Type", kind),), (found or "").encode())


def test_first_in_first_out() -> None:
    site = Site(
        _="<a href=b>b</a><a href=/c>c</a>", b="<a href=d>", c="<a href=e><a href=/>", d="d", e="e"
    )
    assert fifo.crawl(site.ask, START, 100)
    assert site.asked == ["/robots.txt", "/", "/b", "/c", "/d", "/e"]


def test_what_may_not_be_followed_is_not() -> None:
    site = Site(
        _='<a href=b rel="x nofollow"><link rel=alternate href=/f><a href=http://b.test/><a href=c>',
        c="<meta name=robots content='noindex, nofollow'><a href=d>",
    )
    site.pages["/robots.txt"] = "User-agent: *\nDisallow: /e\n"
    site.pages["/"] += "<a href=/e>"
    assert fifo.crawl(site.ask, START, 100)
    assert site.asked == ["/robots.txt", "/", "/c"]


def test_a_limit_ends_it() -> None:
    site = Site(_="<a href=b><a href=c>", b="b", c="c")
    assert not fifo.crawl(site.ask, START, 2)
    assert site.asked == ["/robots.txt", "/", "/b"]


def test_nofollow_can_be_taken_out() -> None:
    site = Site(_='<meta name="robots" content="noindex,nofollow"><a rel="nofollow" href=b>', b="b")
    assert fifo.crawl(without_nofollow(site.ask), START, 100)
    assert site.asked == ["/robots.txt", "/", "/b"]


@pytest.mark.parametrize(
    ("target", "item"),
    [
        ("/doku.php", "page:start"),
        ("/doku.php?id=a:b", "page:a:b"),
        ("/doku.php?id=a:b&do=edit", None),
        ("/doku.php?id=a:b&rev=12", "page:a:b@12"),
        ("/doku.php?id=a:b&idx=a", None),
        ("/lib/exe/fetch.php?media=a:b.txt&tok=1", "file:a:b.txt"),
        ("/lib/exe/detail.php?id=x&media=a:b.png", "image:a:b.png"),
        ("/feed.php?mode=list", None),
    ],
)
def test_dokuwiki_items(target: str, item: str | None) -> None:
    assert DokuWiki().item_of(target) == item


@pytest.mark.parametrize(
    ("target", "item"),
    [
        ("/2020/01/tea/", "path:/2020/01/tea/"),
        ("/2020/01/tea/?replytocom=7", "path:/2020/01/tea/"),
        ("/2020/01/tea/2/", "path:/2020/01/tea/2/"),
        ("/?feed=rss2", None),
    ],
)
def test_wordpress_items(target: str, item: str | None) -> None:
    assert WordPress().item_of(target) == item


@pytest.mark.parametrize(
    ("target", "body", "item"),
    [
        ("/r/plain/a.txt", b"tea\n", f"blob:{blob_of(b'tea' + bytes([10]))}"),
        ("/r/tree/a.txt?h=next", f"blob: {SHA} (".encode(), f"blob:{SHA}"),
        ("/r/tree/", b"a folder", None),
        (
            "/r/commit/?id=x",
            f"<th>commit</th><td colspan='2' class='oid'><a href='/x'>{SHA}</a>".encode(),
            f"commit:{SHA}",
        ),
        ("/r/commit/a.txt?id=x", f"<th>commit</th><td><a href='/x'>{SHA}</a>".encode(), None),
        ("/r/patch/?id=x", f"From {SHA} Mon Sep".encode(), f"commit:{SHA}"),
        ("/r/diff/?id=x", b"", None),
    ],
)
def test_cgit_items(target: str, body: bytes, item: str | None) -> None:
    assert Cgit().item_of(target, Reply(200, (), body)) == item


@pytest.mark.parametrize(
    ("target", "body", "item"),
    [
        (f"/?p=r.git;a=blob;f=a;h={SHA};hb=HEAD", b"", f"blob:{SHA}"),
        ("/?p=r.git;a=blob_plain;f=a;hb=HEAD", b"x", f"blob:{blob_of(b'x')}"),
        (
            "/?p=r.git;a=blob;f=a;hb=HEAD",
            b'<div class="pre"><a id="l1" href="#l1" class="linenr">   1</a> Tea&nbsp;time</div>',
            f"blob:{blob_of(b'Tea time' + bytes([10]))}",
        ),
        (f"/?p=r.git;a=commitdiff;h={SHA}", b"", f"commit:{SHA}"),
        (f"/?p=r.git;a=commitdiff;h={SHA};hp={SHA}", b"", None),
        ("/?p=r.git;a=commit", f'<td>commit</td><td class="sha1">{SHA}'.encode(), f"commit:{SHA}"),
        ("/?p=r.git;a=log", b"", None),
    ],
)
def test_gitweb_items(target: str, body: bytes, item: str | None) -> None:
    assert GitWeb().item_of(target, Reply(200, (), body)) == item


@pytest.mark.parametrize(
    ("target", "item"),
    [
        ("/index.php?title=Tea_time", "page:Tea_time"),
        ("/index.php/tea_time", "page:Tea_time"),
        ("/index.php?title=Talk:Tea&action=edit", None),
        ("/index.php?title=Tea&oldid=3", "page:Tea@3"),
        ("/index.php?title=Tea&diff=4&oldid=3", None),
        ("/index.php?title=Tea&printable=yes", None),
        ("/index.php?title=Special:AllPages", None),
        ("/load.php?title=Tea", None),
    ],
)
def test_mediawiki_items(target: str, item: str | None) -> None:
    assert MediaWiki().item_of(target) == item


def test_figures_of_a_crawl() -> None:
    fetches = [Fetch(f"/{n}", 200, item) for n, item in enumerate(["a", None, "a", "b", "c@1"])]
    found = judge(fetches, {"a", "b", "c"}, {"c@1"}, True)
    assert (found.fetches, found.items, found.reachable, found.old) == (5, 2, 3, 1)
    assert found.lost == ["c"]
    assert found.wasted == pytest.approx(0.6)
    assert found.ninety is None
    assert judge(fetches, {"a", "b"}, set(), True).ninety == 4
    assert judge(fetches, {"a", "b", "c"}, set(), False).lost == [], (
        "it did not say that it had finished"
    )


def test_how_far_a_crawl_is_behind() -> None:
    fetches = [Fetch("/", 200, item) for item in ("a", "a", "b")]
    assert curve(fetches, {"a", "b"}) == [1, 1, 2]
    assert most_behind([1, 1, 2], [1, 2, 3, 4]) == 2
    assert most_behind([2, 3], [1, 2]) == -1
    assert most_behind([], [1]) == 1


def test_kept_answers_are_asked_for_once(tmp_path: Path) -> None:
    site = Site(_="home")
    for _ in range(2):
        with kept_answers(tmp_path / "answers", site.ask) as ask:
            assert ask("/").body == b"home"
            assert ask("/x").status == 404
    assert site.asked == ["/", "/x"]


def test_the_witness_is_a_proxy_that_notes_each_fetch() -> None:
    application = Generated("a", HonestSite("poems", 1, 10))
    witness = Witness(application, application.reply)
    with proxied(witness, "a.test") as address:
        connection = http.client.HTTPConnection(address.removeprefix("http://"))
        statuses = []
        for url in (
            "http://a.test/robots.txt",
            "http://a.test/",
            "http://a.test/x",
            "http://b.test/",
        ):
            connection.request("GET", url)
            with connection.getresponse() as response:
                statuses.append(response.status)
                response.read()
        connection.close()
    assert statuses == [200, 200, 404, 502]
    assert witness.fetches == [Fetch("/", 200, None), Fetch("/x", 404, None)]


def test_both_crawlers_of_a_small_site() -> None:
    """Gossamer is a process of its own here, and what it fetches is what the witness saw."""
    application = Generated("poems", HonestSite("poems", 1, 12))
    found = try_generated(application, Plan(fetches=100, seconds=120))
    assert found["fifo"].finished
    assert found["fifo"].items == found["fifo"].reachable == 12
    assert found["gossamer"].summary["pages"] == found["gossamer"].fetches
    assert found["gossamer"].items == 12


def test_reachable_is_what_the_truth_says() -> None:
    site = GeneratedApplication(2, 30)
    found = try_generated(Generated("seed2", site), Plan(fetches=2000, crawlers=("fifo",)))
    assert found["fifo"].reachable == len(site.items())


@pytest.mark.parametrize("seed", [1, 2])
def test_rows_are_not_behind_in_a_catalogue_of_many_lists(seed: int) -> None:
    """Datasette had 31 of 900 rows where first in, first out had 859: lists and exports came first."""
    application = Generated("catalogue", FacetedCatalogue(seed, 300))
    found = try_generated(application, Plan(fetches=400, seconds=120))
    ours, plain = found["gossamer"], found["fifo"]
    assert ours.by[100] >= plain.by[100] - 2
    assert ours.by[300] >= plain.by[300] - 2
    assert ours.items >= plain.items


class OtherForms:
    """Texts that are named by other forms of them only, as their canonical URL; and pages of tools."""

    start, robots_txt = "/", b"User-agent: *\nDisallow:\n"
    texts, tools = 20, 150

    def items(self) -> set[str]:
        return {f"text:{number}" for number in range(self.texts)}

    def old_items(self) -> set[str]:
        return set()

    def page(self, target: str) -> SitePage | None:
        if target == "/":
            forms = [SiteLink(f"/text/{n}?format=txt", f"text {n}") for n in range(self.texts)]
            tools = [SiteLink(f"/tool/{n}", f"tool {n}") for n in range(self.tools)]
            return SitePage("Home", links=[*forms, *tools], is_useful=True)
        kind, _, name = target.removesuffix("?format=txt").strip("/").partition("/")
        if kind == "tool":
            return SitePage(
                f"Tool {name}", "<p>Choose what is to be done with it, and press the button.</p>"
            )
        said = " ".join(f"word{name}x{place}" for place in range(60))
        head = [SiteLink(f"/text/{name}", "", "canonical")]
        item = None if "?" in target else f"text:{name}"
        return SitePage(f"Text {name}", f"<p>{said}</p>", heads=head, item=item, is_useful=True)


def test_a_page_that_only_its_other_forms_name_comes_in_its_turn() -> None:
    """Trac had pages at the 2,800th fetch that first in, first out had at the 139th."""
    site = OtherForms()
    found = try_generated(
        Generated("forms", site), Plan(fetches=200, seconds=120, crawlers=("gossamer",))
    )["gossamer"]
    assert found.items == site.texts
    assert found.by[100] == site.texts, "not after all tools"


class LinkedOtherForms(OtherForms):
    """The home page calls the texts its other forms; each is linked to from a page that comes later."""

    def page(self, target: str) -> SitePage | None:
        if target == "/":
            forms = [SiteLink(f"/text/{n}", "", "alternate") for n in range(self.texts)]
            links = [SiteLink("/contents", "contents"), SiteLink("/tools", "tools")]
            return SitePage("Home", heads=forms, links=links, is_useful=True)
        if target == "/tools":
            links = [SiteLink(f"/tool/{n}", f"tool {n}") for n in range(self.tools)]
            return SitePage("Tools", links=links)
        if target == "/contents":
            links = [SiteLink(f"/text/{n}", f"text {n}") for n in range(self.texts)]
            return SitePage("Contents", links=links, is_useful=True)
        return super().page(target)


def test_an_other_form_of_a_page_that_readers_are_led_to_comes_in_its_turn() -> None:
    """What one page calls its other form is a page like others, if another page links to it."""
    application = Generated("linked", LinkedOtherForms())
    found = try_generated(application, Plan(fetches=200, seconds=120))
    assert found["gossamer"].items == found["fifo"].items == LinkedOtherForms.texts
    assert found["gossamer"].behind <= 1


@pytest.mark.parametrize(
    ("target", "item"),
    [
        ("/library/books/17", "row:17"),
        ("/library/books/17.json", None),
        ("/library/books?genre=novel", None),
        ("/library/books.csv?_size=max", None),
    ],
)
def test_datasette_items(target: str, item: str | None) -> None:
    assert Datasette().item_of(target, Reply(200, (), b"")) == item


@pytest.mark.parametrize(
    ("target", "item"),
    [
        ("/", "wiki:WikiStart"),
        ("/wiki/Tea", "wiki:Tea"),
        ("/wiki/Tea?format=txt", None),
        ("/ticket/5", "ticket:5"),
        ("/raw-attachment/ticket/5/log5.txt", "attachment:log5.txt"),
        (f"/changeset/{SHA}/r1", f"commit:{SHA}"),
        ("/timeline", None),
    ],
)
def test_trac_items(target: str, item: str | None) -> None:
    assert Trac().item_of(target, Reply(200, (), b"")) == item


@pytest.mark.parametrize(
    ("target", "item"),
    [
        ("/issue5", "issue:5"),
        ("/issue5?@template=history", None),
        ("/file7/log%207.txt", "file:7"),
        ("/file7", None),
        ("/msg3", None),
        ("/issue?@sort=-activity&@group=priority", None),
    ],
)
def test_roundup_items(target: str, item: str | None) -> None:
    assert Roundup().item_of(target, Reply(200, (), b"")) == item


@pytest.mark.parametrize(
    ("target", "body", "item"),
    [
        ("/fossil/home", b"", "wiki:Manuals"),
        ("/fossil/wiki?name=Tea&p", b"", "wiki:Tea"),
        ("/fossil/wiki?name=Tea&id=3", b"", None),
        (
            "/fossil/info/01234567",
            f'id="hash-ci">{SHA[:32]}<wbr>{SHA[:32]}<'.encode(),
            f"commit:{SHA[:32] * 2}",
        ),
        (
            "/fossil/tktview/0123456789",
            f'href="/fossil/tkthistory/{SHA[:10]}"'.encode(),
            f"ticket:{SHA[:10]}",
        ),
        (
            "/fossil/file?name=a&ci=tip",
            f'<a href="/fossil/raw/{SHA[:32] * 2}?at=a">'.encode(),
            f"blob:{SHA[:32] * 2}",
        ),
        ("/fossil/timeline?c=0123", b"", None),
    ],
)
def test_fossil_items(target: str, body: bytes, item: str | None) -> None:
    assert Fossil().item_of(target, Reply(200, (), body)) == item


def test_a_file_that_fossil_shows_as_a_document_or_as_it_is() -> None:
    texts = (b"Tea & cake\n", b"<pre>\nTea &amp; cake\n\n</pre>")
    kinds = ("application/octet-stream", "text/html")
    shown = [
        Fossil().item_of(f"/fossil/{view}/x", Reply(200, (("Content-Type", kind),), text))
        for view, kind, text in zip(("raw", "doc"), kinds, texts, strict=True)
    ]
    assert shown[0] == shown[1] is not None


def test_messages_of_an_archive_and_of_its_threads() -> None:
    archive, body = (
        PublicInbox(),
        b'<a\nhref="../../a@b.org/">permalink</a> <a\nhref="../../c@b.org/">permalink</a>',
    )
    reply = Reply(200, (), body)
    assert archive.item_of("/list/a@b.org/", reply) == "message:a@b.org"
    assert archive.item_of("/list/a@b.org/raw", reply) == "message:a@b.org"
    assert archive.item_of("/list/a@b.org/T/", reply) is None
    assert archive.others_of("/list/a@b.org/t/", reply) == ("message:a@b.org", "message:c@b.org")
    assert archive.others_of("/list/", reply) == ()


def test_an_answer_may_show_several_items() -> None:
    fetches = [Fetch("/T", 200, None, ("a", "b")), Fetch("/a", 200, "a"), Fetch("/c", 404, None)]
    assert curve(fetches, {"a", "b", "c"}) == [2, 2, 2]
    assert judge(fetches, {"a", "b", "c"}, set(), True).lost == ["c"]


def test_names_of_applications() -> None:
    known = ["dokuwiki", "dokuwiki-open", "wordpress", "cgit", "datasette", "trac", "roundup"]
    assert [one.name for one in named([])] == known
    assert [one.name for one in named(["apart"])] == ["gitweb", "mediawiki", "fossil", "inbox"]
    assert named(["all"]) == list(APPLICATIONS)
    with pytest.raises(SystemExit, match="there is no application 'x'"):
        named(["x"])


def test_cgit_in_earnest(tmp_path: Path) -> None:
    """The cheapest of the real ones: filled, served and walked over."""
    if not installed([Cgit()]):
        pytest.skip(needs("cgit", "cgit, git or lighttpd is not installed"))
    found = try_application(Cgit(), tmp_path, Plan(pages=6, fetches=150, crawlers=("fifo",)))
    assert found["fifo"].reachable > 20
    assert found["fifo"].items > 10
