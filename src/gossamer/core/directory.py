"""A crawl directory: who may use it, and what is in it."""

import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import BinaryIO

from gossamer.core import settings_file as recipe
from gossamer.core.crawl_identity import (
    check_manifest_belongs,
    identity_of,
    read_last_line,
    with_last_line,
)
from gossamer.core.disk.disk_files import Draft, delete, rename, sync_folder, write_whole
from gossamer.core.disk.disk_manifest import MANIFEST, crawl_named_in
from gossamer.core.disk.lock import InUseError, Lock
from gossamer.core.errors import DamageError, DirectoryError, GossamerError
from gossamer.core.request import is_request_line
from gossamer.core.secret_settings import (
    MODE,
    SECRETS,
    keep_private,
    secrets_of,
    without_secrets,
)
from gossamer.core.settings import Settings

_CONTENTS = (
    *("warc", "pages", "links", "items", "copies", "text", "graph", "index", "report", "log"),
    *(SECRETS, "state"),
)
"""What is in it beside `crawl.toml`; the state is the last to go."""
_PARTITION = re.compile("[0-9]{5}")
_DRAFT = ".crawl.toml.tmp"
"""What `crawl.toml` is called until it is whole."""
_DRAFTS = (_DRAFT, f".{SECRETS}.tmp")
_UNDONE = ".crawl.toml.undone"
"""What it is called while a crawl that could not begin is deleted."""
COPIED_FROM = ".copied-from"
"""Where it is copied from, as long as the copy is not complete."""


def partition_name(number: int) -> str:
    """The name of a partition's folder; names of its other files have it too.

    >>> partition_name(7)
    '00007'
    """
    return f"{number:05}"


_EARLIER = Path("state", "00000", "harvest")
"""A folder that crawl directories of earlier versions have."""


def check_is_crawl(path: Path) -> None:
    """Complain of a path that is no crawl directory, or one with the layout of earlier versions."""
    if (path / _EARLIER).is_dir():
        raise DirectoryError(
            f"{path} was made by an earlier version of Gossamer; read it with that version, or crawl again"
        )
    if not (path / "crawl.toml").exists():
        if (path / COPIED_FROM).is_file():
            url = (path / COPIED_FROM).read_text("utf-8").strip()
            raise DirectoryError(
                f"{path} is an incomplete copy from {url}; complete it: gossamer resume {url} -o {path}"
            )
        raise DirectoryError(f"{path} holds no crawl; give the directory that was named with -o")


