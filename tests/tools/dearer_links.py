"""The counting, of code with one line more for each link: python -m tests.tools.dearer_links"""

import inspect
from textwrap import dedent
from typing import Any

from tools.costs import child

from gossamer.pipeline.seen import recently_seen

_LINE, _MORE = "            key = url.key\n", "            before = key\n"


def add_a_line() -> None:
    """Compile `Lately.unmet` again, from its source with the shortest of all lines in its loop."""
    function = recently_seen.Lately.unmet
    source = inspect.getsource(function)
    assert source.count(_LINE) == 1, "it looks at every link"
    changed, names = dedent(source.replace(_LINE, _LINE + _MORE)), dict[str, Any]()
    exec(compile(changed, recently_seen.__file__, "exec"), vars(recently_seen), names)
    recently_seen.Lately.unmet = names["unmet"]  # type: ignore[method-assign]


if __name__ == "__main__":
    add_a_line()
    child.main()
