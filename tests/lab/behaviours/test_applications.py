"""Applications on hosts of a simulated web."""

import http.client

from gossamer.lab import Web, serve
from gossamer.lab.behaviours.applications import Applications
from gossamer.lab.server.addresses import address_number


def test_truth_and_body_name_the_same_links() -> None:
    web = Web(seed=7, pages=20, hosts=2, behaviours=(Applications(every=1, entries=20),))
    assert f"{web.origin(0)}/app/" in {link.url for link in web.links(web.seed_url)}
    answer = web.answer(f"{web.origin(0)}/app/")
    assert answer is not None
    body = web.body_of(answer).decode().replace("&amp;", "&")
    links = web.links_of(answer)
    assert len(links) > 5
    for link in links:
        assert f'href="{link.url.removeprefix(web.origin(0))}"' in body


def test_the_lab_serves_it() -> None:
    behaviour = Applications(every=1, entries=20)
    with serve(Web(seed=7, pages=20, hosts=2, behaviours=(behaviour,))) as served:
        host = served.web.names[0]
        connection = http.client.HTTPConnection(address_number(0), served.http_port)
        connection.request("GET", "/app/", headers={"Host": f"{host}:{served.http_port}"})
        body = connection.getresponse().read()
        connection.close()
        page = behaviour.site(served.web, 0).page("/app/")
    assert page is not None
    assert body == page.body()


def test_a_trap_is_not_expected() -> None:
    """Which of its pages a crawl asks for is a matter of judgement; the rest of the web is as before."""
    plain = Web(seed=7, pages=30, hosts=3)
    web = Web(seed=7, pages=30, hosts=3, behaviours=(Applications(every=1),))
    assert web.expected() == plain.expected()
    assert web.is_trap(f"{web.origin(0)}/app/")
