"""The archive: WARC files and the index into them."""

import random
from pathlib import Path

from gossamer.base.clock import Clock
from gossamer.base.outcomes import Outcome
from gossamer.base.records import Kept, Page
from gossamer.base.settings import StoreSettings
from gossamer.harvest.store.cdxj import CdxjIndex, index_line
from gossamer.harvest.store.record import Kind, Records, kind_of
from gossamer.harvest.store.warc import Place, WarcFiles


class Archive:
    """Keeps each response with its request, and remembers where."""

    def __init__(
        self,
        folder: Path,
        settings: StoreSettings,
        clock: Clock,
        random: random.Random,
        description: bytes,
        partition: int,
    ) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._records = Records(random)
        self._index = CdxjIndex(folder, partition)
        self._clock = clock
        self._description = description
        self.warc = WarcFiles(folder, settings.warc_size, clock, self._introduce, partition)
        self.revisits = 0

    def keep(self, kept: Kept, digest: str) -> Place | None:
        """Write what the visit brought; None when the server sent nothing."""
        if not _has_response(kept.document.page):
            return None
        kind = kind_of(kept)
        if kind is not Kind.RESPONSE:
            self.revisits += 1
        place = self.warc.append(self._records.exchange(kept, kind, digest))
        self._index.add(index_line(kept, kind, digest, place))
        return place

    def flush(self) -> None:
        """Make the records durable. The index is not: it can be made again from them."""
        self.warc.flush()

    def close(self) -> None:
        try:
            self.warc.close()
        finally:
            self._index.close()

    def _introduce(self, filename: str) -> bytes:
        return self._records.warcinfo(filename, self._clock.now(), self._description)


def _has_response(page: Page) -> bool:
    return page.outcome is Outcome.FETCHED or bool(page.head or page.payload)
