"""The resolver's parts, each by itself."""

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gossamer.core.clock import VirtualClock
from gossamer.core.disk.disk_cache import DiskCache
from gossamer.core.errors import SettingsError
from gossamer.core.outcomes import Outcome
from gossamer.core.poller import Poller
from gossamer.core.settings import DnsSettings
from gossamer.pipeline.dns import NameAnswer, RememberedName, Resolver
from gossamer.pipeline.dns.dns_cache import Cache
from gossamer.pipeline.dns.literal_hosts import answer_at_once
from gossamer.pipeline.dns.lookup_turns import LookupTurns
from gossamer.pipeline.dns.resolver import waits
from gossamer.pipeline.dns.servers import spell_servers
from tests.examples import examples

BOTH = ("ipv4", "ipv6")


def test_waits_grow_from_first_to_last() -> None:
    grown = waits(DnsSettings(first_wait=1, last_wait=81, attempts=5))
    assert grown == pytest.approx([1, 3, 9, 27, 81])
    assert waits(DnsSettings(attempts=1, first_wait=2)) == [2]


@pytest.mark.parametrize(
    "server",
    [
        "",
        "dns.example",
        "127.0.0.1:",
        "127.0.0.1:0",
        "127.0.0.1:65536",
        "127.0.0.1:dns",
        "127.0.0.1:53:53",
        "[::1",
        "[127.0.0.1]:x",
        "256.0.0.1",
        "1.2.3",
        "é",
        "127.0.0.1\0",
        "127.0.0.1,127.0.0.2",
    ],
)
def test_a_bad_server_is_named_in_one_line(server: str) -> None:
    with pytest.raises(SettingsError) as caught:
        spell_servers([server])
    assert repr(server) in str(caught.value)
    assert "\n" not in str(caught.value)


@given(st.text(max_size=30))
def test_any_server_text_is_spelled_or_refused(server: str) -> None:
    try:
        [spelled] = spell_servers([server])
    except SettingsError:
        return
    assert spell_servers([spelled]) == [spelled]


def test_the_cache_keeps_what_is_used() -> None:
    cache = Cache(100)
    answer = NameAnswer((), expires=10.0)
    for n in range(1000):
        cache.put(f"host{n}", answer)
        assert cache.get("host0", now=0.0) is answer
        assert len(cache) <= 100
    assert "host1" not in cache
    assert "host999" in cache


def test_what_the_cache_has_no_room_for_is_found_in_the_cellar(tmp_path: Path) -> None:
    disk_cache = DiskCache(tmp_path / "names", most_bytes=1 << 20)
    cache = Cache(4, disk_cache)
    answers = {f"h{n}": NameAnswer((f"192.0.2.{n}",), expires=10.0 + n) for n in range(50)}
    for host, answer in answers.items():
        cache.put(host, answer)
    assert cache.evicted >= 46
    assert {host: cache.get(host, now=0.0) for host in answers} == answers
    assert len(cache) <= 4
    assert cache.get("h3", now=20.0) is None  # expired there as anywhere
    assert cache.get("elsewhere", now=0.0) is None
    disk_cache.close()


def test_the_cache_takes_in_a_newer_answer() -> None:
    cache = Cache(4)
    old, new = NameAnswer(("192.0.2.1",), expires=10.0), NameAnswer(("192.0.2.2",), expires=20.0)
    for host in ("a", "b", "c"):
        cache.put(host, old)
    cache.put("a", new)
    assert cache.get("a", now=15.0) is new
    assert list(cache.dump(now=15.0)) == [RememberedName("a", new)]


@given(st.lists(st.tuples(st.sampled_from("abc"), st.booleans())), st.integers(1, 3))
def test_turns_are_fair_and_lose_nothing(steps: list[tuple[str, bool]], limit: int) -> None:
    turns: LookupTurns[tuple[str, int]] = LookupTurns(limit)
    busy: Counter[str] = Counter()
    taken: list[tuple[str, int]] = []
    put = [(domain, n) for n, (domain, is_put) in enumerate(steps) if is_put]
    for n, (domain, is_put) in enumerate(steps):
        if is_put:
            turns.put(domain, (domain, n))
        elif busy[domain]:
            busy[domain] -= 1
            turns.release(domain)
        elif (name := turns.take()) is not None:
            busy[name[0]] += 1
            taken.append(name)
        assert max(busy.values(), default=0) <= limit
        assert len(turns) == len([1 for put_at in put if put_at[1] <= n]) - len(taken)
    while turns.has_next or +busy:
        if (name := turns.take()) is not None:
            busy[name[0]] += 1
            taken.append(name)
        else:
            domain = next(iter(+busy))
            busy[domain] -= 1
            turns.release(domain)
    assert sorted(taken) == sorted(put)
    for domain in "abc":
        own = [name for name in taken if name[0] == domain]
        assert own == sorted(own)


def test_domains_take_turns() -> None:
    turns: LookupTurns[str] = LookupTurns(limit=10)
    for name in ("a1", "a2", "a3", "b1", "c1"):
        turns.put(name[0], name)
    assert [turns.take() for _ in range(6)] == ["a1", "b1", "c1", "a2", "a3", None]


@given(st.text() | st.from_regex(r"[a-z0-9.:\[\]%\\-]{0,70}", fullmatch=True))
def test_no_spelling_of_a_host_raises(host: str) -> None:
    answer = answer_at_once(host, BOTH)
    if answer is not None:
        assert bool(answer.addresses) == answer.is_good
        assert answer.is_good or answer.outcome is Outcome.DNS_NOT_FOUND
        assert answer.is_good or answer.detail


@settings(max_examples=examples(300), deadline=None)
@given(st.lists(st.text(max_size=300) | st.from_regex(r"[a-z0-9._-]{1,80}", fullmatch=True)))
def test_no_host_makes_the_resolver_raise(hosts: list[str]) -> None:
    poller = Poller()
    resolver = Resolver(DnsSettings(servers=("127.0.0.1:9",)), poller, VirtualClock())
    for host in hosts:
        resolver.lookup(host)
        resolver.start(host)
    resolver.tick()
    assert set(resolver.finished()) <= set(hosts)
    resolver.close()
    poller.close()
    assert resolver.statistics().in_flight == 0
