"""The key of a crawl for programs: in a file that only the owner of the crawl can read."""

import os
import secrets
from contextlib import suppress
from pathlib import Path

NAME = "dashboard.key"


def read_key(state: Path) -> tuple[str, Path | None]:
    """The key, and the file that has it; None when none can be written, and the key is known to nobody.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     key, path = read_key(Path(folder))
    ...     oct(path.stat().st_mode & 0o777), read_key(Path(folder)) == (key, path), len(key) > 40
    ('0o600', True, True)
    """
    path, key = state / NAME, secrets.token_urlsafe(32)
    with suppress(FileExistsError, OSError):
        made = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_NOFOLLOW, 0o600)
        with os.fdopen(made, "w") as file:
            file.write(f"{key}\n")
        return key, path
    return _read(path) or (key, None)


def _read(path: Path) -> tuple[str, Path] | None:
    """A key that is there, if nobody else can have read or written it."""
    try:
        with os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW)) as file:
            about = os.fstat(file.fileno())
            is_own = about.st_uid == os.geteuid() and not about.st_mode & 0o077
            key = file.readline().strip()
    except (OSError, UnicodeDecodeError):
        return None
    return (key, path) if is_own and len(key) >= 32 else None
