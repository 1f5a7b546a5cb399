"""The spam farm: any of its host names is served, and none of its pages leads out of it."""

from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest

from gossamer.lab import HOSTILE, ServedWeb, Web, serve
from gossamer.lab.behaviours import Spam
from tests.lab.wire import ask_dns, decode, fetch, read_links

FARM = ".cheapdeals.test"


@pytest.fixture(scope="module")
def served() -> Iterator[ServedWeb]:
    with serve(Web(7, 200, 20, behaviours=("spam",)), ttl=77) as served:
        yield served


def host_of(url: str) -> str:
    return urlsplit(url).hostname or ""


def get(served: ServedWeb, url: str) -> tuple[int, bytes]:
    code, [address], _ = ask_dns(served.dns_address, host_of(url))
    assert code == 0
    target = url.removeprefix("http://").partition("/")[2]
    reply = decode(fetch(address, served.http_port, host_of(url), f"/{target}"))
    return reply.status, reply.body


def walk_farm(web: Web, count: int) -> list[str]:
    """Breadth first through the farm, from where the rest of the web enters it."""
    entries = sorted(url for url in web.reachable().traps if host_of(url).endswith(FARM))
    met = dict.fromkeys(entries)
    for url in (waiting := list(met)):
        for link in web.links(url):
            if link.url not in met:
                met[link.url] = None
                waiting.append(link.url)
        if len(met) >= count:
            break
    return list(met)[:count]


def test_its_pages_are_served_by_real_dns_and_http(served: ServedWeb) -> None:
    web = served.web
    for url in walk_farm(web, 60)[::3]:
        status, body = get(served, url)
        answer = web.answer(url)
        assert answer is not None
        assert status == 200
        assert body == web.body_of(answer)
        assert len(body) > 2 << 10
        assert read_links(url, body)[0] == [(link.url, link.rel) for link in web.links(url)]


@pytest.mark.parametrize("number", [0, 7, 1234567, (1 << 31) - 1])
def test_any_number_is_a_host(served: ServedWeb, number: int) -> None:
    code, addresses, ttl = ask_dns(served.dns_address, f"H{number}{FARM}")
    assert (code, len(addresses), ttl) == (0, 1, 77)
    assert ask_dns(served.dns_address, f"h{number}{FARM}")[1] == addresses
    assert get(served, f"http://h{number}{FARM}:{served.http_port}/")[0] == 200


@pytest.mark.parametrize(
    "name", ["h", "h01", "h-1", f"h{1 << 31}", "h9999999999", "h99999999999", "x7", "h7.h8"]
)
def test_other_names_are_nobody(served: ServedWeb, name: str) -> None:
    assert ask_dns(served.dns_address, f"{name}{FARM}")[0] == 3
    assert served.web.answer(f"http://{name}{FARM}:{served.http_port}/") is None
    assert fetch("127.10.0.1", served.http_port, f"{name}{FARM}", "/").status == 421


@pytest.mark.parametrize("path", ["deals/0.html", "deals/20.html", "deals/01.html", "deals/", "x"])
def test_other_paths_are_not_found(served: ServedWeb, path: str) -> None:
    assert get(served, f"http://h5{FARM}:{served.http_port}/{path}")[0] == 404


def test_hosts_are_spread_over_all_addresses(served: ServedWeb) -> None:
    hosts = {host_of(url) for url in walk_farm(served.web, 400)}
    assert len({ask_dns(served.dns_address, host)[1][0] for host in hosts}) == 20


def test_every_page_branches_to_hosts_never_met_before(served: ServedWeb) -> None:
    web = served.web
    pages = walk_farm(web, 200)
    targets = [[link.url for link in web.links(url)] for url in pages]
    assert all(len(set(urls)) == 33 for urls in targets)
    assert all(
        sum(host_of(target) == host_of(url) for target in urls) == 3
        for url, urls in zip(pages, targets, strict=True)
    )
    hosts = {host_of(target) for urls in targets for target in urls}
    assert len(hosts) >= 200 * 30


def test_it_leads_nowhere_else_and_its_pages_differ(served: ServedWeb) -> None:
    web = served.web
    pages = walk_farm(web, 1000)
    assert all(host_of(url).endswith(FARM) and web.is_trap(url) for url in pages)
    bodies = {web.body_of(answer) for url in pages if (answer := web.answer(url))}
    assert len(bodies) == len(pages)
    assert not any(web.duplicate_of(url) for url in pages)


def test_the_truth_about_the_rest_stays_as_it_was() -> None:
    plain, spammed = Web(7, 400, 40), Web(7, 400, 40, behaviours=("spam",))
    reach = spammed.reachable()
    assert reach.asked == plain.expected()
    assert all(host_of(url).endswith(FARM) for url in reach.traps)
    assert 2 <= len(reach.traps) <= 10
    assert not spammed.is_finite
    assert not any(spammed.is_trap(url) for url in reach.asked)


def test_branching_and_domain_can_be_chosen() -> None:
    web = Web(7, 100, 10, behaviours=(Spam(branching=5, domain="pills.test"),))
    assert len(web.links("http://h1.pills.test/")) == 8
    assert web.answer(f"http://h1{FARM}/") is None


def test_same_seed_same_farm() -> None:
    one, two = (Web(3, 100, 10, behaviours=("spam",)) for _ in range(2))
    other = Web(4, 100, 10, behaviours=("spam",))
    pages = walk_farm(one, 300)
    assert pages == walk_farm(two, 300)
    assert set(pages).isdisjoint(walk_farm(other, 300))
    ported = [url.replace(f"{FARM}/", f"{FARM}:8080/") for url in pages]
    assert walk_farm(two.at(8080), 300) == ported


def test_it_welcomes_crawlers_whatever_the_other_hosts_do() -> None:
    web = Web(7, 400, 40, behaviours=HOSTILE)
    for url in walk_farm(web, 300):
        assert web.is_allowed(url)
        assert web.crawl_delay(host_of(url)) == 0
        robots = web.answer(f"http://{host_of(url)}/robots.txt")
        assert robots is not None
        assert (robots.status, web.body_of(robots)) == (200, b"User-agent: *\nDisallow:\n")
