"""Servers that take their time, and servers that never answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from gossamer.lab.behaviours.behaviour import Behaviour, Leaf, LeafBehaviour
from gossamer.lab.response_transfer import silence
from gossamer.lab.url_answer import Answer

if TYPE_CHECKING:
    from gossamer.lab.simulated_web import Web


@dataclass(frozen=True)
class Slow(Behaviour):
    """Some ordinary pages come late: a wait before the first byte, or a pause in the middle."""

    name: ClassVar[str] = "slow"
    every: int = 16
    shortest: float = 0.05
    longest: float = 0.3

    def change(self, web: Web, answer: Answer) -> None:
        chance = web.draw("slow", answer.site, answer.index)
        if not answer.is_ordinary or chance % self.every:
            return
        share = (chance >> 32) / (1 << 32)
        seconds = self.shortest + share * (self.longest - self.shortest)
        if chance // self.every & 1:
            answer.wait = seconds
        else:
            answer.pause = seconds


@dataclass(frozen=True)
class Stalls(LeafBehaviour):
    """Pages that never answer: the connection is closed after `seconds` of silence."""

    name: ClassVar[str] = "stalls"
    folders: ClassVar[tuple[str, ...]] = ("stalled",)
    leaves: ClassVar[tuple[Leaf, ...]] = (Leaf("stalled"),)
    every: int = 50
    seconds: float = 2.0

    def leaf(self, web: Web, site: int, index: int, folder: str) -> Answer:
        return Answer(site, index, folder, transfer=silence(self.seconds))
