"""`gossamer lab fresh`: virtual years that compare revisit policies."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from gossamer.lab.freshness.freshness_findings import FreshFindings

_Policies = Annotated[
    list[str] | None,
    typer.Option(
        "--policy", help="A policy to try, with options; can be given several times. Default: all."
    ),
]
_Pages = Annotated[int, typer.Option(min=10, help="Number of pages in the living web.")]
_Hosts = Annotated[int, typer.Option(min=1, help="Number of hosts in the living web.")]
_Seed = Annotated[int, typer.Option(min=0, help="Seed of the living web.")]
_Days = Annotated[float, typer.Option(min=2, help="Days to simulate.")]
_Share = Annotated[float, typer.Option(min=1e-4, help="Visits per page and day.")]
_Warm = Annotated[
    float, typer.Option(min=0, help="First days that do not count; at most half of all.")
]
_Histories = Annotated[
    Path | None,
    typer.Option(help="Try the policies also on real pages: a file that says when they changed."),
]
_Out = Annotated[
    Path | None, typer.Option("--out", "-o", help="Write a page with plots to this directory.")
]


def fresh(
    context: typer.Context,
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
    from gossamer.lab.crawl_orders.order_plots import check_matplotlib
    from gossamer.lab.freshness.freshness_findings import FreshSize, find_out
    from gossamer.lab.freshness.freshness_trials import FreshQuestion
    from gossamer.lab.living_web import read_histories
    from gossamer.policy.revisit import ALLOCATIONS, make_allocation

    if out is not None:
        check_matplotlib()
    names = tuple(policies or ALLOCATIONS)
    for name in names:
        make_allocation(name)
    real = None if histories is None else read_histories(histories)
    if real is None:
        typer.echo("real pages are left out; add them with --histories FILE")
    question = FreshQuestion(names, share, min(warm, days / 2))
    found = find_out(FreshSize(seed, pages, hosts, days), question, real, typer.echo)
    _print_results(found)
    if out is not None:
        from gossamer.lab.freshness.freshness_page import write_page
        from gossamer.lab.freshness.freshness_plots import draw

        out.mkdir(parents=True, exist_ok=True)
        draw(found, out)
        command = f"gossamer lab fresh{_options_given(context)} --out docs/{out.name}"
        (out / "README.md").write_text(write_page(found, command), "utf-8")
        typer.echo(f"\nthe page is {out / 'README.md'}")
    return 0


def _print_results(findings: "FreshFindings") -> None:
    from gossamer.lab.freshness.freshness_page import write_table

    for web in findings.webs:
        typer.echo(
            f"\n{web.name}: {web.pages:,} pages, {web.days:,.0f} days, {web.share:g} visits each a day\n"
        )
        for line in write_table(web):
            typer.echo(line)


def _options_given(context: typer.Context) -> str:
    """The options of the command as they were given, without `--out`; of files, the names alone."""
    words: list[str] = []
    for option in context.command.params:
        name = option.name or ""
        source = context.get_parameter_source(name)
        if name != "out" and source is not None and source.name == "COMMANDLINE":
            value = context.params[name]
            for one in value if isinstance(value, list | tuple) else [value]:
                words += [option.opts[0], _plain(one)]
    return "".join(f" {word}" for word in words)


def _plain(value: Any) -> str:
    return (
        value.name
        if isinstance(value, Path)
        else format(value, "g" if isinstance(value, float) else "")
    )
