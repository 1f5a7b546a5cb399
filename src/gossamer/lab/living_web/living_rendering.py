"""Living pages written out: what a page shows is a function of its version, but for its ornaments.

Links follow the time, too: a page names a new page, drops one that is gone and learns that one has moved with
its own next change, not before. So nothing on it changes between two changes.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from gossamer.lab.linking import CHANCE_NEEDED, MENU, plan_links
from gossamer.lab.living_web.ornaments import write_foot, write_head
from gossamer.lab.living_web.text_fragments import TextFragment, fragments_of
from gossamer.lab.living_web.web_life import WebEvolution
from gossamer.lab.page_rendering import Renderer, write_link
from gossamer.lab.prose import TEXT_LENGTHS
from gossamer.lab.seeded_chance import draw
from gossamer.lab.simulated_sites import Sites
from gossamer.lab.url_answer import Answer, LabLink, Tongue

NEWS_SHOWN = 30
_END = len(b"</p>\n")


class LivingLinks(NamedTuple):
    """The ordinary pages that a page names, each as host and index, in the order of its body."""

    menu: list[tuple[int, int]]
    news: list[tuple[int, int]]
    others: list[tuple[int, int]]

    @property
    def all(self) -> list[tuple[int, int]]:
        return [*self.menu, *self.news, *self.others]


class LivingRenderer(Renderer):
    """Writes the pages of a living web, each as it is at the moment of its answer."""

    def __init__(
        self,
        evolution: WebEvolution,
        sites: Sites,
        origins: Sequence[str],
        tongue_of: Callable[[int], Tongue | None],
        url_on: Callable[[int, int, float], str],
        epoch: float,
    ) -> None:
        """`url_on` says where a page is on a day."""
        super().__init__(evolution.seed, sites, origins, tongue_of)
        self._evolution = evolution
        self._url_on = url_on
        self._epoch = epoch

    def state_of(self, answer: Answer) -> tuple[int, float]:
        """The version of the page that an answer shows, and the day since which it has it."""
        return self._evolution.state(
            self._evolution.number(answer.site, answer.index), answer.moment
        )

    def url_for(self, answer: Answer, site: int, index: int, since: float) -> str:
        """The URL of a link to a page, on a page that has not changed since that day."""
        url = self._url_on(site, index, since)
        if answer.mirror and site == answer.site and not answer.is_absolute:
            return answer.mirror + url.removeprefix(self._origins[site])
        return url

    def links_of(self, answer: Answer, since: float) -> LivingLinks:
        """Whom a page names that has not changed since that day."""
        evolution, site, index = self._evolution, answer.site, answer.index
        chance = self.chance_of(site, index)
        plan = plan_links(self._sites, site, index, chance)
        planned = [*((site, page) for page in plan.local), *plan.remote]
        news = evolution.news(evolution.number(site, index), since).tolist()
        shown = [page for page in news if evolution.is_there(page, since)][:NEWS_SHOWN]
        return LivingLinks(
            [(site, page) for page in range(min(MENU, self._sites.sizes[site]))],
            [evolution.place(page) for page in shown],
            [place for place in planned if evolution.is_there(evolution.number(*place), since)],
        )

    def _ordinary(self, answer: Answer) -> bytes:
        version, since = self.state_of(answer)
        links = self.links_of(answer, since)
        paragraphs = self._paragraphs(answer)
        page = self._evolution.number(answer.site, answer.index)
        title = self.title_of(answer.site, answer.index).encode()
        words = [
            self._paragraph(page, fragment, paragraphs) for fragment in self._text(answer, version)
        ]
        canonical = self._url_on(answer.site, answer.index, since).replace("&", "&amp;")
        return b"".join(
            (
                self._opening(answer, title),
                b'<link rel="canonical" href="%b">\n</head><body>\n' % canonical.encode(),
                b"<nav><ul>\n%b</ul></nav>\n" % self._list(answer, links.menu, since),
                b"<h1>%b</h1>\n" % title,
                write_head(self._seed, page, answer.moment, self._epoch, paragraphs),
                *[self._article(answer, place, since, paragraphs) for place in links.news],
                *words,
                b"<ul>\n%b" % self._list(answer, links.others, since),
                *[write_link(link) for link in answer.extra],
                b"</ul>\n",
                write_foot(self._seed, page, answer.moment),
                b"<footer>Made of chance and words.</footer>\n</body></html>\n",
            )
        )

    def _text(self, answer: Answer, version: int) -> list[TextFragment]:
        """A list of news has the text that it was born with: its news are what changes."""
        page = self._evolution.number(answer.site, answer.index)
        length = TEXT_LENGTHS[self.chance_of(answer.site, answer.index)[CHANCE_NEEDED]]
        is_list = self._evolution.is_hub(page)
        return fragments_of(self._seed, page, 0 if is_list else version, length)

    def _paragraph(self, page: int, fragment: TextFragment, paragraphs: tuple[bytes, ...]) -> bytes:
        """The number at its end tells it from the one before, should chance choose the same words."""
        place, change = fragment
        chosen = draw(self._seed, f"text {place}", page, change) & 255
        return b"%b (Note %d.%d)</p>\n" % (paragraphs[chosen][:-_END], change, place)

    def _list(self, answer: Answer, places: Sequence[tuple[int, int]], since: float) -> bytes:
        return b"".join([write_link(self._link(answer, place, since)) for place in places])

    def _link(self, answer: Answer, place: tuple[int, int], since: float) -> LabLink:
        return LabLink(self.url_for(answer, *place, since), self.title_of(*place))

    def _article(
        self, answer: Answer, place: tuple[int, int], since: float, paragraphs: tuple[bytes, ...]
    ) -> bytes:
        """A new page as a list of news announces it."""
        item = write_link(self._link(answer, place, since))
        summary = paragraphs[draw(self._seed, "summary", *place) & 255]
        return b"<article><ul>\n%b</ul>%b</article>\n" % (item, summary)
