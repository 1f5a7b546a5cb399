"""A catalogue: rows of a table in any order, narrowed by facets, exported, and a page for each row."""

import re
from collections.abc import Sequence
from random import Random

from benchmarks.generated_sites.generated_page import SiteLink, SitePage
from benchmarks.generated_sites.numbers import number_of
from gossamer.lab.vocabulary import TOPICS

_FORMATS = ("csv", "json")
_KNOWN = re.compile(r"/rows(?:\.(?P<format>csv|json))?(?:\?(?P<query>.*))?$")
_PER_PAGE = 50
_SHORT, _LONG = 3, 40
"""Words that a row has."""


class FacetedCatalogue:
    """Rows with a title and facets, as a database shows them in a browser; drawn from a seed.

    Content: the page of each row. The lists show all of that, too, in more ways than anybody wants.

    >>> site = FacetedCatalogue(seed=1, rows=40)
    >>> page = site.page("/rows/17")
    >>> page.item, len(site.items())
    ('row:17', 40)
    """

    def __init__(self, seed: int, rows: int = 300) -> None:
        self.rows = rows
        random = Random(f"catalogue {seed}")
        words = sorted({word for topic in TOPICS for word in (*topic.nouns, *topic.adjectives)})
        length = random.choice((_SHORT, _LONG))
        self._texts = [" ".join(random.choices(words, k=length)) for _ in range(rows)]
        names = random.sample(words, random.randrange(3, 6))
        self._facets = {name: random.sample(words, random.randrange(4, 16)) for name in names}
        self._values = [
            {name: random.choice(values) for name, values in self._facets.items()}
            for _ in range(rows)
        ]

    @property
    def start(self) -> str:
        return "/"

    @property
    def robots_txt(self) -> bytes:
        return b"User-agent: *\nDisallow:\n"

    def items(self) -> set[str]:
        return {f"row:{number}" for number in range(self.rows)}

    def old_items(self) -> set[str]:
        return set()

    def page(self, target: str) -> SitePage | None:
        if target == "/":
            return SitePage("Home", links=[SiteLink("/rows", "rows")], is_useful=True)
        if found := _KNOWN.match(target):
            return self._list(found["format"] or "", found["query"] or "")
        number = number_of(target.removeprefix("/rows/"))
        is_row = 0 <= number < self.rows and target == f"/rows/{number}"
        return self._row(number) if is_row else None

    def _row(self, number: int) -> SitePage:
        return SitePage(
            f"rows: {number}",
            f"<table>{self._cells(number)}</table>",
            menu=[SiteLink("/", "home"), SiteLink("/rows", "rows")],
            item=f"row:{number}",
            is_useful=True,
        )

    def _cells(self, number: int) -> str:
        cells = (str(number), self._texts[number], *self._values[number].values())
        return f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"

    def _list(self, form: str, query: str) -> SitePage | None:
        said = dict(part.split("=", 1) for part in query.split("&") if "=" in part)
        sort, first = said.pop("sort", ""), number_of(said.pop("from", "0"))
        if not (self._facets.keys() >= said.keys() and sort in ("", *self._facets)) or first < 0:
            return None
        rows = [n for n in range(self.rows) if said.items() <= self._values[n].items()]
        if sort:
            rows.sort(key=lambda number: (self._values[number][sort], number))
        if form:
            text = "\n".join(self._exported(form, number) for number in rows)
            kind = "text/plain" if form == "csv" else "application/json"
            return SitePage("export", text, media_type=kind)
        shown = rows[first : first + _PER_PAGE]
        chosen = [f"{name}={value}" for name, value in said.items()]
        chosen += [f"sort={sort}"] if sort else []
        return SitePage(
            f"rows: {len(rows)} {' '.join(chosen)}",
            f"<table>{''.join(map(self._cells, shown))}</table>",
            menu=[SiteLink("/", "home"), *self._exports(query), *self._choices(chosen, said, rows)],
            links=[
                *(SiteLink(f"/rows/{number}", str(number)) for number in shown),
                *self._next(chosen, first, len(rows)),
            ],
            is_useful=not chosen,
        )

    def _exported(self, form: str, number: int) -> str:
        values = {"title": self._texts[number], **self._values[number]}
        if form == "csv":
            return ",".join((str(number), *values.values()))
        inner = ", ".join(f'"{name}": "{value}"' for name, value in values.items())
        return f'{{"id": {number}, {inner}}}'

    def _exports(self, query: str) -> list[SiteLink]:
        tail = f"?{query}" if query else ""
        return [SiteLink(f"/rows.{form}{tail}", form) for form in _FORMATS]

    def _choices(
        self, chosen: Sequence[str], said: dict[str, str], rows: Sequence[int]
    ) -> list[SiteLink]:
        """Facets that narrow the list further, and other orders of it."""
        open_facets = {name: values for name, values in self._facets.items() if name not in said}
        found = []
        for name, values in open_facets.items():
            for value in values:
                count = sum(self._values[number][name] == value for number in rows)
                if count:
                    target = "/rows?" + "&".join((*chosen, f"{name}={value}"))
                    found.append(SiteLink(target, f"{value} {count}"))
        kept = [one for one in chosen if not one.startswith("sort=")]
        orders = ["/rows?" + "&".join((*kept, f"sort={name}")) for name in self._facets]
        return found + [SiteLink(target, "sort") for target in orders]

    def _next(self, chosen: Sequence[str], first: int, count: int) -> list[SiteLink]:
        after = first + _PER_PAGE
        if after >= count:
            return []
        return [SiteLink("/rows?" + "&".join((*chosen, f"from={after}")), "next")]
