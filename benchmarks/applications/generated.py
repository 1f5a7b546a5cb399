"""Generated applications and honest sites in the benchmark, and their figures over many seeds."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import quantiles

from benchmarks.applications.application import OLD, Application, Origin, Reply
from benchmarks.applications.figures import POINTS, Figures
from benchmarks.generated_sites import (
    KINDS,
    FacetedCatalogue,
    GeneratedApplication,
    GeneratedSite,
    HonestSite,
)


class Generated(Application):
    """A site that the lab computes: its pages say themselves what they show."""

    def __init__(self, name: str, site: GeneratedSite) -> None:
        self._name = name
        self.site = site

    @property
    def url(self) -> str:
        return f"http://{self._name}.test{self.site.start}"

    def truth(self) -> set[str]:
        return self.site.items() | {f"{OLD}{item}" for item in self.site.old_items()}

    @contextmanager
    def served(self, root: Path) -> Iterator[Origin]:
        yield self.reply

    def reply(self, target: str) -> Reply:
        if target == "/robots.txt":
            return Reply(200, (("Content-Type", "text/plain"),), self.site.robots_txt)
        page = self.site.page(target)
        if page is None:
            return Reply(404, (("Content-Type", "text/html"),), b"<h1>Not found</h1>")
        where = (("Location", page.location),) if page.location else ()
        return Reply(page.status, (("Content-Type", page.media_type), *where), page.body())

    def item_of(self, target: str, reply: Reply | None = None) -> str | None:
        page = self.site.page(target)
        return page.item if page else None

    def is_useful(self, target: str) -> bool:
        page = self.site.page(target)
        return page is not None and page.is_useful


def generated(seeds: Sequence[int], pages: int) -> Iterator[tuple[str, Generated]]:
    """The generated applications of these seeds."""
    for seed in seeds:
        yield f"seed {seed}", Generated(f"seed{seed}", GeneratedApplication(seed, pages))


def honest(seeds: Sequence[int], pages: int) -> Iterator[tuple[str, Generated]]:
    """The honest sites of these seeds, their kinds in turn."""
    for seed in seeds:
        kind = KINDS[seed % len(KINDS)]
        yield f"{kind} {seed}", Generated(f"{kind}{seed}", HonestSite(kind, seed, pages))


def catalogues(seeds: Sequence[int], pages: int) -> Iterator[tuple[str, Generated]]:
    """The catalogues of these seeds; two rows for each page that other sites have."""
    for seed in seeds:
        yield f"catalogue {seed}", Generated(f"catalogue{seed}", FacetedCatalogue(seed, 2 * pages))


def spread(figures: Sequence[dict[str, Figures]]) -> list[str]:
    """The distribution of each figure over the seeds, as a table.

    Parts are of what can be reached. `lost` and `behind` are promises: they should be 0 in each seed.
    """
    lines = ["| crawler | figure | least | quarter | median | three quarters | most |"]
    lines.append("|---|---|" + "---:|" * 5)
    for crawler in figures[0] if figures else ():
        ours = [one[crawler] for one in figures]
        for point in POINTS:
            values = [one.by[point] / max(one.reachable, 1) for one in ours]
            lines.append(_row(crawler, f"part after {point:,}", values, "{:.2f}"))
        lines.append(_row(crawler, "fetches", [one.fetches for one in ours]))
        lines.append(_row(crawler, "wasted", [one.wasted for one in ours], "{:.2f}"))
        lines.append(_row(crawler, "behind FIFO", [one.behind for one in ours]))
        lines.append(_row(crawler, "lost", [len(one.lost) for one in ours]))
        lines += _promises(crawler, ours)
    return lines


def _row(crawler: str, name: str, values: Sequence[float], form: str = "{:,.0f}") -> str:
    found = sorted(values)
    inner = quantiles(found, n=4, method="inclusive") if len(found) > 1 else found * 3
    cells = [form.format(value) for value in (found[0], *inner, found[-1])]
    return f"| {crawler} | {name} | {' | '.join(cells)} |"


def _promises(crawler: str, ours: Sequence[Figures]) -> list[str]:
    ended = [one for one in ours if one.finished]
    whole = sum(not one.lost for one in ended)
    level = sum(one.behind <= 0 for one in ours)
    return [
        f"| {crawler} | finished: {len(ended)} of {len(ours)}; with everything: {whole}; "
        f"never behind FIFO: {level} | | | | | |"
    ]
