from pathlib import Path

import pytest

from gossamer.core.errors import SettingsError
from gossamer.policy.order import (
    ORDERS,
    OrderPlace,
    Policy,
    can_travel,
    describe_orders,
    make_order,
)
from gossamer.policy.order.combination import Combination
from gossamer.policy.order.pagerank import PageRank
from tests.policy.order.feeding import feed, random_links
from tests.policy.order.ranked import write_ranks

_OPTIONS = {
    "similarity": ":words=tide|sea",
    "two-queues": ":words=tide,inner=(pagerank:growth=0.5)",
    "domain-caps": ":limit=3,inner=(0.5 * backlinks + site-rank)",
    "location": ":suffixes=.test,words=1",
    "pagerank": ":damping=0.85,jump=seeds,external=yes",
    "opic-disk": ":grain=0",
    "ranks": ":of=EARLIER,by=harmonic",
}
ALL = [name + _OPTIONS.get(name, "") for name in ORDERS]


def make(text: str, folder: Path) -> Policy:
    if "EARLIER" in text:
        text = text.replace("EARLIER", str(write_ranks(folder.parent, {"http://a.test/": 1.5})))
    return make_order(text, OrderPlace(folder=folder, random_seed=3))


@pytest.mark.parametrize("text", [*ALL, "pagerank + 0.1 * site-rank", "2 * opic"])
def test_every_order_goes_on_after_a_dump_as_if_nothing_had_happened(
    text: str, tmp_path: Path
) -> None:
    links = random_links(150)
    whole = list(feed(make(text, tmp_path / "a"), links))
    order = make(text, tmp_path / "b")
    steps = feed(_Reborn(order, lambda: make(text, tmp_path / "b")), links)  # type: ignore[arg-type]
    for (scores, revised), (others, changed) in zip(whole, steps, strict=True):
        assert scores.tolist() == pytest.approx(others.tolist())
        assert revised == pytest.approx(changed)


class _Reborn:
    """A policy that is dumped and loaded before each batch."""

    def __init__(self, order: Policy, again: object) -> None:
        self._order, self._again = order, again
        self.score, self.revised = order.score, order.revised

    def learn(self, crawled: object) -> None:
        state = self._order.dump()
        self._order.checkpoint_published()
        self._order.close()
        self._order = self._again()  # type: ignore[operator]
        self._order.load(state)
        self.score, self.revised = self._order.score, self._order.revised
        self._order.learn(crawled)  # type: ignore[arg-type]


def test_options() -> None:
    order = make_order("pagerank:damping=0.5, growth = 0.2")
    assert isinstance(order, PageRank)
    assert isinstance(make_order("pagerank + opic"), Combination)
    assert isinstance(make_order("(pagerank)"), PageRank)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "there is no order ''; known: breadth-first"),
        ("pagerang", "did you mean pagerank?"),
        ("pagerank:dampin=1", "did you mean damping?"),
        ("pagerank:damping=2", "damping: 2 is not between 0 and 1"),
        ("pagerank:damping=x", "damping: 'x' is not a number"),
        ("two-queues:words=a,reach=1.5", "reach: '1.5' is not a whole number"),
        ("pagerank:jump=up", "choose all or seeds or none"),
        ("pagerank:external=maybe", "choose yes or no"),
        ("breadth-first:damping=1", "has no option 'damping'; known: none"),
        ("x * opic", "'x' is not a valid weight"),
        ("(opic", "a parenthesis is not closed"),
        ("opic-disk", "needs a crawl directory"),
        ("opic-disk:folder=x", "has no option 'folder'"),
        ("similarity", "similarity:words="),
    ],
)
def test_a_mistake_is_one_clear_line(text: str, complaint: str) -> None:
    with pytest.raises(SettingsError) as found:
        make_order(text)
    assert complaint in str(found.value)
    assert "\n" not in str(found.value)


@pytest.mark.parametrize(
    ("text", "travels"),
    [
        ("breadth-first", True),
        ("location", True),
        ("backlinks", True),
        ("backlinks-disk", True),
        ("opic", True),
        ("opic-disk", True),
        ("pagerank", True),
        ("pagerank:jump=seeds", True),
        ("pagerank:jump=none", False),
        ("pagerank:damping=1", False),
        ("largest-sites", True),
        ("domain-caps:inner=(pagerank)", True),
        ("domain-caps:inner=(site-rank)", False),
        ("pagerank + 0.1 * opic", True),
        ("pagerank + 0.1 * site-rank", False),
        ("0.5 * location + backlinks", True),
        ("two-queues:words=a,inner=(pagerank)", True),
        ("two-queues:words=a,inner=(site-rank)", False),
        ("similarity:words=a", True),
        ("ranks:of=EARLIER,by=harmonic", True),
    ],
)
def test_which_orders_work_in_several_partitions(text: str, travels: bool, tmp_path: Path) -> None:
    assert can_travel(make(text, tmp_path)) == travels


def test_all_are_described() -> None:
    described = {name: options for name, options, _ in describe_orders()}
    assert set(described) == set(ORDERS)
    assert described["pagerank"].startswith("damping=0.9,growth=0.1,jump=all,external=no")
    assert described["breadth-first"] == ""
