"""A site with one fault of each kind, each on a page of its own, and pages that only look faulty."""

import gzip
import socket
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from gossamer.report import Section
from tests.engine.listening import Answering, Listening
from tests.report.planted import prose

SITE = "{site}"
"""Stands for the origin of the site, as `ELSEWHERE` does for that of another one."""
ELSEWHERE = "{elsewhere}"
CLOSED = "{closed}"
"""An origin at which nobody listens."""


class Fault(NamedTuple):
    """A fault, and by what the report may name it."""

    name: str
    page: str
    """The page that it stands on."""
    sign: str
    """What a row that names it contains, besides the page or the URL at fault."""
    section: str = "broken-links"
    body: str = ""
    head: str = ""
    fields: tuple[tuple[str, str], ...] = ()
    """Header fields of the page."""


def _link(path: str) -> str:
    return f'<a href="{path}">goes to {path}</a>'


def _related(rel: str) -> str:
    return f'<link rel="{rel}" href="/x/only-{rel}">'


FAULTS = [
    Fault("link to 404", "/p1", "/x/missing", body=_link("/x/missing")),
    Fault("link to 410", "/p2", "/x/gone", body=_link("/x/gone")),
    Fault("link to 500", "/p3", "/x/error", body=_link("/x/error")),
    Fault("link by redirect to 404", "/p4", "/x/to-missing", body=_link("/x/to-missing")),
    Fault("link into circle", "/p5", "/x/circle-1", body=_link("/x/circle-1")),
    Fault("redirect without target", "/p6", "/x/nowhere", body=_link("/x/nowhere")),
    Fault("redirect to no URL", "/p7", "/x/bad-place", body=_link("/x/bad-place")),
    Fault("answer cut short", "/p8", "/x/short", body=_link("/x/short")),
    Fault("connection closed", "/p9", "/x/closed", body=_link("/x/closed")),
    Fault("damaged PDF", "/p10", "/x/broken.pdf", body=_link("/x/broken.pdf")),
    Fault("image 404", "/p11", "/x/i.png", body='<img src="/x/i.png" alt="i">'),
    Fault("srcset 404", "/p12", "/x/2x.png", body='<img srcset="/x/2x.png 2x" alt="i">'),
    Fault("script 404", "/p13", "/x/s.js", body='<script src="/x/s.js"></script>'),
    Fault("style 404", "/p14", "/x/s.css", head='<link rel="stylesheet" href="/x/s.css">'),
    Fault("CSS image 404", "/p15", "/x/bg.png", head="<style>p{background:url(/x/bg.png)}</style>"),
    Fault("frame 404", "/p16", "/x/frame", body='<iframe src="/x/frame"></iframe>'),
    Fault("area 404", "/p17", "/x/area", body='<map><area href="/x/area" alt="a"></map>'),
    Fault("video 404", "/p18", "/x/v.mp4", body='<video src="/x/v.mp4"></video>'),
    Fault("poster 404", "/p19", "/x/poster.png", body='<video poster="/x/poster.png"></video>'),
    Fault("object 404", "/p20", "/x/o.svg", body='<object data="/x/o.svg"></object>'),
    Fault(
        "refresh 404",
        "/p21",
        "/x/refresh",
        head='<meta http-equiv="refresh" content="9;url=/x/refresh">',
    ),
    Fault("next 404", "/p22", "/x/next", head='<link rel="next" href="/x/next">'),
    Fault("feed 404", "/p23", "/x/feed", head='<link rel="alternate" href="/x/feed">'),
    Fault("canonical 404", "/p24", "/x/canon", head='<link rel="canonical" href="/x/canon">'),
    Fault(
        "hreflang 404",
        "/p25",
        "/x/lang",
        head='<link rel="alternate" hreflang="de" href="/x/lang">',
    ),
    Fault("sitemap URL 404", "/sitemap.xml", "/x/listed"),
    Fault("sitemap 404", "/robots.txt", "/x/second-sitemap.xml"),
    Fault(
        "canonical to redirect",
        "/p26",
        "redirect",
        "canonicals",
        head='<link rel="canonical" href="/x/old">',
    ),
    Fault(
        "canonical in a loop",
        "/p27",
        "loop",
        "canonicals",
        head='<link rel="canonical" href="/p28">',
    ),
    Fault(
        "canonical to noindex",
        "/p29",
        "noindex",
        "canonicals",
        head='<link rel="canonical" href="/hidden">',
    ),
    Fault(
        "two canonicals",
        "/p30",
        "several",
        "canonicals",
        head='<link rel="canonical" href="/p30"><link rel="canonical" href="/fine">',
    ),
    Fault(
        "hreflang without return",
        "/p31",
        "no return link",
        "translations",
        head='<link rel="alternate" hreflang="fr" href="/fine">',
    ),
    Fault(
        "hreflang to redirect",
        "/p32",
        "redirect",
        "translations",
        head='<link rel="alternate" hreflang="fr" href="/x/old">',
    ),
    Fault(
        "hreflang of no language",
        "/p33",
        "english",
        "translations",
        head='<link rel="alternate" hreflang="english" href="/p33">',
    ),
    Fault(
        "fragment on its own page", "/p34", "no-such-part", "fragments", body=_link("#no-such-part")
    ),
    Fault(
        "fragment on another page", "/p35", "chapter-9", "fragments", body=_link("/fine#chapter-9")
    ),
    Fault(
        "fragment behind redirect", "/p36", "chapter-8", "fragments", body=_link("/x/old#chapter-8")
    ),
    Fault("soft 404 by title", "/p37", "/x/soft-title", "soft-errors", body=_link("/x/soft-title")),
    Fault(
        "soft 404 by heading",
        "/p38",
        "/x/soft-heading",
        "soft-errors",
        body=_link("/x/soft-heading"),
    ),
    Fault(
        "missing pages lead home",
        "/p39",
        "/x/old-shop/3",
        "soft-errors",
        body="".join(_link(f"/x/old-shop/{n}") for n in range(5)),
    ),
    Fault("no URL", "/p40", "http://[half", "malformed-links", body=_link("http://[half")),
    Fault("mistyped scheme", "/p41", "htp://", "malformed-links", body=_link("htp://example.org/")),
    Fault(
        "scheme twice",
        "/p42",
        "http://https://",
        "malformed-links",
        body=_link("http://https://example.org/"),
    ),
    Fault(
        "slash missing",
        "/p43",
        "http:/example.org/",
        "malformed-links",
        body=_link("http:/example.org/"),
    ),
    Fault(
        "mailto of nobody", "/p44", "mailto:office", "malformed-links", body=_link("mailto:office")
    ),
    Fault(
        "file of the author",
        "/p45",
        "file:///C:/",
        "malformed-links",
        body=_link("file:///C:/a.doc"),
    ),
    Fault("empty image", "/p46", "img", "malformed-links", body='<img src="" alt="none">'),
    Fault("placeholder", "/p47", "{{ page.url }}", "malformed-links", body=_link("{{ page.url }}")),
    Fault(
        "form to 404",
        "/p48",
        "/x/missing",
        "forms",
        body='<form action="/x/missing"><input name="q"></form>',
    ),
    Fault("chain of redirects", "/p49", "/x/hop-1", "redirect-chains", body=_link("/x/hop-1")),
    Fault("damaged gzip", "/p50", "/x/cut.gz", body=_link("/x/cut.gz")),
    Fault("no gzip", "/p51", "/x/no.gz", body=_link("/x/no.gz")),
    Fault("empty answer", "/p52", "empty", body=_link("/x/empty")),
    Fault("no content", "/p53", "empty", body=_link("/x/no-content")),
    Fault(
        "page as an image", "/p54", "text/html", body='<img src="/x/page.png" alt="as an image">'
    ),
    Fault("page as a script", "/p55", "text/html", body='<script src="/x/page.js"></script>'),
    Fault(
        "page as a style sheet",
        "/p56",
        "text/html",
        head='<link rel="stylesheet" href="/x/page.css">',
    ),
    Fault(
        "fragment before a piece of text",
        "/p57",
        "chapter-7",
        "fragments",
        body=_link("/fine#chapter-7:~:text=lantern"),
    ),
    Fault(
        "hreflang of a country",
        "/p58",
        "jp",
        "translations",
        head='<link rel="alternate" hreflang="jp" href="/p58">',
    ),
    Fault(
        "hreflang of no country",
        "/p59",
        "en-UK",
        "translations",
        head='<link rel="alternate" hreflang="en-UK" href="/p59">',
    ),
    Fault("moved for good", "/p60", "/x/moved", "moved-links", body=_link("/x/moved")),
    Fault("sitemap names a redirect", "/sitemap.xml", "redirect", "sitemaps"),
    Fault("sitemap names noindex", "/sitemap.xml", "noindex", "sitemaps"),
    Fault("sitemap names another host", "/sitemap.xml", "another host", "sitemaps"),
    Fault("sitemap names a copy", "/sitemap.xml", "names another one", "sitemaps"),
    Fault("sitemap names what is forbidden", "/sitemap.xml", "robots.txt", "sitemaps"),
    Fault("sitemap that is a page", "/robots.txt", "no sitemap", "sitemaps"),
    Fault(
        "citation of 404",
        "/p61",
        "cite",
        body=_link("/x/cited") + '<q cite="/x/cited">x</q>',
    ),
    Fault(
        "canonical of a Link field",
        "/p62",
        "404",
        "canonicals",
        fields=(("Link", "</x/canon-of-field>; rel=canonical"),),
        body=_link("/x/canon-of-field"),
    ),
]
"""Kinds that the crawl alone can show."""

