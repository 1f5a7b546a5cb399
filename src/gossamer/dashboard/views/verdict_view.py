"""The verdict on the crawl, with its figures, its cause and the remedies."""

from msgspec import Struct

from gossamer.dashboard.crawl_snapshot import snapshot_of
from gossamer.dashboard.shown_crawl import ShownCrawl
from gossamer.dashboard.view_protocol import SortableAsked, View
from gossamer.engine.crawl_figures import FigureNow, show_figures
from gossamer.engine.crawl_health import CrawlVerdict, HostFamily, PartitionLoad, judge


class VerdictSeen(Struct, frozen=True):
    """The verdict, and what it is made of."""

    verdict: CrawlVerdict
    is_running: bool
    is_paused: bool
    silent_seconds: float
    """Since the crawl wrote its status."""
    figures: list[FigureNow]
    families: tuple[HostFamily, ...]
    """Hosts that belong together, the largest; as of the last checkpoint and the last pages."""
    partitions: tuple[PartitionLoad, ...]


def look(crawl: ShownCrawl, asked: SortableAsked) -> VerdictSeen:
    at = snapshot_of(crawl)
    return VerdictSeen(
        judge(at),
        at.is_running,
        at.is_paused,
        at.silent_seconds,
        show_figures(at),
        at.families,
        at.partitions,
    )


VERDICT = View(
    path="/state",
    title="State",
    about="State of the crawl: one word, the cause, the remedy, and the figures behind it.",
    asked=SortableAsked,
    answer=VerdictSeen,
    look=look,
    template="verdict.html",
    live="verdict.live.html",
    is_in_menu=False,
)
