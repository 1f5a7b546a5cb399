"""Seeds as the command line is given them: arguments, files, standard input, each with its place."""

import sys
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from gossamer.core.errors import SeedError
from gossamer.core.request import is_request_line


class SeedLine(NamedTuple):
    text: str
    place: str = ""
    """The file and the line; empty for an argument."""


def gather_seeds(arguments: Iterable[str], file: Path | None) -> list[SeedLine]:
    """All seeds; of files without comments and empty lines."""
    found: list[SeedLine] = []
    for argument in arguments:
        found += _read(Path("-")) if argument == "-" else [SeedLine(argument)]
    return found + list(_read(file)) if file is not None else found


def _read(file: Path) -> Iterator[SeedLine]:
    name = "standard input" if str(file) == "-" else str(file)
    for number, line in enumerate(_decode(file, name).splitlines(), start=1):
        # The body of a request may have " #" in it, so such a line has no comment.
        text = (line if is_request_line(line) else line.partition(" #")[0]).strip()
        if text and not text.startswith("#"):
            yield SeedLine(text, f"{name}, line {number}")


def _decode(file: Path, name: str) -> str:
    try:
        data = sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
    except OSError as error:
        raise SeedError(f"seed file {name} cannot be read: {error.strerror}") from None
    data = data.removeprefix(BOM_UTF8)  # some editors begin a file with it
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        number = data.count(b"\n", 0, error.start) + 1
        raise SeedError(
            f"{name}, line {number}: this is not UTF-8; save the file as UTF-8"
        ) from None
