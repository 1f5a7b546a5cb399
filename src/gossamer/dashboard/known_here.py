"""Facts about a URL from the tables in memory and the last checkpoint, for `archive.explain`."""

from collections.abc import Iterator
from contextlib import suppress
from functools import cached_property
from itertools import islice
from typing import Any

import numpy as np
from msgspec.structs import asdict
from numpy.typing import NDArray

from gossamer.analyzers.redundancy.redundancy_filter import RedundancyState
from gossamer.archive.explain.held_lookup import held_keys
from gossamer.archive.explain.url_naming import Naming
from gossamer.core.url import Url
from gossamer.dashboard.checkpoint_reading import checkpoint_files, checkpoint_of
from gossamer.dashboard.file_stamp import stamps
from gossamer.dashboard.shown_crawl import ShownCrawl
from gossamer.dashboard.tables.link_table import links_of
from gossamer.dashboard.tables.page_part import PagePart
from gossamer.dashboard.tables.page_table import pages_of
from gossamer.dashboard.tables.table_gathering import Gathered

_MOST_LINKS = 1000
"""Links to a URL that are looked at."""
_MOST_HELD = 500_000
"""URLs held back that are looked at: 8 bytes of memory for each."""


class KnownHere:
    """Answers from memory; the first visit and the last ones are read from their files."""

    def __init__(self, url: Url, crawl: ShownCrawl, gathered: Gathered[PagePart]) -> None:
        self._url = url
        self._shown = crawl
        self._gathered = gathered
        self.crawl = crawl.path

    @property
    def watches(self) -> list[RedundancyState]:
        return checkpoint_of(self._shown).watches

    @cached_property
    def naming(self) -> Naming:
        links, pages = links_of(self._shown), pages_of(self._shown)
        gathered = links.look()
        rows = [
            {**asdict(line), "refused": line.refused or None}
            for line in links.to(gathered, self._url.text, _MOST_LINKS).lines
        ]
        redirects, _ = pages.that_name(self._gathered, "redirect_to", self._url.text, _MOST_LINKS)
        refused = [
            {"url": page_line.url, "redirect_refused": page_line.redirect_refused or None}
            for page_line in redirects
        ]
        says_why = all(part.says_why for part in gathered.parts)
        return Naming(self._url, rows, refused, says_why)

    @cached_property
    def visits(self) -> list[dict[str, Any]]:
        pages = pages_of(self._shown)
        places = pages.visits(self._gathered, self._url.text)
        if not places:
            return []
        last = places[1:][-self._shown.settings.revisit.gone_after :]
        first, *rest = (pages.whole_row(*place) for place in (places[0], *last))
        return [*[first] * (len(places) - len(rest)), *rest]

    @property
    def is_held(self) -> bool | None:
        mark = stamps(checkpoint_files(self._shown))
        held = self._shown.keep("held", mark, self._read_held)
        return None if held is None else bool(np.isin(np.uint64(self._url.key), held))

    def _read_held(self) -> NDArray[np.uint64] | None:
        with suppress(OSError):
            keys: Iterator[int] = islice(held_keys(self.crawl), _MOST_HELD)
            return np.fromiter(keys, np.uint64)
        return None
