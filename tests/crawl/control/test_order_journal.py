"""The journal of orders: what is in force is what was written, however long it is and whoever reads it."""

import os
from pathlib import Path
from unittest.mock import patch

import pytest

from gossamer.base.errors import DamageError
from gossamer.crawl.control import order_journal
from gossamer.crawl.control.in_force import InForce, fold
from gossamer.crawl.control.order_journal import OrderJournal, read_in_force
from gossamer.crawl.control.orders import (
    BlockUrls,
    Change,
    DelayHost,
    GoOn,
    Order,
    Ordered,
    Pause,
    Prioritise,
    RevisitNow,
    UnblockUrls,
)

ORDERS: list[Order] = [
    *(Pause(), BlockUrls("a.test"), DelayHost("a.test", 2.0), Prioritise("b.test", 3), GoOn()),
    *(BlockUrls("b.test/*"), UnblockUrls("a.test"), Change("politeness.delay", 5.0), Pause()),
    *(DelayHost("a.test"), Prioritise("b.test", 0), RevisitNow(("http://a.test/",))),
]


def folded(orders: list[Order]) -> InForce:
    found = InForce()
    for number, order in enumerate(orders, 1):
        found = fold(found, Ordered(number, 0.0, "test", order))
    return found


def test_what_is_in_force_is_a_fold_over_all_orders(tmp_path: Path) -> None:
    for count, order in enumerate(ORDERS, 1):
        journal = OrderJournal(tmp_path)  # each time anew, as after a crash
        assert journal.write(order, "test", float(count)).number == count
        assert read_in_force(tmp_path) == journal.in_force == folded(ORDERS[:count])
    assert folded(ORDERS) == InForce(
        12,
        is_paused=True,
        blocked={"b.test/*": 6},
        priorities={"b.test": (0, 11)},
        settings={"politeness.delay": (5.0, 8)},
    )


def test_a_long_journal_begins_anew_and_forgets_nothing_that_counts(tmp_path: Path) -> None:
    with (
        patch.object(order_journal, "_LONGEST", 500),
        patch.object(order_journal, "_MOST_FILES", 3),
    ):
        journal = OrderJournal(tmp_path)
        for _ in range(20):
            for order in ORDERS:
                journal.write(order, "test", 0.0)
    assert len(list(tmp_path.glob("*.log"))) <= 4
    again = OrderJournal(tmp_path)
    assert again.in_force == journal.in_force == folded(ORDERS * 20)
    assert again.once[-1].number == 240


def test_settings_that_crawl_toml_has_are_settled(tmp_path: Path) -> None:
    journal = OrderJournal(tmp_path)
    journal.write(Change("politeness.delay", 5.0), "test", 0.0)
    journal.write(Pause(), "test", 0.0)
    assert journal.in_force.changes == {"politeness.delay": 5.0}
    journal.settle()
    assert OrderJournal(tmp_path).in_force == InForce(2, is_paused=True)


def test_a_torn_tail_is_an_order_that_nobody_answered(tmp_path: Path) -> None:
    journal = OrderJournal(tmp_path)
    for order in ORDERS[:3]:
        journal.write(order, "test", 0.0)
    [file] = tmp_path.glob("*.log")
    os.truncate(file, file.stat().st_size - 1)
    again = OrderJournal(tmp_path)
    assert again.in_force == folded(ORDERS[:2])
    assert again.write(GoOn(), "test", 0.0).number == 3


def test_an_order_of_a_later_version_is_said_to_be_one(tmp_path: Path) -> None:
    journal = OrderJournal(tmp_path)
    journal._journal.append(1, b"\x81\xa3abc\x01")
    journal._journal.commit()
    with pytest.raises(DamageError, match="holds an order that cannot be read"):
        read_in_force(tmp_path)
