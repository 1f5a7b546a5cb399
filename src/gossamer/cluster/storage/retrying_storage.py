"""A storage that is asked again when it fails: networks and object stores have bad moments."""

import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar

from gossamer.cluster.storage.object_storage import RemoteStorageError, Storage

_Found = TypeVar("_Found")
PAUSES = (0.2, 0.5, 1.0, 2.0, 4.0, 8.0)
"""Seconds before each further try."""


class UnreachableError(RemoteStorageError):
    """Remote storage does not answer from here; from elsewhere it may."""


class RetryingStorage:
    """Tries again what failed, for some seconds; then says so in one line."""

    def __init__(self, storage: Storage, pause: Callable[[float], None] = time.sleep) -> None:
        self._storage = storage
        self._pause = pause
        self.url = storage.url

    def put(self, name: str, data: bytes) -> None:
        self._try(lambda: self._storage.put(name, data))

    def put_file(self, name: str, path: Path) -> None:
        self._try(lambda: self._storage.put_file(name, path))

    def get(self, name: str, start: int = 0, size: int | None = None) -> bytes:
        return self._try(lambda: self._storage.get(name, start, size))

    def names(self, folder: str) -> list[str]:
        return self._try(lambda: self._storage.names(folder))

    def delete(self, names: Iterable[str]) -> None:
        names = list(names)
        self._try(lambda: self._storage.delete(names))

    def delete_parts(self, folders: Iterable[str]) -> None:
        folders = list(folders)
        self._try(lambda: self._storage.delete_parts(folders))

    def _try(self, step: Callable[[], _Found]) -> _Found:
        for pause in PAUSES:
            try:
                return step()
            except (FileNotFoundError, RemoteStorageError):
                raise
            except Exception:  # each library of fsspec has errors of its own
                self._pause(pause)
        try:
            return step()
        except (FileNotFoundError, RemoteStorageError):
            raise
        except Exception as error:
            said = " ".join(str(error).split()) or type(error).__name__
            raise UnreachableError(f"{self.url} cannot be used: {said}") from error
