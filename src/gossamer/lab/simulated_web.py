"""A web computed from a seed number and never stored."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any

from gossamer.core.errors import SettingsError
from gossamer.lab.behaviours import Behaviour, Robots, behaviours_named
from gossamer.lab.behaviours.robots_behaviour import FILE as ROBOTS_FILE
from gossamer.lab.linking import MENU, plan_links
from gossamer.lab.page_identity import identity_of, number_in, slug_of
from gossamer.lab.page_rendering import Renderer
from gossamer.lab.reachable_urls import TruthReach, explore
from gossamer.lab.seeded_chance import draw
from gossamer.lab.simulated_sites import Sites
from gossamer.lab.url_answer import Answer, LabLink, Tongue

HONEYPOT = "honeypot"
"""A folder of pages that are named only where no crawler should follow."""
_MADE_UP_BITS = 31
"""A host that a behaviour makes up has a number of this many bits."""
_OPEN = b"User-agent: *\nDisallow:\n"


class Web:
    """A deterministic web of any size: who is there, who links to whom, and what a URL answers.

    Hosts and pages have numbers, `site` and `index`; page 0 is a host's root. The port is part of
    every URL, so a web is asked about URLs only once its port is known: `web.at(port)` is the same
    web on another port.

    >>> web = Web(seed=7, pages=300, hosts=12)
    >>> len(web.expected())
    300
    >>> web.links(web.seed_url)[0].rel
    'canonical'
    """

    def __init__(
        self,
        seed: int = 7,
        pages: int = 1000,
        hosts: int = 20,
        *,
        port: int = 80,
        behaviours: Iterable[str | Behaviour] = (),
    ) -> None:
        if not 0 <= seed < 1 << 64:
            raise SettingsError(f"the seed of a web is a number of 64 bits, not {seed}")
        self.seed = seed
        self.pages = pages
        self.hosts = hosts
        self.behaviours = behaviours_named(behaviours)
        self._sites = Sites(seed, pages, hosts)
        self._settle(port)

    def _settle(self, port: int) -> None:
        """Make what depends on the port."""
        self.port = port
        suffix = "" if port == 80 else f":{port}"
        self._origins = [f"http://{name}{suffix}" for name in self._sites.names]
        self._suffix = suffix
        behaviours = self.behaviours
        self._owners = {folder: b for b in behaviours for folder in b.folders}
        self._linkers = _overriding(behaviours, Behaviour.links)
        self._changers = _overriding(behaviours, Behaviour.change)
        self._speakers = _overriding(behaviours, Behaviour.tongue_of)
        self._robots = next((b for b in behaviours if isinstance(b, Robots)), None)
        self._landlords = _overriding(behaviours, Behaviour.host_number)
        self._spellers = _overriding(behaviours, Behaviour.alias)
        self._apologists = _overriding(behaviours, Behaviour.missing)
        self._url = lru_cache(1 << 17)(self._make_url)
        self._renderer = Renderer(self.seed, self._sites, self._origins, self._tongue_of)

    def at(self, port: int) -> "Web":
        """The same web on another port."""
        if port == self.port:
            return self
        twin = Web.__new__(Web)
        twin.__dict__ |= {
            name: self.__dict__[name] for name in ("seed", "pages", "hosts", "behaviours", "_sites")
        }
        twin._settle(port)
        return twin

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (self.seed, self.pages, self.hosts, self.port, self.behaviours)

    # -- Names and numbers --------------------------------------------------------------------

    @property
    def names(self) -> Sequence[str]:
        """All host names, largest host first."""
        return self._sites.names

    @property
    def seed_url(self) -> str:
        """The first URL of a crawl: the root of the first host."""
        return self.url(0, 0)

    def size(self, site: int) -> int:
        """The number of ordinary pages of a host."""
        return self._sites.sizes[site]

    def origin(self, site: int) -> str:
        """Scheme, host and port, without a slash at the end."""
        return self._origins[site]

    def url(self, site: int, index: int) -> str:
        """The URL of an ordinary page."""
        return self._url(site, index)

    def _make_url(self, site: int, index: int) -> str:
        return self._origins[site] + identity_of(self.seed, site, index).path

    def urls(self) -> Iterator[str]:
        """The URLs of all ordinary pages."""
        for site, size in enumerate(self._sites.sizes):
            for index in range(size):
                yield self.url(site, index)

    def site_named(self, host: str) -> int:
        """The number of a host; -1 when there is none of this name.

        Hosts that a behaviour makes up have numbers from `hosts` on.
        """
        site = self._sites.number.get(host, -1)
        if site >= 0:
            return site
        for rank, landlord in enumerate(self._landlords):
            number = landlord.host_number(host)
            if number >= 0:
                return self.hosts + (rank << _MADE_UP_BITS) + number
        return -1

    def made_up_number(self, site: int) -> int:
        """The number that its behaviour gave to a host that it made up."""
        return (site - self.hosts) & (1 << _MADE_UP_BITS) - 1

    def neighbour(self, site: int, step: int = 1) -> int:
        return (site + step) % self.hosts

    def locate(self, url: str) -> tuple[int, str]:
        """The host's number and the request target of a URL in canonical spelling.

        The number is -1 for a URL that this web does not serve.
        """
        authority, slash, rest = url.removeprefix("http://").partition("/")
        host = authority.removesuffix(self._suffix)
        if not slash or f"{host}{self._suffix}" != authority:
            return -1, ""
        return self.site_named(host), slash + rest

    def draw(self, purpose: str, site: int, index: int = 0) -> int:
        """A number of 64 bits that belongs to one purpose on one page."""
        return draw(self.seed, purpose, site, index)

    # -- Leaves: pages that behaviours add ----------------------------------------------------

    def leaf_link(self, site: int, index: int, folder: str, ending: str = ".html") -> LabLink:
        """A link to the leaf in a folder that belongs to an ordinary page."""
        slug = slug_of(self.seed, site, index)
        url = f"{self._origins[site]}/{folder}/{slug}{ending}"
        return LabLink(url, self._renderer.title_of(site, index))

    def leaf_index(self, site: int, folder: str, ending: str, target: str) -> int:
        """The number of the page that a leaf belongs to; -1 when there is no such leaf."""
        index = number_in(target)
        if not 0 <= index < self._sites.sizes[site]:
            return -1
        return index if target == f"/{folder}/{slug_of(self.seed, site, index)}{ending}" else -1

    # -- What a URL answers -------------------------------------------------------------------

    def answer(self, url: str) -> Answer | None:
        """Return the answer of a URL; None when its host does not exist."""
        site, target = self.locate(url)
        return None if site < 0 else self.answer_at(site, target)

    def answer_at(self, site: int, target: str) -> Answer:
        """Return a host's answer for `target`, the path with its query."""
        index = self.page_number(site, target)
        if index >= 0:
            return self.ordinary(site, index)
        answer = self._alias(site, target) or self._special(site, target)
        return answer if answer.is_ordinary or answer.mirror else self._changed(answer)

    def page_number(self, site: int, target: str) -> int:
        """The number of the ordinary page at a path; -1 when there is none."""
        index = number_in(target)
        if site >= self.hosts or not 0 <= index < self._sites.sizes[site]:
            return -1
        return index if identity_of(self.seed, site, index).path == target else -1

    def _alias(self, site: int, target: str) -> Answer | None:
        """The ordinary page that a path is another spelling of."""
        if site >= self.hosts:
            return None
        for speller in self._spellers:
            answer = speller.alias(self, site, target)
            if answer is not None:
                return answer
        return None

    def ordinary(self, site: int, index: int) -> Answer:
        """The answer of an ordinary page."""
        answer = Answer(site, index, "page", True)
        if self._linkers:
            answer.extra = [
                link for linker in self._linkers for link in linker.links(self, site, index)
            ]
        return self._changed(answer)

    def _changed(self, answer: Answer) -> Answer:
        """The answer after all behaviours had their way with it."""
        for behaviour in self._changers:
            behaviour.change(self, answer)
        return answer

    def _special(self, site: int, target: str) -> Answer:
        if target == ROBOTS_FILE:
            return self._robots_file(site)
        folder = _folder_of(target)
        answer = None
        if (owner := self._owner_of(site, folder)) is not None:
            answer = owner.answer(self, site, folder, target)
        elif folder == HONEYPOT:
            index = self.leaf_index(site, folder, ".html", target)
            answer = Answer(site, index, HONEYPOT) if index >= 0 else None
        return answer or self._missing(site, target)

    def _missing(self, site: int, target: str) -> Answer:
        for apologist in self._apologists if site < self.hosts else ():
            answer = apologist.missing(self, site, target)
            if answer is not None:
                return answer
        return Answer(site % self.hosts, 0, "not found", status=404)

    def _owner_of(self, site: int, folder: str) -> Behaviour | None:
        """The behaviour that answers for a folder; for all of a host that it made up."""
        if site >= self.hosts:
            return self._landlords[(site - self.hosts) >> _MADE_UP_BITS]
        return self._owners.get(folder) or self._owners.get(f"{folder.partition('/')[0]}/*")

    def _robots_file(self, site: int) -> Answer:
        if self._robots is not None and site < self.hosts:
            return self._robots.file(self, site)
        return Answer(site, 0, "robots", content=_OPEN, media_type="text/plain")

    def body_of(self, answer: Answer) -> bytes:
        """The body of an answer, before it is compressed or broken."""
        return self._renderer.body_of(answer)

    def _tongue_of(self, site: int) -> Tongue | None:
        for speaker in self._speakers:
            return speaker.tongue_of(self, site)
        return None

    # -- Truth --------------------------------------------------------------------------------

    def links(self, url: str) -> tuple[LabLink, ...]:
        """All links that stand on the page of a URL, in order; also those not to be followed."""
        answer = self.answer(url)
        return () if answer is None else tuple(self.links_of(answer))

    def links_of(self, answer: Answer) -> list[LabLink]:
        """All links that stand in the body of an answer."""
        links = [
            LabLink(self._linked_url(answer, *page), self._renderer.title_of(*page))
            for page in self._pages_linked(answer)
        ]
        if answer.is_ordinary:
            links.insert(0, LabLink(self.url(answer.site, answer.index), rel="canonical"))
        return [*links, *answer.extra]

    def followed_of(self, answer: Answer) -> list[str]:
        """The URLs that an answer leads to, without the links that are not to be followed."""
        if answer.is_redirect:
            return [answer.location]
        if not (answer.is_usable and answer.is_followed):
            return []
        ordinary = [self._linked_url(answer, *page) for page in self._pages_linked(answer)]
        return ordinary + [link.url for link in answer.extra if not link.is_nofollow]

    def _linked_url(self, answer: Answer, site: int, index: int) -> str:
        """The URL of a link to an ordinary page, on the page it stands on."""
        if answer.mirror and site == answer.site and not answer.is_absolute:
            return answer.mirror + identity_of(self.seed, site, index).path
        return self._url(site, index)

    def _pages_linked(self, answer: Answer) -> list[tuple[int, int]]:
        """The ordinary pages that an answer names, in the order of its body."""
        if answer.content is not None:
            return []
        site = answer.site
        if not answer.has_menu:
            return []
        menu = [(site, page) for page in range(min(MENU, self._sites.sizes[site]))]
        if not answer.is_ordinary:
            return menu
        chance = self._renderer.chance_of(site, answer.index)
        plan = plan_links(self._sites, site, answer.index, chance)
        return [*menu, *((site, page) for page in plan.local), *plan.remote]

    def is_allowed(self, url: str, agent: str = "Gossamer") -> bool:
        """May the agent fetch this URL, as the host's robots.txt says?"""
        site, target = self.locate(url)
        if self._robots is None or not 0 <= site < self.hosts:
            return True
        return self._robots.is_allowed(self, site, target, agent)

    def crawl_delay(self, host: str, agent: str = "Gossamer") -> float:
        """The seconds between requests that a host's robots.txt asks for; 0 when it does not."""
        site = self.site_named(host)
        if self._robots is None or not 0 <= site < self.hosts:
            return 0.0
        return self._robots.delay_of(self, site, agent)

    def is_robots(self, url: str) -> bool:
        """Is it a robots.txt, or where one was moved to?"""
        answer = self.answer(url)
        return answer is not None and answer.kind == "robots"

    def is_honeypot(self, url: str) -> bool:
        """Is it a page that only links not to be followed lead to?"""
        answer = self.answer(url)
        return answer is not None and answer.kind == HONEYPOT

    def is_trap(self, url: str) -> bool:
        """Does the URL lie in a corner of the web that has no end?"""
        site, target = self.locate(url)
        owner = self._owner_of(site, _folder_of(target)) if site >= 0 else None
        if owner is None:
            return site >= 0 and self._alias(site, target) is not None
        return not owner.is_finite

    def duplicate_of(self, url: str) -> str | None:
        """The URL of the page that this one is an exact copy of; None when it is no copy."""
        site, target = self.locate(url)
        folder = _folder_of(target)
        owner = self._owner_of(site, folder) if site >= 0 else None
        if owner is None:
            return None
        original = owner.original_of(self, site, folder, target)
        return None if original is None else self.url(*original)

    def page_of(self, url: str) -> tuple[int, int] | None:
        """The ordinary page that a URL shows, whatever its spelling or host; None when it shows none."""
        answer = self.answer(url)
        return (answer.site, answer.index) if answer and answer.is_ordinary else None

    @property
    def is_finite(self) -> bool:
        """Does a crawl of this web come to an end without limits?"""
        return all(behaviour.is_finite for behaviour in self.behaviours)

    def reachable(self, *seeds: str, agent: str = "Gossamer") -> TruthReach:
        """The URLs that a well-behaved crawl of scope `all` meets from the seeds on; see `TruthReach`."""
        return explore(self, seeds or (self.seed_url,), agent)

    def expected(self, *seeds: str, agent: str = "Gossamer") -> set[str]:
        """The URLs that a well-behaved crawl asks for, each once; `Reach.asked`."""
        return self.reachable(*seeds, agent=agent).asked


def _folder_of(target: str) -> str:
    return target.partition("?")[0].rpartition("/")[0].removeprefix("/")


def _overriding(
    behaviours: Iterable[Behaviour], method: Callable[..., Any]
) -> tuple[Behaviour, ...]:
    """The behaviours that do something of their own at this point: the others cost nothing."""
    return tuple(b for b in behaviours if getattr(type(b), method.__name__) is not method)


def _rebuild(
    seed: int, pages: int, hosts: int, port: int, behaviours: tuple[Behaviour, ...]
) -> Web:
    return Web(seed, pages, hosts, port=port, behaviours=behaviours)
