"""Keeps no more pages than there may be: the least valuable are retired."""

from pathlib import Path

from msgspec import Struct

from gossamer.core.disk.disk_files import delete
from gossamer.core.disk.disk_manifest import ManifestWriter
from gossamer.core.whole_files import PLAN
from gossamer.output.kept_pages import Chosen, Stored, Worth
from gossamer.output.numbered_files import serial_of
from gossamer.output.pages_table import Row
from gossamer.output.parquet_table import StoredTable
from gossamer.output.retirement import (
    RetirementPlan,
    carry_out,
    make_plan,
    number_files,
    read_plan,
    write_plan,
)
from gossamer.output.warc_archive import Archive

_GROWTH = 0.1
"""A look is taken whenever so many more pages are stored, as a part of those that may be …"""
_MOSTLY = 0.5
"""… and a WARC file is written again when this part of its pages is to go; in the end, every one."""


class RetiredState(Struct, frozen=True, array_like=True):
    number: int = 0
    """The last plan that was carried out."""
    pages: int = 0
    """Pages that were retired."""


def is_retiring(work: Path, state: RetiredState) -> bool:
    """Was a plan interrupted?"""
    path = work / PLAN
    return path.exists() and read_plan(path).number > state.number


class Keeper:
    """Watches how many pages are stored.

    Between `choose` and `retire` there must be a commit, and another one after it: the first has
    all index lines and rows in finished files, the second says that the plan was carried out.
    """

    def __init__(
        self,
        most: int,
        archive: Archive,
        pages: StoredTable[Row],
        work: Path,
        partition: int,
        state: RetiredState,
        manifest: ManifestWriter,
    ) -> None:
        self._manifest = manifest
        self._most = most
        self._archive = archive
        self._pages = pages
        self._plan = work / PLAN
        self._partition = partition
        self._number, self.retired = state.number, state.pages
        self._committed = state.number
        self._chosen = Chosen({}, {})
        self._finish_interrupted()
        self.stored = Stored()
        self.stored.load(pages.finished_files(), pages.items)
        self._next_look = most

    def choose(self, worth: Worth, *, is_last: bool) -> bool:
        """Are there pages to be retired now?"""
        count = len(self.stored)
        if count <= self._most or (count < self._next_look and not is_last):
            return False
        self._next_look = count + max(1, int(_GROWTH * self._most))
        chosen = self.stored.choose(worth, self._most)
        if not is_last and count < 2 * self._most:
            chosen = self._mostly_gone(chosen)
        self._chosen = chosen
        if self._archive.warc.open_serial in chosen.offsets:
            self._archive.warc.start_over()
        return bool(chosen.offsets)

    def retire(self) -> None:
        """Retire what was chosen."""
        archive = self._archive
        chosen = number_files(self._chosen.offsets, archive.folder, archive.warc.pattern)
        plan = make_plan(
            self._number + 1, archive.folder, chosen, archive.warc.rename, archive.introduce
        )
        write_plan(self._plan, plan)
        self._carry_out(plan)
        self.stored.move(
            {
                (serial_of(Path(file.old)), offset): file.move(offset)
                for file in plan.files
                for offset in self.stored.offsets(serial_of(Path(file.old)))
            }
        )
        self._next_look = len(self.stored) + max(1, int(_GROWTH * self._most))

    def commit(self) -> RetiredState:
        self._committed = self._number
        return RetiredState(self._number, self.retired)

    def tidy(self) -> None:
        """The last commit is recorded: a plan that it knows of can go."""
        if self._committed == self._number:
            delete(self._plan)

    def _mostly_gone(self, chosen: Chosen) -> Chosen:
        open_serial = self._archive.warc.open_serial
        offsets = {
            file: some
            for file, some in chosen.offsets.items()
            if chosen.shares[file] >= _MOSTLY and file != open_serial
        }
        return self.stored.without_torn(Chosen(offsets, chosen.shares))

    def _finish_interrupted(self) -> None:
        """Carry out a plan that a crash interrupted."""
        if is_retiring(self._plan.parent, RetiredState(self._number)):
            self._carry_out(read_plan(self._plan))

    def _carry_out(self, plan: RetirementPlan) -> None:
        for entry in carry_out(plan, self._archive.folder, self._pages.folder, self._partition):
            self._manifest.add(entry)
        for file in plan.files:
            self._manifest.drop(f"warc/{file.old}")
        self._archive.warc.forget(plan.records, plan.size, plan.raw_size)
        self._number = plan.number
        self.retired += plan.pages
