"""Pages that answer 404, 410 or 500, with links that nobody should follow."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from gossamer.lab.behaviours.behaviour import Leaf, LeafBehaviour
from gossamer.lab.url_answer import Answer

if TYPE_CHECKING:
    from gossamer.lab.simulated_web import Web

_STATUSES = {"missing": 404, "gone": 410, "broken": 500}


@dataclass(frozen=True)
class Errors(LeafBehaviour):
    """Error pages; each names a honeypot that is linked from nowhere else."""

    name: ClassVar[str] = "errors"
    folders: ClassVar[tuple[str, ...]] = tuple(_STATUSES)
    leaves: ClassVar[tuple[Leaf, ...]] = tuple(Leaf(folder) for folder in _STATUSES)

    def leaf(self, web: Web, site: int, index: int, folder: str) -> Answer:
        trap = web.leaf_link(site, index, "honeypot")
        return Answer(site, index, folder, status=_STATUSES[folder], extra=(trap,))
