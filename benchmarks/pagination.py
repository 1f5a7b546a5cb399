"""How well the pagination of real pages is read: F1 of next, previous and page links, and whole pages.

    python -m benchmarks.pagination [FOLDER]

FOLDER holds `pagination.tar.xz`, else GOSSAMER_DATA/pagination does: 80 pages of 38 hosts whose links were
labelled by hand (TeamHG-Memex/autopager). Links are compared as absolute URLs; the first and the last page
count as pages; links that lead nowhere but to their own page do not count. autopager, cross-validated on
the set that these pages are half of, reports .898 for pages, .837 for next, .850 for previous, .612 of pages
whole.
"""

import csv
import os
import sys
import tarfile
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urldefrag, urljoin

from selectolax.lexbor import LexborHTMLParser

from gossamer.core.page_tree import parse_page
from gossamer.core.url import parse
from gossamer.items.pagination import read_pagination

_LABELS = {"NEXT": "next", "PREV": "previous", "PAGE": "pages", "FIRST": "pages", "LAST": "pages"}
KINDS = ("next", "previous", "pages")


class LabelledPage(NamedTuple):
    name: str
    url: str
    html: str
    links: dict[str, frozenset[str]]


class PaginationScore(NamedTuple):
    f1: dict[str, float]
    whole: float
    errors: list[str]


def samples(folder: Path) -> Iterator[LabelledPage]:
    """The pages, each with the URLs that its labels name."""
    with tarfile.open(folder / "pagination.tar.xz") as archive:
        files = {one.name: archive.extractfile(one) for one in archive.getmembers() if one.isfile()}
        contents = {name: file.read() for name, file in files.items() if file is not None}
    table = next(data for name, data in contents.items() if name.endswith("data.csv"))
    for row in csv.DictReader(StringIO(table.decode("utf-8"))):
        data = next(
            data
            for name, data in contents.items()
            if name.endswith(f"html/{row['File Name']}.html")
        )
        html = data.decode(row["Encoding"] or "utf-8", "replace")
        yield LabelledPage(row["File Name"], row["Page URL"], html, _labelled(html, row))


def _labelled(html: str, row: dict[str, str]) -> dict[str, frozenset[str]]:
    tree = LexborHTMLParser(html)
    own = urldefrag(row["Page URL"])[0]
    declared = tree.css_first("base[href]")
    base = urljoin(own, (declared.attributes.get("href") or "").strip()) if declared else own
    found: dict[str, set[str]] = {kind: set() for kind in KINDS}
    for label, kind in _LABELS.items():
        for node in tree.css(row[label]) if row[label] else ():
            link = node
            while link is not None and link.tag != "a" and link.parent is not None:
                link = link.parent
            links = [link] if link is not None and link.tag == "a" else node.css("a")
            for one in links:
                href = (one.attributes.get("href") or "").strip()
                if href and not href.startswith(("#", "javascript:")):
                    found[kind].add(_spell(urldefrag(urljoin(base, href))[0]))
    return {kind: frozenset(urls - {""}) for kind, urls in found.items()}


def _spell(url: str) -> str:
    parsed = parse(url)
    return parsed.text if parsed is not None else ""


def score(pages: list[LabelledPage]) -> PaginationScore:
    """F1 of each kind over all links, the share of pages without any error, and the errors."""
    right = dict.fromkeys(KINDS, 0)
    wrong = dict.fromkeys(KINDS, 0)
    whole, errors = 0, []
    for page in pages:
        found = read_pagination(parse_page(page.html), page.url)
        is_whole = True
        for kind in KINDS:
            mine = {_spell(one) for one in getattr(found, kind)}
            right[kind] += len(mine & page.links[kind])
            wrong[kind] += len(mine ^ page.links[kind])
            for sign, urls in (("+", mine - page.links[kind]), ("-", page.links[kind] - mine)):
                errors += [f"{page.name} {kind} {sign} {one}" for one in sorted(urls)]
                is_whole &= not urls
        whole += is_whole
    f1 = {kind: 2 * right[kind] / max(1, 2 * right[kind] + wrong[kind]) for kind in KINDS}
    return PaginationScore(f1, whole / max(1, len(pages)), errors)


def main() -> None:
    folder = Path(
        sys.argv[1] if len(sys.argv) > 1 else Path(os.environ["GOSSAMER_DATA"]) / "pagination"
    )
    found = score(list(samples(folder)))
    print(*found.errors, sep="\n")
    print(
        ", ".join(f"{kind} {value:.3f}" for kind, value in found.f1.items()),
        f"whole {found.whole:.3f}",
    )


if __name__ == "__main__":
    main()
