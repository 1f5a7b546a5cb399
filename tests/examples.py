"""How many examples a property is tried with."""

import os

PROFILE = os.environ.get("GOSSAMER_EXAMPLES", "same")
_FEWEST = 30


def examples(number: int) -> int:
    """All of them where they are new each time (`make soak`); a quarter where they are the same in each run.

    What the first quarter does not find, the others did not find in any run before, either.
    """
    return number if PROFILE == "new" else max(min(number, _FEWEST), number // 4)
