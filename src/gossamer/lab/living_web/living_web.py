"""A web whose pages live: the simulated web, at whatever day its clock says."""

from collections.abc import Iterable
from typing import Any

from gossamer.lab.behaviours import Behaviour
from gossamer.lab.linking import plan_links
from gossamer.lab.living_web.day_clock import EPOCH, Days, FixedDay
from gossamer.lab.living_web.habits import Candour, Habits, habits_of
from gossamer.lab.living_web.host_listing import listing_at
from gossamer.lab.living_web.living_headers import PageState, validators_of, write_fields
from gossamer.lab.living_web.living_rendering import LivingRenderer
from gossamer.lab.living_web.living_settings import EvolutionSettings
from gossamer.lab.living_web.ornaments import ornaments_of
from gossamer.lab.living_web.rhythm import DAY
from gossamer.lab.living_web.sitemaps import FEED, SITEMAP
from gossamer.lab.living_web.web_life import WebEvolution
from gossamer.lab.simulated_web import Web
from gossamer.lab.url_answer import Answer, LabLink

MOVED = "archive"
"""The folder that pages move to."""


class LivingWeb(Web):
    """The same hosts, pages and links as `Web`, but each page has a life.

    `web.on(day)` is the same web with its time standing still at a day: there the truth can be asked for.
    `web.evolution` knows all changes.

    >>> web = LivingWeb(seed=7, pages=300, hosts=12)
    >>> len(web.on(0).expected()) < len(web.on(365).expected() | web.on(0).expected())
    True
    """

    _renderer: LivingRenderer

    def __init__(
        self,
        seed: int = 7,
        pages: int = 1000,
        hosts: int = 20,
        *,
        port: int = 80,
        behaviours: Iterable[str | Behaviour] = (),
        clock: Days | None = None,
        settings: EvolutionSettings | None = None,
        epoch: float = EPOCH,
    ) -> None:
        """`clock` says what day it is; `epoch` is day 0 in seconds since 1970, for dates."""
        super().__init__(seed, pages, hosts, port=port, behaviours=behaviours)
        self.clock: Days = clock or FixedDay()
        self.evolution = WebEvolution(seed, self._sites.sizes, settings)
        self.epoch = epoch
        self._enliven()

    def _enliven(self) -> None:
        self._renderer = LivingRenderer(
            self.evolution, self._sites, self._origins, self._tongue_of, self.url_on, self.epoch
        )

    def at(self, port: int) -> "LivingWeb":
        return self if port == self.port else self._twin(port, self.clock)

    def on(self, day: float) -> "LivingWeb":
        """The same web with its time standing still."""
        return self._twin(self.port, FixedDay(day))

    def _twin(self, port: int, clock: Days) -> "LivingWeb":
        twin = LivingWeb.__new__(LivingWeb)
        twin.__dict__ |= self.__dict__
        twin.clock = clock
        twin._settle(port)
        twin._enliven()
        return twin

    def __reduce__(self) -> tuple[Any, ...]:
        recipe = (self.seed, self.pages, self.hosts, self.port, self.behaviours)
        return _rebuild, (*recipe, self.clock, self.evolution.settings, self.epoch)

    # -- Where pages are ----------------------------------------------------------------------

    def url_on(self, site: int, index: int, day: float) -> str:
        """The URL of a page on a day, whether it exists or not."""
        if self.evolution.moved[self.evolution.number(site, index)] <= day:
            return self.leaf_link(site, index, MOVED).url
        return self.url(site, index)

    def title(self, site: int, index: int) -> str:
        return self._renderer.title_of(site, index)

    def seconds(self, day: float) -> float:
        """Seconds since 1970 at a day, as dates tell it."""
        return self.epoch + day * DAY

    def habits(self, site: int) -> Habits:
        """The way in which a host reports changes of its pages."""
        return habits_of(self.seed, site)

    # -- What a URL answers -------------------------------------------------------------------

    def answer_at(self, site: int, target: str) -> Answer:
        answer = super().answer_at(site, target)
        return self._enlivened(answer, site, target) if answer.is_ordinary else answer

    def _enlivened(self, answer: Answer, site: int, target: str) -> Answer:
        """The answer of an ordinary page, as it is now."""
        if answer.mirror:  # the original has been asked already
            return answer
        day = answer.moment = self.clock.days()
        page = self.evolution.number(answer.site, answer.index)
        if not self.evolution.is_there(page, day):
            return self._absent(answer, page, day)
        has_moved = self.evolution.moved[page] <= day
        if has_moved and self.page_number(site, target) >= 0:
            return self._forwarded(answer, day)
        if not has_moved and answer.kind == MOVED:
            return Answer(site, 0, "not found", status=404)
        self._dress(answer, page)
        return answer

    def _absent(self, answer: Answer, page: int, day: float) -> Answer:
        """Not yet born, or gone: half of those that are gone say that it is for ever."""
        is_over = self.evolution.gone[page] <= day
        status = 410 if is_over and self.draw("gone", answer.site, answer.index) & 1 else 404
        return Answer(answer.site, answer.index, "gone" if is_over else "unborn", status=status)

    def _forwarded(self, answer: Answer, day: float) -> Answer:
        location = self.url_on(answer.site, answer.index, day)
        return Answer(
            answer.site,
            answer.index,
            "forwarded",
            status=301,
            location=location,
            content=f"It is at {location} now.\n".encode(),
            media_type="text/plain",
        )

    def _dress(self, answer: Answer, page: int) -> None:
        """Add what the host tells of the page, and the feed's link to a list of news."""
        version, since = self._renderer.state_of(answer)
        habits = self.habits(answer.site)
        is_plain = ornaments_of(self.seed, page).is_plain
        modified, now = self.seconds(since), self.seconds(answer.moment)
        state = PageState(version, round(modified), now, self.evolution.rate(page), is_plain)
        answer.validators = validators_of(state, habits)
        answer.fields += write_fields(state, habits, answer.validators)
        if self.evolution.is_hub(page) and habits.feed is not Candour.ABSENT:
            feed = LabLink(self._origins[answer.site] + FEED, "News feed")
            answer.extra = [*answer.extra, feed]

    def _special(self, site: int, target: str) -> Answer:
        if site >= self.hosts:
            return super()._special(site, target)
        if self._is_listed(site, target):
            content = listing_at(self, site, target)
            if content is not None:
                return Answer(site, 0, "list", content=content, media_type="application/xml")
        index = self.leaf_index(site, MOVED, ".html", target)
        if index < 0:
            return super()._special(site, target)
        answer = self.ordinary(site, index)
        answer.kind = MOVED
        return answer

    def _is_listed(self, site: int, target: str) -> bool:
        """Is it a place for a sitemap or a feed, on a host that has one?"""
        habits = self.habits(site)
        if target == FEED:
            return habits.feed is not Candour.ABSENT
        return target.startswith("/sitemap") and habits.sitemap is not Candour.ABSENT

    def _robots_file(self, site: int) -> Answer:
        answer = super()._robots_file(site)
        is_rules = answer.status == 200 and answer.content is not None and site < self.hosts
        if is_rules and self.habits(site).sitemap is not Candour.ABSENT:
            line = f"Sitemap: {self._origins[site]}{SITEMAP}\n".encode()
            answer.content = (answer.content or b"") + line
        return answer

    # -- Truth --------------------------------------------------------------------------------

    def links_of(self, answer: Answer) -> list[LabLink]:
        if not answer.is_ordinary:
            return super().links_of(answer)
        since = self._renderer.state_of(answer)[1]
        places = self._renderer.links_of(answer, since).all
        canonical = LabLink(self.url_on(answer.site, answer.index, since), rel="canonical")
        links = [
            LabLink(self._renderer.url_for(answer, *place, since), self._renderer.title_of(*place))
            for place in places
        ]
        return [canonical, *links, *answer.extra]

    def _pages_linked(self, answer: Answer) -> list[tuple[int, int]]:
        if not answer.is_ordinary:
            return super()._pages_linked(answer)
        return self._renderer.links_of(answer, self._renderer.state_of(answer)[1]).all

    def _linked_url(self, answer: Answer, site: int, index: int) -> str:
        if not answer.is_ordinary:
            return super()._linked_url(answer, site, index)
        return self._renderer.url_for(answer, site, index, self._renderer.state_of(answer)[1])

    def planned_links(self, page: int) -> list[int]:
        """The pages that a page names while they are there, beyond its menu and its news.

        It hears of their births and ends with its own next change.
        """
        site, index = self.evolution.place(page)
        plan = plan_links(self._sites, site, index, self._renderer.chance_of(site, index))
        places = [*((site, other) for other in plan.local), *plan.remote]
        return [self.evolution.number(*place) for place in places]

    def number_of(self, url: str) -> int:
        """The number in `evolution` of the page that a URL shows, has shown or will show; -1 for none."""
        site, target = self.locate(url)
        return self.number_at(site, target) if 0 <= site < self.hosts else -1

    def number_at(self, site: int, target: str) -> int:
        """The same for a path of a host."""
        index = self.page_number(site, target)
        if index < 0:
            index = self.leaf_index(site, MOVED, ".html", target)
        return self.evolution.number(site, index) if index >= 0 else -1


def _rebuild(
    seed: int,
    pages: int,
    hosts: int,
    port: int,
    behaviours: tuple[Behaviour, ...],
    clock: Days,
    settings: EvolutionSettings,
    epoch: float,
) -> LivingWeb:
    return LivingWeb(
        seed,
        pages,
        hosts,
        port=port,
        behaviours=behaviours,
        clock=clock,
        settings=settings,
        epoch=epoch,
    )