class Directory:
    """The folder of one crawl, held by one process at a time. Use it with `with`, or `close` it."""

    def __init__(self, path: Path, partition: int = 0, crawl: str = "") -> None:
        """`crawl` is its identity, as long as there is no `crawl.toml`."""
        self.path = path
        self.partition = partition
        self._lock = Lock(path / "state" / "lock")
        self._crawl = crawl

    @property
    def state(self) -> Path:
        """The folder of a partition's private state."""
        return self.path / "state" / partition_name(self.partition)

    @property
    def inbox(self) -> Path:
        """The folder of announced URLs, for all partitions."""
        return self.path / "state" / "inbox"

    @property
    def control(self) -> Path:
        """The folder of the command journal."""
        return self.path / "state" / "control"

    @property
    def crawl(self) -> str:
        """The identity of the crawl."""
        return self._crawl or identity_of(self.path)

    @property
    def partitions(self) -> int:
        """The number of partitions, by their folders."""
        return len(list((self.path / "state").glob("[0-9]" * 5)))

    @property
    def status(self) -> Path:
        return self.path / "state" / "status.json"

    @property
    def timeline(self) -> Path:
        """The file with the history of the status figures."""
        return self.path / "state" / "timeline"

    @property
    def log(self) -> Path:
        """The folder of the log, with a line for each event."""
        return self.path / "log"

    @property
    def is_taken(self) -> bool:
        """Does this object hold the lock?"""
        return self._lock.is_held

    @property
    def holds_crawl(self) -> bool:
        return (self.path / "crawl.toml").exists()

    def create(self, settings: Settings, begin: Callable[[Path], None], crawl: str = "") -> None:
        """Make the directory of the crawl with this identity; one that holds anything is left alone.

        `begin` is called with each partition's folder. Only then the directory is one of a crawl, so that
        what it makes is always there; when the disk refuses, nothing is left behind.
        """
        path = self.path
        if self.holds_crawl:
            raise DirectoryError(
                f'{path} holds a crawl; continue it: gossamer.Crawl.resume("{path}"), or replace it: '
                f'gossamer.Crawl(…, out="{path}", exists="replace")'
            )
        if path.exists() and not (path.is_dir() and (self._is_vacant or self._is_half_undone)):
            raise DirectoryError(f"{path} exists and is not empty; choose another directory for -o")
        try:
            self.state.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise DirectoryError(
                f"{path} cannot be created: {error.strerror}; choose another -o"
            ) from None
        self._take()
        try:
            if self._is_half_undone:
                self._empty()
                delete(path / _UNDONE)
            for folder in self._renew_folders(max(1, settings.crawl.partitions)):
                begin(folder)
            self._crawl = crawl
            self.write_settings(settings)
        except BaseException:
            self.remove()
            raise

    def open(self) -> Settings:
        """Take an existing crawl directory; returns the settings it was run with."""
        check_is_crawl(self.path)
        self.state.mkdir(parents=True, exist_ok=True)
        self._take()
        try:
            return self._read_settings()
        except BaseException:
            self.close()
            raise

    def look(self) -> Settings:
        """The settings of a crawl that may be running."""
        check_is_crawl(self.path)
        return self._read_settings()

    def _read_settings(self) -> Settings:
        self._mend_modes()
        settings = recipe.read(self.path / "crawl.toml")
        is_of_now = (self.state / "checkpoint").exists()  # else the ledger says what it is
        if is_of_now and read_last_line(self.recipe.encode()) is None:
            said = "is cut short: its last line, with the identity of the crawl, is missing"
            raise DamageError(self.path / "crawl.toml", said)
        for manifest in sorted(self.path.glob(f"state/{'[0-9]' * 5}/output/{MANIFEST}")):
            check_manifest_belongs(self.path, manifest, crawl_named_in(manifest))
        return settings

    @property
    def is_changed_by_hand(self) -> bool:
        """Is `crawl.toml` not what was written last?"""
        text = self.recipe.encode()
        last = read_last_line(text)
        return last is not None and not last.is_of(text)

    def _mend_modes(self) -> None:
        """Earlier versions had secrets in `crawl.toml`, and copies of it that everybody could read."""
        keep_private(self.path / SECRETS)
        with suppress(
            GossamerError, OSError, ValueError
        ):  # what is wrong with it is said elsewhere
            if recipe.holds_secrets(self.recipe):
                keep_private(self.path / "crawl.toml")

    @property
    def lacks_secrets(self) -> bool:
        """Are there secret settings that are not here, or that another user owns?"""
        named = recipe.names_secrets(self.path / "crawl.toml")
        return bool(named) and not os.access(self.path / named, os.R_OK)

    @property
    def recipe(self) -> str:
        """The settings as they were written down, without the secret ones."""
        return (self.path / "crawl.toml").read_text("utf-8")

    def write_recipe(self, text: str) -> None:
        """Write `crawl.toml` as it is elsewhere. That of an earlier version may have secrets in it."""
        is_secret = recipe.holds_secrets(text)

        def write(file: BinaryIO) -> None:
            if is_secret:
                os.fchmod(file.fileno(), MODE)
            file.write(text.encode())

        write_whole(self.path / "crawl.toml", write)

    def write_settings(self, settings: Settings) -> None:
        """Replace `crawl.toml` and the file of secret settings, if anything in them changes."""
        secrets = secrets_of(settings)
        if secrets:
            self._write_secrets(recipe.write_section("fetch", secrets).encode())
        if self._recipe_of(settings) != self._recipe_there:
            self.draft_settings(settings).publish()
        if not secrets and (self.path / SECRETS).exists():
            delete(self.path / SECRETS)

    def _write_secrets(self, text: bytes) -> None:
        """Before `crawl.toml`, which names it."""

        def write(file: BinaryIO) -> None:
            os.fchmod(file.fileno(), MODE)
            file.write(text)

        path = self.path / SECRETS
        if not path.exists() or path.read_bytes() != text:
            write_whole(path, write)

    def draft_settings(self, settings: Settings) -> Draft:
        """Another `crawl.toml`, which has not its name yet. It has no secret settings."""
        text, is_private = (
            self._recipe_of(settings),
            any(map(is_request_line, settings.crawl.seeds)),
        )

        def write(file: BinaryIO) -> None:
            if is_private:  # bodies of requests may have secrets
                os.fchmod(file.fileno(), MODE)
            file.write(text)

        return Draft(self.path / "crawl.toml", write)

    def _recipe_of(self, settings: Settings) -> bytes:
        return with_last_line(recipe.write(without_secrets(settings)), self.crawl)

    @property
    def _recipe_there(self) -> bytes | None:
        path = self.path / "crawl.toml"
        return path.read_bytes() if path.exists() else None

    @property
    def is_in_use(self) -> bool:
        """Does a process crawl here at the moment?"""
        return self._lock.is_taken

    @property
    def crawler(self) -> int:
        """The process that crawls here, or 0."""
        return self._lock.taker

    @property
    def _is_vacant(self) -> bool:
        """Is nothing here, or only the rest of a start that was killed?"""
        inside = {path.name for path in (self.path / "state").glob("*")} - {"lock"}
        return self._names <= {"state", SECRETS, *_DRAFTS} and all(
            map(_PARTITION.fullmatch, inside)
        )

    @property
    def _is_half_deleted(self) -> bool:
        """Was the deletion of a crawl killed here? Its lock goes last."""
        return self._names <= {*_CONTENTS, *_DRAFTS} and (self.path / "state" / "lock").is_file()

    @property
    def _is_half_undone(self) -> bool:
        """Was the deletion of a crawl that could not begin killed here?

        A power cut may give the draft its name back.
        """
        return _UNDONE in self._names <= {*_CONTENTS, _UNDONE, *_DRAFTS}

    @property
    def _names(self) -> set[str]:
        return {path.name for path in self.path.iterdir()}

    def clear(self) -> None:
        """Delete a crawl, or the rest of one, if there is any; not beside files of others."""
        if not self.holds_crawl and not (self.path.is_dir() and self._is_half_deleted):
            return
        if strangers := sorted(self._names - {"crawl.toml", COPIED_FROM, *_DRAFTS, *_CONTENTS}):
            raise DirectoryError(
                f"{self.path} holds a crawl and {strangers[0]}, which does not belong to it; nothing "
                "was changed: move it elsewhere, or choose another directory for -o"
            )
        with Directory(self.path) as taken:
            taken.state.mkdir(parents=True, exist_ok=True)
            taken._take()
            for name in ("crawl.toml", COPIED_FROM, *_DRAFTS):
                delete(self.path / name)
            self._empty()
            delete(self.path / "state")

    def remove(self) -> None:
        """Undo `create`, for a crawl that could not begin.

        It has another name first, so that a kill meanwhile leaves no half of a crawl behind, and
        nothing that is in the way of the next.
        """
        if self.holds_crawl:
            rename(self.path / "crawl.toml", self.path / _UNDONE)
            sync_folder(self.path)
        self._empty()
        delete(self.path)
        self.close()

    def _empty(self) -> None:
        """Delete what a crawl has made, but for its settings and its lock; no power cut brings it back."""
        state = self.path / "state"
        inside = (one for one in state.glob("*") if one.name != "lock")
        for path in (*(self.path / name for name in _CONTENTS[:-1]), *inside):
            delete(path)
        for folder in (state, self.path):
            if folder.is_dir():
                sync_folder(folder)

    def close(self) -> None:
        self._lock.release()

    def _renew_folders(self, count: int) -> list[Path]:
        """Make the folders of a new crawl's partitions; those of a killed start are deleted."""
        state = self.path / "state"
        for left_behind in state.glob("[0-9]" * 5):
            delete(left_behind)
        folders = [state / partition_name(number) for number in range(count)]
        for folder in folders:
            folder.mkdir()
        return folders

    def _take(self) -> None:
        try:
            self._lock.take()
        except InUseError as error:
            raise DirectoryError(f"{self.path} is in use by {_name(error.pid)}") from None

    def __enter__(self) -> "Directory":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


class FolderInUseError(DirectoryError):
    """Another process makes this folder of a crawl directory."""


@contextmanager
def locked_folder(path: Path, name: str) -> Iterator[None]:
    """Be the only one who makes a folder of a crawl directory, such as `text`; the crawl may be running."""
    lock = _lock_for(path, name)
    try:
        lock.take()
    except InUseError as error:
        raise FolderInUseError(f"{path / name} is in use by {_name(error.pid)}") from None
    try:
        yield
    finally:
        lock.release()


def wait_for(path: Path, name: str) -> None:
    """Wait until no process makes that folder. One may begin right after."""
    _lock_for(path, name).wait()


def _lock_for(path: Path, name: str) -> Lock:
    return Lock(path / "state" / f"{name.replace('/', '-')}.lock")


def _name(pid: int) -> str:
    """Name the user of a directory, and the remedy."""
    if pid == os.getpid():
        return "another crawl of this program that has not ended; call its close()"
    if pid:
        return f"process {pid}; wait for it or stop it"
    return (
        "processes that are still ending, or that run in another container or on another machine; "
        "wait for them or stop them"
    )
