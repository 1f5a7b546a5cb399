"""`gossamer lab fresh`: virtual years that compare revisit policies."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from gossamer.lab.fresh.findings import FreshFindings

_Policies = Annotated[
    list[str] | None,
    typer.Option(
        "--policy", help="A policy to try, with options; can be given several times. Default: all."
    ),
]
_Pages = Annotated[int, typer.Option(min=10, help="Number of pages in the living web.")]
_Hosts = Annotated[int, typer.Option(min=1, help="Number of hosts in the living web.")]
_Seed = Annotated[int, typer.Option(min=0, help="Seed of the living web.")]
_Days = Annotated[float, typer.Option(min=2, help="Days that it lives.")]
_Share = Annotated[float, typer.Option(min=1e-4, help="Visits per page and day.")]
_Warm = Annotated[
    float, typer.Option(min=0, help="Days at the beginning that do not count; half of all at most.")
]
_Histories = Annotated[
    Path | None,
    typer.Option(help="Try the policies also on real pages: a file that says when they changed."),
]
_Out = Annotated[
    Path | None, typer.Option("--out", "-o", help="Write a page with plots to this directory.")
]


def fresh(
    policies: _Policies = None,
    pages: _Pages = 20_000,
    hosts: _Hosts = 200,
    seed: _Seed = 7,
    days: _Days = 365.0,
    share: _Share = 0.3,
    warm: _Warm = 30.0,
    histories: _Histories = None,
    out: _Out = None,
) -> int:
    """Crawl a living web for a virtual year with each revisit policy; show how fresh its copies are."""
    from gossamer.lab.fresh.findings import FreshSize, find_out
    from gossamer.lab.fresh.trials import FreshQuestion
    from gossamer.lab.life import read_histories
    from gossamer.lab.order.plots import check_matplotlib
    from gossamer.policy.revisit import ALLOCATIONS, make_allocation

    if out is not None:
        check_matplotlib()
    names = tuple(policies or ALLOCATIONS)
    for name in names:
        make_allocation(name)
    real = None if histories is None else read_histories(histories)
    if real is None:
        typer.echo("real pages are left out: --histories names a file of them")
    question = FreshQuestion(names, share, min(warm, days / 2))
    _tell(find_out(FreshSize(seed, pages, hosts, days), question, real, typer.echo), histories, out)
    return 0


def _tell(findings: "FreshFindings", histories: Path | None, out: Path | None) -> None:
    from gossamer.lab.fresh.page import write_finding, write_page, write_table
    from gossamer.lab.fresh.plots import draw

    for web in findings.webs:
        typer.echo(f"\n{web.name}: {web.pages:,} pages, {web.days:,.0f} days\n")
        for line in write_table(web):
            typer.echo(line)
    typer.echo("\nnew pages\n")
    for line in write_finding(findings):
        typer.echo(line)
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
        draw(findings, out)
        more = f" --histories {histories.name}" if histories is not None else ""
        command = f"gossamer lab fresh{more} --out docs/{out.name}"
        (out / "README.md").write_text(write_page(findings, command), "utf-8")
        typer.echo(f"\nthe page is {out / 'README.md'}")