CHECKED = [
    Fault("elsewhere 404", "/e1", "404", "checked-links", body=_link(ELSEWHERE + "/absent")),
    Fault("elsewhere refused", "/e2", "", "checked-links", body=_link(CLOSED + "/")),
    Fault(
        "elsewhere GET only", "/e3", "410", "checked-links", body=_link(ELSEWHERE + "/no-head-410")
    ),
    Fault(
        "form not visited",
        "/e4",
        "404",
        "checked-links",
        body='<form action="/x/only-form"></form>',
    ),
    Fault(
        "button not visited",
        "/e5",
        "404",
        "checked-links",
        body='<form action="/"><button formaction="/x/only-button">x</button></form>',
    ),
    *(
        Fault(f"link of rel {rel}", f"/e-{rel}", "404", "checked-links", head=_related(rel))
        for rel in ("amphtml", "prefetch", "license", "search", "help", "author")
    ),
    Fault("citation", "/e6", "404", "checked-links", body='<q cite="/x/only-cited">x</q>'),
    Fault("longdesc", "/e7", "404", "checked-links", body='<img longdesc="/x/only-told" alt="">'),
    Fault(
        "preload in a Link field",
        "/e8",
        "404",
        "checked-links",
        fields=(("Link", "</x/only-field.css>; rel=preload; as=style"),),
    ),
    Fault(
        "Refresh field",
        "/e9",
        "404",
        "checked-links",
        fields=(("Refresh", "9; url=/x/only-refresh"),),
    ),
    Fault(
        "set of preloaded images",
        "/e10",
        "404",
        "checked-links",
        head='<link rel="preload" as="image" imagesrcset="/x/only-set.png 2x">',
    ),
    Fault(
        "canonical elsewhere",
        "/e11",
        "404",
        "checked-links",
        head=f'<link rel="canonical" href="{ELSEWHERE}/absent-canonical">',
    ),
    Fault(
        "redirect elsewhere",
        "/e12",
        "/x/to-elsewhere",
        "checked-links",
        body=_link("/x/to-elsewhere"),
    ),
]
"""Kinds that need requests beyond the crawl. A server that is not there may be `robots_unreachable` or
`no_answer`, depending on how long it was waited for."""

