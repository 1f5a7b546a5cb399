"""Many names at once, and neighbours that misbehave."""

from tests.pipeline.dns.conftest import MakeRing
from tests.pipeline.dns.dns_server import Host, NameServer

GOOD = Host(a=("192.0.2.1",))
SILENT = Host(silent=True)


def test_five_thousand_names_in_flight(make_ring: MakeRing) -> None:
    names = [f"www.site{n}.test" for n in range(5000)]
    with NameServer({"*.test": GOOD}) as server:
        ring = make_ring(server.address, in_flight=8192)
        answers = ring.resolve(*names)
    assert all(answer.is_good for answer in answers)
    assert len(ring.settled) == 5000
    assert ring.resolver.statistics().pending == 0


def test_silent_names_by_the_hundred_leave_room_for_good_ones(make_ring: MakeRing) -> None:
    """Each silent name is in a domain of its own, so only the lanes keep them apart."""
    silent = [f"www.dead{n}.test" for n in range(600)]
    good = [f"www.site{n}.example" for n in range(100)]
    with NameServer({"*.test": SILENT, "*.example": GOOD}) as server:
        ring = make_ring(
            server.address, families=("ipv4",), in_flight=64, first_wait=0.05, last_wait=30
        )
        for host in silent:
            ring.resolver.start(host)
        ring.resolve(*good)
    assert all(ring.known(host).is_good for host in good)
    assert ring.settled == [host for host in ring.settled if host.endswith(".example")]
    assert ring.resolver.statistics().pending == 600


def test_a_domain_that_makes_up_names_slows_nobody_down(make_ring: MakeRing) -> None:
    trap = [f"x{n}.trap.test" for n in range(10_000)]
    good = [f"www.site{n}.example" for n in range(100)]
    with NameServer({"*.trap.test": SILENT, "*.example": GOOD}) as server:
        ring = make_ring(server.address, per_domain=8, first_wait=30, last_wait=30)
        for host in trap:
            ring.resolver.start(host)
        ring.resolve(*good)
        asked = {query.name for query in server.log if query.name.endswith(".trap.test")}
    assert set(ring.settled) == set(good)
    assert len(asked) == 8
    assert ring.resolver.statistics().waiting == 10_000 - 8


def test_good_names_of_one_domain_all_get_through_its_limit(make_ring: MakeRing) -> None:
    names = [f"user{n}.blogs.example" for n in range(500)]
    with NameServer({"*.blogs.example": GOOD}) as server:
        ring = make_ring(server.address, per_domain=4)
        answers = ring.resolve(*names)
    assert all(answer.is_good for answer in answers)


def test_a_trap_drains_at_its_own_pace(make_ring: MakeRing) -> None:
    names = [f"x{n}.trap.test" for n in range(40)]
    with NameServer({"*.trap.test": SILENT}) as server:
        ring = make_ring(server.address, per_domain=8, attempts=2, first_wait=0.01, last_wait=0.02)
        answers = ring.resolve(*names)
    assert not any(answer.is_good for answer in answers)
    assert ring.resolver.statistics().asked == 80


def test_channels_are_retired_without_losing_names(make_ring: MakeRing) -> None:
    names = [f"www.site{n}.test" for n in range(25_000)]
    with NameServer({"*.test": GOOD}) as server:
        ring = make_ring(server.address, families=("ipv4",))
        answers = ring.resolve(*names)
    assert all(answer.is_good for answer in answers)
    assert ring.resolver.statistics().found == 25_000


def test_the_cache_stays_within_its_size(make_ring: MakeRing) -> None:
    names = [f"www.site{n}.test" for n in range(1000)]
    with NameServer({"*.test": GOOD}) as server:
        ring = make_ring(server.address, cache_size=100)
        for host in names:
            ring.resolver.start(host)
        ring.turn_until(lambda: len(ring.settled) == 1000)
    assert 50 <= ring.resolver.statistics().cached <= 100
    assert ring.known(ring.settled[-1]).is_good
    assert ring.resolver.lookup(ring.settled[0]) is None
