"""Which items can be reached by links that may be followed: a walk through items and listings only."""

from benchmarks.applications import fifo
from benchmarks.applications.application import Application
from benchmarks.applications.origin import Origin, Reply
from benchmarks.applications.witness import Witness

_NOTHING = Reply(200, (), b"")


def reachable(application: Application, origin: Origin, items: set[str], most: int) -> set[str]:
    """The items that a reader meets who goes through listings, and never into forms and histories.

    A crawl may find a little more through other pages. So what any crawl has fetched is added to this
    by those who judge.
    """
    witness = Witness(application, origin)

    def follows(target: str) -> bool:
        return application.item_of(target, _NOTHING) in items or application.is_listing(target)

    if not fifo.crawl(witness.ask, application.url, most, follows=follows):
        print(f"{application.name}: the walk through its listings was cut off at {most} pages")
    return items & {fetch.item for fetch in witness.fetches if fetch.item}
