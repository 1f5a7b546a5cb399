"""A small web server on loopback that hands out what it is given."""

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from tests.engine.listening import Answering, Listening

Content = Mapping[str, tuple[str, bytes]]
"""For each path its Content-Type and its body."""


class StaticSite:
    """What is served where, and how often it was asked for."""

    def __init__(self, origin: str) -> None:
        self.origin = origin
        self.asked: Counter[str] = Counter()


@contextmanager
def serve_static(
    content: Content, redirects: Mapping[str, str] | None = None
) -> Iterator[StaticSite]:
    """Serve these contents; `redirects` are paths that lead elsewhere."""

    class Handler(Answering):
        def answer(self) -> None:
            site.asked[self.path] += 1
            media_type, body = content.get(self.path, ("text/plain", b"not here"))
            target = (redirects or {}).get(self.path)
            self.send_response(302 if target else 200 if self.path in content else 404)
            if target:
                self.send_header("Location", target)
            if media_type:
                self.send_header("Content-Type", media_type)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    server = Listening(Handler)
    site = StaticSite(f"http://127.0.0.1:{server.server_port}")
    try:
        yield site
    finally:
        server.end()
