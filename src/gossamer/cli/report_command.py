"""`gossamer report`: what is wrong with a site, by a crawl of it."""

import sys
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gossamer.core.errors import SettingsError

if TYPE_CHECKING:
    from gossamer.report import Section

_FAILED = 4
"""The exit status if `--fail-on` found something."""
_BROKEN = "broken"
_BROKEN_PARTS = (
    "broken-links",
    "soft-errors",
    "fragments",
    "malformed-links",
    "forms",
    "checked-links",
)


def report(
    directory: Annotated[
        Path, typer.Argument(help="The crawl directory; a crawl may be running in it.")
    ],
    names: Annotated[
        list[str] | None,
        typer.Argument(
            help="Sections to write: statuses, broken-links, broken-links-by-page, soft-errors, fragments, "
            "malformed-links, forms, checked-links, canonicals, translations, redirect-chains, moved-links, "
            "sitemaps, orphans, titles, copies, slow-pages, mixed-content, kept-away, deep-pages. "
            "Default: all.",
            show_default=False,
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="Folder for the files. Default: report/ in the crawl."),
    ] = None,
    slow: Annotated[
        float, typer.Option(help="Seconds after which an answer counts as slow.", min=0)
    ] = 1.0,
    deep: Annotated[
        int, typer.Option(help="Links from a seed after which a page counts as deep.", min=0)
    ] = 4,
    check_external: Annotated[
        bool,
        typer.Option(
            "--check-external",
            help="Also request each external URL that links lead to, once and as politely as the "
            "crawl, without following links there.",
        ),
    ] = False,
    fail_on: Annotated[
        list[str] | None,
        typer.Option(
            help="Exit with status 4 if this section has rows; can be given several times. broken: "
            "broken-links, "
            "soft-errors, fragments, malformed-links, forms and checked-links.",
            show_default=False,
        ),
    ] = None,
    json: Annotated[
        bool, typer.Option("--json", help="Print all rows as JSON instead, and write no file.")
    ] = False,
) -> int:
    """Report broken links, soft errors, redirects, titles and more: one page, and a CSV file for each."""
    import msgspec

    from gossamer.report import ReportOptions, make_report, write_report
    from gossamer.report.report_build import SECTIONS

    _check(names or [], [*SECTIONS])
    wanted = _parts(fail_on or [], [*SECTIONS])
    asked = [*names, *wanted] if names else ()
    found = make_report(directory, ReportOptions(slow, deep, check_external), asked)
    failed = [one for one in found if one.name in wanted and one.rows]
    status = _FAILED if failed else 0
    if failed:
        parts = ", ".join(f"{one.name} {one.count:,}" for one in failed)
        print(f"gossamer: --fail-on: the report has rows in {parts}", file=sys.stderr)
    sections = [one for one in found if not names or one.name in names]
    if json:
        print(msgspec.json.encode([_as_object(section) for section in sections]).decode())
        return status
    for section in sections:
        print(f"{section.count:>9,}  {section.title}")
    files = write_report(out or directory / "report", f"Report on {directory.name}", sections)
    print(files[0])
    return status


def _parts(names: list[str], known: list[str]) -> set[str]:
    """The parts that `--fail-on` names."""
    _check([name for name in names if name != _BROKEN], known)
    return {part for name in names for part in (_BROKEN_PARTS if name == _BROKEN else (name,))}


def _check(names: list[str], known: list[str]) -> None:
    for name in names:
        if name not in known:
            near = get_close_matches(name, known, 1, 0.5)
            hint = f"did you mean {near[0]}?" if near else f"there are: {', '.join(known)}"
            raise SettingsError(f"there is no report {name!r}; {hint}")


def _as_object(section: "Section") -> dict[str, object]:
    rows = [dict(zip(section.columns, row, strict=True)) for row in section.rows]
    return {"name": section.name, "title": section.title, "remark": section.remark, "rows": rows}
