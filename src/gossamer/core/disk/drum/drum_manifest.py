"""The checkpoint of a DRUM: names and lengths of the files that make up its state."""

from collections.abc import Iterator

import msgspec
from msgspec import Struct

from gossamer.core.disk.drum.repository import Generation


class EpochMark(Struct, frozen=True, array_like=True):
    """An epoch that was not yet merged."""

    number: int
    length: int
    """Of its log, in bytes."""


class AnsweredMark(Struct, frozen=True, array_like=True):
    """An epoch that was merged and has answers left to give."""

    number: int
    length: int
    offset: int
    """Where in the log the next answers are."""
    next: tuple[int, ...]
    """For each bucket, its next answer."""
    checksum: int
    """Of the file with all answers."""


class Manifest(Struct, frozen=True, kw_only=True):
    """The state of a DRUM."""

    record: str
    """How an operation lies on disk; it must not have changed."""
    buckets: int
    is_resident: bool
    operations: int
    generation: Generation | None
    waiting: tuple[EpochMark, ...] = ()
    """The epoch that is being merged, if there is one, and the one being filled."""
    answered: tuple[AnsweredMark, ...] = ()

    def files(self) -> Iterator[str]:
        """The names of all files it takes to go back to this state."""
        if self.generation is not None:
            yield self.generation.name
        for mark in self.waiting:
            yield log_name(mark.number)
        for answered in self.answered:
            yield log_name(answered.number)
            yield answers_name(answered.number)


def log_name(epoch: int) -> str:
    return f"epoch-{epoch:08d}.log"


def answers_name(epoch: int) -> str:
    return f"epoch-{epoch:08d}.answers"


def encode(manifest: Manifest) -> bytes:
    return msgspec.msgpack.encode(manifest)


def decode(data: bytes) -> Manifest:
    return msgspec.msgpack.decode(data, type=Manifest)
