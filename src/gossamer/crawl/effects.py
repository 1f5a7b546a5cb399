"""What an order would do to the URLs that wait, for who wants to know that before it is given.

A crawl that runs is asked. Of one that does not run, the last checkpoint is read.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import msgspec
from msgspec import Struct

from gossamer.base.directory import Directory, check_is_crawl
from gossamer.base.errors import DirectoryError
from gossamer.base.records import Visit
from gossamer.base.settings import Settings
from gossamer.base.url import parse
from gossamer.crawl.control.checks import catch_up, change, check
from gossamer.crawl.control.client import SECONDS, ask
from gossamer.crawl.control.messages import AskEffect
from gossamer.crawl.control.order_journal import OrdersOnRecord, history_of_orders
from gossamer.crawl.control.orders import BlockUrls, Change, Order, Stop, UnblockUrls, Undo, say
from gossamer.crawl.control.patterns import Patterns
from gossamer.crawl.control.undo import find_undo
from gossamer.crawl.following import refuses
from gossamer.crawl.ledger import Checkpoint, Ledger
from gossamer.crawl.status_file import read_summary
from gossamer.cycle.frontier.disk import DiskFrontier
from gossamer.cycle.frontier.on_record import count_on_record
from gossamer.cycle.scope import Scope


class Effect(Struct, frozen=True, array_like=True):
    """What an order would do."""

    reached: int
    """URLs that wait and would be kept apart."""
    waiting: int
    """All that wait in queues."""
    is_estimate: bool = False
    unseen: int = 0
    """Those that wait over the budget of their domain: nobody looked at which they are."""

    def __add__(self, other: "Effect") -> "Effect":
        is_estimate = self.is_estimate or other.is_estimate
        return Effect(
            self.reached + other.reached,
            self.waiting + other.waiting,
            is_estimate,
            self.unseen + other.unseen,
        )


def reach_of(order: Order, settings: Settings, scope: Scope) -> Callable[[Visit], bool]:
    """Which waiting URLs an order would keep apart. `scope` is that of the crawl as it is."""
    if isinstance(order, BlockUrls):
        blocked = Patterns({order.what: True})
        return lambda visit: blocked.find(visit.url) is not None
    if isinstance(order, Change):
        after = change(settings, order)
        if (after.scope, after.parse) != (settings.scope, settings.parse):
            wanted = scope.changed(after.scope)
            return lambda visit: refuses(visit, after, wanted) is not None
    return lambda visit: False


def foresee(path: str | Path, order: Order, seconds: float = SECONDS) -> tuple[Order, Effect]:
    """The order that would be put on record, and its effect; `GossamerError` if it makes no sense.

    A crawl that runs is waited for as long as `seconds`.
    """
    path = Path(path)
    check_is_crawl(path)
    directory = Directory(path)
    on_record = OrdersOnRecord(directory.control)
    settings = catch_up(directory.look(), on_record)
    if isinstance(order, Undo):
        order = find_undo(order.number, history_of_orders(path)).undo or order
    order = check(order, settings, on_record.in_force)
    reply = ask(path, AskEffect(order), seconds)
    if reply is not None:
        return order, msgspec.convert(reply.found, Effect)
    none = Effect(0, 0, unseen=_over_budget(path))
    return order, sum((_look(state, order, settings) for state in _states(path)), none)


def _over_budget(path: Path) -> int:
    """By the last word of a crawl that does not run."""
    with suppress(DirectoryError):
        return read_summary(path).deferred
    return 0


def say_effect(order: Order, effect: Effect) -> str:
    """What an order would do, in one line.

    >>> say_effect(BlockUrls("a.test"), Effect(3, 10))
    'block a.test: 3 of 10 waiting URLs would be kept apart; `undo` brings them back'
    >>> say_effect(BlockUrls("a.io"), Effect(0, 9, unseen=5))
    'block a.io: no one of 9 waiting URLs would be kept apart; 5 more, over their budget, were not looked at'
    """
    about = "about " * effect.is_estimate
    if isinstance(order, Stop):
        waiting = effect.waiting + effect.unseen
        return f"stop: the crawl would end with {waiting:,} URLs waiting; it can be resumed"
    more = f"; {effect.unseen:,} more, over their budget, were not looked at" * bool(effect.unseen)
    if effect.reached:
        what = f"{about}{effect.reached:,} of {effect.waiting:,} waiting URLs would be kept apart"
        return f"{say(order)[:200]}: {what}; `undo` brings them back{more}"
    what = f"no one of {effect.waiting:,} waiting URLs would be kept apart"
    if isinstance(order, UnblockUrls):
        what, more = "what this block keeps apart would wait again", ""
    return f"{say(order)[:200]}: {what}{more}"


def _states(path: Path) -> Iterator[Path]:
    for number in range(Directory(path).partitions):
        yield Directory(path, number).state


def _look(state: Path, order: Order, settings: Settings) -> Effect:
    """By the last checkpoint of a partition; nothing waits where there is none."""
    if not (state / "checkpoint").is_file():
        return Effect(0, 0)
    checkpoint = Ledger.read_checkpoint(state)
    packed = checkpoint.rooms.get(DiskFrontier.name, b"")
    if not packed:
        return Effect(0, 0)
    is_meant = reach_of(order, settings, _scope(settings, checkpoint))
    return Effect(*count_on_record(state / "frontier", packed, is_meant))


def _scope(settings: Settings, checkpoint: Checkpoint) -> Scope:
    seeds = [url for url in map(parse, settings.crawl.seeds) if url is not None]
    fetch = settings.fetch
    scope = Scope(
        *(settings.scope, seeds, fetch.max_url, None, fetch.schemes),
        personal_hosts=fetch.personal_hosts,
    )
    if state := checkpoint.rooms.get(Scope.name):
        scope.replay([state])
    return scope
