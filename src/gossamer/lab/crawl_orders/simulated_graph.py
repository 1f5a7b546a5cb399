"""The simulated web as a graph, with its words."""

import re
from collections.abc import Sequence
from html import unescape

import numpy as np

from gossamer.core.url import parse
from gossamer.lab.crawl_orders.known_web import LabGraph
from gossamer.lab.crawl_orders.virtual_crawl import CrawlPlan, crawl
from gossamer.lab.simulated_web import Web
from gossamer.lab.url_answer import Answer
from gossamer.lab.url_answer import LabLink as WebLink
from gossamer.policy.order.batch_gathering import name_key
from gossamer.policy.order.order_protocol import Policy

_TITLE = re.compile(r"<title>(.*?)</title>", re.DOTALL)
_HEAD = re.compile(r"<head>.*?</head>", re.DOTALL)
_TAG = re.compile(r"<[^>]*>")


def graph_of_web(web: Web, seeds: Sequence[str] = (), *, with_text: bool = True) -> LabGraph:
    """All that can be reached from the seeds (by default the web's own), in breadth-first order.

    Links that are not to be followed are left out, and so are pages that no request reaches.

    >>> graph = graph_of_web(Web(seed=7, pages=50, hosts=3))
    >>> len(graph), graph.urls[0] == Web(seed=7, pages=50, hosts=3).seed_url
    (50, True)
    """
    urls = list(dict.fromkeys(seeds or (web.seed_url,)))
    numbers = {url: number for number, url in enumerate(urls)}
    offsets, targets, anchors = [0], list[int](), list[str]()
    titles, texts = list[str](), list[str]()
    for url in urls:  # it grows as we go
        answer = web.answer(url) if web.is_allowed(url) else None
        for link in _followed(web, answer):
            if link.url not in numbers:
                numbers[link.url] = len(urls)
                urls.append(link.url)
            targets.append(numbers[link.url])
            anchors.append(link.anchor)
        offsets.append(len(targets))
        title, text = _read(web, answer) if with_text else ("", "")
        titles.append(title)
        texts.append(text)
    hosts, domains = _names(urls)
    return LabGraph(
        np.array(offsets), np.array(targets, np.int64), hosts, domains, urls, titles, texts, anchors
    )


def order_of_web(
    web: Web, seeds: Sequence[str], policy: Policy, levels: int, pages: int = 0
) -> list[str]:
    """The URLs of a simulated web in the order that a crawl with one transfer in flight fetches them.

    With politeness off, and with every host known from the start: nobody waits for a name or a robots.txt.
    The best level comes first; within a level hosts take turns (`turn_queue.py`).

    >>> from gossamer.policy.order import BreadthFirst
    >>> web = Web(seed=7, pages=50, hosts=3)
    >>> order = order_of_web(web, [web.seed_url], BreadthFirst(), levels=16)
    >>> len(order), order[0] == web.seed_url
    (50, True)
    """
    graph = graph_of_web(web, seeds)
    plan = CrawlPlan(levels=levels, batch=0.0, pages=pages, by_host=True)
    run = crawl(graph, policy, np.arange(len(dict.fromkeys(seeds))), plan)
    return [graph.urls[node] for node in run.order.tolist()]


def _followed(web: Web, answer: Answer | None) -> list[WebLink]:
    if answer is None:
        return []
    if answer.is_redirect:
        return [WebLink(answer.location)]
    if not (answer.is_usable and answer.is_followed):
        return []
    return [link for link in web.links_of(answer) if not link.is_nofollow]


def _read(web: Web, answer: Answer | None) -> tuple[str, str]:
    """Title and text of a page."""
    if answer is None or not answer.is_usable:
        return "", ""
    html = web.body_of(answer).decode(
        answer.tongue.charset if answer.tongue else "utf-8", "replace"
    )
    found = _TITLE.search(html)
    text = _TAG.sub(" ", _HEAD.sub(" ", html))
    return unescape(found[1]) if found else "", unescape(text)


def _names(urls: Sequence[str]) -> tuple["np.typing.NDArray[np.uint64]", ...]:
    parsed = [parse(url) for url in urls]
    hosts = [name_key(url.host if url else "") for url in parsed]
    domains = [name_key(url.domain if url else "") for url in parsed]
    return np.array(hosts, np.uint64), np.array(domains, np.uint64)