REDIRECTS = {
    "/x/to-missing": "/x/missing",
    "/x/circle-1": "/x/circle-2",
    "/x/circle-2": "/x/circle-1",
    "/x/bad-place": "http://[half",
    "/x/nowhere": "",
    "/x/old": "/fine",
    "/x/hop-1": "/x/hop-2",
    "/x/hop-2": "/fine",
    "/x/moved": "/fine",
    "/x/listed-old": "/fine",
    "/x/to-elsewhere": ELSEWHERE + "/absent-behind",
    **{f"/x/old-shop/{number}": "/" for number in range(5)},
}
STATUSES = {"/x/gone": 410, "/x/error": 500}
ODD_ANSWERS: dict[str, tuple[int, dict[str, str], bytes]] = {
    "/x/cut.gz": (200, {"Content-Encoding": "gzip"}, gzip.compress(b"<p>words" * 99, mtime=0)[:-9]),
    "/x/no.gz": (200, {"Content-Encoding": "gzip"}, b"<title>No gzip</title>words"),
    "/x/empty": (200, {}, b""),
    "/x/no-content": (204, {}, b""),
    **dict.fromkeys(
        ("/x/page.png", "/x/page.js", "/x/page.css", "/x/page-sitemap.xml"),
        (200, {}, b"<!doctype html><title>The application</title><div id=app></div>"),
    ),
}
"""Answers that say that they are HTML."""
LISTED = ("/", "/x/listed", "/x/listed-old", "/hidden", "/forbidden", "/copy")
FINE = ["/fine", "/whole"]
"""Pages without a fault, however odd."""

