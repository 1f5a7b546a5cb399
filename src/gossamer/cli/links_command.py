"""`gossamer links`: which pages link to a page, and where it links to."""

from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gossamer.core.errors import DirectoryError, SeedError

if TYPE_CHECKING:
    from gossamer.graph.seen_links import SeenLink


class LinkDirection(StrEnum):
    IN = "in"
    OUT = "out"


def links(
    directory: Annotated[
        Path, typer.Argument(help="The crawl directory; the crawl may be running.")
    ],
    direction: Annotated[LinkDirection, typer.Argument(help="Links to the page, or those on it.")],
    url: Annotated[str, typer.Argument(help="The page.")],
    json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object per line, for each link.")
    ] = False,
) -> int:
    """List the links of a page with their text, their kind, and when they were seen first and last.

    Links to a redirect that leads to the page count, once the graph is built (`gossamer graph build`).
    """
    import msgspec

    from gossamer.graph.crawl_graph import urls_that_lead_to
    from gossamer.graph.seen_links import links_in, links_out

    text = spell(directory, url)
    if not any((directory / "links").glob("*.parquet")):
        raise DirectoryError(
            f"{directory} has no table of links; wait, or crawl with store.links on"
        )
    found = (
        links_out(directory, text)
        if direction is LinkDirection.OUT
        else links_in(directory, [text, *urls_that_lead_to(directory, text)])
    )
    for link in found:
        print(msgspec.json.encode(link).decode() if json else _line(link, direction, text))
    return 0


def spell(directory: Path, url: str) -> str:
    """A URL in the crawl's one spelling."""
    from gossamer.core.directory import Directory
    from gossamer.core.url import Spelling

    parsed = Spelling(Directory(directory).look().url.rules).parse(url)
    if parsed is None:
        raise SeedError(f"{url!r} is not a URL; write e.g. https://example.org/page")
    return parsed.text


def _line(link: "SeenLink", direction: LinkDirection, url: str) -> str:
    other = link.target if direction is LinkDirection.OUT else link.source
    via = f"  through {link.target}" if direction is LinkDirection.IN and link.target != url else ""
    anchor = " ".join(link.anchor.split())
    rel = f"  rel={link.rel}" if link.rel else ""
    seen = f"{_day(link.first_seen)}  {_day(link.last_seen)}"
    return f"{seen}  {link.kind:<11} {other}{via}  {anchor!r}{rel}"


def _day(microseconds: int) -> str:
    return f"{datetime.fromtimestamp(microseconds / 1e6, UTC):%Y-%m-%d %H:%M}"
