"""The archive: WARC files and the index into them."""

import os
from pathlib import Path

from msgspec import Struct

from gossamer.core.clock import Clock
from gossamer.core.disk.disk_manifest import ManifestWriter
from gossamer.core.outcomes import Outcome
from gossamer.core.records import Judged, Page, Via
from gossamer.core.settings import StoreSettings
from gossamer.output.cdxj import CdxjIndex, CdxjState, index_line
from gossamer.output.warc_file import RecordPlace, WarcFiles, WarcState
from gossamer.output.warc_record import Draw, RecordKind, Records, kind_of, original_of


class ArchiveState(Struct, frozen=True, array_like=True):
    warc: WarcState = WarcState()
    index: CdxjState = CdxjState()
    revisits: int = 0


class Archive:
    """Keeps each response with its request, and remembers where."""

    def __init__(
        self,
        folder: Path,
        settings: StoreSettings,
        clock: Clock,
        description: bytes,
        work: Path,
        partition: int,
        state: ArchiveState,
        manifest: ManifestWriter,
        complete_since: float = 0.0,
        draw: Draw = os.urandom,
    ) -> None:
        """Visits before `complete_since` may be missing, so that nothing can refer to them."""
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self._secret_fields = settings.secret_names
        self._records = Records(draw, self._secret_fields)
        self._complete_since = complete_since
        self._may_lose = settings.max_stored_pages > 0
        """Where pages are retired, none may lean on another."""
        self._index = CdxjIndex(folder, work, partition, state.index)
        self._clock = clock
        self._description = description
        self.warc = WarcFiles(
            folder, settings.warc_size, clock, self.introduce, partition, state.warc, manifest
        )
        self.revisits = state.revisits

    def keep(self, judged: Judged, digest: str) -> RecordPlace | None:
        """Write what the visit brought; None when the server sent nothing."""
        if not _has_response(judged.document.page):
            return None
        kind = self._kind_of(judged)
        original = original_of(judged) if kind is not RecordKind.RESPONSE else None
        self.revisits += original is not None
        place = self.warc.append(self._records.exchange(judged, kind, digest), original)
        self._index.add(index_line(judged, kind, digest, place, self._secret_fields))
        return place

    def commit(self) -> ArchiveState:
        """Make records and index lines durable."""
        return ArchiveState(self.warc.commit(), self._index.commit(), self.revisits)

    def tidy(self) -> None:
        self._index.tidy()

    def finish(self) -> None:
        """Bring the index up to date with the records; it appears with the next `tidy`."""
        self.warc.commit()
        self._index.finish()

    def close(self) -> None:
        try:
            self.warc.close()
        finally:
            self._index.close()

    def introduce(self, filename: str) -> bytes:
        """The first record of a file."""
        return self._records.warcinfo(filename, self._clock.now(), self._description)

    def _kind_of(self, judged: Judged) -> RecordKind:
        kind, original = kind_of(judged), judged.original
        if kind is not RecordKind.RESPONSE and judged.document.page.visit.via is Via.REQUEST:
            return RecordKind.RESPONSE  # indexers give revisits no key with method and body
        if kind is not RecordKind.SAME_PAYLOAD or judged.archived is not None:
            return kind  # an earlier crawl loses nothing
        is_missing = original is not None and original.date <= self._complete_since
        return RecordKind.RESPONSE if is_missing or self._may_lose else kind


def _has_response(page: Page) -> bool:
    return page.outcome is Outcome.FETCHED or bool(page.head or page.payload)
