"""Open remote storage by its URL: a folder, or a bucket of an object store.

All that is asked of a storage is here: whole objects are put, parts of them are read, names are listed,
objects are deleted. None of them is ever changed, so every object store will do.
"""

import os
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from shutil import copyfileobj
from typing import Any, BinaryIO, Protocol
from urllib.parse import unquote, urlsplit

from gossamer.core.disk.disk_files import delete, durable, write_whole
from gossamer.core.errors import GossamerError


class RemoteStorageError(GossamerError):
    """Remote storage cannot be used, or what is kept there is not what was put there."""


class MissingError(RemoteStorageError):
    """Something is not there that was there when it was looked up, or should be."""


class Storage(Protocol):
    """Objects by name. Names are paths without a slash at the beginning."""

    url: str

    def put(self, name: str, data: bytes) -> None:
        """Keep an object, instead of a former one of this name. It is durable when this returns."""

    def put_file(self, name: str, path: Path) -> None:
        """The same with what is in a file."""

    def get(self, name: str, start: int = 0, size: int | None = None) -> bytes:
        """An object, or a part of it; `FileNotFoundError` when there is none."""

    def names(self, folder: str) -> list[str]:
        """The names of all objects in a folder, in order; none when there is no such folder."""

    def delete(self, names: Iterable[str]) -> None:
        """Let objects go, if they are there."""

    def delete_parts(self, folders: Iterable[str]) -> None:
        """Let go what uploads have left that were killed, in these folders (the first may be the root, "").

        Nobody else may be sending anything there.
        """


class FolderStorage:
    """A folder of this machine, or of a file system that all machines share.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     storage = FolderStorage(Path(folder))
    ...     storage.put("state/00000/first", b"hello")
    ...     storage.get("state/00000/first", 1, 3), storage.names("state/00000")
    (b'ell', ['state/00000/first'])
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self.url = str(path)

    def put(self, name: str, data: bytes) -> None:
        write_whole(self._place(name), lambda file: file.write(data), durable())

    def put_file(self, name: str, path: Path) -> None:
        with open(path, "rb") as source:

            def write(file: BinaryIO) -> None:
                mode = os.fstat(file.fileno()).st_mode & os.fstat(source.fileno()).st_mode
                os.fchmod(file.fileno(), mode & 0o777)
                copyfileobj(source, file)

            write_whole(self._place(name), write, durable())

    def get(self, name: str, start: int = 0, size: int | None = None) -> bytes:
        with open(self._path / name, "rb") as file:
            file.seek(start)
            return file.read() if size is None else file.read(size)

    def names(self, folder: str) -> list[str]:
        path = self._path / folder
        if not path.is_dir():
            return []
        inside = (one.name for one in path.iterdir() if one.is_file())
        return sorted(f"{folder}/{name}" for name in inside if not name.startswith("."))

    def delete(self, names: Iterable[str]) -> None:
        for name in names:
            delete(self._path / name)

    def delete_parts(self, folders: Iterable[str]) -> None:
        for folder in folders:
            path = self._path / folder
            for part in path.glob(".*.tmp") if not folder else path.rglob(".*.tmp"):
                delete(part)

    def _place(self, name: str) -> Path:
        path = self._path / name
        if not path.parent.is_dir():
            self._make(path.parent)
        return path

    def _make(self, folder: Path) -> None:
        """Make a folder; no power cut takes its name away again."""
        folder.mkdir(parents=True, exist_ok=True)
        for parent in (folder, *folder.parents):
            durable().sync_folder(parent)
            if parent == self._path.parent:
                return


class RemoteStorage:
    """An object store, by any of the file systems that fsspec knows."""

    def __init__(self, url: str, system: Any, root: str) -> None:
        self.url = url
        self._system = system
        self._root = root.rstrip("/")

    def put(self, name: str, data: bytes) -> None:
        self._system.pipe_file(f"{self._root}/{name}", data)

    def put_file(self, name: str, path: Path) -> None:
        self._system.put_file(str(path), f"{self._root}/{name}")

    def get(self, name: str, start: int = 0, size: int | None = None) -> bytes:
        end = None if size is None else start + size
        found: bytes = self._system.cat_file(f"{self._root}/{name}", start=start, end=end)
        return found

    def names(self, folder: str) -> list[str]:
        self._system.invalidate_cache()
        found: list[str] = []
        with suppress(FileNotFoundError):
            found = self._system.ls(f"{self._root}/{folder}", detail=False)
        return sorted(f"{folder}/{path.rstrip('/').rpartition('/')[2]}" for path in found)

    def delete(self, names: Iterable[str]) -> None:
        for name in names:
            with suppress(FileNotFoundError):
                self._system.rm_file(f"{self._root}/{name}")

    def delete_parts(self, folders: Iterable[str]) -> None:
        """Other stores than S3 show no object before it is whole, and keep no parts, as far as is known."""
        if isinstance(self._system.protocol, tuple | list) and "s3" in self._system.protocol:
            self._abort_uploads([f"{folder}/" if folder else "" for folder in folders])

    def _abort_uploads(self, folders: Sequence[str]) -> None:
        """S3 keeps the parts of an upload, and asks money for them, until it is completed or aborted."""
        bucket, _, prefix = self._root.partition("/")
        for upload in self._system.list_multipart_uploads(bucket):
            key = upload["Key"]
            name = key.removeprefix(f"{prefix}/") if prefix else key
            is_ours = key.startswith(f"{prefix}/") or not prefix
            if is_ours and _is_in(name, folders):
                place = {"Bucket": bucket, "Key": key, "UploadId": upload["UploadId"]}
                self._system.call_s3("abort_multipart_upload", **place)


def _is_in(name: str, folders: Iterable[str]) -> bool:
    """
    >>> _is_in("warc/a", ["", "warc/"]), _is_in("a", ["", "warc/"]), _is_in("index/a", ["", "warc/"])
    (True, True, False)
    """
    return any(name.startswith(folder) if folder else "/" not in name for folder in folders)


def is_storage_url(text: str) -> bool:
    """Is it the URL of remote storage, and not the path of a directory?

    >>> is_storage_url("s3://bucket/crawl"), is_storage_url("crawls/example")
    (True, False)
    """
    return "://" in text


def open_storage(url: str) -> Storage:
    """The storage that a URL names; `RemoteStorageError` when it cannot be used."""
    parts = urlsplit(url)
    if parts.password:
        raise RemoteStorageError(
            f"{parts.scheme}://{parts.hostname} contains a password, which settings and logs would "
            "show; set it where the library for this storage looks, such as AWS_SECRET_ACCESS_KEY"
        )
    if parts.scheme == "file":
        if parts.netloc not in ("", "localhost") or not parts.path.strip("/"):
            raise RemoteStorageError(f"{url} names no folder; write file:///PATH")
        return FolderStorage(Path(unquote(parts.path)))
    if not parts.netloc:
        raise RemoteStorageError(
            f"{url} is not complete; write e.g. file:///PATH or s3://BUCKET/PATH"
        )
    return _open_remote(url)


def _open_remote(url: str) -> Storage:
    try:
        import fsspec
    except ImportError:
        raise RemoteStorageError(
            f"{url} needs the library fsspec; install it: pip install 'gossamer[storage]'"
        ) from None
    try:
        system, root = fsspec.core.url_to_fs(url)
    except ImportError as error:
        raise RemoteStorageError(
            f"{url} needs another library: {error}; S3: pip install 'gossamer[storage]'"
        ) from None
    except ValueError as error:
        raise RemoteStorageError(f"{url} cannot be used: {error}") from None
    return RemoteStorage(url, system, root)
