"""`gossamer search`: find pages of a crawl by what they say."""

import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from gossamer.search import Hit, SearchResults


def search(
    directory: Annotated[Path, typer.Argument(help="The crawl directory, with an index.")],
    question: Annotated[
        str,
        typer.Argument(
            help='Words; "a phrase"; OR; -not; site: inurl: intitle: lang: type: after: before: link: '
            "related:"
        ),
    ],
    limit: Annotated[
        int, typer.Option("--limit", "-n", min=1, max=1000, help="Number of pages to show.")
    ] = 10,
    most_of_host: Annotated[
        int,
        typer.Option(min=0, help="Pages of one host to show before those of others; 0: all."),
    ] = 2,
    all_tiers: Annotated[
        bool,
        typer.Option(
            "--all-tiers", help="Search all pages, even if the best ones have enough hits."
        ),
    ] = False,
    at: Annotated[
        list[str] | None,
        typer.Option(
            help="HOST:PORT of a machine that serves shards (gossamer shards); can be given "
            "several times. The index in the directory is not searched then."
        ),
    ] = None,
    secret: Annotated[
        Path, typer.Option(help="With --at: the file with the secret of those machines.")
    ] = Path("shards.secret"),
    json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object per line, for each page.")
    ] = False,
) -> int:
    """Search the text index of a crawl; the best pages come first. `gossamer index` builds the index."""
    import msgspec

    from gossamer.cli.index_command import check_engine
    from gossamer.search.build import Index

    check_engine()
    if at:
        from gossamer.cluster.remote.connection_tls import ConnectionTls
        from gossamer.core.directory import check_is_crawl
        from gossamer.search.remote import open_remote, read_secret

        check_is_crawl(directory)
        index = open_remote(at, read_secret(secret), directory, ConnectionTls.from_environment())
    else:
        index = Index.open(directory)
    found = index.search(question, limit, most_of_host=most_of_host, all_tiers=all_tiers)
    if json:
        for hit in found.hits:
            print(_escaped(msgspec.json.encode(hit).decode()))
    else:
        _show(found)
    return 0


def _show(found: "SearchResults") -> None:
    if found.suggestion:
        print(f"did you mean: {_plain(found.suggestion)}")
    if not found.hits:
        print("no page has these words")
    begin, end = ("\x1b[1m", "\x1b[0m") if sys.stdout.isatty() else ("", "")
    for hit in found.hits:
        print(_lines(hit, begin, end))
    if found.hits and found.is_whole:
        print(f"{found.total} pages match")
    elif found.hits:
        print(f"{found.total} of the best pages match; to search all pages: --all-tiers")


def _lines(hit: "Hit", begin: str, end: str) -> str:
    title = _plain(hit.title).strip() or hit.url
    day = f"{datetime.fromtimestamp(hit.moment, UTC):%Y-%m-%d}"
    copies = f", also at {len(hit.also)} other URLs" if hit.also else ""
    return f"{title}\n  {_plain(hit.url)}  {day}{copies}\n  {hit.snippet.marked(begin, end)}\n"


def _plain(text: str) -> str:
    """Without what moves a cursor, changes colours or turns the direction of writing."""
    return "".join(one if one.isprintable() else " " for one in text)


def _escaped(json: str) -> str:
    """The same value, written without such characters.

    >>> _escaped('"a\\u202eb"')
    '"a\\\\u202eb"'
    """
    return "".join(one if one.isprintable() else _unicode(one) for one in json)


def _unicode(one: str) -> str:
    units = one.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2))
