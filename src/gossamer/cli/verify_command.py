"""`gossamer verify`: is a crawl directory in order, from end to end?"""

from pathlib import Path
from typing import Annotated

import typer


def verify(
    directory: Annotated[
        Path, typer.Argument(help="The crawl directory; no crawl may be running in it.")
    ],
) -> int:
    """Check every file of a crawl directory: archive, index, tables, and the state that `resume` needs."""
    from gossamer.verify import inspect

    problems, is_whole = 0, True
    for finding in inspect(directory):
        problems += finding.is_problem
        is_whole &= not finding.is_partial
        mark = "BAD" if finding.is_problem else "ok "
        print(f"{mark}  {finding.what}: {finding.said}")
    noun = "problem" if problems == 1 else "problems"
    order = "all in order" if is_whole else "in order, as far as it was opened"
    print(f"{problems} {noun}" if problems else order)
    return 1 if problems else 0
