"""The resolver against a real name server on loopback."""

import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pycares
import pytest

from gossamer.core.clock import VirtualClock
from gossamer.core.errors import SettingsError
from gossamer.core.outcomes import Outcome
from gossamer.core.poller import Poller
from gossamer.core.settings import DnsSettings
from gossamer.pipeline.dns import Resolver
from gossamer.pipeline.dns.literal_hosts import answer_at_once
from tests.needs import needs
from tests.pipeline.dns.conftest import PATIENT, QUICK, MakeRing, Ring
from tests.pipeline.dns.dns_server import AAAA, REFUSED, SERVFAIL, A, Host, NameServer, Query


def test_finds_addresses_of_both_families_ipv4_first(make_ring: MakeRing) -> None:
    host = Host(a=("192.0.2.1", "192.0.2.2"), aaaa=("2001:db8::1",))
    with NameServer({"www.foo.test": host}) as server:
        [answer] = make_ring(server.address).resolve("www.foo.test")
    assert answer.addresses == ("192.0.2.1", "192.0.2.2", "2001:db8::1")
    assert answer.is_good
    assert answer.outcome is None


def test_family_preference_turns_the_order(make_ring: MakeRing) -> None:
    with NameServer({"foo.test": Host(a=("192.0.2.1",), aaaa=("2001:db8::1",))}) as server:
        [answer] = make_ring(server.address, families=("ipv6", "ipv4")).resolve("foo.test")
    assert answer.addresses == ("2001:db8::1", "192.0.2.1")


def test_one_family_asks_for_no_other(make_ring: MakeRing) -> None:
    with NameServer({"foo.test": Host(a=("192.0.2.1",), aaaa=("2001:db8::1",))}) as server:
        [answer] = make_ring(server.address, families=("ipv4",)).resolve("foo.test")
    assert answer.addresses == ("192.0.2.1",)
    assert server.log == [Query("foo.test", A, "udp")]


def test_a_name_with_ipv6_only(make_ring: MakeRing) -> None:
    with NameServer({"six.test": Host(aaaa=("2001:db8::6",))}) as server:
        [answer] = make_ring(server.address).resolve("six.test")
    assert answer.addresses == ("2001:db8::6",)


def test_a_name_server_on_ipv6(make_ring: MakeRing) -> None:
    try:
        with socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as probe:
            probe.bind(("::1", 0))
    except OSError:
        pytest.skip(needs("ipv6", "this machine has no IPv6 loopback"))
    with NameServer({"foo.test": Host(a=("192.0.2.1",))}, family=socket.AF_INET6) as server:
        [answer] = make_ring(server.address).resolve("foo.test")
    assert answer.addresses == ("192.0.2.1",)


def test_follows_an_alias_and_takes_the_shortest_ttl(make_ring: MakeRing) -> None:
    zone = {
        "alias.test": Host(cname="real.test", cname_ttl=120),
        "real.test": Host(a=("192.0.2.7",), ttl=900),
    }
    clock = VirtualClock(1000.0)
    with NameServer(zone) as server:
        [answer] = make_ring(server.address, clock=clock).resolve("alias.test")
    assert answer.addresses == ("192.0.2.7",)
    assert answer.expires == 1120.0


@pytest.mark.parametrize(
    ("ttl", "kept"), [(0, 60), (59, 60), (61, 61), (3600, 3600), (2**31 - 1, 7200)]
)
def test_ttl_is_honoured_within_bounds(make_ring: MakeRing, ttl: int, kept: int) -> None:
    clock = VirtualClock(1000.0)
    with NameServer({"foo.test": Host(a=("192.0.2.1",), ttl=ttl)}) as server:
        ring = make_ring(server.address, clock=clock, min_ttl=60, max_ttl=7200)
        [answer] = ring.resolve("foo.test")
    assert answer.expires == 1000.0 + kept
    clock.advance(kept - 1)
    assert ring.resolver.lookup("foo.test") == answer
    clock.advance(1)
    assert ring.resolver.lookup("foo.test") is None


