"""How many links a second are joined and normalised, host, origin and key included.

    python benchmarks/urls.py [--seconds 2]

Two inputs: a made-up mix of four relative links to one absolute, and the links of a real manual (the
PostgreSQL documentation, when it is installed). One core. The target is 500,000 links a second.
"""

import argparse
import random
import time
from collections.abc import Callable, Iterable
from pathlib import Path

import can_ada
from selectolax.lexbor import LexborHTMLParser

from gossamer.core.url import Base, Spelling

MANUAL = Path("/usr/share/doc/postgresql-doc-15/html")
TARGET = 500_000

Pages = list[tuple[str, list[str]]]
"""The address of each page, and its links as they stand in it."""


def made_up_pages(pages: int = 200, links: int = 100) -> Pages:
    chance = random.Random(7)
    words = ["news", "archive", "shop", "item", "list", "about", "team", "blog", "year", "help"]

    def path(depth: int) -> str:
        return "/".join(chance.choice(words) for _ in range(depth)) + f"-{chance.randrange(10**6)}"

    def relative() -> str:
        kind = chance.randrange(8)
        plain = path(chance.randint(1, 3))
        forms = {0: f"/{plain}/", 1: f"../{plain}.html", 2: f"?page={kind}&sort=name", 3: "#top"}
        forms |= {4: f"/{plain}?id={kind}", 5: f"{plain}.html#part", 6: f"/{plain}%20x.html"}
        return forms.get(kind, f"/{plain}.html")

    def absolute() -> str:
        host = f"www.{chance.choice(words)}{chance.randrange(3000)}.example.com"
        return f"https://{host}/{path(2)}?ref={chance.randrange(100)}"

    def page(number: int) -> tuple[str, list[str]]:
        hrefs = [relative() if chance.random() < 0.8 else absolute() for _ in range(links)]
        return f"https://www.site{number}.example.org/{path(3)}.html", hrefs

    return [page(number) for number in range(pages)]


def manual_pages() -> Pages:
    return [
        (f"https://docs.example.org/15/{file.name}", _hrefs(file))
        for file in sorted(MANUAL.glob("*.html"))
    ]


def _hrefs(file: Path) -> list[str]:
    found = LexborHTMLParser(file.read_bytes()).css("a[href]")
    return [href for node in found if (href := node.attributes["href"]) is not None]


def joined(spelling: Spelling, pages: Pages) -> int:
    for address, hrefs in pages:
        base = spelling.base(address)
        assert isinstance(base, Base)
        spelling.join_all(base, hrefs)
    return sum(len(hrefs) for _, hrefs in pages)


def only_parsed(pages: Pages) -> int:
    """The floor: the WHATWG parser alone, nothing normalised, nothing kept."""
    for address, hrefs in pages:
        base = can_ada.parse(address)
        for href in hrefs:
            (base + href).href  # noqa: B018
    return sum(len(hrefs) for _, hrefs in pages)


def with_properties(pages: Pages) -> int:
    """Every property asked for besides."""
    spelling = Spelling()
    for address, hrefs in pages:
        base = spelling.base(address)
        assert base is not None
        for url in spelling.join_all(base, hrefs):
            if url is not None:
                url.domain, url.surt, url.path  # noqa: B018
    return sum(len(hrefs) for _, hrefs in pages)


def rate(work: Callable[[], int], seconds: float) -> float:
    """The best rate of repeated runs: the others were disturbed."""
    best, end = 0.0, time.perf_counter() + seconds
    while time.perf_counter() < end:
        start = time.perf_counter()
        count = work()
        best = max(best, count / (time.perf_counter() - start))
    return best


def measure(name: str, pages: Pages, seconds: float) -> Iterable[tuple[str, float]]:
    plain = Spelling()
    every = Spelling(["tracking", "session", "index", "query_order"])
    yield f"{name}: joined and normalised", rate(lambda: joined(plain, pages), seconds)
    yield f"{name}: with every optional rule", rate(lambda: joined(every, pages), seconds)
    yield f"{name}: with domain, SURT and path", rate(lambda: with_properties(pages), seconds)
    yield f"{name}: parser alone (floor)", rate(lambda: only_parsed(pages), seconds)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--seconds", type=float, default=2.0, help="for each measurement")
    seconds = arguments.parse_args().seconds
    inputs = {"made-up mix": made_up_pages()}
    if MANUAL.is_dir():
        inputs["PostgreSQL manual"] = manual_pages()
    for name, pages in inputs.items():
        print(f"{name}: {sum(len(hrefs) for _, hrefs in pages):,} links, target {TARGET:,}/s")
        for what, found in measure(name, pages, seconds):
            print(f"  {what:50} {found:>12,.0f} links/s")


if __name__ == "__main__":
    main()
