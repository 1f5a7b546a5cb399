"""The redundancy filter, as tables, summaries and `gossamer explain` know it."""

from collections.abc import Iterator

from gossamer.core.analyzer_protocol import Declaration, Fact, PageColumn, PageCount, PageRow
from gossamer.core.outcomes import Refusal


def _explain(page: PageRow) -> Iterator[Fact]:
    if page["is_soft_error"]:
        yield "soft error", "it looks like the host's answer to a URL that does not exist"


REDUNDANCY = Declaration(
    name="redundancy",
    about="Notices soft errors, traps, other spellings of a URL, and mirrors.",
    columns=(
        PageColumn(
            "is_soft_error",
            "bool",
            "True when it looks like the host's answer to a URL that does not exist (soft 404).",
            after="truncated",
            default=False,
            marks_errors=True,
        ),
    ),
    inputs=("compared",),
    refusals=(Refusal.SOFT_ERROR,),
    counts=(
        PageCount(
            "soft_errors",
            "soft errors",
            "Pages that look like their host's answer to a URL that does not exist.",
        ),
    ),
    explain=_explain,
)
