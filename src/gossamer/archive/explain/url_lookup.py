"""Look up a URL in the files of a crawl."""

from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

from gossamer.analyzers.redundancy import RedundancyState
from gossamer.archive.explain.held_lookup import is_held
from gossamer.archive.explain.redundancy_facts import read_watches
from gossamer.archive.explain.url_naming import Naming, read_naming, read_visits
from gossamer.core.url import Url


class KnownOfUrl(Protocol):
    """Facts that a crawl has about one URL."""

    @property
    def crawl(self) -> Path: ...

    @property
    def watches(self) -> list[RedundancyState]:
        """The redundancy state of each partition at its last checkpoint."""

    @property
    def naming(self) -> Naming:
        """The pages that link to it, and the refusals of these links."""

    @property
    def visits(self) -> list[dict[str, Any]]:
        """Its rows of the pages table, the last visit last; times are dates."""

    @property
    def is_held(self) -> bool | None:
        """Was it held back? None when that cannot be told just now."""


class KnownOnDisk:
    """Reads the tables through, each time again."""

    def __init__(self, url: Url, crawl: Path) -> None:
        self._url = url
        self.crawl = crawl

    @cached_property
    def watches(self) -> list[RedundancyState]:
        return [*read_watches(self.crawl)]

    @cached_property
    def naming(self) -> Naming:
        return read_naming(self._url, self.crawl)

    @cached_property
    def visits(self) -> list[dict[str, Any]]:
        return read_visits(self._url, self.crawl)

    @property
    def is_held(self) -> bool | None:
        return is_held(self._url, self.crawl)
