"""A crawl's tables become a graph, in bounded memory.

    new files ─▶ URLs ─▶ sorted runs ─┬▶ numbers of all URLs
    graph there is ──────▶ its URLs ──┘
    new files ─▶ arcs by number ─▶ sorted runs ─┬▶ rows as found ─▶ redirects resolved ─┬▶ rows
    graph there is ─▶ its rows, renumbered ─────┘                                       └▶ turned round

The graph there is may be several: the last one, and parts that partitions made of their own links, each in a
process of its own. A part has its links as they were found; redirects are resolved when parts are joined. A
layer is the graph of what was known at a time; it is built from nothing, of rows that count at that time.

Each step leaves its files in the folder `work`, and then says that it is done. A build that was killed
begins again with the first step that is not. The crawl may go on meanwhile: its files are kept as they
were. Nothing that readers see is touched until all is there: then the folder gets its name, and the
manifest names it.
"""

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from gossamer.core.directory import partition_name
from gossamer.core.disk.disk_files import delete, rename, sync_file, sync_folder, write_whole
from gossamer.core.disk.lock import InUseError, Lock
from gossamer.core.errors import DirectoryError
from gossamer.core.finished_ranks import RANKINGS, forget_rankings, is_stale
from gossamer.graph.build.final_redirects import (
    NOWHERE,
    Moves,
    final_targets,
    join_moves,
    latest,
    no_moves,
    read_moves,
    write_moves,
)
from gossamer.graph.build.link_rows import (
    LinkColumns,
    PageColumns,
    UrlColumn,
    read_links,
    read_pages,
)
from gossamer.graph.build.merge_plan import (
    BuildPlan,
    find_parts,
    plan_layer,
    plan_part,
    plan_whole,
    take_up,
)
from gossamer.graph.build.numbering import KeyRuns, merge_keys, numbers_of
from gossamer.graph.build.resolving import RedirectResolver, turned
from gossamer.graph.build.row_feeder import RowFeeder, whole_rows
from gossamer.graph.build.sorted_runs import (
    ArcRuns,
    Arcs,
    arcs_from,
    merge_arcs,
    piece_for,
    read_runs,
)
from gossamer.graph.build.web_as_of import AsOf, find_last
from gossamer.graph.bv import BVGraph, BVWriter
from gossamer.graph.bv.decoding import Nodes
from gossamer.graph.graph_layers import end_of
from gossamer.graph.published_graph import (
    FORMAT,
    KINDS,
    MANIFEST,
    Choice,
    GraphManifest,
    Published,
    crawl_around,
    describe_file,
    layer_folder,
    publish,
    write_sums,
)
from gossamer.graph.urls import UrlMap

_log = logging.getLogger("gossamer")
_LEAST_MEMORY = 64 << 20
_NOT_MODIFIED = 304
"""What says that a page is there, and as it was."""
_RAW = "-raw"
"""Behind a kind: its rows as they were found, before redirects were resolved."""
_LEFT_BEHIND = (
    "*.done",
    "arcs-*",
    "turned-*",
    "renumbered-*",
    "ever.*",
    "last",
    "tables",
    "plan.json",
)
"""What steps leave for those that come after."""


class GraphProgress(Struct, frozen=True):
    step: str
    done: int
    total: int
    """0 when it is not known."""


