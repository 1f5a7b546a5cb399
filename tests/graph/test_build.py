"""A crawl's tables become a graph: all at once, bit by bit, and by a builder that is killed."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from gossamer.core.errors import GossamerError
from gossamer.graph import Choice, Graph
from gossamer.graph.build import GraphBuilder
from gossamer.graph.published_graph import MANIFEST, Published
from tests.graph.building import arcs, build, files, no_waiting, url
from tests.graph.tables import write_links, write_pages

pytestmark = pytest.mark.usefixtures("no_waiting")
__all__ = ["no_waiting"]


def test_kinds_of_links_are_kept_apart(tmp_path: Path) -> None:
    write_links(tmp_path, 0, [(url(1), url(2)), (url(1), url(2)), (url(2), url(2))])
    write_links(tmp_path, 1, [(url(1), url(3))], kind="image")
    write_links(tmp_path, 2, [(url(1), url(4))], rel="noopener nofollow")
    write_pages(tmp_path, 0, [(url(5), 301, url(6), 10), (url(7), 200, None, 11)])
    build(tmp_path)
    assert arcs(tmp_path) == {(url(1), url(2)), (url(1), url(4))}
    assert arcs(tmp_path, "requisite") == {(url(1), url(3))}
    assert arcs(tmp_path, "redirect") == {(url(5), url(6))}
    assert Graph.open(tmp_path).number(url(7)) is not None
    assert Graph.open(tmp_path).number(url(8)) is None


def test_the_user_chooses_among_links(tmp_path: Path) -> None:
    write_links(tmp_path, 0, [(url(1), url(1))])
    write_links(tmp_path, 1, [(url(1), url(2))], rel="nofollow")
    build(tmp_path, Choice(nofollow=False, internal=True))
    assert arcs(tmp_path) == {(url(1), url(1))}
    build(tmp_path, Choice(nofollow=True, internal=False))  # another choice: from nothing
    assert arcs(tmp_path) == {(url(1), url(2))}


def test_redirects_are_resolved(tmp_path: Path) -> None:
    """Chains are followed, circles are not, and what is a page again by now stays itself."""
    write_links(tmp_path, 0, [(url(0), url(n)) for n in (1, 4, 6, 7, 8)] + [(url(3), url(8))])
    moves = [(8, 2), (2, 3), (4, 5), (5, 4), (6, 3), (1, 3)]
    write_pages(tmp_path, 0, [(url(a), 301, url(b), 10 + a) for a, b in moves])
    write_pages(
        tmp_path, 1, [(url(6), 200, None, 99), (url(1), 304, None, 99), (url(2), 0, None, 99)]
    )
    build(tmp_path)
    assert arcs(tmp_path) == {(url(0), url(n)) for n in (1, 3, 4, 6, 7)}
    assert arcs(tmp_path, "redirect") == {(url(a), url(b)) for a, b in moves}


def test_what_is_a_page_again_stays_one_when_old_rows_are_read_again(tmp_path: Path) -> None:
    """The file with its redirect grows, the one that says it is a page is in the graph already."""
    write_links(tmp_path, 0, [(url(0), url(1))])
    write_pages(tmp_path, 0, [(url(1), 301, url(2), 10)])
    write_pages(tmp_path, 1, [(url(1), 200, None, 20)])
    build(tmp_path)
    write_pages(tmp_path, 2, [(url(0), 200, None, 30)])
    build(tmp_path)
    write_pages(tmp_path, 0, [(url(1), 301, url(2), 10), (url(3), 200, None, 11)])
    build(tmp_path)
    assert arcs(tmp_path) == {(url(0), url(1))}


def _grow(crawl: Path, step: int) -> None:
    """A piece of a crawl: new pages and old ones, and redirects that come, lead elsewhere, and go."""
    chance = np.random.default_rng(step)
    some = [tuple(map(url, pair)) for pair in chance.integers(0, 40 + 20 * step, (60, 2)).tolist()]
    write_links(crawl, step, [(a, b) for a, b in some])
    nodes = chance.integers(0, 60, (8, 2)).tolist()
    write_pages(
        crawl,
        step,
        [(url(a), *((301, url(b)) if b % 3 else (200, None)), 100 * step + a) for a, b in nodes],
    )


def test_what_is_merged_in_bit_by_bit_is_as_if_built_from_nothing(tmp_path: Path) -> None:
    merged, whole = tmp_path / "merged", tmp_path / "whole"
    for step in range(10):
        for crawl in (merged, whole):
            _grow(crawl, step)
        assert "reading links" in build(merged)
        build(whole, is_rebuild=True)
        one, other = files(merged), files(whole)
        assert one.keys() == other.keys()
        assert one == other
    assert any(name.startswith("page-raw") for name in files(merged))


def test_a_file_that_has_grown_is_taken_in_again(tmp_path: Path) -> None:
    write_links(tmp_path, 0, [(url(1), url(2))])
    build(tmp_path)
    assert build(tmp_path) == ["up to date"]
    write_links(tmp_path, 0, [(url(1), url(2)), (url(2), url(3))])
    build(tmp_path)
    assert arcs(tmp_path) == {(url(1), url(2)), (url(2), url(3))}


def test_little_memory_gives_the_same_graph(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for step in range(4):
        _grow(tmp_path, step)
    build(tmp_path)
    roomy = files(tmp_path)
    monkeypatch.setattr("gossamer.graph.build.graph_builder._LEAST_MEMORY", 1024)
    monkeypatch.setattr("gossamer.graph.build.numbering._TOGETHER", 7)
    build(tmp_path, memory=1024, is_rebuild=True)
    assert files(tmp_path) == roomy


def test_whoever_is_killed_begins_again(tmp_path: Path) -> None:
    """A builder is left at each of its steps; meanwhile, the graph of before can be read."""
    for step in range(3):
        _grow(tmp_path, step)
    build(tmp_path)
    before = arcs(tmp_path)
    _grow(tmp_path, 3)
    steps = 0
    while _leave_after(tmp_path, steps):
        assert arcs(tmp_path) == before
        steps += 1
    assert steps > 6
    assert arcs(tmp_path) != before
    found = files(tmp_path)
    build(tmp_path, is_rebuild=True)
    assert files(tmp_path) == found
    assert len([*(tmp_path / "graph").iterdir()]) == 3, "a manifest, a lock and one generation"


def _leave_after(crawl: Path, steps: int) -> bool:
    """Build, and be killed after so many words; False when it was done before."""
    running: Iterator[object] = GraphBuilder(crawl, Choice()).run()
    for number, progress in enumerate(running):
        if getattr(progress, "step", "") == "published":
            return False
        if number == steps:
            running.close()  # type: ignore[attr-defined]
            return True
    return False


def test_whoever_is_killed_just_before_publishing_begins_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The files have their last place already, and nothing names them."""
    write_links(tmp_path, 0, [(url(1), url(2))])
    build(tmp_path)
    write_links(tmp_path, 1, [(url(2), url(3))])

    def die(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("gossamer.graph.build.graph_builder.publish", die)
        with pytest.raises(KeyboardInterrupt):
            build(tmp_path)
    assert arcs(tmp_path) == {(url(1), url(2))}
    build(tmp_path)
    assert arcs(tmp_path) == {(url(1), url(2)), (url(2), url(3))}
    assert len([*(tmp_path / "graph").glob("0*")]) == 1


def test_two_builders_do_not_meet(tmp_path: Path) -> None:
    write_links(tmp_path, 0, [(url(1), url(2))])
    running = GraphBuilder(tmp_path, Choice()).run()
    next(running)
    with pytest.raises(GossamerError, match="is being built by another process"):
        build(tmp_path)
    assert [*running]
    assert arcs(tmp_path) == {(url(1), url(2))}


def test_a_crawl_may_go_on_while_its_graph_is_built(tmp_path: Path) -> None:
    """Its tables are replaced by larger ones; those count that were there at the beginning."""
    write_links(tmp_path, 0, [(url(1), url(2))])
    for number, _ in enumerate(GraphBuilder(tmp_path, Choice()).run()):
        write_links(tmp_path, 0, [(url(1), url(n)) for n in range(2, 4 + number)])
    assert arcs(tmp_path) == {(url(1), url(2))}
    build(tmp_path)
    assert arcs(tmp_path) == {(url(1), url(n)) for n in range(2, 4 + number)}


def test_long_urls_and_long_pages_are_taken_in(tmp_path: Path) -> None:
    long = [f"https://a.org/{'x' * 2034}{end}" for end in "ab"]
    links = [(long[0], long[1]), *((url(0), url(n)) for n in range(1, 20_000))]
    write_links(tmp_path, 0, links)
    build(tmp_path)
    graph = Graph.open(tmp_path)
    node = graph.number(url(0))
    assert node is not None
    assert {*graph.urls(graph.successors(node))} == {url(n) for n in range(1, 20_000)}
    assert graph.url(int(graph.successors(graph.number(long[0]) or 0)[0])) == long[1]


def test_a_crawl_may_be_empty_or_of_one_page(tmp_path: Path) -> None:
    write_links(tmp_path, 0, [])
    write_pages(tmp_path, 0, [])
    build(tmp_path)
    assert (len(Graph.open(tmp_path)), arcs(tmp_path)) == (0, set())
    write_pages(tmp_path, 1, [(url(1), 200, None, 1)])
    build(tmp_path)
    assert (len(Graph.open(tmp_path)), arcs(tmp_path)) == (1, set())


def test_a_crawl_without_tables_has_no_graph(tmp_path: Path) -> None:
    with pytest.raises(GossamerError, match="no tables of pages and links yet"):
        build(tmp_path)
    with pytest.raises(GossamerError, match="has no graph; make one with"):
        Graph.open(tmp_path)


def test_a_graph_that_is_open_stays_as_it_was(tmp_path: Path) -> None:
    write_links(tmp_path, 0, [(url(1), url(2))])
    build(tmp_path)
    graph = Graph.open(tmp_path)
    write_links(tmp_path, 1, [(url(0), url(n)) for n in range(1, 9)])
    build(tmp_path)
    assert (len(graph), graph.arcs, graph.urls([0, 1])) == (2, 1, [url(1), url(2)])
    assert graph.successors(0).tolist() == [1]
    assert len(Graph.open(tmp_path)) == 9


def test_a_graph_that_is_built_anew_has_files_of_its_own(tmp_path: Path) -> None:
    """Readers of the one that counts keep it to the end."""
    write_links(tmp_path, 0, [(url(1), url(2))])
    names = []
    for _ in range(3):
        build(tmp_path, is_rebuild=True)
        names.append(Published(tmp_path / "graph").manifest().generation)
    assert len({*names}) == 3


def test_damage_and_other_formats_are_told_in_one_line(tmp_path: Path) -> None:
    write_links(tmp_path, 0, [(url(1), url(2))])
    build(tmp_path)
    whole = (tmp_path / "graph" / MANIFEST).read_text()
    for text, said in (
        (
            whole.replace('"format": 2', '"format": 3'),
            "is of format 3, and this version of Gossamer reads 2",
        ),
        (whole[:50], "is damaged; rebuild it: `gossamer graph build DIR --rebuild`"),
        ("[]", "is damaged; rebuild it: `gossamer graph build DIR --rebuild`"),
    ):
        (tmp_path / "graph" / MANIFEST).write_text(text)
        with pytest.raises(GossamerError, match=said):
            Graph.open(tmp_path)
    (tmp_path / "graph" / MANIFEST).write_text(whole)
    page = tmp_path / "graph" / "000001" / "page.graph"
    page.write_bytes(bytes([page.read_bytes()[0] ^ 1]) + page.read_bytes()[1:])
    assert [str(page) in line for line in Published(tmp_path / "graph").verify()] == [True]
    page.write_bytes(b"")
    with pytest.raises(GossamerError, match=r"page\.graph has 0 bytes instead of"):
        Graph.open(tmp_path)
    page.unlink()
    with pytest.raises(GossamerError, match=r"page\.graph is missing"):
        Graph.open(tmp_path)
    write_links(tmp_path, 1, [(url(2), url(3))])
    build(tmp_path)  # not on what is damaged, but from nothing
    assert arcs(tmp_path) == {(url(1), url(2)), (url(2), url(3))}


def test_a_table_that_is_damaged_is_told(tmp_path: Path) -> None:
    write_links(tmp_path, 0, [(url(1), url(2))])
    (tmp_path / "links" / "00000-00001.parquet").write_bytes(b"nothing")
    with pytest.raises(GossamerError, match=r"00000-00001\.parquet is not a Parquet file"):
        build(tmp_path)
