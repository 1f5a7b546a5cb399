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

    problems = 0
    for finding in inspect(directory):
        problems += finding.is_problem
        mark = "BAD" if finding.is_problem else "ok "
        print(f"{mark}  {finding.what}: {finding.said}")
    noun = "problem" if problems == 1 else "problems"
    print(f"{problems} {noun}" if problems else "all in order")
    return 1 if problems else 0
