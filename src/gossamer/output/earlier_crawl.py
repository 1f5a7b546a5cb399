"""Read an earlier crawl: validators, digests, links, and the places of its responses.

A page that has not changed (304) comes without a body: what is known of its content, its links among it,
is what the earlier crawl knew. One that comes with the very bytes that are known is not stored again
either. The record of such a page leads to the response that has the content, however many crawls ago
that was: if the page was unchanged in the earlier crawl, too, its row there says so in `refers_to`.

In memory are 29 bytes for each page. What the rows say, and the links, are copied into mapped files
for as long as the crawl runs; links only of the partition's own hosts.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from msgspec.structs import replace
from xxhash import xxh3_64_intdigest

from gossamer.core.analyzer_protocol import PageColumn
from gossamer.core.records import Judged, Original, Validators
from gossamer.core.url import Spelling, Url
from gossamer.output.digest import read_digest
from gossamer.output.earlier_links import KnownLinks
from gossamer.output.earlier_pages import KnownPages, read_known
from gossamer.output.warc_date import in_seconds


def check_known(directory: Path) -> None:
    """Complain of a directory that holds no earlier crawl, before anything is done for its sake."""
    for table in ("pages", "links"):
        next(read_known(directory, table, ()), None)


class KnownCrawl:
    """The pages and links tables of an earlier crawl, found by URL."""

    def __init__(
        self,
        directory: Path,
        spelling: Spelling,
        folder: Path,
        *,
        needs_records: bool = True,
        is_own: Callable[[str], bool] = lambda host: True,
        annotated: Sequence[PageColumn] = (),
    ) -> None:
        """Copy the tables into a folder that is there for this alone.

        With `needs_records`, pages that were never archived are not known. `annotated` are columns of
        analyzers that hold for a page as long as it does not change.
        """
        self._pages = KnownPages(
            directory, folder / "pages.arrow", needs_records, is_own, annotated
        )
        self._links = KnownLinks(directory, folder / "links.arrow", self._pages, spelling)

    def __len__(self) -> int:
        return len(self._pages)

    def validators(self, url: Url) -> Validators | None:
        """None when there are none, or when the page is to be sent again for it was cut short."""
        row = self._pages.find(url.key, url.text)
        if row is None or self._pages.value(row, "truncated"):
            return None
        etag, modified = (self._pages.value(row, name) for name in ("etag", "last_modified"))
        return Validators(etag or "", modified or "") if etag or modified else None

    def recall(self, judged: Judged) -> Judged:
        """Say of a page whether it has changed; one that comes without content gets what was known of it."""
        page = judged.document.page
        row = self._pages.find(page.visit.url.key, page.url)
        if page.status == 304:
            return judged if row is None else self._restore(judged, row)
        if not page.payload:
            return judged
        if row is not None and self._has(row, judged.digest):
            return replace(judged, is_unchanged=True, archived=self._original(row))
        return self.recall_copy(judged)

    def annotations(self, judged: Judged) -> dict[str, Any]:
        """The annotations of the earlier crawl for a page that has not changed."""
        page = judged.document.page
        row = self._pages.find(page.visit.url.key, page.url)
        assert row is not None, "the page was recalled"
        said = {name: self._pages.value(row, name) for name in self._pages.annotated}
        return {name: value for name, value in said.items() if value is not None}

    def close(self) -> None:
        self._pages.close()
        self._links.close()

    def _restore(self, judged: Judged, row: int) -> Judged:
        known, document = self._pages.row(row), judged.document
        document = replace(
            document,
            title=known["title"] or "",
            charset=known["charset"] or "",
            media_type=known["media_type"] or "",
            links=self._links.of(document.page.visit.url, row),
            is_indexable=document.is_indexable and known["is_indexable"] is not False,
            is_followable=document.is_followable and known["is_followable"] is not False,
        )
        return Judged(
            document,
            read_digest(known["digest"]),
            text_print=known["text_print"] or 0,
            is_unchanged=True,
            archived=self._original(row),
            validators=Validators(known["etag"] or "", known["last_modified"] or ""),
        )

    def recall_copy(self, judged: Judged) -> Judged:
        """A copy of a page that is unchanged itself, so that its record has no content to refer to."""
        if judged.original is None:
            return judged
        url = judged.original.url
        row = self._pages.find(xxh3_64_intdigest(url.encode("utf-8", "replace")), url)
        if row is None or not self._has(row, judged.digest):
            return judged
        return replace(judged, archived=self._original(row))

    def _has(self, row: int, digest: bytes) -> bool:
        return bool(read_digest(self._pages.value(row, "digest")) == digest)

    def _original(self, row: int) -> Original | None:
        """The response that has a page's content."""
        value = self._pages.value
        if (refers_to := value(row, "refers_to")) is not None:
            return Original(refers_to, in_seconds(value(row, "refers_at")))
        if value(row, "warc_file") is not None:
            return Original(value(row, "url"), in_seconds(value(row, "fetched_at")))
        return None
