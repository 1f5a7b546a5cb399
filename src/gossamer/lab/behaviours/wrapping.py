"""Correct but less simple ways to send a page: compressed, in chunks, until the connection closes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from gossamer.lab.behaviours.behaviour import Behaviour
from gossamer.lab.response_transfer import CHUNKED, UNTIL_CLOSE, WHOLE
from gossamer.lab.url_answer import Answer

if TYPE_CHECKING:
    from gossamer.lab.simulated_web import Web


@dataclass(frozen=True)
class Gzip(Behaviour):
    """Some hosts compress what they send to those who accept it."""

    name: ClassVar[str] = "gzip"
    every: int = 3

    def change(self, web: Web, answer: Answer) -> None:
        # A compressed page that is cut would be useless, which is more than its breakage says.
        is_sound = answer.transfer in (WHOLE, CHUNKED, UNTIL_CLOSE)
        answer.is_packed = is_sound and not web.draw("gzip", answer.site) % self.every


@dataclass(frozen=True)
class Chunked(Behaviour):
    """Some pages are sent in chunks, and a few without any length, ended by a close."""

    name: ClassVar[str] = "chunked"
    every: int = 4

    def change(self, web: Web, answer: Answer) -> None:
        chance = web.draw("chunked", answer.site, answer.index)
        if answer.transfer is WHOLE and not answer.is_redirect and not chance % self.every:
            answer.transfer = CHUNKED if chance // self.every & 3 else UNTIL_CLOSE
