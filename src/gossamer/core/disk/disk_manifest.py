"""A manifest of files: how long each is, and its checksum.

A writer of files that others read keeps one: `_files.jsonl`, a line of JSON for each file, written when
the file is complete. A later line of the same file replaces an earlier one. The leading underscore keeps
programs away that read all tables of a folder.

    state/00000/output/_files.jsonl   WARC files and tables of a partition
    warc/_files.jsonl                  the index, which all partitions have in common
    text/_files.jsonl                  the table of texts
    index/00000/_files.jsonl           a shard of the text index

While files are being made, a manifest may be *open*: then files that it does not name are as good as those it
names, and of one that is about to be replaced it names both versions. A folder without a manifest was made by
an earlier version of Gossamer: it can be read, and nothing is known of its bytes.

Checksums are CRC-32, as in gzip and zip: one can be continued where it was left off, so that files which grow
have theirs at each commit. A byte costs 0.03 ns.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

import msgspec
from isal import isal_zlib
from msgspec import UNSET, Struct, UnsetType

from gossamer.core.disk.disk_files import (
    AppendOnlyFile,
    Draft,
    System,
    check_length,
    joined,
    open_file,
    write_whole,
)
from gossamer.core.errors import DamageError, DirectoryError

MANIFEST = "_files.jsonl"

_PIECE = 1 << 20
_READ_WHOLE = 64 << 20
"""Bytes: of a larger file readers look at the size only. `gossamer verify` reads all."""
_LOOKS = 5

Complaint = Callable[[Path, str], DirectoryError]
"""Makes the error to raise of a file that is not as it was made."""


class FileEntry(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A file, as it was when it was complete."""

    file: str
    bytes: int
    crc32: int


