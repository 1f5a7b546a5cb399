"""The counting, of code with one line more for each link: python -m tests.tools.dearer_links"""

import inspect
from textwrap import dedent
from typing import Any

from tools.costs import child

from gossamer.pipeline.seen import recently_seen

_LOOK, _DEARER = "if (key := url.key) not in", "if (before := (key := url.key)) not in"


def add_a_line() -> None:
    """Compile `Lately.unmet` again, with the shortest of all lines, `before = key`, in its loop."""
    function = recently_seen.Lately.unmet
    source = inspect.getsource(function)
    assert source.count(_LOOK) == 1, "it looks at every link"
    changed, names = dedent(source.replace(_LOOK, _DEARER)), dict[str, Any]()
    exec(compile(changed, recently_seen.__file__, "exec"), vars(recently_seen), names)
    recently_seen.Lately.unmet = names["unmet"]  # type: ignore[method-assign]


if __name__ == "__main__":
    add_a_line()
    child.main()
