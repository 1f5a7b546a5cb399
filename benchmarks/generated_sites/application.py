"""A whole application: reads a target, finds the view, and tells what there is to read."""

from benchmarks.generated_sites.addresses import Addresses
from benchmarks.generated_sites.entries import Entries, item_name
from benchmarks.generated_sites.frame import SiteFrame
from benchmarks.generated_sites.generated_page import SitePage
from benchmarks.generated_sites.traits import Traits, draw_traits
from benchmarks.generated_sites.views import answer, storage


class GeneratedApplication:
    """A wiki, blog or the like, drawn from a seed.

    Content: each entry in all its parts, and each further page of comments. Everything else leads to these or
    shows them again. What an entry was before is told by `old_items`.

    >>> site = GeneratedApplication(seed=3, pages=40)
    >>> site.page(site.start).is_useful, len(site.items()) >= 40
    (True, True)
    """

    def __init__(self, seed: int, pages: int = 150, base: str = "") -> None:
        self.seed = seed
        self.traits: Traits = draw_traits(seed)
        self._entries = Entries(
            seed,
            pages,
            has_numbers=self.traits.has_numbers,
            has_tables=self.traits.has_tables,
        )
        self._addresses = Addresses(self.traits, base)
        self._frame = SiteFrame(self.traits, self._entries, self._addresses)

    @property
    def start(self) -> str:
        return self._addresses.storage

    @property
    def robots_txt(self) -> bytes:
        beginnings = [self._addresses.beginning(tool) for tool in sorted(self.traits.forbids)]
        lines = [f"Disallow: {beginning}" for beginning in beginnings if beginning]
        return "\n".join(["User-agent: *", *(lines or ["Disallow:"]), ""]).encode()

    def page(self, target: str) -> SitePage | None:
        if target == self.start:
            return storage(self._frame)
        address = self._addresses.read(target)
        return None if address is None else answer(self._frame, address)

    def items(self) -> set[str]:
        found = set()
        for number in range(self._entries.count):
            entry = self._entries.entry(number)
            found |= {item_name(number, part) for part in range(1, entry.parts + 1)}
            found |= {f"comments:{number}/{page}" for page in range(2, entry.comment_pages + 1)}
        return found

    def old_items(self) -> set[str]:
        """Older states of entries, which the view `old` shows."""
        entries = map(self._entries.entry, range(self._entries.count))
        return {
            f"entry:{entry.number}@{rev}" for entry in entries for rev in range(entry.revisions)
        }