class _Line(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A file, one that is gone, whether the manifest is open, or of which crawl it is."""

    file: str = ""
    bytes: int = -1
    crc32: int = 0
    open: bool | UnsetType = UNSET
    crawl: str = ""

    @property
    def is_gone(self) -> bool:
        return self.bytes < 0


_decode = msgspec.json.Decoder(_Line).decode
_encode = msgspec.json.Encoder().encode


class FileManifest:
    """The entries of a manifest."""

    def __init__(self, path: Path, lines: Iterable[_Line]) -> None:
        self.path = path
        self.is_open = False
        self.crawl = ""
        """The identity of the crawl, if the manifest says it."""
        self._versions: dict[str, list[FileEntry]] = {}
        for line in lines:
            self._take(line)

    def __contains__(self, name: str) -> bool:
        return name in self._versions

    @property
    def names(self) -> list[str]:
        return sorted(self._versions)

    def below(self, folder: str) -> list[str]:
        """The files of a folder."""
        return [name for name in self.names if name.startswith(f"{folder}/")]

    def versions(self, name: str) -> list[FileEntry]:
        """The allowed versions of a file: the last entry, or the one before while it is being replaced."""
        return self._versions[name]

    def _take(self, line: _Line) -> None:
        if line.crawl:
            self.crawl = line.crawl
        elif line.open is not UNSET:
            self.is_open = line.open
            if not self.is_open:
                self._versions = {name: some[-1:] for name, some in self._versions.items()}
        elif line.is_gone:
            self._versions.pop(line.file, None)
        else:
            before = self._versions.get(line.file, []) if self.is_open else []
            entry = FileEntry(file=line.file, bytes=line.bytes, crc32=line.crc32)
            self._versions[line.file] = [*before, entry]


def crawl_named_in(path: Path) -> str:
    """The identity of the crawl that the first line of a manifest names; empty when there is none."""
    with suppress(OSError, ValueError), path.open("rb") as file:
        return _decode(file.readline()).crawl
    return ""


class ManifestState(Struct, frozen=True, array_like=True):
    """The state needed to continue a manifest."""

    length: int = 0
    check: int = 0


NEW = ManifestState()


def read_recorded(path: Path, state: ManifestState) -> FileManifest:
    """A manifest as a commit has it; `DamageError` when it is not what was written."""
    check_length(path, state.length)
    with path.open("rb") as file:
        data = file.read(state.length)
    if isal_zlib.crc32(data) != state.check:
        raise DamageError(path, "is damaged: its checksum is wrong")
    return FileManifest(path, map(_decode, data.splitlines()))


def read_manifest(path: Path) -> FileManifest | None:
    """The manifest in a file; None when there is none. What a crash cut off in its last line is left out."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return None
    whole, _, _ = data.rpartition(b"\n")
    try:
        return FileManifest(path, map(_decode, whole.split(b"\n") if whole else ()))
    except ValueError:  # of msgspec, or text that is not UTF-8
        raise DamageError(path, "is damaged: one of its lines is not a manifest entry") from None


class ManifestWriter:
    """Adds to a manifest: `commit` makes all lines durable; those that come after its state are cut off."""

    def __init__(self, path: Path, state: ManifestState = NEW, crawl: str = "") -> None:
        """Go on with a manifest, or begin that of a crawl with this identity."""
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = AppendOnlyFile(path, state.length, state.check)
        if crawl and not state.length:
            self._append(_Line(crawl=crawl))

    def add(self, entry: FileEntry) -> None:
        """A file is complete, or as it will be in a moment if the manifest is open."""
        self._append(_Line(file=entry.file, bytes=entry.bytes, crc32=entry.crc32))

    def write_out(self) -> None:
        """Let readers see all lines; a crash of the machine may still take them."""
        self._file.write_out()

    def drop(self, name: str) -> None:
        """A file goes."""
        self._append(_Line(file=name))

    def mark(self, *, is_open: bool) -> None:
        """Are files being made?"""
        self._append(_Line(open=is_open))

    def commit(self) -> ManifestState:
        """Make all lines durable; returns what leads back to them."""
        self._file.sync()
        return ManifestState(self._file.length, self._file.check or 0)

    def close(self) -> None:
        self._file.close()

    def _append(self, line: _Line) -> None:
        self._file.append([_encode(line) + b"\n"])


def write_manifest(
    path: Path,
    entries: Iterable[FileEntry],
    *,
    is_open: bool = False,
    crawl: str = "",
    on: System | None = None,
) -> None:
    """Write a manifest as a whole."""
    lines = [_Line(crawl=crawl)] if crawl else []
    lines += [_Line(open=True)] if is_open else []
    lines += [
        _Line(file=file_entry.file, bytes=file_entry.bytes, crc32=file_entry.crc32)
        for file_entry in entries
    ]
    data = b"".join(_encode(line) + b"\n" for line in lines)
    write_whole(path, lambda file: file.write(data), on)


def replace_listed(
    path: Path, write: Callable[["Summing"], object], on: System | None = None
) -> None:
    """Replace the one file that the manifest of its folder names; nobody else does at the same time.

    A reader meanwhile, or after a crash in between, finds one of two versions that are both named.
    """
    manifest, made = path.parent / MANIFEST, list[Summing]()

    def fill(file: BinaryIO) -> None:
        made[:] = [Summing(file)]
        write(made[0])

    draft = Draft(path, fill, on)
    entry = made[0].entry(path.name)
    before = [sum_file(path, path.name)] if path.is_file() else []
    write_manifest(manifest, [*before, entry], is_open=True, on=on)
    draft.publish()
    write_manifest(manifest, [entry], on=on)


# Checksums.


class Summing:
    """A file that is written to, whose length and checksum are known in the end."""

    def __init__(self, into: BinaryIO) -> None:
        self._into = into
        self._size = self._check = 0
        self.closed = False

    def write(self, data: bytes | memoryview) -> int:
        self._check = isal_zlib.crc32(data, self._check)
        count = memoryview(data).nbytes
        self._size += count
        self._into.write(data)
        return count

    def writelines(self, lines: Iterable[bytes]) -> None:
        for part in joined(lines):
            self.write(part)

    def tell(self) -> int:
        return self._size

    def flush(self) -> None:
        self._into.flush()

    def entry(self, name: str) -> FileEntry:
        return FileEntry(file=name, bytes=self._size, crc32=self._check)


def write_summed(path: Path, name: str, write: Callable[[Summing], object]) -> FileEntry:
    """`write_whole`; returns what a manifest says of the file under this name."""
    made: list[Summing] = []

    def fill(file: BinaryIO) -> None:
        made[:] = [Summing(file)]
        write(made[0])

    write_whole(path, fill)
    return made[0].entry(name)


def sum_file(path: Path, name: str, length: int | None = None) -> FileEntry:
    """Make the manifest entry of a file, or of its first bytes, by reading it."""
    size = check = 0
    with open_file(path) as file:
        while piece := file.read(_PIECE if length is None else min(_PIECE, length - size)):
            size += len(piece)
            check = isal_zlib.crc32(piece, check)
    return FileEntry(file=name, bytes=size, crc32=check)


# Checks.


def check_files(
    root: Path,
    manifest: FileManifest,
    names: Iterable[str],
    complain: Complaint = DamageError,
    *,
    is_whole: bool = False,
) -> None:
    """Raise the first complaint of these files, if one is not there or not as it was made.

    Each is as long as it was; and if it is small, or `is_whole`, all its bytes are what they were.
    """
    for name in names:
        if said := describe_damage(root / name, manifest.versions(name), is_whole=is_whole):
            raise complain(root / name, said)


def describe_damage(path: Path, versions: Iterable[FileEntry], *, is_whole: bool = False) -> str:
    """Describe the damage of a file; None if it matches one of these entries."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return "is missing"
    if not path.is_file():
        return "is not a file"
    alike = [version for version in versions if version.bytes == found.st_size]
    if not alike:
        sizes = " or ".join(str(version.bytes) for version in versions)
        return f"has {found.st_size} bytes, but {sizes} were written to it"
    if found.st_size > _READ_WHOLE and not is_whole:
        return ""
    stamp = (found.st_ino, found.st_mtime_ns, found.st_ctime_ns, found.st_size)
    known = _summed.get(path)
    check = known[1] if known and known[0] == stamp and not is_whole else _crc_of(path)
    _summed[path] = stamp, check
    return (
        ""
        if any(file_entry.crc32 == check for file_entry in alike)
        else "is damaged: its checksum is wrong"
    )


def _crc_of(path: Path) -> int:
    return sum_file(path, "").crc32


_summed: dict[Path, tuple[tuple[int, ...], int]] = {}
"""Files that this process has read, as they were, and their checksums."""


def look_again(look: Callable[[], None], stamp: Callable[[], object]) -> None:
    """Look until it holds, or until what it was compared with stays the same: a writer may be at work."""
    for _ in range(_LOOKS):
        before = stamp()
        try:
            return look()
        except (DirectoryError, OSError):
            if stamp() == before:
                raise
    look()


def stamps(paths: Iterable[Path]) -> Iterator[tuple[int, ...] | None]:
    """By which it is seen whether files have changed."""
    for path in paths:
        try:
            found = path.stat()
        except OSError:
            yield None
            continue
        yield found.st_ino, found.st_size, found.st_mtime_ns


def entries_of(manifest: FileManifest) -> Mapping[str, FileEntry]:
    """The last version of each file."""
    return {name: manifest.versions(name)[-1] for name in manifest.names}
