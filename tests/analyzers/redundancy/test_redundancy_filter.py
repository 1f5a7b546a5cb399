"""What is done with a URL when several detectors have something to say."""

from pathlib import Path

import msgspec
import pytest

from gossamer.analyzers.redundancy.dust.rule import Name, RuleKind, RuleStage, RuleState
from gossamer.analyzers.redundancy.redundancy_filter import RedundancyFilter, RedundancyState
from gossamer.analyzers.redundancy.worth.estimate import Estimate
from gossamer.core.records import Via, Visit
from gossamer.core.settings import DetectSettings, ScopeSettings
from gossamer.core.url import Spelling, Url, parse
from gossamer.pipeline.scope import Scope
from gossamer.pipeline.seen import pack, unpack

A = "http://a.test"
LAST = 20


def url(path: str) -> Url:
    found = parse(A + path)
    assert found is not None
    return found


def learned(brought: float) -> bytes:
    """What is known when the lists of a shop brought so much."""
    estimate = Estimate()
    for number in range(40):
        estimate.learn(f"{A}/shop?size={number}&colour=red".encode(), 0, brought, brought)
    return estimate.dump()


@pytest.mark.parametrize(("brought", "offered"), [(0.9, [f"{A}/shop?size=xl"]), (0.0, [])])
def test_a_rule_is_tried_on_what_is_worth_a_fetch_anyhow(
    tmp_path: Path, brought: float, offered: list[str]
) -> None:
    """Is the colour nothing but a spelling? Two fetches would tell, which may be worth more elsewhere."""
    rule = RuleState(Name(RuleKind.PARAMETER, A, "colour"), RuleStage.TRIED, 5, 0, 0)
    state = msgspec.msgpack.encode(RedundancyState(rules=[rule], worth=learned(brought)))
    scope = Scope(ScopeSettings(), [url("/")], 2000)
    watch = RedundancyFilter(DetectSettings(), Spelling(), scope, tmp_path, pack, unpack, state)
    visit = Visit(url("/shop?size=xl&colour=red"), 1, Via.LINK, level=3)
    assert watch.turns_away(visit, LAST) == (not offered)
    assert [str(one.url) for one in watch.to_offer()] == offered
    watch.close()
