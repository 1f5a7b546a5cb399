"""The secret that both ends of a line know: a file that was copied to all machines."""

import os
from pathlib import Path
from secrets import token_hex

from gossamer.core.errors import GossamerError

_SHORTEST = 32


def make_secret(path: Path) -> bytes:
    """Read the secret in a file; one that is not there is made, for its owner only."""
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return read_secret(path)
    except OSError as error:
        raise GossamerError(f"{path} cannot be written: {error.strerror}; choose another") from None
    with os.fdopen(descriptor, "w") as file:
        file.write(f"{token_hex(32)}\n")
    return read_secret(path)


def read_secret(path: Path) -> bytes:
    try:
        secret = path.read_bytes().strip()
    except OSError as error:
        raise GossamerError(
            f"{path} cannot be read: {error.strerror}; gossamer shards makes such a file, copy it here"
        ) from None
    if len(secret) < _SHORTEST:
        raise GossamerError(f"{path} has fewer than {_SHORTEST} characters; write a longer secret")
    return secret
