"""In-degrees on disk: two DRUMs, one that knows all edges and one that counts."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TypeVar

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from gossamer.core.disk.drum import Answers, Codec, Drum
from gossamer.policy.budget.domain_degrees import Edge, domain_id
from gossamer.policy.budget.ranking import Grown

T = TypeVar("T")

_NAMES = Codec[str](str.encode, bytes.decode)

_MIX_SOURCE, _MIX_EDGE = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD6E8FEB86659FD93)
"""Odd numbers with bits all over, to multiply with."""
_HALF = np.uint64(32)


class DrumInDegreesManifest(Struct, frozen=True):
    edges: bytes
    degrees: bytes


class DrumInDegrees:
    """The `InDegrees` protocol on disk.

    An edge is one key; it is checked and entered. If it is new, one is added to the count of its
    target, whose name travels along as auxiliary data, so no table of names is needed anywhere.
    While all edges fit into memory, answers come at once, later in batches.
    """

    def __init__(self, folder: Path, memory: int, manifest: bytes = b"") -> None:
        saved = msgspec.msgpack.decode(manifest, type=DrumInDegreesManifest) if manifest else None
        self._edges = Drum(
            folder / "edges",
            codec=_NAMES,
            memory=memory * 3 // 4,
            manifest=saved.edges if saved else None,
        )
        self._degrees = Drum(
            folder / "degrees",
            np.uint32,
            "add",
            codec=_NAMES,
            memory=memory // 4,
            manifest=saved.degrees if saved else None,
        )

    def add(self, edges: Sequence[Edge]) -> list[Grown]:
        edges = [edge for edge in edges if edge.source != edge.target]
        for part in _parts(edges, self._edges):
            sources, targets, names = zip(*part, strict=True)
            self._edges.check_update(_edge_keys(sources, targets), aux=names)
        return self._count()

    def settle(self) -> list[Grown]:
        self._edges.merge()
        grown = self._count()
        self._degrees.merge()
        return grown + self._take_counts()

    def __len__(self) -> int:
        return self._edges.statistics().known

    def checkpoint(self) -> bytes:
        manifest = DrumInDegreesManifest(self._edges.checkpoint(), self._degrees.checkpoint())
        return msgspec.msgpack.encode(manifest)

    def checkpoint_published(self) -> None:
        self._edges.checkpoint_published()
        self._degrees.checkpoint_published()

    @property
    def disk_bytes(self) -> int:
        return self._edges.statistics().disk + self._degrees.statistics().disk

    def verify(self) -> None:
        self._edges.verify()
        self._degrees.verify()

    def close(self) -> None:
        self._edges.close()
        self._degrees.close()

    def _count(self) -> list[Grown]:
        """Count the edges that turned out to be new."""
        grown: list[Grown] = []
        for answers in self._edges.answers():
            for names in _parts(answers.unique_aux(), self._degrees):
                self._degrees.check_update(_domain_keys(names), 1, names)
                grown += self._take_counts()
        return grown

    def _take_counts(self) -> list[Grown]:
        return [one for answers in self._degrees.answers() for one in _grown(answers)]


def _grown(answers: Answers[str]) -> Iterator[Grown]:
    """An answer tells the count before the operation, which then added one."""
    assert answers.values is not None
    names = answers.aux.select(np.ones(len(answers), np.bool_))
    for key, before, name in zip(
        answers.keys.tolist(), answers.values.tolist(), names, strict=True
    ):
        yield Grown(key, before + 1, name)


def _parts(things: Sequence[T], drum: Drum[str]) -> Iterator[Sequence[T]]:
    """Parts that a DRUM takes at a time."""
    size = drum.plan.stage
    return (things[at : at + size] for at in range(0, len(things), size))


def _domain_keys(names: Sequence[str]) -> NDArray[np.uint64]:
    return np.fromiter(map(domain_id, names), np.uint64, len(names))


def _edge_keys(sources: Sequence[int], targets: Sequence[int]) -> NDArray[np.uint64]:
    """A number for each edge, of all 64 bits of both ends."""
    keys = np.array(sources, np.uint64) * _MIX_SOURCE
    keys ^= keys >> _HALF
    keys = (keys + np.array(targets, np.uint64)) * _MIX_EDGE
    keys ^= keys >> _HALF
    return keys * _MIX_SOURCE
