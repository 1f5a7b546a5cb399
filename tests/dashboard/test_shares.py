"""Figures by partition and by machine: on the overview, as JSON and for Prometheus."""

import json
import time
from pathlib import Path

import pytest
from msgspec.structs import replace

from gossamer.core.directory import Directory
from gossamer.engine.status_reporting import Status
from gossamer.engine.summary import NOTHING, MachineShare, Summary
from tests.dashboard.faces import Visitor, shown

MACHINES = {
    "web-7/5f2a91c3": MachineShare((0, 2), 30, 9, 2),
    'odd"<b>': MachineShare((1,), 12, 4, 1),
}


class Fast:
    """Two seconds pass with each look."""

    def __init__(self) -> None:
        self._now = time.time() + 10_000.0

    def now(self) -> float:
        self._now += 2.0
        return self._now


def say(crawl: Path, machines: dict[str, MachineShare], *pages: int) -> Summary:
    """What a crawl says of itself; its partitions grow by one page in two seconds.

    Its clock is fast, so that what it says is of the present for as long as the test takes.
    """
    status = Status(Directory(crawl), 60.0, Fast())
    summary = replace(NOTHING, pages=sum(pages), machines=machines, stopped_by="max_pages")
    for before in (2, 1, 0):
        status.write(
            summary,
            [
                replace(NOTHING, pages=one - before, waiting=3 * number, in_flight=number)
                for number, one in enumerate(pages)
            ],
        )
    return summary


@pytest.fixture
def begun(finished_copy: Path) -> Path:
    """A crawl that has said nothing yet."""
    Directory(finished_copy).timeline.unlink()
    return finished_copy


def test_partitions_and_machines_have_their_figures(begun: Path) -> None:
    say(begun, MACHINES, 20, 12, 10)
    with shown(begun) as visitor:
        overview, page, metrics = (visitor.get(path) for path in ("/api/", "/", "/metrics"))
    first = overview.json["machines"][0]
    assert first["name"] == "web-7/5f2a91c3"
    assert (first["partitions"], first["pages"], first["waiting"], first["in_flight"]) == (
        *([0, 2], 30, 9, 2),
    )
    speeds = [one["pages_per_second"] for one in overview.json["partitions"]]
    assert min(speeds) > 0
    assert first["pages_per_second"] == pytest.approx(speeds[0] + speeds[2])
    assert [one["machine"] for one in overview.json["partitions"]] == [
        *("web-7/5f2a91c3", 'odd"<b>', "web-7/5f2a91c3"),
    ]
    assert '<th scope="row">web-7/5f2a91c3</th><td>0 2</td><td class="number">30</td>' in page.text
    assert "<b>" not in page.text
    where = 'machine="web-7/5f2a91c3"'
    assert f'gossamer_partition_pages_total{{partition="2",{where}}} 10\n' in metrics.text
    assert f'gossamer_partition_visits_in_flight{{partition="2",{where}}} 2\n' in metrics.text
    odd = 'machine="odd\\"<b>"'
    assert f'gossamer_partition_urls_waiting{{partition="1",{odd}}} 3\n' in metrics.text


def test_a_partition_that_is_being_started_is_on_no_machine(begun: Path) -> None:
    say(begun, {"web-7": MachineShare((0,), 20)}, 20, 12)
    with shown(begun) as visitor:
        assert "being started" in visitor.get("/").text
        assert 'total{partition="1"} 12\n' in visitor.get("/metrics").text


def test_one_machine_is_not_named(begun: Path) -> None:
    say(begun, {}, 20, 12)
    with shown(begun) as visitor:
        assert visitor.get("/api/").json["machines"] == []
        page, metrics = visitor.get("/").text, visitor.get("/metrics").text
        assert "<h2>Partitions</h2>" in page
        assert "<h2>Machines</h2>" not in page
        assert 'gossamer_partition_pages_total{partition="1"} 12\n' in metrics
        assert "machine=" not in metrics


def test_one_partition_has_no_figures_of_its_own(finished_crawl: Path) -> None:
    with shown(finished_crawl) as visitor:
        assert "<h2>Partitions</h2>" not in visitor.get("/").text
        assert "gossamer_partition_" not in visitor.get("/metrics").text


def test_the_description_knows_machines(finished_crawl: Path) -> None:
    with shown(finished_crawl) as visitor:
        described = described_fields(visitor)
    assert {"name", "partitions", "pages", "pages_per_second", "waiting", "in_flight"} == described


def described_fields(visitor: Visitor) -> set[str]:
    schemas = json.loads(visitor.get("/api/openapi.json").body)["components"]["schemas"]
    return set(schemas["MachineFigures"]["properties"])
