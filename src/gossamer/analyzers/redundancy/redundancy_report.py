"""Describe the decisions of the redundancy filter in words."""

from collections.abc import Iterator

from gossamer.analyzers.redundancy import (
    dust,
    mirror_detection,
    script_errors,
    soft_error_detection,
    traps,
    worth,
)
from gossamer.analyzers.redundancy.dust import RuleStage
from gossamer.analyzers.redundancy.redundancy_filter import RedundancyState
from gossamer.analyzers.redundancy.script_answers import read_query
from gossamer.analyzers.redundancy.shape import shape_of
from gossamer.analyzers.redundancy.worth import Estimate
from gossamer.core.url import Url


def shorten(lines: list[str], most: int = 20) -> list[str]:
    """The first lines, and how many more there are."""
    return lines if len(lines) <= most else [*lines[:most], f"and {len(lines) - most} more"]


def decided(state: RedundancyState) -> dict[object, str]:
    """All decisions, those that hold back most first, each by what it is about and in words."""
    patterns = sorted(state.endless, key=lambda one: (-one.standing, -one.held, -one.fetched))
    false = (
        soft_error_state
        for soft_error_state in state.soft_errors
        if soft_error_state.masked or soft_error_state.target
    )
    scripts = (script for script in state.scripts if not script.is_honest)
    used = (rule for rule in state.rules if rule.stage is RuleStage.USED)
    return {
        **{
            ("errors", soft_error_state.origin): soft_error_detection.describe(soft_error_state)
            for soft_error_state in false
        },
        **{("script", script.script): script_errors.describe(script) for script in scripts},
        **{
            ("mirror", mirror_state.copy): mirror_detection.describe(mirror_state)
            for mirror_state in state.mirrors
            if not mirror_state.is_told
        },
        **{("pattern", pattern.name): traps.describe(pattern) for pattern in patterns},
        **{("rule", rule_state.name): dust.describe(rule_state) for rule_state in used},
    }


def explain(state: RedundancyState, url: Url) -> Iterator[tuple[str, str]]:
    """All that was decided about a URL, each with its reason."""
    for rule in state.rules:
        if (other := dust.apply(rule.name, url.text)) != url.text:
            verdict = f"would be fetched as {other}" if rule.stage is RuleStage.USED else "not used"
            yield "rule", f"{verdict}; {dust.describe(rule)}"
    yield from (
        ("mirror", mirror_detection.describe(mirror_state))
        for mirror_state in state.mirrors
        if f"{url.text}/".startswith(f"{mirror_state.copy}/")
    )
    for host in state.soft_errors:
        if host.origin == url.origin and host.is_answered:
            is_honest = not (host.masked or host.target)
            honest = f"the host answers so when a page does not exist; tested with {host.question}"
            yield "soft errors", honest if is_honest else soft_error_detection.describe(host)
    query = read_query(url.text)
    for script in state.scripts:
        if query is not None and script.script == query.script and not script.is_honest:
            yield "soft errors", script_errors.describe(script)
    shape = shape_of(url.text)
    yield "pattern", shape.name
    if state.worth:
        yield from (("expected", line) for line in worth.explain(Estimate(state.worth), url))
    yield from (
        ("held", traps.describe(pattern_state))
        for pattern_state in state.endless
        if pattern_state.name in shape.names
    )


def respelled(state: RedundancyState, url: Url) -> str:
    """The other spelling that a URL is asked for under; empty when there is none."""
    used = (rule.name for rule in state.rules if rule.stage is RuleStage.USED)
    spellings = (dust.apply(name, url.text) for name in used)
    return next((text for text in spellings if text != url.text), "")
