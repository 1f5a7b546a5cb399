"""`gossamer rules`: which URLs a crawl takes for other spellings of the same page."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from gossamer.analyzers.redundancy.dust import RuleState


def rules(
    directory: Annotated[Path, typer.Argument(help="The crawl directory.")],
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object per rule.")] = False,
) -> int:
    """List the spelling rules that a crawl has learned, including those that turned out to be wrong.

    The list is that of the last checkpoint. URLs that a rule folded are kept on disk. `gossamer resume DIR
    --set 'detect.as_found=["REGEX"]'` fetches those in which REGEX is found; `--set detect.dust=false` all.
    """
    import msgspec

    from gossamer.analyzers.redundancy.dust import describe
    from gossamer.archive.explain.redundancy_facts import read_watches
    from gossamer.core.directory import check_is_crawl

    check_is_crawl(directory)
    known = [rule for watch in read_watches(directory) for rule in watch.rules]
    for rule in sorted(known, key=lambda one: (one.stage, one.name.origin, one.name.left)):
        print(msgspec.json.encode(_as_object(rule)).decode() if json else describe(rule))
    if not known and not json:
        print("no rules yet")
    return 0


def _as_object(rule: "RuleState") -> dict[str, str | int]:
    name = rule.name
    return {
        "kind": name.kind.value,
        "origin": name.origin,
        "left": name.left,
        "right": name.right,
        "stage": rule.stage.value,
        "pairs": rule.pairs,
        "passed": rule.passed,
        "failed": rule.failed,
        "folded": rule.folded,
        "repeats": rule.repeats,
        "news": rule.news,
    }