_ODD = (
    '<h2 id="part">Part</h2><a name="old-part"></a><h2 id="größe">Size</h2>'
    '<a href="#part">a</a><a href="#old-part">b</a><a href="#gr%C3%B6%C3%9Fe">c</a><a href="#">d</a>'
    '<a href="#top">e</a><a href="#!/app/route">f</a><a href="#/route">g</a><a href="#:~:text=a">h</a>'
    '<a href="/fine#part">i</a><a href="/fine#part:~:text=a">i</a><a href="/x/old#part">j</a>'
    '<a href="mailto:a@example.org?subject=x">k</a><a href="tel:+49123">l</a>'
    '<a href="javascript:void(0)">m</a><a href="sms:123">n</a><a href="">o</a>'
    '<img src="data:image/png;base64,AAAA" alt="p"><!-- <a href="http://[hidden">q</a> -->'
    "<script>var a = '<a href=\"http://[hidden\">';</script>"
)


def _page(number: int, title: str, head: str = "", body: str = "", links: str = "") -> str:
    return (
        f"<!doctype html><html><head><title>{title}</title>{head}</head><body>"
        f"<main><p>{prose(number)}</p>{body}</main>{links}</body></html>"
    )


def _pages(faults: list[Fault]) -> dict[str, str]:
    pages = {
        fault.page: _page(100 + number, f"Page {fault.page}", fault.head, fault.body)
        for number, fault in enumerate(faults)
        if fault.page.startswith(("/p", "/e"))
    }
    pages["/p28"] = _page(80, "The other one", '<link rel="canonical" href="/p27">')
    for number, path in enumerate(FINE):
        pages[path] = _page(60 + number, f"Fine {number}", body=_ODD)
    pages["/copy"] = _page(81, "A copy", '<link rel="canonical" href="/fine">')
    pages["/hidden"] = _page(70, "Hidden", '<meta name="robots" content="noindex">')
    pages["/x/soft-title"] = _page(71, "Page not found – Example")
    pages["/x/soft-heading"] = (
        "<title>Example</title><h1>Sorry, page <em>not found</em>!</h1><p>Go home.</p>"
    )
    pages["/about-errors"] = _page(72, "How to mend a 404 error", body="<h1>Not found</h1>")
    links = "".join(f'<a href="{path}">{path}</a> ' for path in pages if not path.startswith("/x/"))
    return {"/": _page(1, "Home", links=links), **pages}


def _fields(faults: list[Fault]) -> dict[str, dict[str, str]]:
    return {fault.page: dict(fault.fields) for fault in faults}


def is_named(fault: Fault, sections: Iterable[Section], names: dict[str, str]) -> bool:
    """Does a row of the right section name the fault, and the page that it stands on?"""
    page, sign = names[SITE] + fault.page, fault.sign
    rows = (row for section in sections if section.name == fault.section for row in section.rows)
    return any(
        page in row and any(sign in str(cell) for cell in row if cell != page) for row in rows
    )


