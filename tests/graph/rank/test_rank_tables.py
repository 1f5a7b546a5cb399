"""Rankings by name, as tables that join with those of pages."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from gossamer.core.errors import SettingsError
from gossamer.graph.rank.arcs import arcs_of
from gossamer.graph.rank.graph_pagerank import pagerank, total_weights
from gossamer.graph.rank.rank_measures import MEASURES, Columns, Measures, Wishes
from gossamer.graph.rank.rank_tables import write_group_ranks, write_page_ranks
from gossamer.graph.rank.ranked_web import LinkedWeb
from gossamer.graph.rank.roots import find_root

URLS = ["http://a.com/", "http://a.com/x", "http://www.b.org/", "http://b.org/y", "http://c.net/"]
LINKS = [(0, 1), (1, 0), (0, 2), (1, 2), (3, 2), (4, 2), (2, 3)]


@pytest.fixture
def web() -> LinkedWeb:
    arcs = arcs_of([one for one, _ in LINKS], [other for _, other in LINKS], len(URLS))
    return LinkedWeb(arcs, arcs.transposed(), lambda: [pa.array(URLS[:2]), pa.array(URLS[2:])])


def columns(web: LinkedWeb, names: Sequence[str], wishes: Wishes | None = None) -> Columns:
    return Measures(web, wishes or Wishes()).columns(names)


def test_a_row_for_each_page_joins_by_url(web: LinkedWeb, tmp_path: Path) -> None:
    wishes = Wishes(trusted=["a.com"], root=np.array([2], np.uint32))
    write_page_ranks(tmp_path / "ranks.parquet", web, columns(web, list(MEASURES), wishes))
    table = parquet.read_table(tmp_path / "ranks.parquet")
    assert table["url"].to_pylist() == URLS
    ranks = pagerank(web.back, total_weights(web.arcs)).ranks
    assert table["pagerank"].to_pylist() == ranks.tolist()
    assert table["indegree"].to_pylist() == [1, 1, 4, 1, 0]
    assert table["supporters_1"].to_pylist() == [1, 1, 4, 1, 0]
    assert table["supporters_2"].to_pylist() == [1, 1, 4, 4, 0]
    assert table["place"].to_pylist() == ["in", "in", "core", "core", "in"]
    assert table["trust"].to_pylist()[-1] == 0.0
    assert table["authority"].to_pylist()[2] == max(table["authority"].to_pylist())
    assert [path.name for path in tmp_path.iterdir()] == ["ranks.parquet"]


def test_pages_outside_of_a_base_set_have_no_authority(web: LinkedWeb, tmp_path: Path) -> None:
    wishes = Wishes(root=np.array([0], np.uint32))
    write_page_ranks(tmp_path / "ranks.parquet", web, columns(web, ["hits"], wishes))
    hubs = parquet.read_table(tmp_path / "ranks.parquet")["hub"].to_pylist()
    assert [hub is None for hub in hubs] == [False, False, False, True, True]


def test_hosts_and_domains(web: LinkedWeb, tmp_path: Path) -> None:
    for name, folded in (("host", web.hosts), ("domain", web.domains)):
        write_group_ranks(tmp_path / f"{name}s.parquet", name, folded, Wishes())
    hosts = {row["host"]: row for row in parquet.read_table(tmp_path / "hosts.parquet").to_pylist()}
    assert max(hosts.values(), key=lambda row: row["rank"]) is next(iter(hosts.values()))
    assert sum(row["rank"] for row in hosts.values()) == pytest.approx(1)
    www = hosts["www.b.org"]
    assert (www["domain"], www["pages"], www["supporters"], www["links_in"]) == ("b.org", 1, 3, 4)
    assert (hosts["a.com"]["links_inside"], hosts["a.com"]["links_out"]) == (2, 2)
    rows = parquet.read_table(tmp_path / "domains.parquet").to_pylist()
    domains = {
        row["domain"]: (row["pages"], row["supporters"], row["links_inside"]) for row in rows
    }
    assert domains == {"a.com": (2, 0, 2), "b.org": (2, 2, 2), "c.net": (1, 0, 0)}


def test_mistakes_are_told(web: LinkedWeb) -> None:
    for name, wishes, what in (
        ("pagerang", Wishes(), "known: pagerank"),
        ("trust", Wishes(), "--trusted"),
        ("trust", Wishes(trusted=["d.com"]), "trusted pages"),
        ("hits", Wishes(), "--query"),
    ):
        with pytest.raises(SettingsError, match=what):
            columns(web, [name], wishes)


def test_the_root_set_has_all_words_in_title_or_text(web: LinkedWeb, tmp_path: Path) -> None:
    (tmp_path / "pages").mkdir()
    titles = ["Cats and dogs", "Dogs", None, "Catsuits", "CATS, then DOGS"]
    parquet.write_table(pa.table({"url": URLS, "title": titles}), tmp_path / "pages" / "0.parquet")
    assert find_root(tmp_path, web, "dogs cats").tolist() == [0, 4]
    assert find_root(tmp_path, web, "dogs cats", most=1).tolist() == [0]
    assert find_root(tmp_path, web, "").tolist() == []
    (tmp_path / "text").mkdir()
    text = {"url": [URLS[2]], "title": [None], "main_text": ["Of cats. Of dogs."]}
    parquet.write_table(
        pa.table(text, pa.schema([(name, pa.string()) for name in text])),
        tmp_path / "text" / "0.parquet",
    )
    assert find_root(tmp_path, web, "dogs cats").tolist() == [0, 2, 4]
