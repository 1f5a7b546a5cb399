"""The scope of a crawl, with the scope roots that were added since it began."""

from pathlib import Path

from gossamer.core.clock import Clock
from gossamer.core.directory import Directory
from gossamer.core.errors import DirectoryError
from gossamer.core.records import Link, LinkKind
from gossamer.core.settings import Settings
from gossamer.core.url import Spelling, Url
from gossamer.engine.inbox import Inbox, read_inbox_state
from gossamer.engine.ledger import Checkpoint, Ledger
from gossamer.engine.seeds import read_seeds
from gossamer.pipeline.scope import Scope

_LOOK_EVERY = 30.0
"""Seconds between two looks at what the crawl has recorded."""


class Territory:
    """Judges URLs as the crawl will, as far as this can be known outside of it."""

    def __init__(self, path: Path, settings: Settings, clock: Clock) -> None:
        self._directory = Directory(path)
        self._clock = clock
        self.spelling = Spelling(settings.url.rules)
        fetch = settings.fetch
        seeds = read_seeds(settings.crawl.seeds, self.spelling, fetch.schemes)
        self._scope = Scope(
            *(settings.scope, seeds, fetch.max_url, None, ("http", "https")),
            personal_hosts=fetch.personal_hosts,
        )
        self._looked = clock.now()
        self._read_by_all = 0
        self._learn()

    def holds(self, url: Url, source: str) -> bool:
        """Is the URL in scope? What a seed redirected to may have come to it just now."""
        return self._judge(url, source) or (self._look() and self._judge(url, source))

    @property
    def read_by_all(self) -> int:
        """Files of the inbox before this one were read by all partitions."""
        self._look()
        return self._read_by_all

    def _look(self) -> bool:
        """Read what is recorded, if that was some time ago."""
        now = self._clock.now()
        if now < self._looked + _LOOK_EVERY:
            return False
        self._looked = now
        self._learn()
        return True

    def _judge(self, url: Url, source: str) -> bool:
        return self._scope.judge(Link(source, url, LinkKind.SITEMAP), 1) is None

    def _learn(self) -> None:
        """Read the last checkpoints."""
        checkpoints = [self._read(number) for number in range(self._directory.partitions)]
        for checkpoint in checkpoints:
            if state := checkpoint.components.get(Scope.name):
                self._scope.replay([state])
        read = [
            read_inbox_state(checkpoint.components.get(Inbox.name, b"")).place[0]
            for checkpoint in checkpoints
        ]
        self._read_by_all = min(read, default=0)

    def _read(self, partition: int) -> Checkpoint:
        try:
            return Ledger.read_checkpoint(Directory(self._directory.path, partition).state)
        except (DirectoryError, OSError):  # the crawl will say so itself
            return Checkpoint()
