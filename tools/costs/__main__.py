"""Compare the counted costs with the budget, write it, or show where the calls are."""

import argparse
import sys
from collections import Counter
from collections.abc import Mapping

from tools.costs import budget
from tools.costs.counts import Counts, count


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tools.costs", description=__doc__)
    parser.add_argument("--write", action="store_true", help="write the budget of this Python")
    parser.add_argument(
        "--by", choices=("package", "file", "function"), help="show calls and bytecodes"
    )
    arguments = parser.parse_args()
    counts = count()
    if arguments.write:
        budget.write(counts)
    elif arguments.by:
        _show(counts, arguments.by)
    elif findings := budget.compare(counts):
        sys.exit("\n".join(findings))


def _show(counts: Mapping[str, Counts], by: str) -> None:
    """The forty largest shares of each crawl, per page."""
    for crawl, one in counts.items():
        calls, bytecodes = Counter[str](), Counter[str]()
        for name, (called, executed) in one.functions.items():
            calls[_group(name, by)] += called
            bytecodes[_group(name, by)] += executed
        pages = one.totals["pages"]
        print(f"\n{crawl}: {pages} pages; calls and bytecodes a page")
        for group, called in calls.most_common(40):
            print(f"{called / pages:>10.1f} {bytecodes[group] / pages:>10.0f}  {group}")


def _group(name: str, by: str) -> str:
    path, _, function = name.rpartition(" ")
    if by == "function":
        return f"{path} {function}"
    return path if by == "file" else path.rpartition("/")[0] or "gossamer"


if __name__ == "__main__":
    main()
