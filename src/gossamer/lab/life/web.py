"""A web whose pages live: the simulated web, at whatever day its clock says."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from gossamer.lab.answer import Answer, LabLink
from gossamer.lab.behaviours import Behaviour
from gossamer.lab.life.clock import EPOCH, Days, FixedDay
from gossamer.lab.life.fields import PageState, validators_of, write_fields
from gossamer.lab.life.habits import Candour, Habits, habits_of
from gossamer.lab.life.life import WebLife
from gossamer.lab.life.ornaments import ornaments_of
from gossamer.lab.life.render import LivingRenderer
from gossamer.lab.life.rhythm import DAY
from gossamer.lab.life.settings import LifeSettings
from gossamer.lab.life.sitemaps import (
    FEED,
    PART,
    SITEMAP,
    FeedEntry,
    SitemapEntry,
    write_atom,
    write_index,
    write_rss,
    write_sitemap,
)
from gossamer.lab.web import Web

MOVED = "archive"
"""The folder that pages move to."""
_FEED_LENGTH = 20


class LivingWeb(Web):
    """The same hosts, pages and links as `Web`, but each page has a life.

    `web.on(day)` is the same web with its time standing still at a day: there the truth can be asked for.
    `web.life` knows all changes.

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
        settings: LifeSettings | None = None,
        epoch: float = EPOCH,
    ) -> None:
        """`clock` says what day it is; `epoch` is day 0 in seconds since 1970, for dates."""
        super().__init__(seed, pages, hosts, port=port, behaviours=behaviours)
        self.clock: Days = clock or FixedDay()
        self.life = WebLife(seed, self._sites.sizes, settings)
        self.epoch = epoch
        self._enliven()

    def _enliven(self) -> None:
        self._renderer = LivingRenderer(
            self.life, self._sites, self._origins, self._tongue_of, self.url_on, self.epoch
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
        return _rebuild, (*recipe, self.clock, self.life.settings, self.epoch)

    # -- Where pages are ----------------------------------------------------------------------

    def url_on(self, site: int, index: int, day: float) -> str:
        """Where a page is on a day, be it there or not."""
        if self.life.moved[self.life.number(site, index)] <= day:
            return self.leaf_link(site, index, MOVED).url
        return self.url(site, index)

    def habits(self, site: int) -> Habits:
        """What a host says about the changes of its pages."""
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
        page = self.life.number(answer.site, answer.index)
        if not self.life.is_there(page, day):
            return self._absent(answer, page, day)
        has_moved = self.life.moved[page] <= day
        if has_moved and self.page_number(site, target) >= 0:
            return self._forwarded(answer, day)
        if not has_moved and answer.kind == MOVED:
            return Answer(site, 0, "not found", status=404)
        self._dress(answer, page)
        return answer

    def _absent(self, answer: Answer, page: int, day: float) -> Answer:
        """Not yet born, or gone: half of those that are gone say that it is for ever."""
        is_over = self.life.gone[page] <= day
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
        modified, now = self._seconds(since), self._seconds(answer.moment)
        state = PageState(version, round(modified), now, self.life.rate(page), is_plain)
        answer.validators = validators_of(state, habits)
        answer.fields += write_fields(state, habits, answer.validators)
        if self.life.is_hub(page) and habits.feed is not Candour.ABSENT:
            feed = LabLink(self._origins[answer.site] + FEED, "News feed")
            answer.extra = [*answer.extra, feed]

    def _seconds(self, day: float) -> float:
        return self.epoch + day * DAY

    def _special(self, site: int, target: str) -> Answer:
        if site < self.hosts:
            if target == FEED and self.habits(site).feed is not Candour.ABSENT:
                return self._xml(site, "feed", self._feed(site))
            if target.startswith("/sitemap") and self.habits(site).sitemap is not Candour.ABSENT:
                content = self._sitemap(site, target)
                return (
                    self._missing(site, target)
                    if content is None
                    else self._xml(site, "sitemap", content)
                )
            index = self.leaf_index(site, MOVED, ".html", target)
            if index >= 0:
                answer = self.ordinary(site, index)
                answer.kind = MOVED
                return answer
        return super()._special(site, target)

    def _robots_file(self, site: int) -> Answer:
        answer = super()._robots_file(site)
        is_rules = answer.status == 200 and answer.content is not None and site < self.hosts
        if is_rules and self.habits(site).sitemap is not Candour.ABSENT:
            line = f"Sitemap: {self._origins[site]}{SITEMAP}\n".encode()
            answer.content = (answer.content or b"") + line
        return answer

    # -- Sitemaps and feeds -------------------------------------------------------------------

    def _xml(self, site: int, kind: str, content: bytes) -> Answer:
        return Answer(site, 0, kind, content=content, media_type="application/xml")

    def _sitemap(self, site: int, target: str) -> bytes | None:
        """The sitemap of a small host; of a large one an index, and its parts."""
        size, origin = self.size(site), self._origins[site]
        parts = [f"/sitemap-{number}.xml" for number in range(0, size, PART)]
        if target == SITEMAP and len(parts) > 1:
            return write_index(origin + part for part in parts)
        if target != SITEMAP and (len(parts) == 1 or target not in parts):
            return None
        first = 0 if target == SITEMAP else parts.index(target) * PART
        return self._sitemap_part(site, first, min(size, first + PART))

    def _sitemap_part(self, site: int, first: int, last: int) -> bytes:
        day, life = self.clock.days(), self.life
        pages = np.arange(life.number(site, first), life.number(site, first) + last - first)
        there = pages[life.is_alive(day)[pages]]
        entries = [
            SitemapEntry(self.url_on(*life.place(page), day), self._seconds(since), life.rate(page))
            for page, since in zip(
                there.tolist(), life.last_changes(there, day).tolist(), strict=True
            )
        ]
        return write_sitemap(entries, self.habits(site).sitemap, self._seconds(day))

    def _feed(self, site: int) -> bytes:
        day, origin = self.clock.days(), self._origins[site]
        write = write_rss if self.draw("feed format", site) & 1 else write_atom
        return write(origin, self._newest(site, day), self.habits(site).feed, self._seconds(day))

    def _newest(self, site: int, day: float) -> list[FeedEntry]:
        """The newest pages of a host, the last one first."""
        life = self.life
        start = life.number(site, 0)
        pages = np.arange(start, start + self.size(site))
        there = pages[(life.born[pages] > 0) & life.is_alive(day)[pages]]
        newest = there[np.argsort(-life.born[there], kind="stable")][:_FEED_LENGTH]
        changed = life.last_changes(newest, day)
        return [
            FeedEntry(
                self.url_on(*life.place(page), day),
                self._renderer.title_of(*life.place(page)),
                self._seconds(float(life.born[page])),
                self._seconds(since),
            )
            for page, since in zip(newest.tolist(), changed.tolist(), strict=True)
        ]

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

    def number_of(self, url: str) -> int:
        """The number in `life` of the page that a URL shows, has shown or will show; -1 for none."""
        site, target = self.locate(url)
        return self.number_at(site, target) if 0 <= site < self.hosts else -1

    def number_at(self, site: int, target: str) -> int:
        """The same for a path of a host."""
        index = self.page_number(site, target)
        if index < 0:
            index = self.leaf_index(site, MOVED, ".html", target)
        return self.life.number(site, index) if index >= 0 else -1


def _rebuild(
    seed: int,
    pages: int,
    hosts: int,
    port: int,
    behaviours: tuple[Behaviour, ...],
    clock: Days,
    settings: LifeSettings,
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
