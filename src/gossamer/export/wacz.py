"""A crawl as one WACZ file, version 1.1.1: replayweb.page and other browsers of archives open it.

WARC files and the index's blocks are stored as they are, so that a reader can take any record out of the
middle of the file.
"""

import hashlib
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from shutil import copyfileobj
from typing import Any, BinaryIO, cast
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

import msgspec

from gossamer.archive import StoredCrawl
from gossamer.core.agent import VERSION
from gossamer.core.disk.disk_files import write_whole
from gossamer.core.errors import DirectoryError
from gossamer.engine.summary import COPIED
from gossamer.export.page_list import PageLists, now_text
from gossamer.export.zipnum import write_blocks

_VERSION = "1.1.1"
_PIECE = 1 << 20
_INDEX = "index.cdx.gz"


def write_wacz(crawl: StoredCrawl, file: Path, title: str = "", now: float | None = None) -> int:
    """Write all that a crawl has in its archive; returns how many WARC files these are.

    The crawl must have ended: its index is complete only then.
    """
    _check_ended(crawl)
    crawl.check_archive()
    warcs = sorted((crawl.path / "warc").glob("*.warc.gz"))
    if not warcs:
        raise DirectoryError(f"{crawl.path} has no WARC files; crawl with store.warc = true")
    made = time.time() if now is None else now

    def write(into: BinaryIO) -> None:
        package = _Package(into, made)
        try:
            package.fill(crawl, warcs, title)
        except BaseException:
            package.abandon()
            raise

    write_whole(file, write)
    return len(warcs)


def _check_ended(crawl: StoredCrawl) -> None:
    if crawl.is_running:
        raise DirectoryError(f"{crawl.path}: the crawl is running; export it when it has ended")
    if crawl.summary().stopped_by in ("killed", COPIED):
        raise DirectoryError(
            f"{crawl.path}: the crawl was killed, or copied while it ran, and its index is not complete; "
            f"let it end: gossamer resume {crawl.path}"
        )


class _Hashing:
    """Passes on what is written, and knows its size and hash."""

    def __init__(self, into: BinaryIO) -> None:
        self._into = into
        self._hash = hashlib.sha256()
        self.size = 0

    def write(self, data: bytes) -> int:
        self._hash.update(data)
        self.size += len(data)
        return self._into.write(data)

    @property
    def digest(self) -> str:
        return f"sha256:{self._hash.hexdigest()}"


class _Package:
    """The file under way."""

    def __init__(self, into: BinaryIO, now: float) -> None:
        self._zip = ZipFile(into, "w")
        self._now = now
        self._resources: list[dict[str, Any]] = []

    def abandon(self) -> None:
        """Write no more: else what is left would be written, to nowhere, when the package is let go."""
        self._zip.fp = None

    def fill(self, crawl: StoredCrawl, warcs: list[Path], title: str) -> None:
        for warc in warcs:
            with warc.open("rb") as source:
                self._add(f"archive/{warc.name}", partial(_copy, source))
        listed = b""

        def write_index(into: BinaryIO) -> None:
            nonlocal listed
            listed = write_blocks(_index_lines(crawl.path), _INDEX, into)

        self._add(f"indexes/{_INDEX}", write_index)
        self._add("indexes/index.idx", partial(_put, listed), ZIP_DEFLATED)
        lists = PageLists(crawl)
        for name, lines in (("pages", lists.seeds), ("extraPages", lists.others)):
            self._add(f"pages/{name}.jsonl", partial(_put, b"".join(lines)), ZIP_DEFLATED)
        self._close(title or crawl.path.resolve().name, lists.first)

    def _add(self, path: str, write: Callable[[BinaryIO], object], how: int = ZIP_STORED) -> str:
        """Add a file; returns its hash."""
        with self._zip.open(self._entry(path, how), "w", force_zip64=True) as inside:
            hashing = _Hashing(cast(BinaryIO, inside))
            write(cast(BinaryIO, hashing))
        self._resources.append(
            {
                "name": path.rpartition("/")[2].lower(),  # no capitals: the rules of data packages
                "path": path,
                "hash": hashing.digest,
                "bytes": hashing.size,
            }
        )
        return hashing.digest

    def _entry(self, path: str, how: int) -> ZipInfo:
        entry = ZipInfo(path, time.gmtime(self._now)[:6])
        entry.compress_type = how
        entry.external_attr = 0o644 << 16
        return entry

    def _close(self, title: str, first: tuple[str, str] | None) -> None:
        """Write the list of the package's files, and its hash."""
        package: dict[str, Any] = {
            "profile": "data-package",
            "wacz_version": _VERSION,
            "title": title,
            "created": now_text(self._now),
            "software": f"Gossamer {VERSION}",
            "resources": [*self._resources],
        }
        if first is not None:
            package |= {"mainPageUrl": first[0], "mainPageDate": first[1]}
        data = msgspec.json.format(msgspec.json.encode(package), indent=2)
        digest = self._add("datapackage.json", partial(_put, data), ZIP_DEFLATED)
        about = msgspec.json.encode({"path": "datapackage.json", "hash": digest})
        self._add("datapackage-digest.json", partial(_put, about), ZIP_DEFLATED)
        self._zip.close()


def _copy(source: BinaryIO, into: BinaryIO) -> None:
    copyfileobj(source, into, _PIECE)


def _put(data: bytes, into: BinaryIO) -> None:
    into.write(data)


def _index_lines(path: Path) -> Iterator[bytes]:
    with (path / "warc" / "index.cdxj").open("rb") as lines:
        yield from lines
