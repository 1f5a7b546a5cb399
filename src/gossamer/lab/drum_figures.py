"""The figures that the IRLbot paper prints, beside what its model gives."""

from collections.abc import Iterator

from msgspec import Struct

from gossamer.lab.drum_model import (
    GB,
    TB,
    W_IRLBOT,
    CrawlShape,
    download_rate,
    drum_overhead,
    mercator_overhead,
    optimal_bucket,
    optimal_buckets,
    optimal_disk,
    polybot_overhead,
    scaled_disk,
)

PAGES = {"800M": 800e6, "8B": 8e9, "80B": 80e9, "800B": 800e9, "8T": 8e12}


class DrumFigure(Struct, frozen=True):
    """A figure of the paper."""

    place: str
    """The table or section that has it."""
    row: str
    what: str
    printed: str
    computed: float

    @property
    def is_reproduced(self) -> bool:
        """Is it the same up to the last digit shown, whether that was rounded or cut off?"""
        digits = len(self.printed.partition(".")[2])
        return abs(self.computed - float(self.printed.replace(",", ""))) < 0.1**digits


TABLE_2 = {
    "800M": ("11.6", "69", "2.26"),
    "8B": ("93", "663", "2.35"),
    "80B": ("917", "6,610", "3.3"),
    "800B": ("9,156", "66,082", "12.5"),
    "8T": ("91,541", "660,802", "104"),
}
TABLE_3 = {
    "800M": ("4.48", "2.30", "3.29", "2.30"),
    "8B": ("25", "2.7", "13.5", "2.7"),
    "80B": ("231", "3.3", "116", "3.3"),
    "800B": ("2,290", "3.3", "1,146", "3.3"),
    "8T": ("22,887", "8.1", "11,444", "3.7"),
}


def table_2() -> Iterator[DrumFigure]:
    """α for R = 1 GB and D = 4.39 TB."""
    for row, printed in TABLE_2.items():
        crawl = CrawlShape.of_pages(PAGES[row])
        computed = (
            mercator_overhead(crawl, GB),
            polybot_overhead(crawl, GB),
            drum_overhead(crawl, GB, 4.39 * TB),
        )
        for what, text, value in zip(_METHODS, printed, computed, strict=True):
            yield DrumFigure("Table 2", row, what, text, value)


def table_3() -> Iterator[DrumFigure]:
    """α for a disk that grows with the crawl."""
    for row, printed in TABLE_3.items():
        crawl = CrawlShape.of_pages(PAGES[row])
        computed = [
            overhead
            for R in (4 * GB, 8 * GB)
            for overhead in (
                mercator_overhead(crawl, R),
                drum_overhead(crawl, R, scaled_disk(crawl)),
            )
        ]
        for what, text, value in zip(_COLUMNS, printed, computed, strict=True):
            yield DrumFigure("Table 3", row, what, text, value)


def rates() -> Iterator[DrumFigure]:
    """Section 4.5: what the disk of IRLbot could keep up with in a crawl of 8 trillion pages."""
    crawl, memory = CrawlShape.of_pages(8e12), 8 * GB
    drum = drum_overhead(crawl, memory, scaled_disk(crawl))
    mercator = mercator_overhead(crawl, memory)
    polybot = polybot_overhead(crawl, memory)
    for what, printed, computed in (
        ("DRUM, pages/s", "4,192", download_rate(crawl, drum, W_IRLBOT)),
        ("Mercator-B, pages/s", "1.4", download_rate(crawl, mercator, W_IRLBOT)),
        ("Polybot, pages/s", "0.2", download_rate(crawl, polybot, W_IRLBOT)),
        ("DRUM over Mercator-B", "3,075", mercator / drum),
        ("Mercator-B over Polybot", "7.2", polybot / mercator),
    ):
        yield DrumFigure("Section 4.5", "8T", what, printed, computed)


def optimum() -> Iterator[DrumFigure]:
    """Section 4.4: disk, buckets and bucket buffer that suit a memory."""
    crawl = CrawlShape.of_pages(8e9)
    for what, printed, computed in (
        ("Dopt for R = 1 GB, TB", "4.39", optimal_disk(crawl, GB) / TB),
        ("Dopt for R = 2 GB, TB", "17", optimal_disk(crawl, 2 * GB) / TB),
        ("ropt / R", "0.33", optimal_bucket(crawl, GB) / GB),
        ("kopt for R = 1 GB, thousands", "1", optimal_buckets(crawl, GB) / 1000),
    ):
        yield DrumFigure("Section 4.4", "", what, printed, computed)


def all_figures() -> Iterator[DrumFigure]:
    yield from table_2()
    yield from table_3()
    yield from rates()
    yield from optimum()


_METHODS = ("Mercator-B", "Polybot", "DRUM")
_COLUMNS = ("Mercator-B, 4 GB", "DRUM, 4 GB", "Mercator-B, 8 GB", "DRUM, 8 GB")
