"""Sitemaps and feeds in a crawl that never ends: they are visited again, and what they say is heeded."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from gossamer.core.outcomes import Outcome
from gossamer.engine.ring import Ring
from gossamer.policy.revisit.honesty import ChangeSource
from gossamer.policy.revisit.page_groups import number_of
from tests.engine.scripted import Bench, Said, html, text
from tests.engine.test_continuous import DAY, A, asked, live, make

PAGES = [f"{A}/{number}" for number in range(10)]
MAP = f"{A}/sitemap.xml"


def spell(seconds: float) -> str:
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%dT%H:%M:%SZ}"


def sitemap(changed: dict[str, float]) -> Said:
    items = "".join(
        f"<url><loc>{url}</loc><lastmod>{spell(when)}</lastmod></url>"
        for url, when in changed.items()
    )
    return 200, {"Content-Type": "application/xml"}, f"<urlset>{items}</urlset>"


def words(url: str, when: float) -> Said:
    return html(text=" ".join(f"{url[-1]}x{int(when)}x{number}" for number in range(40)))


class LivelySite:
    """Ten pages, and a sitemap that tells when they changed."""

    def __init__(self, out: Path) -> None:
        self.script: dict[str, Said | Outcome] = {
            f"{A}/robots.txt": text(f"Sitemap: {MAP}\n"),
            f"{A}/": html(),
        }
        self.changed: dict[str, float] = {}
        self.change(*PAGES, at=900_000.0)
        limits = {"shortest": 0.5, "longest": 1.0, "policy": "uniform"}
        self.bench, self.world = make(out, self.script, f"{A}/", **limits)

    def change(self, *urls: str, at: float = 0.0) -> None:
        for url in urls:
            self.changed[url] = at or self.world.clock.now()
            self.script[url] = words(url, self.changed[url])
        self.script[MAP] = sitemap(self.changed)

    def live(self, days: float) -> None:
        live(self.bench, days * DAY, calm=3600.0)


def test_sitemaps_and_robots_txt_are_visited_again(tmp_path: Path) -> None:
    site = LivelySite(tmp_path / "out")
    site.live(1.5)
    assert len(asked(site.world, MAP)) == 2
    assert len(asked(site.world, f"{A}/robots.txt")) == 2, "after a day at the latest (RFC 9309)"
    new = f"{A}/new"
    site.change(new)
    site.live(1.0)
    assert len(asked(site.world, new)) == 1
    site.bench.die()


def test_a_feed_is_visited_again(tmp_path: Path) -> None:
    item = "<item><link>{}</link><title>t</title></item>"
    feed = f"<rss><channel>{item}</channel></rss>"
    kind = {"Content-Type": "application/rss+xml"}
    script: dict[str, Said | Outcome] = {
        f"{A}/": html("/feed"),
        f"{A}/feed": (200, kind, feed.format("/1")),
        f"{A}/1": html(text="one"),
        f"{A}/2": html(text="two"),
    }
    bench, world = make(tmp_path / "out", script, f"{A}/")
    live(bench, 1.5 * DAY, calm=3600.0)
    assert (len(asked(world, f"{A}/feed")), len(asked(world, f"{A}/1"))) == (2, 2)
    script[f"{A}/feed"] = (200, kind, feed.format("/2"))
    live(bench, DAY, calm=3600.0)
    assert len(asked(world, f"{A}/2")) == 1
    bench.die()


def believe(ring: Ring) -> None:
    """The sitemap was right many times."""
    assert ring.components.revisits is not None
    honesty = ring.components.revisits._observations.honesty
    for _ in range(20):
        honesty.note(
            *(number_of("a.test"), ChangeSource.SITEMAP),
            says_changed=True,
            is_changed=True,
            chance=0.1,
        )


@pytest.mark.parametrize("is_believed", [True, False])
def test_a_page_is_visited_at_once_when_a_believed_sitemap_says_that_it_changed(
    tmp_path: Path, is_believed: bool
) -> None:
    site = LivelySite(tmp_path / "out")
    site.live(0.5)
    if is_believed:
        believe(site.bench.job.ring)
    site.change(PAGES[3])
    site.live(1.0)
    assert len(asked(site.world, MAP)) == 2
    assert len(asked(site.world, PAGES[4])) == 2
    assert len(asked(site.world, PAGES[3])) == 2 + is_believed
    site.bench.die()


def test_a_visit_by_the_word_of_a_sitemap_is_not_lost_when_the_crawl_dies(tmp_path: Path) -> None:
    site = LivelySite(tmp_path / "out")
    site.live(0.5)
    believe(site.bench.job.ring)
    site.change(PAGES[3])
    inbox = site.bench.job.ring.components.inbox
    for _ in range(500):
        if len(inbox):
            break
        live(site.bench, 1.0, calm=3600.0)
    assert len(inbox) == 1
    site.bench.die()
    again = Bench(tmp_path / "out", site.world, is_new=False)
    again.begin()
    assert len(again.job.ring.components.inbox) == 1
    live(again, 600.0)
    assert len(again.job.ring.components.inbox) == 0
    assert len(asked(site.world, PAGES[3])) == 2, "once by its word, and not yet by its schedule"
    again.die()
