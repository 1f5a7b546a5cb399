"""Plan a merge: the files of the crawl's tables that are not in the graph yet."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from gossamer.core.directory import partition_name
from gossamer.core.disk.disk_files import delete, write_whole
from gossamer.core.errors import DirectoryError
from gossamer.core.whole_files import table_files
from gossamer.graph.published_graph import (
    FORMAT,
    MANIFEST,
    Choice,
    GraphManifest,
    Published,
    SourceFile,
)

TABLES = ("pages", "links")
_Sources = dict[str, SourceFile]


class BuildPlan(Struct, frozen=True):
    choice: Choice
    bases: list[str]
    """Graphs that are merged in, by their folders: the one there is, and the parts of partitions."""
    fresh: _Sources
    """Files to be taken in: new ones, and those that have grown. Rows that come twice change nothing."""
    sources: _Sources
    """All files that will be in it."""
    generation: str
    """The name of the graph that will be made; there is none of this name, so that no reader loses files."""


def plan_whole(crawl: Path, choice: Choice, is_rebuild: bool) -> BuildPlan | None:
    """Plan a graph from the existing one, parts, and new files; None if all is in it."""
    folder, sources = crawl / "graph", find_sources(crawl)
    found = {} if is_rebuild else dict(_usable(folder, choice, sources))
    known = dict(item for manifest in found.values() for item in manifest.sources.items())
    fresh = {name: file for name, file in sources.items() if known.get(name) != file}
    bases = [f"{place}{manifest.generation}" for place, manifest in found.items()]
    is_whole = [*found] == [""] and not fresh and found[""].format == FORMAT
    return None if is_whole else _plan(folder, choice, bases, fresh, sources)


def _usable(folder: Path, choice: Choice, sources: _Sources) -> Iterator[tuple[str, GraphManifest]]:
    """Graphs that can be merged in, by their place: of this choice and crawl, whole, with something new."""
    known: _Sources = {}
    for place in ("", *(f"parts/{path.name}/" for path in find_parts(folder))):
        graph = _find(folder / place)
        if graph is None:
            continue
        one = graph.manifest()
        is_ours = one.choice == choice and one.sources.keys() <= sources.keys()
        is_new = not place or any(known.get(name) != file for name, file in one.sources.items())
        if is_ours and is_new and not graph.verify():  # nothing is built on what is damaged
            known |= one.sources
            yield place, one


def plan_part(crawl: Path, choice: Choice, partition: int, is_rebuild: bool) -> BuildPlan | None:
    """Plan a part from the links of a partition that are not in the graph yet; None if it exists."""
    name = partition_name(partition)
    sources = {path: file for path, file in find_sources(crawl).items() if f"links/{name}-" in path}
    if not sources:
        raise DirectoryError(f"{crawl} has no table of links of partition {partition}")
    whole = None if is_rebuild else _find(crawl / "graph")
    joined = whole.manifest().sources if whole and whole.manifest().choice == choice else {}
    fresh = {path: file for path, file in sources.items() if joined.get(path) != file}
    return (
        _plan_folder(crawl / "graph" / "parts" / name, choice, fresh, is_rebuild) if fresh else None
    )


def plan_layer(crawl: Path, folder: Path, choice: Choice, is_rebuild: bool) -> BuildPlan | None:
    """Plan a layer; None if it exists."""
    return _plan_folder(folder, choice, find_sources(crawl), is_rebuild)


def _plan_folder(
    folder: Path, choice: Choice, sources: _Sources, is_rebuild: bool
) -> BuildPlan | None:
    """Plan a build from scratch, unless the same graph exists."""
    there = None if is_rebuild else _find(folder)
    if there and not there.verify():
        before = there.manifest()
        if (before.format, before.choice, before.sources) == (FORMAT, choice, sources):
            return None
    return _plan(folder, choice, [], sources, sources)


def _plan(
    folder: Path, choice: Choice, bases: list[str], fresh: _Sources, sources: _Sources
) -> BuildPlan:
    there = [int(path.name) for path in folder.glob("[0-9]" * 6)]
    return BuildPlan(choice, bases, fresh, sources, f"{max(there, default=0) + 1:06}")


def _find(folder: Path) -> Published | None:
    return Published(folder) if (folder / MANIFEST).is_file() else None


def find_parts(folder: Path) -> list[Path]:
    """The folders of parts that wait to be joined."""
    return sorted(path.parent for path in folder.glob(f"parts/*/{MANIFEST}"))


def find_sources(crawl: Path) -> _Sources:
    found = {}
    for table in TABLES:
        for path in table_files(crawl, table):
            found[f"{table}/{path.name}"] = _describe(path)
    if not found:
        raise DirectoryError(
            f"{crawl} has no tables of pages and links yet; wait, or stop the crawl"
        )
    return found


def take_up(work: Path, crawl: Path, plan: BuildPlan) -> BuildPlan:
    """Go on with a plan that was begun, if it is for the same; otherwise begin this one."""
    path = work / "plan.json"
    begun = _read(path)
    if begun is not None and _may_go_on(begun, plan, work):
        return begun
    for left in sorted(work.iterdir()):
        delete(left)
    pinned = {name: _pin(crawl / name, work / "tables" / name) for name in plan.fresh}
    plan = replace(plan, fresh=pinned, sources=plan.sources | pinned)
    text = msgspec.json.encode(plan)
    write_whole(path, lambda file: file.write(text))
    return plan


def _pin(source: Path, target: Path) -> SourceFile:
    """Keep a file as it is now: a crawl that is running replaces it by a larger one."""
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        os.link(source, target)
    except FileNotFoundError:
        raise DirectoryError(f"{source} was deleted meanwhile; build the graph again") from None
    except OSError:  # not every disk has links
        shutil.copy2(source, target)
    return _describe(target)


def _describe(path: Path) -> SourceFile:
    said = path.stat()
    return SourceFile(said.st_size, said.st_mtime_ns)


def _read(path: Path) -> BuildPlan | None:
    try:
        return msgspec.json.decode(path.read_bytes(), type=BuildPlan)
    except (OSError, ValueError):
        return None


def _may_go_on(begun: BuildPlan, plan: BuildPlan, work: Path) -> bool:
    is_same = begun.choice == plan.choice and begun.generation == plan.generation
    is_based = begun.bases == plan.bases
    return is_same and is_based and all((work / "tables" / name).is_file() for name in begun.fresh)
