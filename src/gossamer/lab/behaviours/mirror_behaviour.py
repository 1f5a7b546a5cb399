"""Mirrors: hosts of other names that serve all pages of a host."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from gossamer.lab.behaviours.behaviour import Behaviour
from gossamer.lab.url_answer import Answer, LabLink

if TYPE_CHECKING:
    from gossamer.lab.simulated_web import Web

_read_name = re.compile(r"mirror-([0-9])-([0-9]{1,6})\.test").fullmatch


@dataclass(frozen=True)
class Mirrors(Behaviour):
    """`mirror-1-4.test` is the first mirror of host number 4; one host in `every` has `copies`.

    A mirror's pages lead to its own pages wherever the original's lead to the original's, and say in a
    comment where they come from.
    """

    name: ClassVar[str] = "mirrors"
    is_finite: ClassVar[bool] = False
    every: int = 4
    copies: int = 2

    def links(self, web: Web, site: int, index: int) -> Sequence[LabLink]:
        if index or site % self.every:
            return ()
        return [
            LabLink(f"{self._origin(web, site, copy)}/", "Mirror") for copy in range(self.copies)
        ]

    def host_number(self, name: str) -> int:
        found = _read_name(name)
        if found is None or int(found[1]) >= self.copies or int(found[2]) % self.every:
            return -1
        return int(found[2]) * self.copies + int(found[1])

    def answer(self, web: Web, site: int, folder: str, target: str) -> Answer | None:
        number, copy = divmod(web.made_up_number(site), self.copies)
        if number >= web.hosts:
            return None
        answer = web.answer_at(number, target)
        answer.mirror = self._origin(web, number, copy)
        return answer

    def _origin(self, web: Web, site: int, copy: int) -> str:
        port = "" if web.port == 80 else f":{web.port}"
        return f"http://mirror-{copy}-{site}.test{port}"
