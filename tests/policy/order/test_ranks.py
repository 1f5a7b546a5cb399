"""Orders by a finished ranking."""

from pathlib import Path

import numpy as np
import pytest

from gossamer.core.errors import SettingsError
from gossamer.core.finished_ranks import RANKS_FILE
from gossamer.core.url import parse
from gossamer.policy.order import Waiting, make_order
from tests.policy.order.ranked import write_ranks


def key(text: str) -> int:
    url = parse(text)
    assert url is not None
    return url.key


def test_known_pages_have_their_rank_and_others_none(tmp_path: Path) -> None:
    urls = [f"http://a.test/{number}" for number in range(50)]
    ranks: dict[str, float | None] = {url: float(rank) for rank, url in enumerate(urls, 1)}
    order = make_order(
        f"ranks:of={write_ranks(tmp_path, ranks | {'http://b.test/': None})},by=harmonic"
    )
    asked = [urls[30], "http://b.test/", urls[0], "http://c.test/"]
    keys = np.array([key(url) for url in asked], np.uint64)
    assert order.score(Waiting(keys, np.zeros(4, np.int64))).tolist() == [31.0, 0.0, 1.0, 0.0]
    assert order.worth(keys[:1]).tolist() == [31.0]
    assert order.statistics().pages == 50


def test_a_ranking_of_nothing(tmp_path: Path) -> None:
    order = make_order(f"ranks:of={write_ranks(tmp_path, {})},by=harmonic")
    assert order.worth(np.array([1], np.uint64)).tolist() == [0.0]


def test_mistakes_are_told(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="ranks:of=DIR"):
        make_order("ranks")
    with pytest.raises(SettingsError, match="does not exist; make it with: gossamer graph rank"):
        make_order(f"ranks:of={tmp_path}")
    write_ranks(tmp_path, {"http://a.test/": 1.0})
    with pytest.raises(SettingsError, match="has no ranking 'place'; it has: harmonic"):
        make_order(f"ranks:of={tmp_path},by=place")
    (tmp_path / RANKS_FILE).write_bytes(b"PAR1, no more")
    with pytest.raises(SettingsError, match="cannot be read"):
        make_order(f"ranks:of={tmp_path},by=harmonic")
