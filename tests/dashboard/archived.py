"""Small sites, page by page, crawled for real: one version of each page for each crawl."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import unquote

import gossamer
from tests.dashboard.hostile import Answer, serving_pages


@contextmanager
def site(pages: dict[str, Answer]) -> Iterator[str]:
    """A server that has these pages; they may be changed while it serves."""
    missing = Answer(b"<p>none", status=404)
    with serving_pages(lambda path: pages.get(unquote(path), missing), []) as url:
        yield url


def crawl_site(url: str, out: Path, **knobs: object) -> Path:
    """A crawl of all its pages, with what they are made of."""
    gossamer.Crawl(
        f"{url}/",
        out=out,
        scope="host",
        delay=0,
        allow_private=True,
        page_requisites=True,
        **knobs,  # type: ignore[arg-type]
    ).run()
    return out
