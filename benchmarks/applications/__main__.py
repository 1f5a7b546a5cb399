"""Real applications, crawled by Gossamer and by a plain crawler that follows links first in, first out.

    python -m benchmarks.applications [NAME ...] [--root FOLDER] [--only fifo] [--keep FILE]

Without names, all that are not set aside; `all` are all of them, `apart` those that are set aside.
`generated` are applications drawn from seeds, `honest` are sites whose pages look alike and are all worth
reading, `catalogues` show rows in many lists; their figures are told as a distribution over the seeds
(`--seeds 40`).
"""

import argparse
import signal
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

from benchmarks.applications.catalogue import installed, named
from benchmarks.applications.figures import Figures
from benchmarks.applications.generated import catalogues, generated, honest, spread
from benchmarks.applications.table import keep, lines
from benchmarks.applications.trial import Plan, try_application, try_generated


def main() -> None:
    arguments = _parser().parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that servers are ended, too
    plan = Plan(
        pages=arguments.pages or Plan.pages,
        seed=arguments.seed,
        fetches=arguments.fetches or Plan.fetches,
        seconds=arguments.seconds,
        crawlers=(arguments.only,) if arguments.only else ("fifo", "gossamer"),
        more=tuple(word for one in arguments.set for word in ("--set", one)),
    )
    results: dict[str, dict[str, Figures]] = {}
    computed = [name for name in arguments.names if name in COMPUTED]
    real = [name for name in arguments.names if name not in COMPUTED]
    for name in computed:
        seeds = range(arguments.seed, arguments.seed + arguments.seeds)
        sites = COMPUTED[name](seeds, arguments.pages or _PAGES)
        small = replace(plan, fetches=arguments.fetches or _FETCHES)
        found = {label: try_generated(site, small) for label, site in sites}
        print("\n".join([*lines(found), "", *spread(list(found.values()))]), flush=True)
        results |= found
    with tempfile.TemporaryDirectory(prefix="applications") as work:
        for application in installed(named(real)) if real or not computed else ():
            root = arguments.root or Path(work)
            results[application.name] = try_application(application, root, plan)
            print("\n".join(lines({application.name: results[application.name]})), flush=True)
    if arguments.keep:
        keep(results, arguments.keep)


COMPUTED = {"generated": generated, "honest": honest, "catalogues": catalogues}
_PAGES, _FETCHES = 150, 3000
"""How large generated sites are, and how long they are crawled: there are many of them."""


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.applications",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("names", nargs="*", help="applications to crawl")
    add("--pages", type=int, help="texts that an application has: 300, or 150 if generated")
    add("--seed", type=int, default=1, help="the seed of what is written and linked")
    add("--seeds", type=int, default=40, help="the number of generated or honest sites")
    add("--fetches", type=int, help="each crawl ends after so many: 20,000, or 3,000 if generated")
    add("--seconds", type=float, default=900.0, help="each crawl ends after so many seconds")
    add(
        "--root",
        type=Path,
        help="where filled applications and their answers are kept, for later runs",
    )
    add("--only", choices=("fifo", "gossamer"), help="run one of the two crawlers")
    add("--set", action="append", default=[], help="a setting for Gossamer: section.name=value")
    add("--keep", type=Path, help="write the figures as JSON there")
    return parser


if __name__ == "__main__":
    main()
