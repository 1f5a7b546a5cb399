"""`gossamer duplicates`: pages that say the same, and hosts that mirror each other."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gossamer.core.errors import DirectoryError

if TYPE_CHECKING:
    from gossamer.archive.duplicate_groups import CopiesReport


def duplicates(
    directory: Annotated[Path, typer.Argument(help="The crawl directory.")],
    limit: Annotated[
        int, typer.Option(help="Largest number of groups, and of pairs of hosts, to list.", min=0)
    ] = 20,
    members: Annotated[
        int, typer.Option(help="Largest number of pages to list for each group.", min=0)
    ] = 5,
    share: Annotated[
        float,
        typer.Option(
            help="Two hosts are mirrors when at least this share of the smaller one is alike at the "
            "same paths.",
            min=0,
            max=1,
        ),
    ] = 0.5,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> int:
    """List groups of pages that are alike, the largest first, and pairs of hosts that mirror each other."""
    import msgspec

    from gossamer.archive.duplicate_groups import find_duplicates
    from gossamer.core.directory import Directory

    is_continuous = Directory(directory).look().revisit.continuous
    if not any((directory / "pages").glob("*.parquet")):
        raise DirectoryError(f"{directory} has no table of pages yet; wait, or stop the crawl")
    report = find_duplicates(
        directory / "pages", limit, members, share, is_continuous=is_continuous
    )
    if json:
        print(msgspec.json.encode(report).decode())
    else:
        print("\n".join(_lines(report)))
    return 0


def _lines(report: "CopiesReport") -> Iterator[str]:
    counts = ", ".join(f"{count:,} {kind}" for kind, count in report.alike.items())
    yield f"{report.pages:,} pages with status 200, or unchanged; like another: {counts}"
    if report.groups:
        yield f"\ngroups: {len(report.groups):,} of {report.total_groups:,}"
    for group in report.groups:
        yield f"{group.kind.value}  {group.pages:,} pages  {group.first}"
        for member in group.members:
            yield f"      {member.similarity:.2f}  {member.url}"
        if group.pages - 1 > len(group.members) > 0:
            yield f"      … and {group.pages - 1 - len(group.members):,} more"
    if report.mirrors:
        yield f"\nmirrors: {len(report.mirrors):,} of {report.total_mirrors:,} pairs"
    for mirror in report.mirrors:
        one, other = mirror.hosts
        yield (
            f"{mirror.share:4.0%}  {one} ({mirror.pages[0]:,} pages)  {other} ({mirror.pages[1]:,} "
            f"pages)  {mirror.same_paths:,} on the same paths, {mirror.alike:,} in all"
        )
