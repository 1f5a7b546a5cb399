"""The seen set on disk, for more URLs than fit into memory."""

from collections.abc import Sequence
from pathlib import Path

import msgspec
import numpy as np
from msgspec import Struct

from gossamer.core.disk.drum import Codec, Drum, DrumPlan, DrumStatistics
from gossamer.core.durable import Durable
from gossamer.core.protocols import SeenStatistics
from gossamer.core.records import Candidate
from gossamer.pipeline.seen.candidate_packing import pack, unpack

_PORTION = 4096
"""New URLs after which `admit` lets the rest wait for its next call …"""
_LARGE_PORTION = 65_536
"""… and `settle`; when the disk answers, millions may be ready at once."""


class _Checkpoint(Struct, frozen=True, array_like=True):
    offered: int
    drum: bytes


class DiskSeen(Durable):
    """The `Seen` protocol on DRUM: URLseen of IRLbot, which knows one operation, check+update.

    While the keys fit into memory, answers come at once. Later they come when a merge was due or
    `settle` asked for one, and at most some thousand with each call, until none is left.

    >>> import tempfile
    >>> from gossamer.core.url import parse
    >>> seen = DiskSeen(Path(tempfile.mkdtemp()))
    >>> page = Candidate(parse("http://a.test/"))
    >>> len(seen.admit([page, page])), len(seen.admit([page]))
    (1, 0)
    """

    name = "seen"

    def __init__(
        self,
        folder: Path,
        *,
        memory: int = 256 << 20,
        plan: DrumPlan | None = None,
        checkpoint: bytes = b"",
    ) -> None:
        """Open the set in a folder of its own: empty, or as it was at a checkpoint."""
        state = _decode(checkpoint) if checkpoint else None
        self._offered = state.offered if state else 0
        self._is_settled = state is None
        self._drum = Drum(
            folder,
            codec=Codec(pack, unpack),
            memory=memory,
            plan=plan,
            manifest=state.drum if state else None,
        )

    def admit(self, candidates: Sequence[Candidate]) -> list[Candidate]:
        limit = self._drum.plan.stage
        for start in range(0, len(candidates), limit):
            self._offer(candidates[start : start + limit])
        return self._released(_PORTION)

    def settle(self) -> list[Candidate]:
        """Decide all that was kept back, and return what of it is new.

        When that is very much, a part of it; the rest comes out of the calls that follow.
        """
        self._drum.merge()
        new = self._released(_LARGE_PORTION)
        self._is_settled = not new
        return new

    @property
    def answers_at_once(self) -> bool:
        """Does `admit` keep nothing back? So it is while the keys fit into memory."""
        return self._drum.is_resident

    @property
    def is_settling(self) -> bool:
        """Is there something that `admit` and `settle` have not returned yet, for all we know?"""
        return not (self._drum.is_resident or self._is_settled)

    def checkpoint(self) -> bytes:
        return msgspec.msgpack.encode(_Checkpoint(self._offered, self._drum.checkpoint()))

    def checkpoint_published(self) -> None:
        self._drum.checkpoint_published()

    def verify(self) -> None:
        self._drum.verify()

    def close(self) -> None:
        self._drum.close()

    def statistics(self) -> SeenStatistics:
        drum = self._drum.statistics()
        return SeenStatistics(drum.known, self._offered, drum.pending)

    @property
    def disk_bytes(self) -> int:
        """Bytes of all files in use."""
        return self._drum.statistics().disk

    def drum_statistics(self) -> DrumStatistics:
        """The statistics of the DRUM: bytes on disk and moved, what waits."""
        return self._drum.statistics()

    def _offer(self, candidates: Sequence[Candidate]) -> None:
        keys = np.fromiter(
            (candidate.url.key for candidate in candidates), np.uint64, len(candidates)
        )
        self._drum.check_update(keys, aux=candidates)
        self._offered += len(candidates)
        self._is_settled = self._is_settled and not candidates

    def _released(self, portion: int) -> list[Candidate]:
        new: list[Candidate] = []
        for answers in self._drum.answers():
            new += answers.unique_aux()
            if len(new) >= portion and not self._drum.has_answers_in_memory:
                break
        return new


def _decode(checkpoint: bytes) -> _Checkpoint:
    return msgspec.msgpack.decode(checkpoint, type=_Checkpoint)