@contextmanager
def serve_faults(faults: list[Fault]) -> Iterator[dict[str, str]]:
    """Serve the site, and another one; says what `SITE`, `ELSEWHERE` and `CLOSED` stand for."""
    pages = _pages(faults)
    with _closed_port() as closed, _serve({}, {}) as other:
        names = {
            ELSEWHERE: other.replace("127.0.0.1", "localhost"),
            CLOSED: f"http://localhost:{closed}",
        }
        with _serve(pages, names, _fields(faults)) as site:
            yield {**names, SITE: site}


@contextmanager
def _closed_port() -> Iterator[int]:
    """A port that is taken, and at which nobody listens."""
    with socket.socket() as door:
        door.bind(("127.0.0.1", 0))
        yield door.getsockname()[1]


@contextmanager
def _serve(
    pages: dict[str, str], names: dict[str, str], fields_of: dict[str, dict[str, str]] | None = None
) -> Iterator[str]:
    class Handler(Answering):
        def do_HEAD(self) -> None:  # noqa: N802
            self.answer()

        def answer(self) -> None:
            asked.append((self.command, self.path))
            if self.path == "/x/closed":
                self.close_connection = True
                return
            status, fields, body = _answer(self.command, self.path, pages, names, origin)
            self.send_response(status)
            promised = len(body) + (900 if self.path == "/x/short" else 0)
            more = (fields_of or {}).get(self.path, {})
            for name, value in {"Content-Length": str(promised), **fields, **more}.items():
                self.send_header(name, value)
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(body)
            self.close_connection |= self.path == "/x/short"

    asked: list[tuple[str, str]] = []
    server = Listening(Handler)
    origin = f"http://127.0.0.1:{server.server_port}"
    ASKED[origin] = asked
    try:
        yield origin
    finally:
        server.end()
        del ASKED[origin]


ASKED: dict[str, list[tuple[str, str]]] = {}
"""By origin of a server that is up: the method and path of each request."""


def asked_of(origin: str) -> list[tuple[str, str]]:
    """The requests to a server, by any of its names; the list grows while it is up."""
    return ASKED[origin.replace("localhost", "127.0.0.1")]


def _answer(
    method: str, path: str, pages: dict[str, str], names: dict[str, str], origin: str
) -> tuple[int, dict[str, str], bytes]:
    html, plain = {"Content-Type": "text/html; charset=utf-8"}, {"Content-Type": "text/plain"}
    if path == "/robots.txt":
        files = ("/sitemap.xml", "/x/second-sitemap.xml", "/x/page-sitemap.xml")
        said = "User-agent: *\nDisallow: /forbidden\n\n"
        said += "".join(f"Sitemap: {origin}{one}\n" for one in files)
        return 200, plain, said.encode()
    if path == "/sitemap.xml":
        listed = [*(origin + one for one in LISTED), names.get(ELSEWHERE, origin) + "/listed"]
        places = "".join(f"<url><loc>{one}</loc></url>" for one in listed)
        said = f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{places}</urlset>'
        return 200, {"Content-Type": "application/xml"}, said.encode()
    if path in REDIRECTS:
        place = REDIRECTS[path].replace(ELSEWHERE, names.get(ELSEWHERE, ELSEWHERE))
        return 301, {**html, **({"Location": place} if place else {})}, b""
    if path in ODD_ANSWERS:
        status, fields, body = ODD_ANSWERS[path]
        return status, {**html, **fields}, body
    if path == "/no-head-410":
        return (405 if method == "HEAD" else 410), plain, b""
    if path == "/x/short":
        return 200, html, pages.get("/fine", "").encode()[:400]
    if path == "/x/broken.pdf":
        return 200, {"Content-Type": "application/pdf"}, b"%PDF-1.4 and then nothing of the kind"
    if path in pages:
        text = pages[path]
        for name, origin_of in names.items():
            text = text.replace(name, origin_of)
        return 200, {**html, "Content-Encoding": "gzip"}, gzip.compress(text.encode(), mtime=0)
    return STATUSES.get(path, 404), plain, b"no such page"
