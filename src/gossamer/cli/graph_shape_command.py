"""`gossamer graph shape`: what a web is made of, in figures and pictures."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from gossamer.cli.graph_options import Opened, Pictures

if TYPE_CHECKING:
    from gossamer.graph.rank.web_shape import WebShape


def shape(
    directory: Opened,
    distances: Annotated[
        bool, typer.Option("--distances", help="Also compute distances between pages.")
    ] = False,
    out: Pictures = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> int:
    """Print bow-tie, components and power laws of a web, and draw them: shape.html and pictures."""
    import msgspec

    from gossamer.graph.picture.picture_pages import write_shape
    from gossamer.graph.rank.graph_opening import open_web
    from gossamer.graph.rank.web_shape import find_shape

    web = open_web(directory)
    found, spread = find_shape(web, with_distances=distances)
    beside = directory / "graph" if web.has_urls else directory.with_name(f"{directory.name}-shape")
    files = write_shape(out or beside, found, spread)
    if json:
        print(msgspec.json.encode(found).decode())
    else:
        print("\n".join([*_lines(found), f"pictures: {files[0]}"]))
    return 0


def _lines(found: "WebShape") -> Iterator[str]:
    yield f"{found.pages:,} pages, {found.links:,} links"
    if found.hosts:
        yield f"{found.hosts:,} hosts, {found.domains:,} pay-level domains"
    yield f"{found.strong_components:,} strongly connected components, {found.weak_components:,} weakly"
    yield "bow-tie:"
    for place, count in found.bow_tie.items():
        yield f"  {place:<13} {count:>12,}  {count / max(found.pages, 1):6.1%}"
    yield "power laws of tails:"
    for name, law in found.laws.items():
        if law is None:
            yield f"  {name:<13} too few values"
        else:
            yield (
                f"  {name:<13} exponent {law.exponent:.2f} ± {law.error:.2f} from {law.begin:,} on "
                f"({law.tail:,} values, off by {law.distance:.3f} at most)"
            )
    if found.mean_distance is not None:
        yield f"mean distance {found.mean_distance:.2f}, effective diameter {found.effective_diameter:.2f}"
