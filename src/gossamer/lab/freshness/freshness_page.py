"""The page about freshness, with what came out as tables."""

from collections.abc import Iterator
from textwrap import fill

from gossamer.lab.freshness.freshness_findings import FreshFindings, WebFindings
from gossamer.lab.freshness.freshness_trials import (
    GOALS,
    LESS_IS_MORE,
    FreshTrial,
    best_at,
    measured,
    optimum,
)

_COLUMNS = {
    "freshness": ("fresh", ".3f"),
    "content": ("content as it is", ".3f"),
    "age": ("age in days", ".2f"),
    "captured": ("changes seen", ".3f"),
    "per_visit": ("per visit", ".3f"),
    "penalty": ("harmonic penalty", ".3f"),
}


def write_page(findings: FreshFindings, command: str) -> str:
    """All of it, as Markdown."""
    return "\n".join(_lines(findings, command)) + "\n"


def _lines(findings: FreshFindings, command: str) -> Iterator[str]:
    yield "# Virtual years of each revisit policy\n"
    yield _text(
        f"""`{command}` has made this page. The estimator, the plan and the schedule of a real crawl
        visit pages on a virtual clock; what a visit sees comes from a table of all changes. The
        first {findings.warm:g} days do not count. All took {findings.seconds:,.0f} seconds of one processor.
        What the policies are, and their formulas:
        [When to come back](../freshness.md)."""
    )
    for number, web in enumerate(findings.webs):
        yield from _web(web, number)


def _web(web: WebFindings, number: int) -> Iterator[str]:
    yield f"## {web.name[:1].upper()}{web.name[1:]}, {web.share:g} visits per page and day\n"
    yield _text(
        f"{web.pages:,} pages over {web.days:,.0f} days, {web.changes:,} changes, "
        f"{web.mean_rate:.2g} a day and page on average. {_ABOUT.get(web.name, '')}"
    )
    yield from write_table(web)
    yield ""
    yield from _verdicts(web)
    yield f"![Freshness over time](freshness-{number}.svg)\n"
    yield from _errors(web)
    yield f"![Rates that are right](rates-{number}.svg)\n"


_ABOUT = {
    "the living web": "Pages are born and vanish meanwhile, some change by the hour, some in bursts. They "
    "have the same weight, and then `capture` shares visits as `proportional` does. Many of them are no "
    "Poisson processes, so for `capture` their true rates are not the best ones.",
    "real pages": "Their changes come in bursts and their rates drift, which no policy expects. Rates are "
    "learned too low (see *mean* below): a visit sees many changes as one. *True rates* are those of the "
    "whole record: who is told them knows what is to come, and is ahead at age and penalty, whatever the "
    "half-life of what is learned. `freshness`, `age` and `harmonic` are hardly apart here. `capture` makes "
    "no visit before a change is as likely as not, so it leaves visits over: it is the best per visit only.",
}


def write_table(web: WebFindings) -> Iterator[str]:
    """A row for each policy; the best of those that learn is in bold at each goal."""
    shown = [name for name in _COLUMNS if name != "content" or _has_content(web)]
    yield (
        "| policy | rates | "
        + " | ".join(_COLUMNS[name][0] for name in shown)
        + " | visits a day |"
    )
    yield "|---|---" + "|---" * len(shown) + "|---|"
    for trial in web.trials:
        cells = " | ".join(_cell(web, trial, name) for name in shown)
        whose = "true" if trial.knows else "learned"
        yield f"| `{trial.policy}` | {whose} | {cells} | {trial.worth.visits:,.0f} |"


def _cell(web: WebFindings, trial: FreshTrial, measure: str) -> str:
    text = format(measured(trial, measure), _COLUMNS[measure][1])
    is_best = not trial.knows and best_at(web.trials, measure) == trial.policy
    return f"**{text}**" if is_best else text


def _has_content(web: WebFindings) -> bool:
    return any(trial.policy == "content" for trial in web.trials)


def _verdicts(web: WebFindings) -> Iterator[str]:
    """Compare each policy with its optimum by true rates, and name the best for each goal."""
    yield "| goal | its policy, rates learned | with the true rates | behind by | best of those that learn |"
    yield "|---|---|---|---|---|"
    for trial in web.trials:
        if trial.knows or trial.policy not in GOALS:
            continue
        measure = GOALS[trial.policy]
        head, form = _COLUMNS[measure]
        found, best = measured(trial, measure), optimum(web.trials, measure)
        behind = (found / best - 1) * (1 if measure in LESS_IS_MORE else -1)
        yield (
            f"| {head} | {found:{form}} | {best:{form}} | {behind:.1%} "
            f"| `{best_at(web.trials, measure)}` |"
        )
    yield ""


def _errors(web: WebFindings) -> Iterator[str]:
    """The errors of rates, of the crawl for freshness."""
    trials = [fresh_trial for fresh_trial in web.trials if not fresh_trial.knows]
    trial = next(
        (fresh_trial for fresh_trial in trials if fresh_trial.policy == "freshness"), trials[0]
    )
    yield _text(
        f"How well the crawl by `{trial.policy}` knows the rates of pages: their mean beside the true one, "
        "the error (root of the mean square) as a part of the mean rate, and the part of pages that change "
        "whose rate is right by a factor of two."
    )
    yield "| day | mean | error | right by a factor of two |\n|---|---|---|---|"
    for error in trial.errors:
        yield f"| {error.day:,.0f} | {error.bias:.2f} | {error.error:.2f} | {error.close:.1%} |"
    yield ""


def _text(text: str) -> str:
    """A paragraph."""
    return fill(" ".join(text.split()), 118, break_long_words=False, break_on_hyphens=False) + "\n"
