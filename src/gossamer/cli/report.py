"""`gossamer report`: what is wrong with a site, by a crawl of it."""

from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gossamer.base.errors import SettingsError

if TYPE_CHECKING:
    from gossamer.report import Section


def report(
    directory: Annotated[
        Path, typer.Argument(help="The crawl directory; a crawl may be running in it.")
    ],
    names: Annotated[
        list[str] | None,
        typer.Argument(
            help="Which parts: statuses, broken-links, redirect-chains, orphans, titles, copies, slow-pages, "
            "mixed-content, kept-away, deep-pages. Default: all.",
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
    json: Annotated[
        bool, typer.Option("--json", help="Print all rows as JSON instead, and write no file.")
    ] = False,
) -> int:
    """Report broken links, redirect chains, orphans, titles and more: one page, and a CSV file for each."""
    import msgspec

    from gossamer.report import ReportOptions, make_report, write_report
    from gossamer.report.build import SECTIONS

    _check(names or [], [*SECTIONS])
    sections = make_report(directory, ReportOptions(slow, deep), names or ())
    if json:
        print(msgspec.json.encode([_as_object(section) for section in sections]).decode())
        return 0
    for section in sections:
        print(f"{section.count:>9,}  {section.title}")
    files = write_report(out or directory / "report", f"Report on {directory.name}", sections)
    print(files[0])
    return 0


def _check(names: list[str], known: list[str]) -> None:
    for name in names:
        if name not in known:
            near = get_close_matches(name, known, 1, 0.5)
            hint = f"did you mean {near[0]}?" if near else f"there are: {', '.join(known)}"
            raise SettingsError(f"there is no report {name!r}; {hint}")


def _as_object(section: "Section") -> dict[str, object]:
    rows = [dict(zip(section.columns, row, strict=True)) for row in section.rows]
    return {"name": section.name, "title": section.title, "remark": section.remark, "rows": rows}
