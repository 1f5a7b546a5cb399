"""The front door of DRUM."""

from collections import deque
from collections.abc import Iterator, Sequence
from itertools import compress
from pathlib import Path
from typing import Any, Generic, TypeVar

import msgspec
import numpy as np
import numpy.typing as npt
from msgspec import Struct

from gossamer.core.disk.deferred_delete import DeferredDeletes
from gossamer.core.disk.disk_files import check_length, delete, sync_file, sync_folder
from gossamer.core.disk.drum import drum_manifest as manifests
from gossamer.core.disk.drum.drum_answers import Answers, Auxiliary, Codec, KeptAnswers, Packed
from gossamer.core.disk.drum.drum_manifest import Manifest
from gossamer.core.disk.drum.drum_sizes import DrumPlan
from gossamer.core.disk.drum.on_disk import OnDisk
from gossamer.core.disk.drum.operations import (
    ASKS,
    Keys,
    Operation,
    Operations,
    Values,
    entry_type,
    record_type,
)
from gossamer.core.disk.drum.repository import (
    Generation,
    RepositoryReader,
    verify,
    write_generation,
)
from gossamer.core.disk.drum.resident import Resident
from gossamer.core.disk.drum.traffic import Traffic
from gossamer.core.disk.drum.update_rules import Folding, Rule

A = TypeVar("A")


class DrumStatistics(Struct, frozen=True):
    known: int
    """Pairs; those that a waiting update will add are not counted."""
    operations: int
    """All that were ever submitted."""
    pending: int
    """Operations that wait for a merge."""
    merges: int
    """Passes over the repository since the structure was opened."""
    bytes_read: int
    bytes_written: int
    memory: int
    """Bytes of the table, or of the buffers when the pairs are on disk; a merge takes more for its time."""
    disk: int
    """Bytes of all files in use."""
    is_resident: bool


