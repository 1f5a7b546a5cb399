"""Real documentation, served by a real server: with all detectors on, nothing is wrongly refused.

One site; `make soak` crawls all that are installed (GOSSAMER_DOCUMENTATION=all).
"""

import os
import shutil
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag, urljoin, urlsplit

import pytest
from benchmarks.sites import documentation

import gossamer
from tests.engine.engine_crawling import query
from tests.needs import needs

SITES = {
    "postgresql-doc-15": Path("/usr/share/doc/postgresql-doc-15/html"),
    "python3-doc": Path("/usr/share/doc/python3-doc/html"),
}
CHOSEN = [*SITES][: None if os.environ.get("GOSSAMER_DOCUMENTATION") == "all" else 1]
FOLLOWED_RELS = {"next", "canonical", "alternate"}


class Links(HTMLParser):
    """Addresses on a page, as the standard library reads them."""

    def __init__(self, body: bytes) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(body.decode("utf-8", "replace"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        rels = set((values.get("rel") or "").lower().split())
        if "nofollow" in rels:
            return
        if tag in ("a", "area") or (tag == "link" and rels & FOLLOWED_RELS):
            self.found.append(values.get("href") or "")
        elif tag in ("frame", "iframe"):
            self.found.append(values.get("src") or "")


def reachable_files(folder: Path, start: str) -> set[Path]:
    """The files that links lead to from the first page on."""
    root = urljoin(start, "/")
    met, waiting, files = {start}, [start], set()
    while waiting:
        url = waiting.pop()
        path = folder / unquote(urlsplit(url).path).lstrip("/")
        path = path / "index.html" if path.is_dir() else path
        if not path.is_file():
            continue
        files.add(path)
        if path.suffix in (".html", ".htm"):
            for href in Links(path.read_bytes()).found:
                target = urldefrag(urljoin(url, href.strip())).url if href else ""
                if target.startswith(root) and target not in met:
                    met.add(target)
                    waiting.append(target)
    return files


@pytest.mark.parametrize("package", CHOSEN)
def test_what_is_fetched_is_what_links_lead_to(package: str, tmp_path: Path) -> None:
    folder, out = SITES[package], tmp_path / "out"
    if shutil.which("nginx") is None:
        pytest.skip(needs("nginx", "it is not installed"))
    if not (folder / "index.html").is_file():
        pytest.skip(needs("manuals", f"{package} is not installed"))
    with documentation(folder) as start:
        summary = gossamer.Crawl(
            start, out=out, delay=0, allow_private=True, per_host=8, warc=False
        ).run()
        expected = reachable_files(folder, start)
    assert summary.stopped_by == "finished"
    assert summary.held == 0
    assert summary.soft_errors == 0
    rows = query(out, "select url from pages where status = 200")
    fetched = {folder / unquote(urlsplit(url).path).lstrip("/") for (url,) in rows}
    fetched = {path / "index.html" if path.is_dir() else path for path in fetched}
    assert fetched == expected
    assert len(expected) > 400
