"""The WARC files, record by record."""

import zlib
from collections.abc import Iterator, Sequence
from hashlib import sha1
from pathlib import Path

from gossamer.archive.stored_message import message_of
from gossamer.core.directory import partition_name
from gossamer.core.disk.disk_manifest import FileManifest, sum_file
from gossamer.output.digest import base32
from gossamer.output.warc_file import WarcState
from gossamer.verify.captures import NOT_MODIFIED, REVISIT, Captures, CaptureSaid
from gossamer.verify.check_listed import check_listed
from gossamer.verify.check_numbered import NumberedFiles, read_serial
from gossamer.verify.finding import Finding, attempt, problem
from gossamer.verify.index_against_records import Doubts

_BLOCK = 1 << 20
_NO_CAPTURES = Captures()


class ArchiveLook:
    """Reads every record that is recorded, and remembers where captures are."""

    def __init__(
        self,
        folder: Path,
        partition: int,
        state: WarcState | None,
        manifest: FileManifest | None = None,
    ) -> None:
        self._manifest = manifest
        self._state = state
        self._partition = partition_name(partition)
        own = f"gossamer-*-{self._partition}-*.warc.gz"
        self.files = NumberedFiles(folder, own, state.serial if state else None)
        self._records = 0
        self._captures: dict[str, Captures] = {}
        """Those of each file."""
        self._lost = set(self.files.missing)
        """Numbers of files that could not be read: what leads into them cannot be judged."""

    def findings(self) -> Iterator[Finding]:
        yield from self.files.findings()
        for serial, file in self.files.known.items():
            finding, seen = attempt(f"warc/{file.name}", self._read, file)
            if seen is None:
                self._lost.add(serial)
            yield finding
        state = self._state
        if state is not None and not self._lost and self._records != state.records:
            yield problem(
                "warc", f"{self._records} records were found, but {state.records} are recorded"
            )

    def owns(self, file: str) -> bool:
        """Is it a file of this partition, by its name?"""
        return file.rsplit("-", 2)[-2:-1] == [self._partition]

    def captures(self, file: str) -> Captures:
        return self._captures.get(file, _NO_CAPTURES)

    def is_lost(self, file: str) -> bool:
        """Could it not be read? What leads into it cannot be judged then."""
        return read_serial(Path(file)) in self._lost

    @property
    def without_line(self) -> int:
        some = self._captures.items()
        return sum(found.without_line for file, found in some if not self.is_lost(file))

    def _read(self, file: Path) -> str:
        size = length = file.stat().st_size
        if self._state is not None and file.name == self._state.name:
            length = self._state.length
        if size < length:
            raise ValueError(f"has {size} bytes, but {length} are recorded")
        captures = self._captures.setdefault(file.name, Captures())
        count = read_captures(file, length, captures)
        self._check(file, length)  # last: what is in a file says more of what is wrong with it
        self._records += count
        rest = f"; {size - length} bytes after the last commit will be cut off"
        return f"{count} records" + (rest if size > length else "")

    def _check(self, file: Path, length: int) -> None:
        """Is it as it was written? A commit says so of the last file, the manifest of others."""
        state, name = self._state, f"warc/{file.name}"
        if state is None or file.name != state.name:
            check_listed(self._manifest, name, file)
        elif state.check >= 0 and sum_file(file, name, length).crc32 != state.check:
            raise ValueError("is damaged: its checksum is wrong")


class Archives:
    """The WARC files of all partitions."""

    def __init__(self, looks: Sequence[ArchiveLook]) -> None:
        self._looks = looks
        self.doubts = Doubts()

    def captures(self, file: str) -> Captures:
        return next((look.captures(file) for look in self._looks if look.owns(file)), _NO_CAPTURES)

    def has_capture(self, file: str, offset: int) -> bool:
        """Is a capture there, for all we can tell?"""
        return self.is_lost(file) or self.captures(file).find(offset) is not None

    def is_lost(self, file: str) -> bool:
        return any(look.owns(file) and look.is_lost(file) for look in self._looks)

    @property
    def without_line(self) -> int:
        """Captures of readable files that no line of an index led to."""
        return sum(look.without_line for look in self._looks)


def read_captures(file: Path, length: int, captures: Captures) -> int:
    """Read every record in the first bytes of a file, and take in the captures; returns how many records."""
    count = 0
    for offset, size, record in _members(file, length):
        said = _check(record, offset, size)
        if said is not None:
            captures.add(offset, said)
        count += 1
    return count


def _members(file: Path, length: int) -> Iterator[tuple[int, int, bytes]]:
    """Each gzip member in the first `length` bytes, with where it begins and how long it is."""
    with file.open("rb") as stream:
        start, rest, left = 0, b"", length
        while rest or left:
            inflater = zlib.decompressobj(31)
            pieces, size = [], 0
            while not inflater.eof:
                if not rest:
                    rest = stream.read(min(_BLOCK, left))
                    left -= len(rest)
                if not rest:
                    raise ValueError(f"the member at byte {start} is cut short")
                try:
                    pieces.append(inflater.decompress(rest))
                except zlib.error as error:
                    raise ValueError(f"the member at byte {start} is damaged: {error}") from None
                size += len(rest) - len(inflater.unused_data)
                rest = inflater.unused_data
            yield start, size, b"".join(pieces)
            start += size


def _check(record: bytes, offset: int, size: int) -> CaptureSaid | None:
    """Is a record what it says? Returns what the index has to say about it, if it is a capture."""
    what = f"the record at byte {offset}"
    head, _, block = record.partition(b"\r\n\r\n")
    fields = dict(line.partition(b": ")[::2] for line in head.split(b"\r\n")[1:])
    if not head.startswith(b"WARC/") or not fields.get(b"Content-Length", b"").isdigit():
        raise ValueError(f"{what} is not a WARC record")
    length = int(fields[b"Content-Length"])
    if len(block) != length + 4:
        raise ValueError(f"{what} does not have the length in its header")
    wanted = fields.get(b"WARC-Block-Digest")
    if wanted and wanted != b"sha1:" + base32(sha1(block[:length]).digest()).encode():
        raise ValueError(f"{what} does not match its digest")
    if fields.get(b"WARC-Type") not in (b"response", b"revisit"):
        return None
    return _captured(head, fields, block, size)


def _captured(head: bytes, fields: dict[bytes, bytes], block: bytes, size: int) -> CaptureSaid:
    message = message_of(head, block)
    digest = fields.get(b"WARC-Payload-Digest", b"").decode("ascii", "replace")[5:]
    status, mime = "", REVISIT
    if not message.is_revisit:
        status, mime = str(message.status), message.headers.media_type or "unk"
        if not digest and status != NOT_MODIFIED:
            digest = base32(sha1(message.payload).digest())
    date = fields.get(b"WARC-Date", b"")[:19].translate(None, b"-T:").decode("ascii", "replace")
    url = fields.get(b"WARC-Target-URI", b"").decode("utf-8", "replace")
    return CaptureSaid(url, date, str(size), status, digest, mime)