class Drum(Generic[A]):
    """Pairs ⟨key, value⟩ on disk, for streams of operations; see the package's page.

    >>> import tempfile
    >>> from gossamer.core.disk.drum import BYTES
    >>> drum = Drum(Path(tempfile.mkdtemp()), codec=BYTES)
    >>> drum.check_update(np.array([3, 1, 3], np.uint64), aux=[b"c", b"a", b"again"])
    >>> [answers.unique_aux() for answers in drum.answers()]
    [[b'c', b'a']]
    >>> drum.statistics().known
    2
    """

    def __init__(
        self,
        folder: Path,
        value: npt.DTypeLike | None = None,
        rule: Rule = "replace",
        *,
        codec: Codec[A],
        memory: int = 64 << 20,
        plan: DrumPlan | None = None,
        manifest: bytes | None = None,
    ) -> None:
        """Open the structure in a folder of its own.

        With a manifest, it is as it was at that checkpoint; without, it is empty. Files of the
        structure that the manifest does not name are deleted.
        """
        folder.mkdir(parents=True, exist_ok=True)
        self._folder, self._codec = folder, codec
        self._value = np.dtype(value) if value is not None else None
        self._folding = Folding(rule)
        self._traffic = Traffic()
        self._ready: deque[Answers[A]] = deque()
        state = manifests.decode(manifest) if manifest is not None else None
        plan = plan or DrumPlan.of(memory, self._value.itemsize if self._value is not None else 0)
        self.plan = msgspec.structs.replace(plan, buckets=state.buckets) if state else plan
        self._deferred_deletes = DeferredDeletes(folder, state.files() if state else ())
        for pattern in ("epoch-*", "generation-*"):
            self._deferred_deletes.clear(pattern)
        self._operations = 0
        self._generation: Generation | None = None
        """The file with the pairs in memory, as they were at the last checkpoint."""
        self._resident: Resident | None = Resident(self._value, self._folding)
        self._disk: OnDisk[A] | None = None
        if state is not None:
            self._go_back(state)

    # Operations.

    def check(self, keys: Keys, aux: Sequence[A] | None = None) -> None:
        """Ask whether keys are known, and for their values."""
        self.submit(Operation.CHECK, keys, None, aux)

    def update(self, keys: Keys, values: npt.ArrayLike | None = None) -> None:
        """Enter keys, with values if there are any."""
        self.submit(Operation.UPDATE, keys, values)

    def check_update(
        self, keys: Keys, values: npt.ArrayLike | None = None, aux: Sequence[A] | None = None
    ) -> None:
        """Ask, then update."""
        self.submit(Operation.CHECK_UPDATE, keys, values, aux)

    def delete(self, keys: Keys) -> None:
        """Forget keys."""
        self.submit(Operation.DELETE, keys)

    def submit(
        self,
        operations: Operation | Operations,
        keys: Keys,
        values: npt.ArrayLike | None = None,
        aux: Sequence[A] | None = None,
    ) -> None:
        """Hand over a batch of at most `plan.stage` operations, all of one kind or mixed.

        `values` and `aux` have an entry for each of them, or are left out. Answers to those that
        ask something will come out of `answers`, with their `aux`.
        """
        if not len(keys):
            return
        if len(keys) > self.plan.stage:
            raise ValueError(f"{len(keys)} operations at a time; {self.plan.stage} is the limit")
        keys = np.asarray(keys, np.uint64)
        kinds = _each(operations, len(keys))
        entries = self._values(values, len(keys))
        if self._resident is not None and not self._has_outgrown(self._resident, len(keys)):
            self._carry_out(self._resident, kinds, keys, entries, aux)
        else:
            self._enqueue(kinds, keys, entries, aux)
        self._operations += len(keys)

    def answers(self) -> Iterator[Answers[A]]:
        """Return the answers known by now, in the order of the operations; each comes once."""
        while self._ready:
            yield self._ready.popleft()
        if self._disk is not None:
            yield from self._disk.answers()

    @property
    def is_resident(self) -> bool:
        """Is everything in memory, so that every operation is answered at once?"""
        return self._resident is not None

    @property
    def has_answers_in_memory(self) -> bool:
        """Were answers given at once that nobody took yet? A checkpoint does not keep these."""
        return bool(self._ready)

    def merge(self) -> None:
        """Carry out all that waits, now. A whole pass over the repository for whatever is there."""
        if self._disk is not None:
            self._disk.merge()

    # Durability.

    def checkpoint(self) -> bytes:
        """Make the state durable; returns what it takes to come back to it.

        Answers that were given at once, without going through the disk, must have been taken.
        """
        if self._ready:
            raise RuntimeError("take the answers before a checkpoint: these are only in memory")
        manifest = self._resident_manifest() if self._disk is None else self._disk_manifest()
        sync_folder(self._folder)
        self._deferred_deletes.checkpoint(manifest.files())
        return manifests.encode(manifest)

    def checkpoint_published(self) -> None:
        """The last checkpoint is the one to come back to; what only others need may go."""
        self._deferred_deletes.published()

    def verify(self) -> None:
        """Read all files to their ends; raises `DamageError` when one is not what was written."""
        if self._disk is not None:
            self._disk.verify()
        elif self._generation is not None:
            verify(self._folder, self._generation, self._value, self.plan, self._traffic)

    def close(self) -> None:
        """Close all files. What came after the last checkpoint is lost."""
        if self._disk is not None:
            self._disk.abandon()

    def statistics(self) -> DrumStatistics:
        table, disk = self._resident, self._disk
        return DrumStatistics(
            known=len(table.table) if table else disk.generation.pairs if disk else 0,
            operations=self._operations,
            pending=disk.pending if disk else 0,
            merges=disk.merges if disk else 0,
            bytes_read=self._traffic.read,
            bytes_written=self._traffic.written,
            memory=table.table.nbytes if table else disk.buffered if disk else 0,
            disk=disk.disk_bytes if disk else self._snapshot_bytes,
            is_resident=table is not None,
        )

    # In memory.

    @property
    def _snapshot_bytes(self) -> int:
        pairs = self._generation.pairs if self._generation is not None else 0
        return pairs * entry_type(self._value).itemsize

    def _has_outgrown(self, resident: Resident, count: int) -> bool:
        return len(resident.table) + count > self.plan.resident

    def _carry_out(
        self,
        resident: Resident,
        operations: Operations,
        keys: Keys,
        values: Values | None,
        aux: Sequence[A] | None,
    ) -> None:
        is_known, met = resident.carry_out(keys, operations, values)
        asks = (operations & ASKS) != 0
        if asks.all():
            data = self._kept(aux, len(keys))
            self._ready.append(Answers(keys, operations, ~is_known, met, data))
        elif asks.any():
            chosen = list(compress(aux, asks.tolist())) if aux is not None else None
            data = self._kept(chosen, int(asks.sum()))
            met = met[asks] if met is not None else None
            self._ready.append(Answers(keys[asks], operations[asks], ~is_known[asks], met, data))

    def _kept(self, aux: Sequence[A] | None, count: int) -> Auxiliary[A]:
        if aux is None:
            return Packed(b"", np.zeros(count, np.uint32), self._codec.decode)
        return KeptAnswers(aux)

    def _resident_manifest(self) -> Manifest:
        assert self._resident is not None
        if self._resident.is_changed or self._generation is None:
            self._replace_generation(self._write_resident())
            self._resident.is_changed = False
        return Manifest(
            record=str(record_type(self._value)),
            buckets=self.plan.buckets,
            is_resident=True,
            operations=self._operations,
            generation=self._generation,
        )

    def _write_resident(self) -> Generation:
        assert self._resident is not None
        number = self._generation.number + 1 if self._generation is not None else 0
        keys, values = self._resident.table.items()
        generation = write_generation(self._folder, number, self.plan, keys, values, self._traffic)
        try:
            sync_file(self._folder / generation.name)
        except OSError:
            delete(self._folder / generation.name)
            raise
        return generation

    def _replace_generation(self, generation: Generation | None) -> None:
        if self._generation is not None:
            self._deferred_deletes.discard(self._generation.name)
        self._generation = generation

    # On disk.

    def _enqueue(
        self,
        operations: Operations,
        keys: Keys,
        values: Values | None,
        aux: Sequence[A] | None,
    ) -> None:
        disk = self._disk or self._move_to_disk()
        asks = (operations & ASKS) != 0
        encoded = self._encoded(aux, asks)
        disk.make_room(len(keys))
        disk.add(keys, operations, values, encoded)

    def _encoded(self, aux: Sequence[A] | None, asks: npt.NDArray[np.bool_]) -> list[bytes]:
        if aux is None:
            return [b""] * int(asks.sum())
        chosen = aux if asks.all() else compress(aux, asks.tolist())
        return list(map(self._codec.encode, chosen))

    def _move_to_disk(self) -> OnDisk[A]:
        """The table has become too large for the memory: from now on answers come later."""
        generation = self._write_resident()
        self._disk = self._open_disk(generation=generation)
        self._replace_generation(None)
        self._resident = None
        return self._disk

    def _disk_manifest(self) -> Manifest:
        assert self._disk is not None
        self._disk.sync()
        return self._disk.manifest(self._operations)

    def _open_disk(self, **state: Any) -> OnDisk[A]:
        return OnDisk(
            self._folder,
            self.plan,
            self._value,
            self._folding,
            self._codec,
            self._traffic,
            self._deferred_deletes,
            **state,
        )

    # Coming back.

    def _go_back(self, state: Manifest) -> None:
        if state.record != str(record_type(self._value)):
            raise ValueError(f"the structure has records {state.record}, not what was asked for")
        self._operations = state.operations
        if not state.is_resident:
            self._resident = None
            self._disk = self._open_disk(
                generation=state.generation, waiting=state.waiting, answered=state.answered
            )
        elif state.generation is not None:
            self._generation = state.generation
            self._load(state.generation)

    def _load(self, generation: Generation) -> None:
        assert self._resident is not None
        check_length(self._folder / generation.name, 0)
        reader = RepositoryReader(self._folder, generation, self._value, self._traffic)
        try:
            self._resident.load(reader.everything())
        finally:
            reader.close()

    def _values(self, values: npt.ArrayLike | None, count: int) -> Values | None:
        if self._value is None:
            return None
        if values is None:
            return np.zeros(count, self._value)
        return np.broadcast_to(np.asarray(values, self._value), count)


def _each(operations: Operation | Operations, count: int) -> Operations:
    if isinstance(operations, Operation):
        return np.full(count, operations.value, np.uint8)
    return operations
