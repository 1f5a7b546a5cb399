"""What there is to do: which files of the crawl's tables are not in the graph yet."""

import os
import shutil
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from gossamer.base.disk.files import delete, write_whole
from gossamer.base.errors import DirectoryError
from gossamer.harvest.graph.published import (
    Choice,
    GraphManifest,
    Published,
    SourceFile,
    find_published,
)

TABLES = ("pages", "links")


class BuildPlan(Struct, frozen=True):
    choice: Choice
    base: GraphManifest | None
    """The graph that is merged in; None when all is built from nothing."""
    fresh: dict[str, SourceFile]
    """Files to be taken in: new ones, and those that have grown. Rows that come twice change nothing."""
    sources: dict[str, SourceFile]
    """All files of the tables."""
    generation: str
    """The name of the graph that will be made; there is none of this name, so that no reader loses files."""


def make_plan(crawl: Path, choice: Choice, is_anew: bool) -> BuildPlan:
    """Look what is there, and what is new."""
    sources = _find_sources(crawl)
    before = None if is_anew else find_published(crawl)
    base = before.manifest() if before else None
    if base and (base.choice != choice or not base.sources.keys() <= sources.keys()):
        base = None  # other links are wanted, or this is another crawl
    if base and Published(crawl / "graph").verify():
        base = None  # nothing is built on what is damaged
    known = base.sources if base else {}
    fresh = {name: one for name, one in sources.items() if known.get(name) != one}
    there = [int(path.name) for path in (crawl / "graph").glob("[0-9]" * 6)]
    return BuildPlan(choice, base, fresh, sources, f"{max(there, default=0) + 1:06}")


def _find_sources(crawl: Path) -> dict[str, SourceFile]:
    found = {}
    for table in TABLES:
        for path in sorted((crawl / table).glob("*.parquet")):
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
        raise DirectoryError(f"{source} has gone; build the graph again") from None
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
    is_based = (begun.base is None) == (plan.base is None)
    return is_same and is_based and all((work / "tables" / name).is_file() for name in begun.fresh)
