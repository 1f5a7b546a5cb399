"""`make docs`: pages of the documentation that are made from the code itself.

What a field or a member is for stands in the string below it, which Python forgets and the source
remembers; the few that are said here (`_MORE`) go without one there.
"""

import ast
import inspect
import sys
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent
from typing import Any, NamedTuple

import typer

STOPPED_BY = {
    "": "It is still running, or it was killed.",
    "finished": "Nothing is waiting and nothing is under way.",
    "blocked": "Nothing is waiting but URLs that a block sets aside; `gossamer control DIR state` lists it.",
    "max_pages": "`crawl.max_pages` was reached.",
    "max_time": "`crawl.max_seconds` was reached.",
    "max_errors": "`crawl.max_errors` errors were raised by functions of a program or a package.",
    "on_hold": "All that is left waits on hosts on hold longer than `politeness.patience`, or silent.",
    "interrupted": "Ctrl-C or SIGTERM, or `Crawl.stop()` without a reason of its own.",
    "user": "`gossamer control DIR stop`, or the same from a browser or a program.",
    "abandoned": "The program stopped reading the pages of the crawl.",
    "copied": "It is a copy of a crawl that had not ended: that runs elsewhere, or was killed.",
    "moved": "A partition ended to go on on another machine; never said of a whole crawl.",
    "failed": "A partition could not go on, or something was raised that nobody expected.",
    "disk_error": "The disk failed or is full. Only the program sees it; on disk it is as if killed.",
}
"""How a crawl ends; `Crawl.stop` takes any other reason, too."""

EXIT_STATUSES = {
    0: "All went well. Of a crawl: it finished, went on hold or reached a limit, and has at least one page "
    "(status 2xx or 304), those of earlier runs included.",
    1: "A mistake in the command, the settings or the directory, or, of `verify`, a "
    "problem that was found. One line on standard error says which.",
    2: "A crawl ended without a single page. One line gives the reason and the remedy.",
    3: "The disk is full or failed. Nothing is lost: once there is space again, run the same command, "
    "or for a crawl `gossamer resume`. A service may try again by itself.",
    4: "A report has rows in a part that `--fail-on` names.",
    130: "Interrupted by Ctrl-C or SIGTERM; `gossamer resume` continues.",
}
"""How the command ends."""

_MORE = {
    "Candidate": {
        "url": "Where it leads.",
        "depth": "Links away from a seed.",
        "via": "How it came to be known: seed, link, redirect, sitemap, feed, robots, requisite, probe, "
        "push or request.",
        "anchor": "The text of the link.",
    },
    "Visit": {
        "url": "What is asked for.",
        "depth": "Links away from a seed.",
        "via": "How it came to be known: seed, link, redirect, sitemap, feed, robots, requisite, probe, "
        "push or request.",
        "source": "The page that named it; empty for a seed.",
        "hops": "Redirects followed to come here.",
    },
    "Page": {
        "visit": "What was asked for, and why.",
        "outcome": "What became of it.",
        "status": "The HTTP status; 0 when no response came.",
        "headers": "The response's header fields.",
        "payload": "The body as sent.",
        "body": "The body, decoded.",
        "truncated": "Why the body is shorter than meant.",
        "url": "The URL's text.",
    },
    "Link": {
        "source": "The URL of the page that it stands on.",
        "target": "Where it points.",
        "kind": "The place it was found in.",
        "anchor": "Its text.",
        "rel": "Its attribute rel, in lower case.",
        "is_nofollow": "Does it ask not to be followed?",
    },
    "Document": {
        "page": "What was read.",
        "title": "Of an HTML page, a feed, a PDF or Markdown.",
        "charset": "The encoding that the text was read in.",
        "media_type": "As declared, or by the first bytes where that says little.",
        "links": "In the order they stand on the page.",
        "url": "The URL's text.",
        "status": "The HTTP status; 0 when no response came.",
        "body": "The body, decoded.",
    },
    "Entry": {"url": "What is listed."},
    "LoggedRequest": {
        "host": "The host that was asked.",
        "path": "What it was asked for: path and query.",
        "method": "GET, HEAD …",
    },
    "Url": {
        "text": "The one spelling.",
        "scheme": "`http`, `https` …",
    },
    "Summary": {
        "bytes": "Bytes received: header fields, and bodies as sent.",
        "seconds": "How long it ran, all runs together.",
        "pages_per_second": "`pages` divided by `seconds`.",
        "links": "Links on the pages, those to known URLs included.",
        "unique_urls": "Different URLs known, visited or not.",
        "in_flight": "Transfers under way.",
        "duplicates": "Pages with status 200 whose bytes were already found at another URL.",
        "statuses": "Pages by HTTP status.",
        "refused": "Visits not made and links not followed, by reason.",
        "errors": "Visits that failed, bodies cut short, and pages that could not be read, by reason.",
        "stopped_by": "How it ended.",
        "directory": "The crawl directory, as it was named.",
    },
}


