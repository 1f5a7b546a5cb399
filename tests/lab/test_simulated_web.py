"""The shape of a web: deterministic, heavy-tailed, mostly local, of natural sizes."""

import pickle
from collections import Counter

import pytest

from gossamer.core.errors import SettingsError
from gossamer.core.url import parse
from gossamer.lab import HOSTILE, Web
from gossamer.lab.vocabulary import TOPICS
from tests.lab.wire import read_links


def body(web: Web, url: str) -> bytes:
    answer = web.answer(url)
    assert answer is not None
    return web.body_of(answer)


def share_of_top(counts: list[int], part: float) -> float:
    ordered = sorted(counts, reverse=True)
    return sum(ordered[: max(1, int(len(ordered) * part))]) / sum(ordered)


@pytest.fixture(scope="module")
def middling() -> Web:
    return Web(7, 20_000, 400)


@pytest.fixture(scope="module")
def links_of_pages(middling: Web) -> dict[str, list[str]]:
    return {url: [link.url for link in middling.links(url)[1:]] for url in middling.urls()}


def test_same_seed_same_bytes() -> None:
    one, two = (Web(3, 200, 10, behaviours=HOSTILE) for _ in range(2))
    other = Web(4, 200, 10, behaviours=HOSTILE)
    urls = sorted(one.expected())
    assert urls == sorted(two.expected())
    assert [body(one, url) for url in urls] == [body(two, url) for url in urls]
    assert set(urls).isdisjoint(other.expected())


def test_bytes_do_not_change_between_versions_of_the_lab() -> None:
    web = Web(7, 1000, 20)
    assert web.url(0, 0) == "http://mail.solarbeacon.test/"
    assert web.url(3, 5) == "http://www.hollowtrail.test/quasar/lunar-planet-5.html"
    assert web.url(19, 4) == "http://www.solarbeacon.test/transit/cosmic-observatory-4.html"


def test_a_web_survives_pickling_and_a_change_of_port() -> None:
    web = Web(3, 200, 10, behaviours=("errors",))
    again = pickle.loads(pickle.dumps(web.at(8080)))
    assert again.port == 8080
    assert again.expected() == web.at(8080).expected()
    assert {url.replace(":8080/", "/") for url in again.expected()} == web.expected()
    assert web.at(80) is web


def test_a_large_web_has_all_its_pages_and_hosts() -> None:
    web = Web(7, 1_000_000, 5_000)
    assert sum(web.size(site) for site in range(web.hosts)) == 1_000_000
    assert len(set(web.names)) == 5_000


def test_site_sizes_have_a_heavy_tail(middling: Web) -> None:
    sizes = [middling.size(site) for site in range(middling.hosts)]
    assert min(sizes) >= 1
    assert 0.25 < share_of_top(sizes, 0.01) < 0.6


def test_in_degrees_have_a_heavy_tail(links_of_pages: dict[str, list[str]]) -> None:
    degrees = Counter(target for targets in links_of_pages.values() for target in targets)
    assert set(degrees) == set(links_of_pages)
    assert share_of_top(list(degrees.values()), 0.01) > 0.2
    assert sorted(degrees.values())[len(degrees) // 2] < 12


def test_links_are_mostly_local(links_of_pages: dict[str, list[str]]) -> None:
    local = remote = 0
    for source, targets in links_of_pages.items():
        inside = sum(target.split("/")[2] == source.split("/")[2] for target in targets)
        local, remote = local + inside, remote + len(targets) - inside
    assert 0.75 < local / (local + remote) < 0.87


def test_pages_have_ten_to_thirty_links(links_of_pages: dict[str, list[str]]) -> None:
    counts = [len(targets) for targets in links_of_pages.values()]
    assert 10 <= sum(counts) / len(counts) <= 25
    assert max(counts) <= 35
    assert sum(count < 8 for count in counts) < 0.01 * len(counts)


def test_domains_have_several_hosts() -> None:
    domains = Counter(".".join(name.split(".")[-2:]) for name in Web(7, 5000, 5000).names)
    assert 0.4 < sum(count == 1 for count in domains.values()) / len(domains) < 0.6
    assert max(domains.values()) >= 5


def test_pages_are_of_natural_size() -> None:
    web = Web(7, 4000, 300)
    sizes = [len(body(web, url)) for url in web.urls()]
    assert min(sizes) >= 2 << 10
    assert max(sizes) <= 60 << 10
    assert 8_000 < sum(sizes) / len(sizes) < 16_000
    assert max(sizes) > 35_000


def test_pages_are_about_their_topic() -> None:
    web = Web(7, 300, 16)
    for site in range(16):
        words = Counter(body(web, web.url(site, 0)).decode().lower().replace(".", " ").split())
        hits = [sum(words[noun] for noun in topic.nouns) for topic in TOPICS]
        assert hits.index(max(hits)) == site % 16


def test_anchor_texts_are_titles_of_their_targets() -> None:
    web = Web(7, 300, 8)
    for url in list(web.urls())[:50]:
        for link in web.links(url)[1:]:
            assert f"<title>{link.anchor}</title>".encode() in body(web, link.url)


def test_text_differs_from_page_to_page() -> None:
    web = Web(7, 2000, 10)
    assert len({body(web, url) for url in web.urls()}) == 2000


def test_urls_are_in_canonical_spelling() -> None:
    for web in (Web(7, 300, 8, behaviours=HOSTILE), Web(7, 300, 8, port=8080)):
        for url in web.expected():
            parsed = parse(url)
            assert parsed is not None
            assert parsed.text == url
        assert any("?" in url for url in web.urls())


def test_links_are_also_spelled_in_unusual_ways() -> None:
    web = Web(7, 2000, 8)
    text = b"".join(body(web, url) for url in web.urls()).decode()
    for sign in ("HTTP://", '"//', ":80/", "#section-2", '"../', "/./about/..", '"  /'):
        assert sign in text, sign
    for url in list(web.urls())[:200]:
        read, _ = read_links(url, body(web, url))
        assert [link for link, _ in read] == [link.url for link in web.links(url)]


def test_a_single_site() -> None:
    web = Web(hosts=1, pages=1200)
    assert len(web.expected()) == 1200
    assert len(Web(hosts=1, pages=1).expected()) == 1
    hostile = Web(hosts=1, pages=300, behaviours=HOSTILE)
    assert len(hostile.expected()) > 300


def test_unknown_places() -> None:
    web = Web(7, 100, 5, port=8080)
    assert web.answer("http://nobody.test:8080/") is None
    assert web.answer(web.seed_url.replace(":8080", "")) is None
    for path in (
        "/x",
        "/a/b-c-5.html",
        "/" + "9" * 5000,
        "/tide/calm-hull-99999999999.html",
        "/?id=",
    ):
        answer = web.answer_at(0, path)
        assert answer.status == 404
        assert web.body_of(answer)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"pages": 3, "hosts": 5}, "too few"),
        ({"hosts": 0}, "at least one host"),
        ({"seed": -1}, "64 bits"),
        (
            {"behaviours": ("politeness",)},
            "there is no behaviour 'politeness'; choose from: robots",
        ),
    ],
)
def test_senseless_webs_are_refused(options: dict[str, int], message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        Web(**options)  # type: ignore[arg-type]