class GraphBuilder:
    """Makes the graph of a crawl, or merges what is new into it."""

    def __init__(
        self,
        crawl: Path,
        choice: Choice,
        memory: int = 1 << 30,
        is_rebuild: bool = False,
        *,
        layer: str = "",
        partition: int | None = None,
    ) -> None:
        """`memory` is about how many bytes are used for arcs and URLs at a time.

        With a `layer`, which is a time such as 2026-03, the graph of that time is made; with a `partition`, a
        part that the next graph takes in.
        """
        self._crawl, self._choice, self._is_rebuild = crawl, choice, is_rebuild
        self._memory = max(memory, _LEAST_MEMORY)
        self._partition = partition
        self._folder = crawl / "graph"
        if layer:
            self._choice = replace(choice, at=end_of(layer))
            self._folder = layer_folder(crawl, layer)
        elif partition is not None:
            self._folder = self._folder / "parts" / partition_name(partition)
        self._work = self._folder / "work"
        self._as_of: AsOf | None = None

    def run(self) -> Iterator[GraphProgress]:
        """Build, and say how far it has come; there is at least one last word."""
        self._folder.mkdir(parents=True, exist_ok=True)
        lock = Lock(self._folder / "lock")
        try:
            lock.take()
        except InUseError:
            raise DirectoryError(
                f"{self._folder} is being built by another process; wait"
            ) from None
        try:
            self._work.mkdir(exist_ok=True)
            yield from self._run()
        finally:
            lock.release()

    def _make_plan(self) -> BuildPlan | None:
        if self._choice.at:
            return plan_layer(self._crawl, self._folder, self._choice, self._is_rebuild)
        if self._partition is not None:
            return plan_part(self._crawl, self._choice, self._partition, self._is_rebuild)
        return plan_whole(self._crawl, self._choice, self._is_rebuild)

    def _run(self) -> Iterator[GraphProgress]:
        plan = self._make_plan()
        if plan is None:
            delete(self._work)
            self._drop_parts()
            yield GraphProgress("up to date", 0, 0)
            return
        self._plan = take_up(self._work, self._crawl, plan)
        self._bases = [self._folder / base for base in self._plan.bases]
        if self._choice.at:
            yield from self._step("times", self._look_at_times)
            last = np.fromfile(self._work / "last", np.int64)
            self._as_of = AsOf(self._choice.at, UrlMap(self._work / "ever"), last)
        yield from self._step("urls", lambda: self._number("urls", self._bases))
        self._known = UrlMap(self._work / "urls")
        yield from self._step("arcs", self._collect)
        for kind in KINDS:
            yield from self._step(kind, partial(self._merge, kind))
            if self._partition is None:
                yield from self._step(f"{kind}-t", partial(self._turn, kind))
        self._publish()
        yield GraphProgress("published", len(self._known), len(self._known))
        if self._plan != plan:  # one that was begun before was finished; there is more by now
            self._is_rebuild = False
            self._work.mkdir()
            yield from self._run()

    def _step(
        self, name: str, do: Callable[[], Iterator[GraphProgress]]
    ) -> Iterator[GraphProgress]:
        mark = self._work / f"{name}.done"
        if not mark.exists():
            yield from do()
            for path in self._work.iterdir():
                if path.is_file() and path.suffix != ".done":
                    sync_file(path)
            write_whole(mark, lambda file: None)

    # URLs.

    def _look_at_times(self) -> Iterator[GraphProgress]:
        """Number all URLs that ever were, and note which visit to each counts."""
        yield from self._number("ever", [])
        tables = [self._table(name) for name in self._plan.fresh]
        find_last(UrlMap(self._work / "ever"), self._choice.at, tables).tofile(self._work / "last")

    def _number(self, name: str, bases: list[Path]) -> Iterator[GraphProgress]:
        runs = KeyRuns(self._work, self._memory // 8)
        for path, said in self._each_file("reading URLs"):
            for rows in self._rows(path):
                for texts in rows[:2]:
                    runs.add(texts.distinct)
            yield said
        runs.finish()
        olds = [UrlMap(base / "urls") for base in bases]
        renumbered = [self._work / f"renumbered-{number}" for number in range(len(bases))]
        for count in merge_keys(self._work, olds, self._work / name, renumbered):
            yield GraphProgress("numbering URLs", count, 0)
        for left in self._work.glob("keys.*"):
            delete(left)

    def _table(self, name: str) -> Path:
        """A file of the tables, as it was when the plan was made."""
        return self._work / "tables" / name

    def _rows(self, name: str) -> Iterator[Any]:
        """The rows of a file that count."""
        return self._links(name) if name.startswith("links/") else self._pages(name)

    def _links(self, name: str) -> Iterator[LinkColumns]:
        rows = read_links(self._table(name), with_times=self._as_of is not None)
        return rows if self._as_of is None else map(self._as_of.links, rows)

    def _pages(self, name: str) -> Iterator[PageColumns]:
        rows = read_pages(self._table(name))
        return rows if self._as_of is None else map(self._as_of.pages, rows)

    def _each_file(self, said: str) -> Iterator[tuple[str, GraphProgress]]:
        total = sum(file.bytes for file in self._plan.fresh.values())
        done = 0
        for name, file in self._plan.fresh.items():
            done += file.bytes
            yield name, GraphProgress(said, done, total)

    # Arcs.

    def _collect(self) -> Iterator[GraphProgress]:
        """Write the arcs of new files, sorted, each kind by itself; and where redirects lead."""
        most = self._memory // 32
        runs = {kind: ArcRuns(self._work / f"arcs-{kind}", most) for kind in KINDS}
        moves = [no_moves(), *map(self._moves_before, range(len(self._bases)))]
        for name, said in self._each_file("reading links"):
            if name.startswith("links/"):
                self._collect_links(name, runs)
            else:
                moves += self._collect_redirects(name, runs["redirect"])
            yield said
        for run in runs.values():
            run.finish()
        ever = np.unique(join_moves(moves).nodes)
        for name in self._plan.fresh:
            if name.startswith("pages/") and len(ever):
                moves += self._collect_visits(name, ever)
        write_moves(self._work / "redirects.parquet", latest(join_moves(moves)))

    def _collect_links(self, name: str, runs: dict[str, ArcRuns]) -> None:
        choice = self._plan.choice
        for rows in self._links(name):
            sources, targets = self._numbers(rows.sources), self._numbers(rows.targets)
            is_wanted = np.ones(len(sources), np.bool_) if choice.nofollow else ~rows.is_nofollow
            if not choice.internal:
                is_wanted &= sources != targets
            arcs = arcs_from(sources, targets)
            runs["page"].add(arcs[~rows.is_requisite & is_wanted])
            runs["requisite"].add(arcs[rows.is_requisite & is_wanted])

    def _collect_redirects(self, name: str, runs: ArcRuns) -> Iterator[Moves]:
        for rows in self._pages(name):
            nodes, targets = self._numbers(rows.urls), self._numbers(rows.redirects)
            is_move = targets >= 0
            moves = Moves(nodes[is_move], targets[is_move], rows.times[is_move])
            runs.add(arcs_from(moves.nodes, moves.targets))
            yield moves

    def _collect_visits(self, name: str, ever: Any) -> Iterator[Moves]:
        """Visits to URLs that once were redirects, and were not at that time."""
        for rows in self._pages(name):
            nodes = self._numbers(rows.urls)
            is_moved = (rows.statuses // 100 == 3) & (rows.statuses != _NOT_MODIFIED)
            has_page = (rows.redirects.rows < 0) & (rows.statuses > 0) & ~is_moved
            chosen = has_page & np.isin(nodes, ever)
            yield Moves(nodes[chosen], np.full(chosen.sum(), NOWHERE), rows.times[chosen])

    def _moves_before(self, base: int) -> Moves:
        before = read_moves(self._bases[base] / "redirects.parquet")
        renumbered, targets = self._renumbered(base), before.targets.copy()
        is_move = targets >= 0
        targets[is_move] = renumbered[targets[is_move]]
        return Moves(renumbered[before.nodes].astype(np.int64), targets, before.times)

    def _renumbered(self, base: int) -> Nodes:
        """The new numbers of the URLs of a graph that is merged in."""
        path = self._work / f"renumbered-{base}"
        if not path.stat().st_size:
            return np.empty(0, np.uint32)
        return np.memmap(path, np.uint32, "r")

    def _numbers(self, texts: UrlColumn) -> "np.typing.NDArray[np.int64]":
        found = numbers_of(self._known, texts)
        if (found[texts.rows >= 0] < 0).any():
            raise DirectoryError(f"{self._work} is damaged; delete it, and build the graph again")
        return found

    # Rows.

    def _merge(self, kind: str) -> Iterator[GraphProgress]:
        """Merge the arcs of a kind, resolve redirects, and turn them round; nothing redirects in a part."""
        nodes, is_part = len(self._known), self._partition is not None
        moves = read_moves(self._work / "redirects.parquet")
        ends = final_targets(moves, nodes) if kind != "redirect" else None
        resolver = RedirectResolver(ends, self._plan.choice.internal or kind == "redirect")
        raw = RowFeeder(BVWriter(self._work / f"{kind}{_RAW}"), nodes) if ends is not None else None
        rows = RowFeeder(BVWriter(self._work / kind), nodes)
        back = ArcRuns(self._work / f"turned-{kind}", self._memory // 32)
        done = 0
        for arcs in whole_rows(self._arcs_as_found(kind)):
            if raw is not None:
                raw.add(arcs)
            found = resolver.resolve(arcs)
            rows.add(found)
            if not is_part:
                back.add(turned(found))
            done += len(arcs)
            yield GraphProgress(f"compressing {kind} links", done, 0)
        for feeder in (raw, rows):
            if feeder is not None:
                feeder.finish()
        back.finish()

    def _arcs_as_found(self, kind: str) -> Iterator[Arcs]:
        """All arcs of a kind: those of graphs that are merged in, and new ones."""
        name = self._work / f"arcs-{kind}"
        piece = piece_for(name, self._memory, len(self._bases))
        before = [self._rows_before(kind, base, piece) for base in range(len(self._bases))]
        return merge_arcs([*before, *read_runs(name, piece)])

    def _turn(self, kind: str) -> Iterator[GraphProgress]:
        name = self._work / f"turned-{kind}"
        back, done = RowFeeder(BVWriter(self._work / f"{kind}-t"), len(self._known)), 0
        for arcs in whole_rows(merge_arcs(read_runs(name, piece_for(name, self._memory)))):
            back.add(arcs)
            done += len(arcs)
            yield GraphProgress(f"turning {kind} links round", done, 0)
        back.finish()

    def _rows_before(self, kind: str, base: int, piece: int) -> Iterator[Arcs]:
        """The arcs of a graph that is merged in, as they were found, with their new numbers."""
        folder, renumbered = self._bases[base], self._renumbered(base)
        raw = folder / f"{kind}{_RAW}.properties"
        graph = BVGraph(folder / (f"{kind}{_RAW}" if raw.exists() else kind))
        for rows in graph.rows(links=piece):
            nodes = np.arange(rows.node, rows.node + len(rows.offsets) - 1)
            sources = np.repeat(renumbered[nodes], np.diff(rows.offsets))
            yield arcs_from(sources, renumbered[rows.targets])

    # The end.

    def _publish(self) -> None:
        plan = self._plan
        arcs = {kind: BVGraph(self._work / kind).arcs for kind in KINDS}
        for pattern in _LEFT_BEHIND:
            for path in self._work.glob(pattern):
                delete(path)
        write_sums(self._work)
        files = {path.name: describe_file(path) for path in sorted(self._work.iterdir())}
        manifest = GraphManifest(
            FORMAT,
            plan.generation,
            len(self._known),
            arcs,
            plan.choice,
            plan.sources,
            files,
            crawl_around(self._folder),
        )
        target = self._folder / plan.generation
        rename(self._work, target)
        sync_folder(self._folder)
        publish(self._folder, manifest)
        self._drop_rankings()
        for old in self._folder.glob("[0-9]" * 6):
            if old != target:
                delete(old)
        self._drop_parts(plan.bases)

    def _drop_rankings(self) -> None:
        """Rankings of the graph before belong to nothing any more, unless its links and URLs are the same."""
        if self._folder != self._crawl / "graph":
            return
        if stale := [name for name in RANKINGS if is_stale(self._folder / name)]:
            forget_rankings(self._crawl)
        for name in stale:
            delete(self._folder / name)
            _log.warning(
                "%s belonged to the previous graph and was deleted; rank again: gossamer graph rank %s",
                self._folder / name,
                self._crawl,
            )

    def _drop_parts(self, bases: Sequence[str] = ()) -> None:
        """Parts that are in the graph by now are needed no more; one that is being built again stays."""
        whole = self._folder / MANIFEST
        joined = Published(self._folder).manifest().sources if whole.is_file() else {}
        for part in find_parts(self._folder):
            one, lock = Published(part).manifest(), Lock(part / "lock")
            is_in = f"parts/{part.name}/{one.generation}" in bases
            if is_in or one.sources.items() <= joined.items():
                with suppress(InUseError):
                    lock.take()
                    delete(part)
                    lock.release()
