"""The truth, compared with what a naive crawler finds over real HTTP."""

import pytest

from gossamer.lab import ALL_FINITE, Web, serve
from gossamer.lab.behaviours import KNOWN, Behaviour, Slow, Stalls
from tests.lab.wire import walk

QUICK: dict[str, Behaviour] = {
    "slow": Slow(shortest=0.001, longest=0.01),
    "stalls": Stalls(seconds=0.01),
}
FINITE = [name for name, kind in KNOWN.items() if kind.is_finite]


def check(web: Web) -> None:
    with serve(web) as served:
        truth = served.web.reachable()
        found = walk(served.dns_address, served.seed_url, served.web.is_allowed)
        assert len(found.asked) == len(set(found.asked))
        assert set(found.asked) == truth.asked == served.web.expected()
        assert found.usable == truth.usable
        assert found.unresolvable == truth.unresolvable
        origins = {f"http://{request.host}:{served.http_port}" for request in served.requests()}
        logged = [
            f"http://{request.host}:{served.http_port}{request.path}"
            for request in served.requests()
        ]
        assert sorted(logged) == sorted(found.asked)
        assert len(origins) > 1


@pytest.mark.parametrize("name", FINITE)
def test_each_behaviour_alone(name: str) -> None:
    check(Web(7, 150, 8, behaviours=(QUICK.get(name, name),)))


def test_the_plain_web_is_reached_whole() -> None:
    web = Web(7, 300, 12)
    check(web)
    assert web.expected() == set(web.urls())
    assert len(web.expected()) == 300


@pytest.mark.parametrize("seed", [1, 2])
def test_all_finite_behaviours_together(seed: int) -> None:
    check(Web(seed, 200, 12, behaviours=(*ALL_FINITE, QUICK["slow"])))


def test_every_kind_of_end_occurs() -> None:
    reach = Web(7, 2000, 60, behaviours=ALL_FINITE).reachable()
    assert reach.redirects
    assert reach.errors
    assert reach.broken
    assert reach.disallowed
    assert reach.unresolvable
    parts = (reach.usable, reach.redirects, reach.errors, reach.broken)
    assert sum(map(len, parts)) == len(reach.asked)
    assert set.union(*parts) == reach.asked


def test_honeypots_are_named_but_never_expected() -> None:
    web = Web(7, 400, 10, behaviours=("errors", "nofollow", "meta_robots"))
    expected = web.expected()
    named = {link.url for url in expected for link in web.links(url)}
    assert any(web.is_honeypot(url) for url in named)
    assert not any(web.is_honeypot(url) for url in expected)


def test_traps_have_no_end_and_lead_nowhere_else() -> None:
    web = Web(7, 200, 20, behaviours=("calendar", "sessions"))
    reach = web.reachable()
    assert len(reach.traps) > 4
    assert reach.asked == set(Web(7, 200, 20).expected())
    inside, waiting = set(reach.traps), list(reach.traps)
    while len(inside) < 3000:
        for link in web.links(waiting.pop()):
            assert web.is_trap(link.url) or link.url in reach.asked
            if web.is_trap(link.url) and link.url not in inside:
                inside.add(link.url)
                waiting.append(link.url)
    bodies = {web.body_of(answer) for url in list(inside)[:500] if (answer := web.answer(url))}
    assert len(bodies) == 500


def test_seeds_can_be_chosen() -> None:
    web = Web(7, 200, 12)
    other = web.url(5, 0)
    assert other in web.expected(other)
    assert web.reachable(other).asked <= set(web.urls())


def test_duplicates_know_their_original() -> None:
    web = Web(7, 400, 10, behaviours=("duplicates", "charsets"))
    copies = [url for url in web.expected() if web.duplicate_of(url)]
    assert len(copies) > 20
    hosts_differ = 0
    for url in copies:
        original = web.duplicate_of(url)
        assert original is not None
        copied, first = web.answer(url), web.answer(original)
        assert copied is not None
        assert first is not None
        assert web.body_of(copied) == web.body_of(first)
        hosts_differ += url.split("/")[2] != original.split("/")[2]
    assert 0 < hosts_differ < len(copies)
    assert web.duplicate_of(web.seed_url) is None
