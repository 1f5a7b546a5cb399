"""A simulated web whose hosts have a key file, and whose pages name a hub."""

from dataclasses import dataclass
from typing import ClassVar

from gossamer.lab import Web
from gossamer.lab.behaviours.behaviour import Behaviour
from gossamer.lab.url_answer import Answer

KEY = "0123456789abcdef"


@dataclass(frozen=True)
class Announcing(Behaviour):
    """Every host has the file of a key; ordinary pages name this hub, if there is one."""

    name: ClassVar[str] = "announcing"
    hub: str = ""

    def missing(self, web: Web, site: int, target: str) -> Answer | None:
        if target.lstrip("/") != f"{KEY}.txt":
            return None
        return Answer(site, 0, "key", content=KEY.encode(), media_type="text/plain")

    def change(self, web: Web, answer: Answer) -> None:
        if self.hub and answer.is_ordinary:
            answer.fields += f'Link: <{self.hub}>; rel="hub"\r\n'.encode()
