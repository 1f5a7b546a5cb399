"""Which items can be reached by links that may be followed: a walk by useful URLs only."""

from benchmarks.applications import fifo
from benchmarks.applications.application import Application
from benchmarks.applications.origin import Origin
from benchmarks.applications.witness import Witness


def reachable(application: Application, origin: Origin, items: set[str], most: int) -> set[str]:
    """The items that a reader meets who goes through listings, and never into forms and histories.

    A crawl may find a little more through other pages. So what any crawl has fetched is added to this
    by those who judge.
    """
    witness = Witness(application, origin)

    if not fifo.crawl(witness.ask, application.url, most, follows=application.is_useful):
        print(f"{application.name}: the walk through its listings was cut off at {most} pages")
    return items & {item for fetch in witness.fetches for item in fetch.items}
