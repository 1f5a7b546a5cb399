"""The model of many machines: what it says is what real parts do, as far as they can be asked."""

import numpy as np
import pytest
from benchmarks.cluster_model.cluster_page import find, write_page
from benchmarks.cluster_model.figures import Machines, Measured, PerLink
from benchmarks.cluster_model.measuring import bytes_per_link, look_at_links
from benchmarks.cluster_model.model import LIMITS, bottlenecks, first_over, load_of
from benchmarks.cluster_model.popular import known_share

from gossamer.cluster.recently_sent import Popular
from gossamer.lab.simulated_web import Web

MEASURED = Measured(
    pages=1000, cpu=0.004, fetched=9000, shipped=4000, idle=1.2e8, components=8e8, links=20, foreign=3,
    told=1, asked=0.1,    batches=[PerLink(1, 150), PerLink(100, 50)], relay=5e-6,
)  # fmt: skip
MACHINES = Machines()


def test_what_was_just_told_is_as_in_the_real_table() -> None:
    """A small web, a small table, links by the same law."""
    pages, links, places = 50_000, 20_000, 1 << 10
    chance = np.random.default_rng(3)
    hosts = pages // 1000
    sizes = np.maximum(1, pages / (np.log(hosts) + 0.5772) / np.arange(1, hosts + 1)).astype(int)
    popular = Popular(places)
    host = (hosts * chance.random(links) ** 3).astype(int)
    is_deep = chance.random(links) < 0.25
    page = np.where(is_deep, (sizes[host] * chance.random(links) ** 3).astype(int), 0)
    numbers = chance.integers(1, 1 << 62, (hosts, sizes.max() + 1))[host, page]
    for number in numbers.tolist():
        popular.is_known(number)
    assert known_share(pages, links, places) == pytest.approx(popular.hits / links, abs=0.03)


def test_one_machine_with_one_core_sends_nothing() -> None:
    alone = load_of(1, MEASURED, Machines(cores=1))
    assert (alone.links, alone.exchange, alone.frames, alone.known) == (0, 0, 0, 0)
    assert alone.shipping == 250 * 4000


def test_batches_get_smaller_and_links_longer() -> None:
    few, many = (load_of(nodes, MEASURED, MACHINES) for nodes in (2, 30))
    assert few.batch > many.batch
    assert few.per_link < many.per_link
    assert few.partitions * few.links / few.nodes == pytest.approx(8 * few.links)


@pytest.mark.parametrize("name", LIMITS)
def test_a_limit_is_found_where_it_is_crossed(name: str) -> None:
    size = first_over(name, MEASURED, MACHINES)
    if size is not None:
        assert load_of(size, MEASURED, MACHINES).used[name] > 1
        assert size == 1 or load_of(size - 1, MEASURED, MACHINES).used[name] <= 1


def test_the_first_limit_comes_first_and_is_told() -> None:
    limits = bottlenecks(MEASURED, MACHINES)
    assert limits[0] == ("supervisor cpu", 39)
    assert ("partitions", 513) in limits
    page = write_page(find(MEASURED, MACHINES, (1, 8)), "gossamer lab cluster")
    assert "through which everything passes: too small from 39 machines on.**" in page


def test_links_together_take_fewer_bytes() -> None:
    links, foreign = look_at_links(Web(7, 200, 10), 7)
    assert links > len(foreign) / 200 > 1
    sizes = [bytes_per_link(foreign, count) for count in (1, 10, 100)]
    assert sizes == sorted(sizes, reverse=True)