def test_an_expired_name_is_asked_for_again(make_ring: MakeRing) -> None:
    clock = VirtualClock(1000.0)
    with NameServer({"foo.test": Host(a=("192.0.2.1",), ttl=86400)}) as server:
        ring = make_ring(server.address, clock=clock, max_ttl=90)
        ring.resolve("foo.test")
        server.zone["foo.test"] = Host(a=("192.0.2.2",))
        clock.advance(91)
        [answer] = ring.resolve("foo.test")
    assert answer.addresses == ("192.0.2.2",)
    assert server.asked("foo.test") == 2


def test_starting_a_name_under_way_asks_once_and_settles_once(make_ring: MakeRing) -> None:
    with NameServer({"foo.test": Host(a=("192.0.2.1",))}) as server:
        ring = make_ring(server.address)
        for _ in range(100):
            ring.resolver.start("foo.test")
        ring.resolve("foo.test")
    assert (server.asked("foo.test", A), server.asked("foo.test", AAAA)) == (1, 1)
    assert ring.settled == ["foo.test"]


def test_a_name_that_does_not_exist_is_remembered(make_ring: MakeRing) -> None:
    clock = VirtualClock(1000.0)
    with NameServer({}) as server:
        ring = make_ring(server.address, clock=clock, not_found_ttl=50)
        [answer] = ring.resolve("nowhere.test")
    assert answer.outcome is Outcome.DNS_NOT_FOUND
    assert answer.addresses == ()
    assert answer.detail
    clock.advance(49)
    assert ring.known("nowhere.test") == answer
    clock.advance(1)
    assert ring.resolver.lookup("nowhere.test") is None


def test_a_name_without_addresses_is_not_found(make_ring: MakeRing) -> None:
    with NameServer({"mail-only.test": Host()}) as server:
        [answer] = make_ring(server.address).resolve("mail-only.test")
    assert answer.outcome is Outcome.DNS_NOT_FOUND


@pytest.mark.parametrize("rcode", [SERVFAIL, REFUSED])
def test_a_failing_server_is_asked_in_every_attempt(make_ring: MakeRing, rcode: int) -> None:
    clock = VirtualClock(1000.0)
    with NameServer({"bad.test": Host(rcode=rcode)}) as server:
        ring = make_ring(server.address, clock=clock, failed_ttl=30, first_wait=0.1, last_wait=0.1)
        ring.resolver.start("bad.test")
        for attempt in range(1, 6):
            ring.turn()
            ring.turn_until(lambda: ring.resolver.statistics().in_flight == 0)
            assert server.asked("bad.test") == attempt
            assert ring.settled == (["bad.test"] if attempt == 5 else [])
            clock.advance(0.125)
    answer = ring.known("bad.test")
    assert answer.outcome is Outcome.DNS_FAILED
    assert "5 attempts" in answer.detail
    assert answer.expires == pytest.approx(1030.5)


def test_a_silent_name_is_given_up_after_all_attempts(make_ring: MakeRing) -> None:
    clock = VirtualClock()
    with NameServer({"silent.test": Host(silent=True)}) as server:
        ring = make_ring(server.address, clock=clock, attempts=4)
        ring.resolver.start("silent.test")
        for attempt in range(1, 5):
            assert ring.settled == []
            _turn_until_asked(ring, server, "silent.test", attempt)
            clock.advance(PATIENT)
        ring.turn_until(lambda: ring.settled == ["silent.test"])
    assert ring.known("silent.test").outcome is Outcome.DNS_FAILED
    assert (server.asked("silent.test", A), server.asked("silent.test", AAAA)) == (4, 4)


def _turn_until_asked(ring: Ring, server: NameServer, name: str, times: int) -> None:
    """Until the server has heard that often of both families."""
    ring.turn_until(lambda: min(server.asked(name, kind) for kind in (A, AAAA)) == times)


