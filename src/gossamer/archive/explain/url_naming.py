"""Find the pages that named a URL, and the result, in the tables of a crawl."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gossamer.archive.page_schema import optional_columns, read_page_schema
from gossamer.core.errors import DamageError
from gossamer.core.parquet import checked_parquet, column_names
from gossamer.core.whole_files import table_files

if TYPE_CHECKING:
    from pyarrow import Schema

    from gossamer.core.url import Url

Facts = Iterator[tuple[str, str]]
Row = dict[str, Any]

LINK_COLUMNS = ("source", "kind", "anchor", "rel", "refused")
REDIRECT_COLUMNS = ("url", "redirect_refused")


class Naming:
    """All links and redirects to a URL, wherever they were read."""

    def __init__(
        self, url: "Url", links: list[Row], redirects: list[Row], says_why: bool = True
    ) -> None:
        """Rows of the tables of links (`LINK_COLUMNS`) and pages (`REDIRECT_COLUMNS`).

        Tables of an earlier version do not say why a link was refused.
        """
        self._links = links
        self._url = url
        self._redirects = redirects
        self._says_why = says_why

    @property
    def is_offered(self) -> bool:
        """Did a link or a redirect lead to it that was followed?"""
        links = [link["refused"] for link in self._links] if self._says_why else []
        return None in (*links, *(one["redirect_refused"] for one in self._redirects))

    def facts(self) -> Facts:
        if not self._links and not self._redirects:
            yield "named", "by no link or redirect in the tables on disk"
        for row in self._redirects:
            yield "named", f"by a redirect at {row['url']}{_refusal(row['redirect_refused'])}"
        by_reason: dict[str | None, list[Row]] = {}
        for row in self._links:
            by_reason.setdefault(row["refused"], []).append(row)
        for reason, rows in by_reason.items():
            count = len({(row["source"], row["kind"], row["anchor"], row["rel"]) for row in rows})
            many = f"; {count:,} such links" if count > 1 else ""
            said = _refusal(reason) if self._says_why else ""
            yield "named", f"by {rows[0]['source']} ({rows[0]['kind']}){said}{many}"
            if reason == "action":
                yield "reason", self._say_action(rows[0])

    def _say_action(self, row: Row) -> str:
        """Name the word that made a link an action: its own, or one of another link on the page."""
        from gossamer.core.records import Link, LinkKind
        from gossamer.pipeline.scope import describe_action, find_action

        words = row["anchor"] or "", row["rel"] or ""
        link = Link(row["source"], self._url, LinkKind(row["kind"]), *words)
        return describe_action(find_action(link) or "as another link of its page says")


def read_naming(url: "Url", crawl: Path) -> Naming:
    """All of them, from the tables on disk, which are looked through."""
    from pyarrow import dataset

    from gossamer.output.links_table import links_schema
    from gossamer.output.pages_table import pages_schema

    leads_here = dataset.field("target") == url.text
    links = _read(crawl / "links", links_schema(), leads_here, LINK_COLUMNS)
    leads_here = dataset.field("redirect_to") == url.text
    redirects = _read(crawl / "pages", pages_schema(), leads_here, REDIRECT_COLUMNS)
    return Naming(url, links, redirects, _has_column(crawl / "links", "refused"))


def read_visits(url: "Url", crawl: Path) -> list[Row]:
    """Read all visits of a URL from the pages table, the last one last."""
    from pyarrow import dataset

    files = table_files(crawl, "pages")
    schema = read_page_schema(files, optional_columns(crawl))
    is_it = dataset.field("url") == url.text
    found = _read(crawl / "pages", schema, is_it, tuple(schema.names))
    key = _request_key(url, crawl)
    found = [row for row in found if row["request_key"] == key]
    return sorted(found, key=lambda row: row["fetched_at"])


def _request_key(url: "Url", crawl: Path) -> int | None:
    """The key that rows of a request have; None for a plain URL."""
    from gossamer.core.directory import Directory
    from gossamer.core.request import RequestUrl

    if not isinstance(url, RequestUrl):
        return None
    return url.written_key(Directory(crawl).look().store.secret_names)


def _refusal(reason: str | None) -> str:
    return f", refused: {reason}" if reason else ", offered"


def _read(folder: Path, schema: "Schema", where: Any, columns: tuple[str, ...]) -> list[Row]:
    """Rows of a table; columns that its files do not have are null."""
    from pyarrow import ArrowException, dataset

    files = [str(path) for path in table_files(folder.parent, folder.name)]
    if not files:  # there is none, or not yet
        return []
    try:
        table = dataset.dataset(files, schema=schema, format=checked_parquet())
        found: list[Row] = table.to_table(columns=list(columns), filter=where).to_pylist()
    except (ArrowException, OSError) as error:
        said = " ".join(str(error).split())
        raise DamageError(folder, f"holds a file that cannot be read ({said})") from None
    return found


def _has_column(folder: Path, name: str) -> bool:
    """Do all files have it? Those of a crawl that an earlier version began may not."""
    return all(name in column_names(path) for path in folder.glob("*.parquet"))
