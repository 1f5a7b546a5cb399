"""Hosts in other languages and other encodings, told by header, by meta, or not at all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from gossamer.lab.behaviours.behaviour import Behaviour
from gossamer.lab.url_answer import Answer, Tongue

if TYPE_CHECKING:
    from gossamer.lab.simulated_web import Web

_TONGUES = tuple(
    Tongue(language, charset, in_header, in_meta)
    for language, charset in (
        ("ru", "windows-1251"),
        ("ja", "shift_jis"),
        ("fr", "iso-8859-1"),
        ("ru", "koi8-r"),
        ("ja", "euc-jp"),
        ("fr", "utf-8"),
    )
    for in_header, in_meta in ((True, False), (False, True), (False, False))
)


@dataclass(frozen=True)
class Charsets(Behaviour):
    """One host in `every` is foreign. URLs stay ASCII, so that links do not depend on it."""

    name: ClassVar[str] = "charsets"
    every: int = 3

    def tongue_of(self, web: Web, site: int) -> Tongue | None:
        chance = web.draw("charsets", site)
        if chance % self.every:
            return None
        return _TONGUES[chance // self.every % len(_TONGUES)]

    def change(self, web: Web, answer: Answer) -> None:
        if answer.content is None:
            answer.tongue = self.tongue_of(web, answer.site)
