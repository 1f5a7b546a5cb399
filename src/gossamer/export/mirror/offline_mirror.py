"""Writes a mirror."""

import codecs
from collections.abc import Callable
from html import escape
from pathlib import Path

from gossamer.archive import StoredCrawl
from gossamer.core.disk.disk_files import delete, rename
from gossamer.core.errors import SettingsError
from gossamer.core.records import Document
from gossamer.core.url import Spelling
from gossamer.export.mirror.mirror_files import HTML, FileNames
from gossamer.export.mirror.mirror_links import MirrorAddresses
from gossamer.export.mirror.mirror_markup import rewrite_page
from gossamer.pipeline.parse.css import rewrite_addresses

_MOST_REWRITTEN = 16 << 20
"""Bytes of a page or style sheet; links of longer ones stay as they are."""
_MOST_LISTED = 1_000
"""Pages that the first page lists."""


def write_mirror(crawl: StoredCrawl, folder: Path, title: str = "") -> int:
    """Write the latest version of each page into a folder; returns how many files there are."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise SettingsError(f"{folder} exists and is not empty; choose another folder")
    crawl.check_archive()
    spelling = Spelling(crawl.settings.url.rules)
    addresses = MirrorAddresses(_choose_names(crawl, spelling), _redirects(crawl), spelling)
    draft = folder.with_name(f".{folder.name}.tmp")
    delete(draft)
    draft.mkdir()
    try:
        count = _fill(crawl, draft, addresses, title or crawl.path.resolve().name)
        if folder.exists():
            folder.rmdir()
        rename(draft, folder)
    except BaseException:
        delete(draft)
        raise
    return count


def _choose_names(crawl: StoredCrawl, spelling: Spelling) -> dict[str, str]:
    """A file for each URL; in the order of URLs, so that the same crawl has the same files."""
    names, files = FileNames(), {}
    pages = sorted((row["url"], row["media_type"] or "") for row in crawl.latest_rows())
    for text, media_type in pages:
        url = spelling.parse(text)
        if url is not None and text not in files:
            files[text] = names.name(url, media_type)
    return files


def _redirects(crawl: StoredCrawl) -> dict[str, str]:
    found: dict[str, str] = {}
    for batch in crawl.pages.to_batches(columns=["url", "redirect_to"]):
        rows = zip(*(column.to_pylist() for column in batch.columns), strict=True)
        found |= {url: target for url, target in rows if target}
    return found


def _fill(crawl: StoredCrawl, folder: Path, addresses: MirrorAddresses, title: str) -> int:
    count = 0
    listed: list[tuple[int, str, str, str]] = []
    for document in crawl.latest():
        file = addresses.find(document.url)
        if not document.page.body or not file:
            continue
        path = folder / file
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("xb") as into:
            into.write(_content(document, file, addresses))
        count += 1
        if document.media_type in HTML and len(listed) < _MOST_LISTED:
            listed.append((document.page.visit.depth, document.url, document.title, file))
    (folder / "index.html").write_text(_first_page(title, sorted(listed)), "utf-8")
    return count


def _content(document: Document, file: str, addresses: MirrorAddresses) -> bytes:
    body, kind = document.page.body, document.media_type
    is_markup = kind in HTML
    if not (is_markup or kind == "text/css") or len(body) > _MOST_REWRITTEN:
        return body
    encoding = _known(document.charset)
    base = addresses.base(document.url, encoding)
    if base is None:
        return body
    text = body.decode(encoding, "replace").removeprefix("\ufeff")
    if is_markup:
        return rewrite_page(text, base, addresses, file).encode(errors="replace")
    rewrite: Callable[[str], str] = lambda href: addresses.rewrite(href, base, file)  # noqa: E731
    return rewrite_addresses(text, rewrite).encode(errors="replace")


def _known(charset: str) -> str:
    """A name that Python knows the encoding by."""
    try:
        return codecs.lookup(charset or "utf-8").name
    except LookupError:
        return "utf-8"


def _first_page(title: str, listed: list[tuple[int, str, str, str]]) -> str:
    """Write the first page: a list of the pages of the mirror, seeds first."""
    lines = "\n".join(
        f'<li><a href="{escape(file)}">{escape(name[:200] or url)}</a> <small>{escape(url)}</small></li>'
        for _, url, name, file in listed
    )
    return (
        '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n'
        '<meta http-equiv="content-security-policy" content="default-src \'none\'">\n'
        f"<title>{escape(title)}</title>\n<h1>{escape(title)}</h1>\n<ul>\n{lines}\n</ul>\n</html>\n"
    )
