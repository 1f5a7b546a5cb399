"""A crawl's tables become a graph, in bounded memory.

    new files ─▶ URLs ─▶ sorted runs ─┬▶ numbers of all URLs
    graph there is ──────▶ its URLs ──┘
    new files ─▶ arcs by number ─▶ sorted runs ─┬▶ rows as found ─▶ redirects resolved ─┬▶ rows
    graph there is ─▶ its rows, renumbered ─────┘                                       └▶ turned round

Each step leaves its files in the folder `work`, and then says that it is done. Whoever is killed begins again
with the first step that is not. The crawl may go on meanwhile: its files are kept as they were. Nothing that
readers see is touched until all is there: then the folder gets its name, and the manifest names it.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from msgspec import Struct

from gossamer.base.disk.files import delete, rename, sync_folder, write_whole
from gossamer.base.disk.lock import InUseError, Lock
from gossamer.base.errors import DirectoryError
from gossamer.harvest.graph.build.numbering import KeyRuns, merge_keys
from gossamer.harvest.graph.build.plan import make_plan, take_up
from gossamer.harvest.graph.build.redirects import (
    NOWHERE,
    Moves,
    final_targets,
    join_moves,
    latest,
    no_moves,
    read_moves,
    write_moves,
)
from gossamer.harvest.graph.build.row_feeder import RowFeeder, whole_rows
from gossamer.harvest.graph.build.sorted_runs import (
    ArcRuns,
    Arcs,
    arcs_from,
    delete_runs,
    distinct,
    ends_of,
    merge_arcs,
    piece_for,
    read_runs,
)
from gossamer.harvest.graph.build.tables import UrlColumn, keys_of_texts, read_links, read_pages
from gossamer.harvest.graph.bv import BVGraph, BVWriter
from gossamer.harvest.graph.bv.decoding import Nodes
from gossamer.harvest.graph.published import (
    FORMAT,
    KINDS,
    Choice,
    GraphManifest,
    describe_file,
    publish,
)
from gossamer.harvest.graph.urls import UrlMap

_LEAST_MEMORY = 64 << 20
_RAW = "-raw"
"""Behind a kind: its rows as they were found, before redirects were resolved."""


class GraphProgress(Struct, frozen=True):
    step: str
    done: int
    total: int
    """0 when it is not known."""


class GraphBuilder:
    """Makes the graph of a crawl, or merges what is new into it."""

    def __init__(
        self, crawl: Path, choice: Choice, memory: int = 1 << 30, is_anew: bool = False
    ) -> None:
        """`memory` is about how many bytes are used for arcs and URLs at a time."""
        self._crawl, self._choice, self._is_anew = crawl, choice, is_anew
        self._memory = max(memory, _LEAST_MEMORY)
        self._folder = crawl / "graph"
        self._work = self._folder / "work"

    def run(self) -> Iterator[GraphProgress]:
        """Build, and say how far it has come; there is at least one last word."""
        self._folder.mkdir(exist_ok=True)
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

    def _run(self) -> Iterator[GraphProgress]:
        plan = make_plan(self._crawl, self._choice, self._is_anew)
        if plan.base is not None and not plan.fresh:
            delete(self._work)
            yield GraphProgress("up to date", 0, 0)
            return
        self._plan = take_up(self._work, self._crawl, plan)
        base = self._plan.base
        self._base = self._folder / base.generation if base else None
        yield from self._step("urls", self._number)
        self._known = UrlMap(self._work / "urls")
        yield from self._step("arcs", self._collect)
        for kind in KINDS:
            yield from self._step(kind, lambda kind=kind: self._merge(kind))  # type: ignore[misc]
        self._publish()
        yield GraphProgress("published", len(self._known), len(self._known))
        if self._plan != plan:  # one that was begun before was finished; there is more by now
            self._is_anew = False
            self._work.mkdir()
            yield from self._run()

    def _step(
        self, name: str, do: Callable[[], Iterator[GraphProgress]]
    ) -> Iterator[GraphProgress]:
        mark = self._work / f"{name}.done"
        if not mark.exists():
            yield from do()
            write_whole(mark, lambda file: None)

    # URLs.

    def _number(self) -> Iterator[GraphProgress]:
        runs = KeyRuns(self._work, self._memory // 8)
        for step in self._each_file("reading URLs"):
            for rows in _read(self._table(step[0])):
                for texts in rows[:2]:
                    runs.add(texts.distinct)
            yield step[1]
        runs.finish()
        old = UrlMap(self._base / "urls") if self._base else None
        for count in merge_keys(self._work, old, self._work / "urls", self._work / "renumbered"):
            yield GraphProgress("numbering URLs", count, 0)
        for path in self._work.glob("keys.*"):
            delete(path)

    def _table(self, name: str) -> Path:
        """A file of the tables, as it was when the plan was made."""
        return self._work / "tables" / name

    def _each_file(self, said: str) -> Iterator[tuple[str, GraphProgress]]:
        total = sum(one.bytes for one in self._plan.fresh.values())
        done = 0
        for name, one in self._plan.fresh.items():
            done += one.bytes
            yield name, GraphProgress(said, done, total)

    # Arcs.

    def _collect(self) -> Iterator[GraphProgress]:
        """Write the arcs of new files, sorted, each kind by itself; and where redirects lead."""
        most = self._memory // 32
        runs = {kind: ArcRuns(self._work / f"arcs-{kind}", most) for kind in KINDS}
        moves = [self._moves_before()]
        for name, said in self._each_file("reading links"):
            if name.startswith("links/"):
                self._collect_links(self._table(name), runs)
            else:
                moves += self._collect_redirects(self._table(name), runs["redirect"])
            yield said
        for run in runs.values():
            run.finish()
        ever = np.unique(join_moves(moves).nodes)
        for name in self._plan.fresh:
            if name.startswith("pages/") and len(ever):
                moves += self._collect_visits(self._table(name), ever)
        write_moves(self._work / "redirects.parquet", latest(join_moves(moves)))

    def _collect_links(self, path: Path, runs: dict[str, ArcRuns]) -> None:
        choice = self._plan.choice
        for rows in read_links(path):
            sources, targets = self._numbers(rows.sources), self._numbers(rows.targets)
            is_wanted = np.ones(len(sources), np.bool_) if choice.nofollow else ~rows.is_nofollow
            if not choice.internal:
                is_wanted &= sources != targets
            arcs = arcs_from(sources, targets)
            runs["page"].add(arcs[~rows.is_requisite & is_wanted])
            runs["requisite"].add(arcs[rows.is_requisite & is_wanted])

    def _collect_redirects(self, path: Path, runs: ArcRuns) -> Iterator[Moves]:
        for rows in read_pages(path):
            nodes, targets = self._numbers(rows.urls), self._numbers(rows.redirects)
            is_move = targets >= 0
            moves = Moves(nodes[is_move], targets[is_move], rows.times[is_move])
            runs.add(arcs_from(moves.nodes, moves.targets))
            yield moves

    def _collect_visits(self, path: Path, ever: Any) -> Iterator[Moves]:
        """Visits to URLs that once were redirects, and were not at that time."""
        for rows in read_pages(path):
            nodes = self._numbers(rows.urls)
            has_page = (rows.redirects.rows < 0) & (rows.statuses > 0) & (rows.statuses // 100 != 3)
            chosen = has_page & np.isin(nodes, ever)
            yield Moves(nodes[chosen], np.full(chosen.sum(), NOWHERE), rows.times[chosen])

    def _moves_before(self) -> Moves:
        if self._base is None:
            return no_moves()
        before, renumbered = read_moves(self._base / "redirects.parquet"), self._renumbered()
        targets = before.targets.copy()
        is_move = targets >= 0
        targets[is_move] = renumbered[targets[is_move]]
        return Moves(renumbered[before.nodes].astype(np.int64), targets, before.times)

    def _renumbered(self) -> Nodes:
        """The new numbers of the URLs of the graph that there is."""
        path = self._work / "renumbered"
        if not path.stat().st_size:
            return np.empty(0, np.uint32)
        return np.memmap(path, np.uint32, "r")

    def _numbers(self, texts: UrlColumn) -> "np.typing.NDArray[np.int64]":
        distinct_numbers = np.append(self._known.find(*keys_of_texts(texts.distinct)), NOWHERE)
        if (distinct_numbers[:-1] < 0).any():
            raise DirectoryError(f"{self._work} is damaged; delete it, and build the graph again")
        return distinct_numbers[texts.rows]

    # Rows.

    def _merge(self, kind: str) -> Iterator[GraphProgress]:
        """Merge the arcs of a kind, resolve redirects, and turn them round."""
        nodes = len(self._known)
        piece = piece_for(self._work / f"arcs-{kind}", self._memory, self._base is not None)
        moves = read_moves(self._work / "redirects.parquet")
        ends = final_targets(moves, nodes) if kind != "redirect" else None
        turned = ArcRuns(self._work / f"turned-{kind}", self._memory // 32)
        raw = RowFeeder(BVWriter(self._work / f"{kind}{_RAW}"), nodes) if ends is not None else None
        rows = RowFeeder(BVWriter(self._work / kind), nodes)
        places = read_runs(self._work / f"arcs-{kind}", piece)
        done = 0
        resolver = _Resolver(ends, self._plan.choice.internal or kind == "redirect")
        for arcs in whole_rows(merge_arcs([self._rows_before(kind, piece), *places])):
            if raw is not None:
                raw.add(arcs)
            found = resolver.resolve(arcs)
            rows.add(found)
            turned.add(_turned(found))
            done += len(arcs)
            yield GraphProgress(f"compressing {kind} links", done, 0)
        for feeder in (raw, rows):
            if feeder is not None:
                feeder.finish()
        turned.finish()
        yield from self._turn(kind, nodes)
        delete_runs(self._work / f"turned-{kind}")

    def _turn(self, kind: str, nodes: int) -> Iterator[GraphProgress]:
        piece = piece_for(self._work / f"turned-{kind}", self._memory)
        back, done = RowFeeder(BVWriter(self._work / f"{kind}-t"), nodes), 0
        for arcs in whole_rows(merge_arcs(read_runs(self._work / f"turned-{kind}", piece))):
            back.add(arcs)
            done += len(arcs)
            yield GraphProgress(f"turning {kind} links round", done, 0)
        back.finish()

    def _rows_before(self, kind: str, piece: int) -> Iterator[Arcs]:
        """The arcs of the graph that there is, as they were found, with their new numbers."""
        if self._base is None:
            return
        raw = self._base / f"{kind}{_RAW}.properties"
        graph = BVGraph(self._base / (f"{kind}{_RAW}" if raw.exists() else kind))
        renumbered = self._renumbered()
        for rows in graph.rows(links=piece):
            nodes = np.arange(rows.node, rows.node + len(rows.offsets) - 1)
            sources = np.repeat(renumbered[nodes], np.diff(rows.offsets))
            yield arcs_from(sources, renumbered[rows.targets])

    # The end.

    def _publish(self) -> None:
        plan = self._plan
        arcs = {kind: BVGraph(self._work / kind).arcs for kind in KINDS}
        for path in (*self._work.glob("*.done"), *self._work.glob("arcs-*")):
            delete(path)
        delete(self._work / "renumbered")
        delete(self._work / "tables")
        delete(self._work / "plan.json")
        files = {path.name: describe_file(path) for path in sorted(self._work.iterdir())}
        manifest = GraphManifest(
            FORMAT, plan.generation, len(self._known), arcs, plan.choice, plan.sources, files
        )
        target = self._folder / plan.generation
        rename(self._work, target)
        sync_folder(self._folder)
        publish(self._folder, manifest)
        for old in self._folder.glob("[0-9]" * 6):
            if old != target:
                delete(old)


class _Resolver:
    """Replaces targets by where their redirects lead, a whole number of rows at a time."""

    def __init__(self, ends: Nodes | None, keeps_internal: bool) -> None:
        self._ends, self._keeps_internal = ends, keeps_internal

    def resolve(self, arcs: Arcs) -> Arcs:
        sources, targets = ends_of(arcs)
        if self._ends is not None:
            targets = self._ends[targets]
        if not self._keeps_internal:
            is_kept = sources != targets
            sources, targets = sources[is_kept], targets[is_kept]
        elif self._ends is None:
            return arcs
        return distinct(arcs_from(sources, targets))


def _turned(arcs: Arcs) -> Arcs:
    return (arcs << np.uint64(32)) | (arcs >> np.uint64(32))


def _read(path: Path) -> Iterator[Any]:
    return read_links(path) if path.parent.name == "links" else read_pages(path)
