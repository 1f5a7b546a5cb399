"""Behaviours that make a web larger, but not richer."""

from gossamer.lab import Web, serve
from gossamer.lab.behaviours import REDUNDANT, Aliases, Facets, Mirrors, Repeats, SoftErrors
from tests.lab.wire import read_links


def walk(web: Web, start: str, count: int) -> list[str]:
    """Breadth first through traps, from one URL on."""
    met = {start: None}
    for url in (waiting := [start]):
        for link in web.links(url):
            if link.url not in met and web.is_trap(link.url):
                met[link.url] = None
                waiting.append(link.url)
        if len(met) >= count:
            break
    return list(met)[:count]


def entries(web: Web, word: str) -> list[str]:
    return sorted(url for url in web.reachable().traps if word in url)


def test_a_redundant_web_has_the_same_good_pages() -> None:
    web = Web(7, 300, 8, behaviours=REDUNDANT)
    assert web.expected() == Web(7, 300, 8).expected()
    assert not web.is_finite


def test_aliases_show_the_page_itself() -> None:
    web = Web(7, 300, 3, behaviours=(Aliases(),))
    for word in ("ref=", "-print.html"):
        [alias, *_] = entries(web, word)
        page = web.page_of(alias)
        assert page is not None
        plain = web.answer(web.url(*page))
        found = web.answer(alias)
        assert plain is not None
        assert found is not None
        assert found.is_ordinary
        assert [one.anchor for one in web.links_of(found)] == [
            one.anchor for one in web.links_of(plain)
        ]
    tagged = walk(web, entries(web, "ref=")[0], 500)
    assert len(tagged) == 500, "there is no end to them"
    assert {web.page_of(url) is not None for url in tagged} == {True}


def test_mirrors_have_all_pages_and_lead_to_themselves() -> None:
    web = Web(7, 300, 8, behaviours=(Mirrors(),))
    [home, *_] = entries(web, "mirror-0-0.")
    pages = {web.page_of(url) for url in walk(web, home, 2000) if "mirror-0-0." in url}
    assert pages >= {(0, index) for index in range(web.size(0))}
    assert web.page_of("http://mirror-0-1.test/") is None, "host 1 has no mirror"


def test_what_is_served_has_the_links_that_truth_says() -> None:
    with serve(Web(7, 200, 8, behaviours=REDUNDANT)) as served:
        web = served.web
        for word in ("mirror-", "ref=", "-print", "/shop/", "/forum/", "/lost/", "/calendar/"):
            for url in entries(web, word)[:3]:
                answer = web.answer(url)
                assert answer is not None
                links = read_links(url, web.body_of(answer))[0]
                assert links == [(link.url, link.rel) for link in web.links(url)]


def test_folders_and_filters_have_no_end() -> None:
    web = Web(7, 100, 4, behaviours=(Repeats(every=1), Facets(every=1)))
    for word in ("/forum/", "/shop/"):
        assert len(walk(web, entries(web, word)[0], 1000)) == 1000


def test_a_soft_host_answers_to_anything_and_others_do_not() -> None:
    web = Web(7, 100, 8, behaviours=(SoftErrors(),))
    answers = [web.answer(f"{web.origin(site)}/no/such/page") for site in range(8)]
    statuses = [answer.status for answer in answers if answer is not None]
    assert {200, 404} == set(statuses)
    [dead, *_] = entries(web, "/lost/")
    assert len(walk(web, dead, 100)) == 100
