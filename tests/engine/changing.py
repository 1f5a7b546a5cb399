"""A small web server on loopback whose pages change: each visit to a page gets the next of its answers."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import sha1
from pathlib import Path
from typing import Any

from msgspec.structs import replace

import gossamer
from tests.engine.listening import Answering, Listening

Answers = Sequence[str | int]
"""What a page says, visit after visit: HTML, a status (410), or where it has moved to (`-> /new`). The last
answer stays."""


_TYPES = {".png": "image/png"}


class ChangingSite:
    """What is served, and how often it was asked for."""

    def __init__(self, pages: Mapping[str, Answers], has_validators: bool) -> None:
        self.pages = pages
        self.asked: Counter[str] = Counter()
        site = self

        class Handler(Answering):
            def answer(self) -> None:
                number = site.asked[self.path]
                site.asked[self.path] += 1
                answers = site.pages.get(self.path, [404])
                said = answers[min(number, len(answers) - 1)]
                status, fields, body = _spell(said, self.path)
                etag = f'"{sha1(body).hexdigest()}"'
                if status == 200 and has_validators:
                    fields["ETag"] = etag
                    if self.headers["If-None-Match"] == etag:
                        status, body = 304, b""
                        del fields["Content-Type"]  # a 304 need not say what it does not bring
                self.send_response(status)
                for name, value in fields.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

        self.server = Listening(Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/"


def _spell(said: str | int, path: str) -> tuple[int, dict[str, str], bytes]:
    if isinstance(said, int):
        return said, {"Content-Type": "text/html"}, f"status {said}".encode()
    if said.startswith("-> "):
        return 301, {"Location": said[3:]}, b""
    return 200, {"Content-Type": _TYPES.get(Path(path).suffix, "text/html")}, said.encode()


@contextmanager
def serve_changing(
    pages: Mapping[str, Answers], *, has_validators: bool = True
) -> Iterator[ChangingSite]:
    """Serve these pages; with validators, a page that has not changed is answered by a 304."""
    site = ChangingSite(pages, has_validators)
    try:
        yield site
    finally:
        site.server.end()


def crawl_again_and_again(
    site: ChangingSite, out: Path, visits: int, *, partitions: int = 1, **knobs: Any
) -> gossamer.Summary:
    """Visit the pages of a site as soon as they are due, until there were so many visits."""
    return crawl_continuously(
        gossamer.Settings(), site.url, out, visits, partitions=partitions, **knobs
    )


def crawl_continuously(
    settings: gossamer.Settings, seed: str, out: Path, visits: int, **knobs: Any
) -> gossamer.Summary:
    """A crawl for which a day is a moment, ended by the number of its visits."""
    options = {"delay": 0, "allow_private": True, "retries": 0, **knobs}
    daily = replace(settings, revisit=DAILY.revisit)
    return gossamer.Crawl(seed, out=out, settings=daily, max_pages=visits, **options).run()


_REVISIT = type(gossamer.Settings().revisit)
DAILY = gossamer.Settings(
    revisit=_REVISIT(continuous=True, day=0.2, policy="uniform", shortest=0.5, longest=1.0)
)
"""A day is a moment, and each page is visited every day."""

_DOCUMENTED = Path(__file__).parents[2] / "docs" / "history.md"
LATEST = _DOCUMENTED.read_text("utf-8").partition("create view latest as\n")[2].partition(";")[0]
"""The latest version of each page, as the documentation asks for it."""
