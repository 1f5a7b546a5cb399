"""`NAME.properties`: what a graph's bits mean, in lines `key=value` as Java writes them."""

from pathlib import Path
from typing import NamedTuple

from gossamer.core.disk.disk_files import write_whole
from gossamer.core.errors import DirectoryError

_OURS = {
    "OUTDEGREES_GAMMA",
    "BLOCKS_GAMMA",
    "RESIDUALS_ZETA",
    "REFERENCES_UNARY",
    "BLOCK_COUNT_GAMMA",
    "OFFSETS_GAMMA",
}
"""Codings that are taken where nothing is said, and the only ones that can be read."""
_MOST_NODES = 1 << 32
_ZETA = "3"


class Properties(NamedTuple):
    nodes: int
    arcs: int
    window: int = 7
    """Rows back that a row may refer to."""
    chain: int = 3
    """References in a row; -1 when there is no bound."""
    least: int = 4
    """Consecutive nodes that are an interval; 0 when there are none."""


def read_properties(path: Path) -> Properties:
    """Read the properties of a graph; an error when its bits cannot be read."""
    try:
        said = dict(_entries(path.read_text("latin-1")))
        names = ("nodes", "arcs", "windowsize", "maxrefcount", "minintervallength")
        found = Properties._make(int(said[name]) for name in names)
    except OSError as error:
        raise DirectoryError(f"{path} cannot be read: {error.strerror}") from None
    except (KeyError, ValueError):
        raise DirectoryError(f"{path} is not that of a BVGraph; give the name of one") from None
    if complaint := _complaint(said, found):
        raise DirectoryError(f"{path}: {complaint}; recompress it with WebGraph's defaults")
    return found


def _entries(text: str) -> list[tuple[str, str]]:
    lines = (line.partition("=") for line in text.splitlines() if line[:1] not in ("", "#", "!"))
    return [(key.strip().lower(), value.strip()) for key, _, value in lines]


def _complaint(said: dict[str, str], found: Properties) -> str:
    """The reason why a graph cannot be read; empty when it can."""
    flags = {flag.strip() for flag in said.get("compressionflags", "").split("|")} - {""}
    if strange := sorted(flags - _OURS):
        return f"the coding {strange[0]} is not supported"
    if said.get("zetak", _ZETA) != _ZETA:
        return f"gaps are coded in ζ with k = {said['zetak']}, and only 3 can be read"
    if not said.get("graphclass", "BVGraph").endswith("BVGraph"):
        return f"it is a graph of the class {said['graphclass']}"
    if said.get("version", "0") != "0" or said.get("endianness", "big") != "big":
        return "its version or byte order is not supported"
    if not 0 <= found.nodes < _MOST_NODES or min(found.arcs, found.window, found.least) < 0:
        return "its sizes are not valid"
    return ""


def write_properties(path: Path, properties: Properties, bits: int) -> None:
    """Say what a graph's bits mean, so that WebGraph reads them too."""
    said = {
        "graphclass": "it.unimi.dsi.webgraph.BVGraph",
        "version": 0,
        "nodes": properties.nodes,
        "arcs": properties.arcs,
        "windowsize": properties.window,
        "maxrefcount": properties.chain,
        "minintervallength": properties.least,
        "zetak": _ZETA,
        "compressionflags": "",
        "bitsperlink": f"{bits / max(1, properties.arcs):.3f}",
        "bitspernode": f"{bits / max(1, properties.nodes):.3f}",
        "length": bits,
    }
    text = "#BVGraph properties\n" + "".join(f"{key}={value}\n" for key, value in said.items())
    write_whole(path, lambda file: file.write(text.encode("latin-1")))
