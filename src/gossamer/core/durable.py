"""The one seam of components with state: how they survive a crash.

    commit       note ─▶ the journal ─▶ noted
    checkpoint   checkpoint ─▶ one small file ─▶ checkpoint_published
    going on     opened as it was at the checkpoint ─▶ replay of all its notes since then

The ring, the ledger and `gossamer verify` go through all components with state by this protocol. They know
nothing else of them. A new room inherits from `Durable`, changes what it needs, and is named in two places:
`StatefulComponents` in `engine/stateful_components.py` and `Builder.build_state` in `engine/builder.py`. A
part that keeps no files of its own may also stand in the list of the ring (`engine/ring.py`), as the
counters and the rests do.

A component chooses what it notes. It may note what happened since the last commit, and do it again in
`replay`; or it may note how it is found again at each commit, and be opened with its last note.
"""

from collections.abc import Sequence
from typing import Protocol


class Durable(Protocol):
    """A component whose state survives a crash. What a component does not need, it leaves as it is here."""

    name: str
    """The name of its records. Its folder in `state/` has the same name."""

    def note(self) -> bytes:
        """Return the note for the journal at this commit; no note when it is empty.

        Files that the note refers to are durable when this returns.
        """
        return b""

    def noted(self) -> None:
        """The note is recorded: what only earlier commits need can go."""
        return

    def replay(self, notes: Sequence[bytes]) -> None:
        """Do again what was noted since the checkpoint."""
        return

    def checkpoint(self) -> bytes:
        """Make everything durable; returns what it takes to come back to it."""
        return b""

    def checkpoint_published(self) -> None:
        """The last checkpoint is the one to come back to; what only others need can go."""
        return

    @property
    def disk_bytes(self) -> int:
        """Bytes of all files in use."""
        return 0

    def verify(self) -> None:
        """Read all files to their ends; raises `DamageError` when one is not what was written."""
        return

    def close(self) -> None:
        """Let go of all files; what came after the last commit is lost."""
        return
