"""A site with defects that were put there on purpose, and pages without any."""

from collections.abc import Iterator
from contextlib import contextmanager

from tests.engine.listening import Answering, Listening

_WORDS = (
    *("harbour", "lantern", "meadow", "thimble", "orchard", "quarry", "saddle", "timber", "velvet"),
    *("walnut", "anchor", "barley", "candle", "dagger", "ember", "falcon", "gravel", "hammer"),
    *("island", "jacket", "kettle", "ladder", "marble", "needle", "oyster", "pepper", "quiver"),
)


def prose(number: int) -> str:
    """Some sentences that no other page has."""
    chosen = (_WORDS[(number * 7 + place * (number + 3)) % len(_WORDS)] for place in range(120))
    return f"Page {number}. " + " ".join(f"{word}{(number * 31) % 97}" for word in chosen)


def page(number: int, title: str | None, *links: str, head: str = "", body: str = "") -> str:
    said = f"<title>{title}</title>" if title is not None else ""
    anchors = "".join(f'<li><a href="{link}">to {link}</a></li>' for link in links)
    return (
        f"<!doctype html><html><head>{said}{head}</head><body><main><p>{prose(number)}</p>{body}"
        f"<ul>{anchors}</ul></main></body></html>"
    )


PAGES = {
    "/": page(
        1,
        "Home",
        *("/good", "/broken-from-here", "/chain-1", "/once", "/circle-1", "/untitled", "/twin-a"),
        *("/twin-b", "/original", "/copy", "/polite-copy", "/hidden", "/secret/page", "/deep-1"),
        *("/unlisted", "/leads-to-nothing"),
        body='<p><a rel="nofollow" href="/unloved">not to be followed</a></p>',
    ),
    "/good": page(2, "Good", "/"),
    "/broken-from-here": page(3, "Has a broken link", "/missing", "/good", "/error"),
    "/end-of-chain": page(4, "End of a chain", "/"),
    "/untitled": page(5, None, "/"),
    "/twin-a": page(6, "Twins", "/"),
    "/twin-b": page(7, " Twins ", "/"),
    "/original": page(8, "Original", "/"),
    "/copy": page(8, "Original", "/"),
    "/polite-copy": page(
        8, "Original", "/", head='<link rel="canonical" href="/original">', body="<p>printed</p>"
    ),
    "/hidden": page(9, "Hidden", "/", head='<meta name="robots" content="noindex">'),
    "/deep-1": page(10, "Deep 1", "/deep-2"),
    "/deep-2": page(11, "Deep 2", "/deep-3"),
    "/deep-3": page(12, "Deep 3", "/"),
    "/unlisted": page(13, "Unlisted", "/"),
    "/nobody-links-here": page(14, "Lonely", "/"),
    "/secret/page": page(15, "Secret", "/"),
    "/unloved": page(16, "Unloved", "/"),
}
REDIRECTS = {
    "/chain-1": "/chain-2",
    "/chain-2": "/end-of-chain",
    "/once": "/good",
    "/circle-1": "/circle-2",
    "/circle-2": "/circle-1",
    "/leads-to-nothing": "/missing",
}
ERRORS = {"/error": 500}
LISTED = [
    *(
        "/",
        "/good",
        "/broken-from-here",
        "/end-of-chain",
        "/untitled",
        "/twin-a",
        "/twin-b",
        "/copy",
    ),
    *("/original", "/hidden", "/deep-1", "/deep-2", "/deep-3", "/nobody-links-here"),
]


@contextmanager
def serve_planted() -> Iterator[str]:
    """Serve the site; its origin."""

    class Handler(Answering):
        def answer(self) -> None:
            status, media_type, body = self._find()
            self.send_response(status)
            if self.path in REDIRECTS:
                self.send_header("Location", REDIRECTS[self.path])
            self.send_header("Content-Type", media_type)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def _find(self) -> tuple[int, str, bytes]:
            if self.path == "/robots.txt":
                said = f"User-agent: *\nDisallow: /secret/\nSitemap: {origin}/sitemap.xml\n"
                return 200, "text/plain", said.encode()
            if self.path == "/sitemap.xml":
                places = "".join(f"<url><loc>{origin}{path}</loc></url>" for path in LISTED)
                said = (
                    f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{places}</urlset>'
                )
                return 200, "application/xml", said.encode()
            if self.path in REDIRECTS:
                return 301, "text/html", b""
            if self.path in PAGES:
                return 200, "text/html; charset=utf-8", PAGES[self.path].encode()
            return ERRORS.get(self.path, 404), "text/plain", b"no such page"

    server = Listening(Handler)
    origin = f"http://127.0.0.1:{server.server_port}"
    try:
        yield origin
    finally:
        server.end()
