"""What all pages of an application have in common: its menu, its tools, what it tells crawlers."""

from collections.abc import Sequence
from functools import cached_property

from benchmarks.generated_sites.addresses import Address, Addresses
from benchmarks.generated_sites.entries import Entries, SiteEntry
from benchmarks.generated_sites.generated_page import SiteLink, SitePage
from benchmarks.generated_sites.traits import Traits
from gossamer.lab.seeded_chance import draw_text
from gossamer.lab.vocabulary import TOPICS

_SHOWN = ("edit", "history", "print", "raw", "backlinks", "info", "login")
"""Tools that each entry names at its side; others are named by these, or in the head."""


class SiteFrame:
    """Makes links and pages for the views."""

    def __init__(self, traits: Traits, entries: Entries, addresses: Addresses) -> None:
        self.traits = traits
        self.entries = entries
        self._addresses = addresses

    def link(
        self, view: str, subject: str = "", anchor: str = "", rel: str = "", **options: object
    ) -> SiteLink:
        chosen = tuple((name, str(value)) for name, value in options.items())
        return SiteLink(self.target(Address(view, subject, chosen)), anchor or view, rel)

    def target(self, address: Address) -> str:
        return self._addresses.spell(address)

    def has(self, tool: str) -> bool:
        return tool in self.traits.tools

    def to_entry(self, number: int) -> SiteLink:
        return self.link("show", self.entries.name_of(number), f"About {number}")

    def listing(self, title: str, links: Sequence[SiteLink], *, is_useful: bool = True) -> SitePage:
        """A page that leads on, and has nothing to read."""
        return SitePage(
            title,
            menu=self._menu,
            links=links,
            is_useful=is_useful,
            robots="" if is_useful else self._warning(),
        )

    def content(
        self, address: Address, entry: SiteEntry, item: str, main: str, links: Sequence[SiteLink]
    ) -> SitePage:
        """A page to read."""
        tools = self._tools(address, entry)
        is_first = self.traits.are_tools_first
        return SitePage(
            entry.title,
            main,
            menu=[*tools, *self._menu] if is_first else self._menu,
            links=links,
            tools=() if is_first else tools,
            heads=self._heads(entry),
            item=item,
            is_useful=not address.option("key"),
        )

    def tool(
        self, title: str, main: str, entry: SiteEntry | None = None, links: Sequence[SiteLink] = ()
    ) -> SitePage:
        """A page that nobody reads."""
        return SitePage(
            title,
            main,
            menu=self._menu,
            links=links,
            heads=self._canonical(entry) if entry else (),
            robots=self._warning(),
        )

    def tool_rel(self) -> str:
        return "nofollow" if self.traits.says_nofollow else ""

    def _warning(self) -> str:
        if not self.traits.says_noindex:
            return ""
        return "noindex,nofollow" if self.traits.says_nofollow else "noindex"

    @cached_property
    def _menu(self) -> tuple[SiteLink, ...]:
        sections = [TOPICS[topic].name for topic in self.entries.topics]
        links = [SiteLink(self._addresses.storage, "Home")]
        links += [self.link("list", section, section.capitalize()) for section in sections]
        links.append(self.link("recent", anchor="Recent changes"))
        if self.traits.months:
            links.append(self.link("calendar", anchor="Calendar", month=0))
        return tuple(links)

    def _tools(self, address: Address, entry: SiteEntry) -> list[SiteLink]:
        rel = self.tool_rel()
        links = [
            self.link(tool, entry.name, tool.title(), rel) for tool in _SHOWN if self.has(tool)
        ]
        if self.has("share"):
            place = self.target(address) if self.traits.has_fresh_keys else ""
            key = f"{draw_text(entry.number, place):016x}"
            links.append(self.link("show", entry.name, "Share", rel, key=key))
        return links

    def _heads(self, entry: SiteEntry) -> list[SiteLink]:
        kinds = [tool for tool in ("feed", "oembed") if self.has(tool)]
        feeds = [self.link(tool, entry.name, tool, "alternate") for tool in kinds]
        return [*feeds, *self._canonical(entry)] if entry.parts == 1 else feeds

    def _canonical(self, entry: SiteEntry) -> list[SiteLink]:
        if not self.traits.says_canonical:
            return []
        return [self.link("show", entry.name, rel="canonical")]
