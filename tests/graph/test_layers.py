"""The web as it was at a time."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from gossamer.core.errors import GossamerError
from gossamer.graph import Graph
from gossamer.graph.graph_layers import end_of
from gossamer.graph.published_graph import find_layers
from tests.graph.building import arcs, build, no_waiting, url
from tests.graph.tables import write_links, write_pages

pytestmark = pytest.mark.usefixtures("no_waiting")
__all__ = ["no_waiting"]


def _day(month: int, day: int = 10) -> int:
    return int(datetime(2026, month, day, tzinfo=UTC).timestamp()) * 1_000_000


def _visit(crawl: Path, number: int, source: int, targets: list[int], time: int) -> None:
    write_links(crawl, number, [(url(source), url(target)) for target in targets], time=time)
    write_pages(crawl, number, [(url(source), 200, None, time)], links=len(targets))


@pytest.fixture
def crawl(tmp_path: Path) -> Path:
    """Page 1 loses a link and wins one; page 2 goes; 3 comes in April, and 6 is a redirect from April on."""
    _visit(tmp_path, 0, 1, [2, 4, 6], _day(2))
    _visit(tmp_path, 1, 2, [1], _day(2))
    _visit(tmp_path, 2, 1, [2, 5, 6], _day(3))
    write_pages(tmp_path, 3, [(url(1), 304, None, _day(3, 20)), (url(1), 503, None, _day(3, 25))])
    write_pages(tmp_path, 4, [(url(2), 404, None, _day(4)), (url(6), 301, url(7), _day(4))])
    _visit(tmp_path, 5, 3, [1], _day(4))
    _visit(tmp_path, 6, 1, [3], _day(5))
    return tmp_path


def _among(*pairs: tuple[int, int]) -> set[tuple[str, str]]:
    return {(url(source), url(target)) for source, target in pairs}


def test_a_layer_has_what_pages_linked_to_at_its_end(crawl: Path) -> None:
    build(crawl)
    wanted = {
        "2026-01": _among(),
        "2026-02": _among((1, 2), (1, 4), (1, 6), (2, 1)),
        "2026-03": _among((1, 2), (1, 5), (1, 6), (2, 1)),
        "2026-04": _among((1, 2), (1, 5), (1, 7), (3, 1)),
        "2026": _among((1, 3), (3, 1)),
    }
    for at, links in wanted.items():
        build(crawl, layer=at)
        assert arcs(crawl, at=at) == links
    assert arcs(crawl) >= _among((1, 2), (1, 3), (1, 4), (1, 5), (2, 1), (3, 1))
    assert Graph.open(crawl, at="2026-03").number(url(3)) is None, "nobody knew of it"
    assert find_layers(crawl) == sorted(wanted)


def test_a_page_that_was_away_and_is_back_unchanged_has_its_links(tmp_path: Path) -> None:
    _visit(tmp_path, 0, 1, [2], _day(2))
    write_pages(tmp_path, 1, [(url(1), 301, url(3), _day(3)), (url(1), 304, None, _day(4))])
    for at, links in (("2026-03", _among()), ("2026-04", _among((1, 2)))):
        build(tmp_path, layer=at)
        assert arcs(tmp_path, at=at) == links


def test_a_layer_is_kept(crawl: Path) -> None:
    """It stays as it is while the crawl and its graph go on; who asks for it again gets it built again."""
    build(crawl, layer="2026-03")
    before = arcs(crawl, at="2026-03")
    assert build(crawl, layer="2026-03") == ["up to date"]
    _visit(crawl, 7, 8, [9], _day(6))
    build(crawl)
    assert arcs(crawl, at="2026-03") == before
    assert "published" in build(crawl, layer="2026-03")
    assert arcs(crawl, at="2026-03") == before


def test_what_is_no_time_and_no_layer_is_told(crawl: Path) -> None:
    for text in ("March", "2026-3", "2026-13", "2026-02-30", "9999", "../x", ""):
        with pytest.raises(GossamerError, match=r"is not a time; write e\.g\. 2026-03"):
            end_of(text)
    with pytest.raises(GossamerError, match="has no layer 2026-03; make it with"):
        Graph.open(crawl, at="2026-03")
    assert end_of("2026-03") == end_of("2026-03-31") == end_of("2026-03-31T23:59")