_LIBRARY = """
Everything a program needs is in the package `gossamer`. A scope, a parser and an order of one's
own: see [Extending a crawl](extending.md).

**Run a crawl.** It is a loop over documents. Leaving it, an error in it and Ctrl-C end the crawl
cleanly; what it was begun with is in its directory, so that it can go on, in this program or
another.

```python
import gossamer

crawl = gossamer.Crawl("https://example.org/", out="example", max_pages=20)
for page in crawl:
    print(page.status, page.url, page.title, len(page.links))
print(crawl.summary().stopped_by)

again = gossamer.Crawl.resume("example", max_pages=30)
again.run()
```

The same call a second time is an error, unless it says what to do: `exists="resume"` goes on with
what is there, `exists="replace"` deletes it and begins again.

**Read it again**, when it has ended, was killed, or is running: `gossamer.open` makes the same
documents from the archive. Other parsers see what the crawl saw. Tables are Arrow datasets.

```python
import gossamer

def read_length(page: gossamer.Page) -> gossamer.Document:
    return gossamer.Document(page, title=f"{len(page.body)} bytes")

stored = gossamer.open("example")
titles = {page.url: page.title for page in stored}
lengths = [page.title for page in stored.documents(parsers={"text/html": read_length})]
one = stored[next(iter(titles))]
found = stored.links.to_table(columns=["source", "target"]).num_rows
```

A crawl that was begun with parsers of one's own is read with the usual ones, unless they are given
again.

`stored.pages`, `stored.links`, `stored.items` and, once `gossamer text example` has made it,
`stored.text` are datasets for PyArrow, DuckDB and Polars; `stored.to_pandas("text", ["url", "title"])`
is a DataFrame. Times are timestamps in UTC in all of them, in JSON and CSV, and as `page.fetched_at`,
`reading.published` and `reading.modified`; `page.started` is the same as `fetched_at`, in seconds since
1970.

**In an event loop** and in a notebook that runs one:

```python
import asyncio

import gossamer

async def main() -> int:
    count = 0
    async with gossamer.Crawl("https://example.org/", out="beside", max_pages=20) as crawl:
        async for page in crawl:
            count += 1
            await asyncio.sleep(0)  # whatever else there is to do
    return count

count = asyncio.run(main())
```

Turns of the crawl run in a thread of their own, one at a time, and none while the body of the loop
works: a loop that is slow slows the crawl. A task that is cancelled ends it cleanly, after the turn
under way (a second at most, and as long as its files take to be closed). A plain `for` works in a
notebook as well; it holds up the notebook's loop as any cell does. With `partitions=` the thread
forks, which a program with other threads should not do: give such a crawl a process of its own.
`crawl.stop()`, `pause()`, `go_on()` and `summary()` may be called from any thread.

**Errors.** What is wrong with seeds, settings and directories is a `GossamerError`, with one line
that says what to do. What a function of one's own raises [ends no crawl by
itself](extending.md#what-they-raise). The logger is `gossamer`.
"""


def main(folder: Path) -> None:
    """Write the reference pages into a folder."""
    for name, text in pages().items():
        (folder / name).write_text(text)


def pages() -> dict[str, str]:
    """The reference pages by file name."""
    return {
        "settings.md": "\n".join(_settings()) + "\n",
        "commands.md": "\n".join(_commands()) + "\n",
        "library.md": "\n".join(_names()) + "\n",
        "outcomes.md": "\n".join(_outcomes()) + "\n",
        "tables.md": "\n".join(_tables()) + "\n",
        "behaviours.md": "\n".join(_behaviours()) + "\n",
    }


# Reading the source.


class DocumentedField(NamedTuple):
    """A field, member or property of a class."""

    name: str
    kind: str
    default: str
    purpose: str


def fields_of(kind: type) -> list[DocumentedField]:
    """What a class says about its attributes, in the order they stand there.

    >>> from gossamer.core.outcomes import Truncation
    >>> fields_of(Truncation)[1]
    DocumentedField(name='LENGTH', kind='', default="'length'", purpose='The size limit was reached.')
    """
    body = _tree(kind).body
    more = _MORE.get(kind.__name__, {})
    found = []
    for node, following in zip(body, [*body[1:], None], strict=True):
        if field := _read_field(node):
            purpose = _text(following) or field.purpose or more.get(field.name, "")
            found.append(field._replace(purpose=" ".join(purpose.split())))
    return found


