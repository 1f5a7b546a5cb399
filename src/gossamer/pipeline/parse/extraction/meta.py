"""`meta` elements: descriptions, authors, dates, Open Graph."""

from collections.abc import Iterable

from gossamer.pipeline.parse.extraction.bounds import clip

_MAX_META = 2_000
_GRAPH = ("og:", "article:", "book:", "profile:", "music:", "video:", "fb:", "twitter:")


class Meta:
    """The `meta` elements of a page by name: `name`, `property`, `http-equiv` or `itemprop`.

    >>> meta = Meta([("Description", "About it"), ("og:title", "T"), ("og:title", "U")])
    >>> meta.first("description"), meta.open_graph
    ('About it', {'og:title': ['T', 'U']})
    """

    def __init__(self, pairs: Iterable[tuple[str, str]]) -> None:
        self._values: dict[str, list[str]] = {}
        for number, (name, content) in enumerate(pairs):
            if number >= _MAX_META:
                break
            said = clip(" ".join(content.split()))
            if said:
                self._values.setdefault(clip(name.strip().lower(), 1024), []).append(said)

    def first(self, *names: str) -> str:
        """The first value of the first of these names that has one."""
        return next((self._values[name][0] for name in names if name in self._values), "")

    def all(self, *names: str) -> list[str]:
        return [value for name in names for value in self._values.get(name, ())]

    @property
    def open_graph(self) -> dict[str, list[str]]:
        return {name: some for name, some in self._values.items() if name.startswith(_GRAPH)}