def test_nothing_is_given_to_pycares_that_it_frees_too_soon(
    make_ring: MakeRing, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[set[str]] = []

    class Recorded(pycares.Channel):
        def __init__(self, **options: Any) -> None:
            given.append(set(options))
            super().__init__(**options)

    monkeypatch.setattr(pycares, "Channel", Recorded)
    with NameServer({"foo.test": Host(a=("192.0.2.1",))}) as server:
        make_ring(server.address).resolve("foo.test")
    assert given
    assert not {"lookups", "resolvconf_path"} & set().union(*given)


def test_an_answer_to_a_later_attempt_counts(make_ring: MakeRing) -> None:
    clock = VirtualClock()
    with NameServer({"shy.test": Host(a=("192.0.2.3",), silent_first=3)}) as server:
        ring = make_ring(server.address, clock=clock)
        ring.resolver.start("shy.test")
        for attempt in (1, 2, 3):
            _turn_until_asked(ring, server, "shy.test", attempt)
            clock.advance(PATIENT)
        [answer] = ring.resolve("shy.test")
    assert answer.addresses == ("192.0.2.3",)
    assert server.asked("shy.test") == 4


@pytest.mark.parametrize(
    "shy",
    [
        Host(a=("192.0.2.3",), silent_first=3, silent_types=(A,)),
        Host(a=("192.0.2.3",), fails_first=1),
        Host(a=("192.0.2.3",), fails_first=4),
    ],
)
def test_no_data_of_one_family_is_no_answer_for_the_other(make_ring: MakeRing, shy: Host) -> None:
    with NameServer({"shy.test": shy}) as server:
        [answer] = make_ring(server.address, first_wait=0.3, last_wait=0.6).resolve("shy.test")
    assert answer.addresses == ("192.0.2.3",)


def test_a_failing_server_without_data_of_the_other_family_has_failed(make_ring: MakeRing) -> None:
    with NameServer({"bad.test": Host(fails_first=1000)}) as server:
        [answer] = make_ring(server.address, first_wait=0.1, last_wait=0.2).resolve("bad.test")
    assert answer.outcome is Outcome.DNS_FAILED


def test_retries_wait_for_their_time(make_ring: MakeRing) -> None:
    clock = VirtualClock(1000.0)
    with NameServer({"shy.test": Host(a=("192.0.2.3",), silent_first=2)}) as server:
        ring = make_ring(server.address, clock=clock, first_wait=1, last_wait=90)
        ring.resolver.start("shy.test")
        assert ring.resolver.statistics().asked == 1
        for wait, asked in ((0.5, 1), (0.5, 2), (2.5, 2), (0.6, 3)):
            clock.advance(wait)
            ring.turn()
            assert ring.resolver.statistics().asked == asked
        ring.turn_until(lambda: ring.settled == ["shy.test"])
    assert ring.known("shy.test").is_good


Spoiler = Callable[[bytes], bytes]


def _cut(good: bytes) -> bytes:
    return good[:7]


def _number_changed(good: bytes) -> bytes:
    return bytes([good[0] ^ 0xFF]) + good[1:]


def _garbage(good: bytes) -> bytes:
    return b"\xff" * 40


def _other_question(good: bytes) -> bytes:
    return good.replace(b"\x04test", b"\x04evil")


@pytest.mark.parametrize("before", [_number_changed, _other_question])
def test_answers_to_what_was_not_asked_are_ignored(make_ring: MakeRing, before: Spoiler) -> None:
    with NameServer({"odd.test": Host(a=("192.0.2.9",), before=before)}) as server:
        [answer] = make_ring(server.address).resolve("odd.test")
    assert answer.addresses == ("192.0.2.9",)


@pytest.mark.parametrize("before", [_cut, _garbage])
def test_malformed_packets_fail_their_name_and_no_other(
    make_ring: MakeRing, before: Spoiler
) -> None:
    clock, odd = VirtualClock(), Host(a=("192.0.2.9",), before=before)
    names = [f"even{n}.test" for n in range(50)]
    with NameServer({"odd.test": odd, "*.test": Host(a=("192.0.2.8",))}) as server:
        ring = make_ring(server.address, clock=clock)
        for host in ("odd.test", *names):
            ring.resolver.start(host)

        def have_settled() -> bool:
            """The next attempt begins when there is no good answer to wait for."""
            if not ring.resolver.statistics().in_flight or set(names) <= set(ring.settled):
                clock.advance(PATIENT)
            return {"odd.test", *names} == set(ring.settled)

        ring.turn_until(have_settled)
    assert ring.known("odd.test").outcome is Outcome.DNS_FAILED
    assert all(ring.known(host).is_good for host in names)


def test_a_truncated_answer_is_fetched_over_tcp(make_ring: MakeRing) -> None:
    many = tuple(f"192.0.2.{n}" for n in range(200))
    with NameServer({"big.test": Host(a=many, truncated=True)}) as server:
        [answer] = make_ring(server.address).resolve("big.test")
    assert sorted(answer.addresses) == sorted(many)
    assert Query("big.test", A, "tcp") in server.log


def test_a_final_dot_is_no_part_of_the_name(make_ring: MakeRing) -> None:
    with NameServer({"foo.test": Host(a=("192.0.2.1",))}) as server:
        [answer] = make_ring(server.address).resolve("foo.test.")
    assert answer.addresses == ("192.0.2.1",)
    assert {query.name for query in server.log} == {"foo.test"}


def test_a_single_label_gets_no_search_domain(make_ring: MakeRing) -> None:
    with NameServer({"intranet": Host(a=("192.0.2.1",))}) as server:
        [answer] = make_ring(server.address).resolve("intranet")
    assert answer.is_good
    assert {query.name for query in server.log} == {"intranet"}


def test_nobody_listens_at_the_server(make_ring: MakeRing) -> None:
    with NameServer({}) as server:
        address = server.address
    [answer] = make_ring(address, attempts=2, **QUICK).resolve("foo.test")
    assert answer.outcome is Outcome.DNS_FAILED


def test_the_second_server_helps_when_the_first_is_gone(make_ring: MakeRing) -> None:
    with NameServer({}) as gone:
        dead = gone.address
    with NameServer({"foo.test": Host(a=("192.0.2.1",))}) as server:
        [answer] = make_ring(dead, server.address).resolve("foo.test")
    assert answer.addresses == ("192.0.2.1",)


@pytest.mark.parametrize(
    ("host", "addresses"),
    [
        ("192.0.2.1", ("192.0.2.1",)),
        ("[2001:db8::1]", ("2001:db8::1",)),
        ("localhost", ("127.0.0.1", "::1")),
        ("www.localhost.", ("127.0.0.1", "::1")),
    ],
)
def test_addresses_and_localhost_need_no_server(
    make_ring: MakeRing, host: str, addresses: tuple[str, ...]
) -> None:
    ring = make_ring()
    assert ring.known(host).addresses == addresses
    ring.resolver.start(host)
    assert ring.resolver.finished() == [host]
    assert ring.resolver.next_timeout() is None


def _name_in_hosts_file() -> tuple[str, set[str]]:
    """A name that only this machine's /etc/hosts knows, with its addresses."""
    known: dict[str, set[str]] = {}
    for line in Path("/etc/hosts").read_text().splitlines():
        address, *names = line.partition("#")[0].split() or [""]
        for name in names:
            known.setdefault(name, set()).add(address)
    for name, addresses in known.items():
        if answer_at_once(name, ("ipv4", "ipv6")) is None:
            return name, addresses
    pytest.skip("/etc/hosts has no name but localhost")


def test_without_servers_the_hosts_file_counts(make_ring: MakeRing) -> None:
    name, addresses = _name_in_hosts_file()
    [answer] = make_ring().resolve(name)
    assert set(answer.addresses) == addresses


def test_with_servers_the_hosts_file_does_not_count(make_ring: MakeRing) -> None:
    name, _ = _name_in_hosts_file()
    with NameServer({name: Host(a=("192.0.2.66",))}) as server:
        [answer] = make_ring(server.address).resolve(name)
    assert answer.addresses == ("192.0.2.66",)


def test_servers_of_ones_own_are_not_asked_for_localhost(make_ring: MakeRing) -> None:
    with NameServer({"localhost": Host(a=("192.0.2.66",))}) as server:
        [answer] = make_ring(server.address).resolve("localhost")
    assert answer.addresses == ("127.0.0.1", "::1")
    assert server.log == []


@pytest.mark.parametrize(
    "host", ["", ".", "a..b", "x" * 64 + ".test", ".".join(["abc"] * 80), "a b", "é.test", "a\0b"]
)
def test_what_is_no_name_is_not_found(make_ring: MakeRing, host: str) -> None:
    [answer] = make_ring("127.0.0.1:9").resolve(host)
    assert answer.outcome is Outcome.DNS_NOT_FOUND
    assert answer.detail


def test_a_bad_server_setting_is_an_error_of_the_user() -> None:
    poller = Poller()
    with pytest.raises(SettingsError, match=r"dns\.servers"):
        Resolver(DnsSettings(servers=("dns.example",)), poller, VirtualClock())
    with pytest.raises(SettingsError, match=r"dns\.families"):
        Resolver(DnsSettings(families=()), poller, VirtualClock())
    poller.close()


def test_answers_survive_in_another_resolver(make_ring: MakeRing) -> None:
    clock = VirtualClock(1000.0)
    with NameServer({"foo.test": Host(a=("192.0.2.1",), ttl=500)}) as server:
        ring = make_ring(server.address, clock=clock)
        answers = ring.resolve("foo.test", "nowhere.test", "localhost")
    dumped = ring.resolver.dump()
    assert sorted(entry.host for entry in dumped) == ["foo.test", "nowhere.test"]
    clock.advance(499)
    other = make_ring("127.0.0.1:9", clock=clock)
    other.resolver.load(dumped)
    assert [other.known(host) for host in ("foo.test", "nowhere.test")] == answers[:2]
    clock.advance(1)
    third = make_ring("127.0.0.1:9", clock=clock)
    third.resolver.load(dumped)
    assert third.resolver.lookup("foo.test") is None


def test_closing_drops_what_is_under_way(make_ring: MakeRing) -> None:
    with NameServer(
        {"silent.test": Host(silent=True), "foo.test": Host(a=("192.0.2.1",))}
    ) as server:
        ring = make_ring(server.address)
        ring.resolve("foo.test")
        ring.resolver.start("silent.test")
        ring.resolver.close()
    statistics = ring.resolver.statistics()
    assert (statistics.pending, statistics.in_flight) == (0, 0)
    assert ring.known("foo.test").is_good
    assert ring.resolver.next_timeout() is None


def test_statistics_add_up(make_ring: MakeRing) -> None:
    zone = {"foo.test": Host(a=("192.0.2.1",)), "bad.test": Host(rcode=SERVFAIL)}
    clock = VirtualClock()
    with NameServer(zone) as server:
        ring = make_ring(server.address, clock=clock, attempts=2)
        ring.resolver.start("bad.test")
        ring.resolve("foo.test", "nowhere.test")
        ring.turn_until(lambda: ring.resolver.statistics().in_flight == 0)
        clock.advance(PATIENT)
        ring.turn_until(lambda: "bad.test" in ring.settled)
    statistics = ring.resolver.statistics()
    assert (statistics.found, statistics.not_found, statistics.failed) == (1, 1, 1)
    assert (statistics.cached, statistics.pending, statistics.waiting) == (3, 0, 0)
    assert statistics.asked == 4