def _tree(kind: type) -> ast.ClassDef:
    [tree] = ast.parse(dedent(inspect.getsource(kind))).body
    assert isinstance(tree, ast.ClassDef)
    return tree


def _read_field(node: ast.stmt) -> DocumentedField | None:
    if isinstance(node, ast.AnnAssign):
        default = ast.unparse(node.value) if node.value else ""
        return DocumentedField(ast.unparse(node.target), ast.unparse(node.annotation), default, "")
    if isinstance(node, ast.Assign):
        return DocumentedField(ast.unparse(node.targets[0]), "", ast.unparse(node.value), "")
    if isinstance(node, ast.FunctionDef) and _is_property(node) and node.returns:
        return DocumentedField(
            node.name, ast.unparse(node.returns), "", ast.get_docstring(node) or ""
        )
    return None


def _is_property(node: ast.FunctionDef) -> bool:
    return any(ast.unparse(one) == "property" for one in node.decorator_list)


def _text(node: ast.stmt | None) -> str:
    """The string that a statement consists of, if it does."""
    is_text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    return str(node.value.value) if is_text else ""  # type: ignore[union-attr]


def _methods(kind: type, names: tuple[str, ...]) -> Iterator[str]:
    """Each method with its signature and its docstring, inherited ones too."""
    bodies = [_tree(one).body for one in reversed(kind.__mro__) if one is not object]
    nodes = {
        node.name: node
        for body in bodies
        for node in body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    for name in names:
        node = nodes[name]
        del node.args.args[0]  # self, or cls
        result = f" -> {ast.unparse(node.returns)}" if node.returns else ""
        yield f"\n### `{kind.__name__}.{name}`\n"
        yield f"```\n{name}({ast.unparse(node.args)}){result}\n```"
        if about := ast.get_docstring(node):
            yield f"\n{about}"


def _field_table(kind: type) -> Iterator[str]:
    yield "\n| name | type | default | what it is |\n|---|---|---|---|"
    for name, hint, default, purpose in fields_of(kind):
        default = f"`{default}`" if default else ""
        yield f"| `{name}` | `{hint}` | {default} | {purpose} |".replace(" | None", " \\| None")


# The pages.


def _settings() -> Iterator[str]:
    from gossamer.core import settings_file

    yield "# Settings\n"
    yield "Every section and knob of `crawl.toml`; `gossamer settings` prints them at their defaults."
    yield "`gossamer control DIR set section.name=value` changes those that may change [while a crawl"
    yield "runs](control.md)."
    for section, fields in settings_file.describe().items():
        about = settings_file.section_about(section)
        yield f"\n## `[{section}]`\n\n{about}\n\n| name | type | default | what it is for |"
        yield "|---|---|---|---|"
        for name, (kind, default, purpose) in fields.items():
            cells = (f"`{name}`", kind.replace("|", "\\|"), f"`{default}`", purpose)
            yield f"| {' | '.join(cells)} |"


def _commands() -> Iterator[str]:
    from gossamer.cli.app import gather_commands

    yield "# Commands\n"
    yield "| exit status | meaning |\n|---|---|"
    for status, meaning in EXIT_STATUSES.items():
        yield f"| {status} | {meaning} |"
    yield "\n`python -m gossamer` is the same as `gossamer`. `gossamer --install-completion` teaches the"
    yield "shell in use (bash, zsh, fish, PowerShell) to complete commands and options;"
    yield "`--show-completion` prints what it would add."
    yield "\nIn a file of seeds (`--seeds`, or `-` for standard input) each line is a URL. A line that is"
    yield "none ends the command before anything is asked or written; up to ten such lines are named, with"
    yield "file and number."
    yield "\nA wheel for one kind of processor brings the machine code of kernels along. With any other, the"
    yield "first crawl after an installation compiles kernels, once, and says so; `python -m"
    yield "gossamer.engine.warm` does it ahead, for all users of the installation. What was compiled is kept"
    yield "in `$XDG_CACHE_HOME/gossamer` or `~/.cache/gossamer`, by version; beside the package, if that is a"
    yield (
        "source tree; or, without remote storage to write to, in a temporary folder; "
        "`NUMBA_CACHE_DIR` names"
    )
    yield "another."
    yield from _command(typer.main.get_command(gather_commands()), "gossamer")


def _command(command: Any, path: str) -> Iterator[str]:
    if hasattr(command, "commands"):
        for name, part in command.commands.items():
            is_unnamed = name == getattr(command, "unnamed", "")
            yield from _command(part, path if is_unnamed else f"{path} {name}")
        return
    usage = " ".join(_spell(part) for part in command.params if _is_argument(part))
    yield f"\n## `{f'{path} {usage}'.strip()}`\n\n{command.help}\n\n| option | what it does |\n|---|---|"
    for parameter in command.params:
        help_text = str(getattr(parameter, "help", "") or "").replace("|", "\\|")
        yield f"| `{_spell(parameter)}` | {help_text} |"


def _is_argument(parameter: Any) -> bool:
    return bool(parameter.param_type_name == "argument")


def _spell(parameter: Any) -> str:
    return str(parameter.name).upper() if _is_argument(parameter) else ", ".join(parameter.opts)


def _names() -> Iterator[str]:
    import gossamer

    yield "# The library\n"
    yield _LIBRARY.strip()
    for name in gossamer.__all__:
        thing = getattr(gossamer, name)
        yield f"\n## `gossamer.{name}`\n\n{_document(thing)}"
        if name in ("Candidate", "Document", "Link", "Page", "Reading", "Summary"):
            yield from _field_table(thing)
        elif name == "Crawl":
            names = ("__init__", "resume", "__iter__", "__aiter__", "run", "turns", "stop", "pause")
            yield from _methods(thing, (*names, "go_on", "close", "summary"))
        elif name == "StoredCrawl":
            yield from _methods(
                thing,
                (
                    "__iter__",
                    "documents",
                    "latest",
                    "readings",
                    "__getitem__",
                    "__len__",
                    "summary",
                ),
            )
            yield from _field_table(thing)
        elif name == "Graph":
            names = (
                "open",
                "successors",
                "predecessors",
                "successors_of",
                "rows",
                "unpack",
                "url",
                "urls",
            )
            yield from _methods(thing, (*names, "number", "to_scipy"))
        elif name in ("Outcome", "Refusal"):
            yield "\nIts members are listed [here](outcomes.md)."
    yield from _parts()


def _parts() -> Iterator[str]:
    """What the records are made of; a program meets these, but makes none."""
    from gossamer.core.records import Entry, Headers, Visit
    from gossamer.core.url import Url

    yield "\n# Parts of these\n"
    yield "Fields of the above have these types. `gossamer.core.url.parse` makes a `Url` from text."
    for kind in (Url, Visit, Headers, Entry):
        yield f"\n## `{kind.__name__}`\n\n{_document(kind)}"
        if kind is not Headers:
            yield from _field_table(kind)


def _document(thing: Any) -> str:
    """A docstring, its examples fenced as code."""
    lines: list[str] = []
    is_code = False
    for line in inspect.getdoc(thing).splitlines():  # type: ignore[union-attr]
        starts = line.startswith(">>>")
        if starts and not is_code:
            lines.append("```python")
        if is_code and not line.strip():
            lines.append("```")
        is_code = starts or (is_code and bool(line.strip()))
        lines.append(line)
    return "\n".join([*lines, "```"] if is_code else lines)


def _outcomes() -> Iterator[str]:
    from gossamer.core.outcomes import Outcome, ParseFailure, Refusal, Truncation

    yield "# Outcomes and refusals\n"
    yield "The names in the `pages` table, in `--json` and in `gossamer status`."
    yield f"\n## Outcome\n\n{_document(Outcome)}\n"
    yield "Those marked so, and pages with status 429 or 503, are tried again up to"
    yield "`politeness.retries` times. Only the last attempt has a row in the `pages` table and is"
    yield "counted: a page that was fetched under `pages` and `statuses`, all others as said here.\n"
    yield "| outcome | tried again | counted under | what it means |\n|---|---|---|---|"
    for outcome, field in zip(Outcome, _members(Outcome), strict=True):
        is_last = outcome is Outcome.ROBOTS_UNREACHABLE  # its robots.txt was, often enough
        again = "yes" if outcome.is_transient and not is_last else ""
        yield f"| `{outcome}` | {again} | `{_counter(outcome)}` | {field.purpose} |"
    yield f"\n## Truncation\n\n{_document(Truncation)}\n"
    yield "A page whose body was cut short counts as fetched, and once more under `errors` as"
    yield "`truncated_length` and so on. One that came whole but cannot be decoded, because its"
    yield "Content-Encoding is damaged or wrong, counts there as `undecodable`; `detail` says why.\n"
    yield from _member_table(Truncation)
    yield f"\n## Parse failure\n\n{_document(ParseFailure)}\n"
    yield "Such a page counts as fetched and is archived; it counts once more under `errors` as"
    yield "`parse_crashed` and so on, and its links are not known.\n"
    yield from _member_table(ParseFailure)
    yield f"\n## Refusal\n\n{_document(Refusal)}\n"
    yield "Each link is counted under `refused` by the first reason that was found, which also stands in"
    yield "its row of the links table. What is no URL at all has no row there. A redirect that was not"
    yield "followed says why in its row of the pages table (`redirect_refused`). A link to what was offered"
    yield "a while ago is not looked at, neither counted nor refused, whatever its `rel`. What is offered may"
    yield "still be held back or put off, later and for another reason: `gossamer explain URL --crawl DIR`"
    yield "says what the crawl knows of it.\n"
    yield from _member_table(Refusal)


def _members(kind: type) -> list[DocumentedField]:
    return [field for field in fields_of(kind) if field.name.isupper()]


def _member_table(kind: Any) -> Iterator[str]:
    yield "| name | what it means |\n|---|---|"
    for member, field in zip(kind, _members(kind), strict=True):
        yield f"| `{member.value or '(empty)'}` | {field.purpose} |"


def _counter(outcome: Any) -> str:
    """Where a visit with this outcome is counted: asked of the counters itself."""
    from gossamer.core.records import Document, Judged, Page, Visit
    from gossamer.core.url import parse
    from gossamer.engine.counters import Counters

    counters, url = Counters(), parse("http://a.test/")
    assert url is not None
    counters.count_visits([Judged(Document(Page(Visit(url), outcome, 0.0)))])
    return next(name for name in ("refused", "errors", "pages") if getattr(counters, name))


def _tables() -> Iterator[str]:
    from gossamer.engine.summary import Summary
    from gossamer.output.links_table import LINK_MEANINGS, links_schema
    from gossamer.output.pages_table import page_meanings, pages_schema
    from gossamer.text.text_columns import TEXT_MEANINGS, text_schema

    yield "# Tables and summaries"
    yield "\n## `pages/*.parquet`\n\nOne row per visit, whatever became of it; none for robots.txt.\n"
    yield from _column_table(pages_schema(), page_meanings())
    yield "\n## `links/*.parquet`\n\nOne row per link, in the order they stand on their page.\n"
    yield from _column_table(links_schema(), LINK_MEANINGS)
    yield "\n## `text/*.parquet`\n\nOne row per distinct page that has text; `gossamer text` writes it.\n"
    yield from _column_table(text_schema(), TEXT_MEANINGS)
    yield "\n## `--json`, `gossamer status --json`\n\nOne object with these fields. The entries of"
    yield "`refused` and `errors` are explained [here](outcomes.md)."
    yield from _field_table(Summary)
    yield "\n## `stopped_by`\n\n| value | meaning |\n|---|---|"
    for value, meaning in STOPPED_BY.items():
        yield f"| `{value or '(empty)'}` | {meaning} |"


def _column_table(schema: Any, meanings: dict[str, str]) -> Iterator[str]:
    yield "| column | Arrow type | what it means |\n|---|---|---|"
    for field in schema:
        yield f"| `{field.name}` | `{_arrow_type(field.type)}` | {meanings[field.name]} |"


def _arrow_type(kind: Any) -> str:
    from pyarrow import types

    if types.is_dictionary(kind):
        return f"dictionary<{kind.index_type}, {kind.value_type}>"
    return str(kind)


def _behaviours() -> Iterator[str]:
    from gossamer.lab import KNOWN, LoggedRequest
    from gossamer.lab.behaviours import GROUPS, groups_of

    yield "# Behaviours of the simulated web\n"
    yield "Each is switched on by its name or by a group it is in: `gossamer sim serve --behaviours"
    yield f"errors,infinite`. None is on by default. The groups are {', '.join(GROUPS)}.\n"
    yield "| name | groups | what it does |\n|---|---|---|"
    for name, kind in KNOWN.items():
        about = (kind.__doc__ or "").strip().splitlines()[0]
        yield f"| `{name}` | {', '.join(groups_of(name))} | {about} |"
    yield "\n## Columns of `gossamer sim serve --log`\n"
    yield "One line per request, tab-separated, without a header line. Times are seconds since 1970.\n"
    yield "| column | what it means |\n|---|---|"
    for field in fields_of(LoggedRequest):
        yield f"| `{field.name}` | {field.purpose} |"


if __name__ == "__main__":
    main(Path(sys.argv[1]))
