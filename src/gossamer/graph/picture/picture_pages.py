"""The pages that show the shape of a web, and its hosts; their pictures are files of their own as well."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import numpy as np

from gossamer.core.disk.disk_files import write_whole
from gossamer.core.errors import DirectoryError
from gossamer.graph.picture.bow_tie_picture import draw_bow_tie
from gossamer.graph.picture.degree_picture import draw_distribution
from gossamer.graph.picture.host_picture import Node, draw_hosts
from gossamer.graph.picture.picture_page import make_page, make_table
from gossamer.graph.rank.bow_tie import Place
from gossamer.graph.rank.folding import Folded
from gossamer.graph.rank.rank_tables import group_columns
from gossamer.graph.rank.web_shape import Spread, WebShape

SHAPE_FILE = "shape.json"

_ABOUT = {
    "in-degrees": "links to a page",
    "out-degrees": "links of a page",
    "components": "pages of a strongly connected component",
}
_NOTE = (
    "The larger a circle, the higher its PageRank. A link has the colour of where it comes from, and turns "
    "right. Point at a circle or a link for its figures."
)


def write_shape(folder: Path, shape: WebShape, spread: Spread) -> list[Path]:
    """Write `shape.html`, its pictures, and its figures for programs; returns where they are."""
    pictures = {
        "bow-tie": draw_bow_tie({place: shape.bow_tie[place.name.lower()] for place in Place})
    }
    for name, numbers in spread.named().items():
        pictures[name] = draw_distribution(
            name.capitalize(), _ABOUT[name], numbers, shape.laws[name]
        )
    page = make_page("The shape of this web", [*_figures(shape), *pictures.values()])
    files = {f"{name}.svg": picture for name, picture in pictures.items()}
    figures = msgspec.json.format(msgspec.json.encode(shape)).decode()
    return _write(folder, {"shape.html": page} | files | {SHAPE_FILE: figures})


def read_shape(folder: Path) -> WebShape | None:
    """The figures that were written there last; None when there are none."""
    try:
        return msgspec.json.decode((folder / SHAPE_FILE).read_bytes(), type=WebShape)
    except FileNotFoundError:
        return None
    except ValueError:  # of msgspec, or text that is not UTF-8
        where = folder / SHAPE_FILE
        raise DirectoryError(
            f"{where} is damaged; write it again with `gossamer graph shape`"
        ) from None


def _figures(shape: WebShape) -> Iterator[str]:
    rows = [
        ("pages", f"{shape.pages:,}"),
        ("links", f"{shape.links:,}"),
        ("hosts", f"{shape.hosts:,}"),
        ("pay-level domains", f"{shape.domains:,}"),
        ("strongly connected components", f"{shape.strong_components:,}"),
        ("weakly connected components", f"{shape.weak_components:,}"),
    ]
    if shape.mean_distance is not None and shape.effective_diameter is not None:
        rows.append(("mean distance", f"{shape.mean_distance:.2f}"))
        rows.append(("effective diameter", f"{shape.effective_diameter:.2f}"))
    yield make_table(("", "number"), rows)


def write_hosts(folder: Path, name: str, folded: Folded, most: int) -> list[Path]:
    """Write a picture of the hosts or domains with the highest ranks, and a page with it and a table."""
    columns = {key: np.asarray(column) for key, column in group_columns(name, folded).items()}
    best = np.argsort(-columns["rank"], kind="stable")[:most].astype(np.uint32)
    title = f"The {name}s of this web"
    if len(best) < len(folded.names):
        title += f": {len(best):,} of {len(folded.names):,}, by rank"
    domains = columns.get("domain", columns[name])
    nodes = [_node(number, name, columns, str(domains[number])) for number in best.tolist()]
    picture = draw_hosts(title, nodes, folded.arcs.part(best))
    shown = [key for key in columns if key != "domain" or name == "domain"]
    table = make_table(
        shown, ([_cell(columns[key][one]) for key in shown] for one in best.tolist())
    )
    page = make_page(title, [f"<p>{_NOTE}</p>", picture, table])
    return _write(folder, {f"{name}s.html": page, f"{name}s.svg": picture})


def _node(
    number: int,
    name: str,
    columns: "dict[str, np.ndarray[tuple[int], np.dtype[np.generic]]]",
    domain: str,
) -> Node:
    pages, supporters = int(columns["pages"][number]), int(columns["supporters"][number])
    title = str(columns[name][number])
    says = f"{title}: {pages:,} pages, linked to by {supporters:,} {name}s"
    return Node(title, float(columns["rank"][number]), domain, says)


def _cell(value: "np.generic") -> str:
    if isinstance(value, np.floating):
        return f"{float(value):.6f}"
    return f"{int(value):,}" if isinstance(value, np.integer) else str(value)


def _write(folder: Path, files: dict[str, str]) -> list[Path]:
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        write_whole(folder / name, lambda file, content=content: file.write(content.encode()))  # type: ignore[misc]
    return [folder / name for name in files]
