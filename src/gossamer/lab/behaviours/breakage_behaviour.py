"""Answers that break on their way: reset, cut short, wrongly chunked, wrongly measured."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from gossamer.lab import response_transfer
from gossamer.lab.behaviours.behaviour import Leaf, LeafBehaviour
from gossamer.lab.url_answer import Answer

if TYPE_CHECKING:
    from gossamer.lab.simulated_web import Web


class _Breakage(LeafBehaviour):
    transfers: ClassVar[dict[str, response_transfer.VirtualTransfer]]
    every: int = 40

    def leaf(self, web: Web, site: int, index: int, folder: str) -> Answer:
        return Answer(site, index, folder, transfer=self.transfers[folder])


@dataclass(frozen=True)
class Reset(_Breakage):
    """The connection is reset instead of an answer."""

    name: ClassVar[str] = "reset"
    folders: ClassVar[tuple[str, ...]] = ("reset",)
    leaves: ClassVar[tuple[Leaf, ...]] = (Leaf("reset"),)
    transfers: ClassVar[dict[str, response_transfer.VirtualTransfer]] = {
        "reset": response_transfer.RESET
    }


@dataclass(frozen=True)
class CutShort(_Breakage):
    """The connection is closed in the middle of the body."""

    name: ClassVar[str] = "cut_short"
    folders: ClassVar[tuple[str, ...]] = ("cut",)
    leaves: ClassVar[tuple[Leaf, ...]] = (Leaf("cut"),)
    transfers: ClassVar[dict[str, response_transfer.VirtualTransfer]] = {
        "cut": response_transfer.CUT_SHORT
    }


@dataclass(frozen=True)
class BadChunks(_Breakage):
    """Chunked encoding with a size that is no number, or without an end."""

    name: ClassVar[str] = "bad_chunks"
    folders: ClassVar[tuple[str, ...]] = ("chunks/bad", "chunks/unfinished")
    leaves: ClassVar[tuple[Leaf, ...]] = (Leaf("chunks/bad"), Leaf("chunks/unfinished"))
    transfers: ClassVar[dict[str, response_transfer.VirtualTransfer]] = {
        "chunks/bad": response_transfer.BAD_CHUNK_SIZE,
        "chunks/unfinished": response_transfer.UNFINISHED_CHUNKS,
    }


@dataclass(frozen=True)
class WrongLength(_Breakage):
    """Content-Length says more, or less, than is sent."""

    name: ClassVar[str] = "wrong_length"
    folders: ClassVar[tuple[str, ...]] = ("length/long", "length/short")
    leaves: ClassVar[tuple[Leaf, ...]] = (Leaf("length/long"), Leaf("length/short"))
    transfers: ClassVar[dict[str, response_transfer.VirtualTransfer]] = {
        "length/long": response_transfer.LENGTH_TOO_LONG,
        "length/short": response_transfer.LENGTH_TOO_SHORT,
    }
