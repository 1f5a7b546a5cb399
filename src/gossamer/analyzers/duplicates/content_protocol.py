"""The protocol of this component, as the ring calls it."""

from collections.abc import Sequence
from typing import Protocol

from gossamer.analyzers.duplicates.duplicates_state import ContentState, ContentStatistics
from gossamer.core.durable import Durable
from gossamer.core.records import Compared, Document, Visit


class ContentTest(Durable, Protocol):
    """Judges documents by their content; some of them late, when it has to be asked elsewhere.

    It notes at each commit how it is found again.
    """

    name: str = "content"
    _noted: bytes = b""

    def note(self) -> bytes:
        self._noted = self.commit().encode()
        return self._noted

    def checkpoint(self) -> bytes:
        """As it was at the commit just before, or the same in fewer bytes."""
        assert self._noted, "a checkpoint follows a commit"
        return self.note() if self.pack() else self._noted

    def pack(self) -> bool:
        """Leave out what counts no more, if that is much; has it been done?

        Files that the record knows stay until a checkpoint is published.
        """
        return False

    @property
    def pending(self) -> int:
        """Documents whose judgement is still to come."""

    def judge(self, documents: Sequence[Document]) -> list[Compared]:
        """Take in documents; returns those that are judged by now, earlier ones among them."""

    def pending_visits(self) -> list[Visit]:
        """The visits that brought them: neither waiting any more nor done yet."""

    def give_up(self) -> list[Compared]:
        """Judge all that is pending by what is known here."""

    def forget(self, documents: Sequence[Document]) -> None:
        """These pages are given up: what they had before counts no more, what they show now does."""

    def commit(self) -> ContentState:
        """Make all that is known durable; returns what leads back to it."""

    def statistics(self) -> ContentStatistics: ...

    @property
    def repairs(self) -> list[str]:
        """Parts that were rebuilt when it was opened, because they were damaged."""
