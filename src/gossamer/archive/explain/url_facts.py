"""Describe a URL line by line: its spelling, its scope, the links to it and their results."""

import re
import shlex
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path
from typing import Any

import msgspec

from gossamer.analyzers.redundancy.redundancy_report import explain, respelled
from gossamer.archive.explain.url_lookup import KnownOfUrl
from gossamer.core.analyzer_registry import explain_page
from gossamer.core.outcomes import Refusal
from gossamer.core.records import Link
from gossamer.core.settings import Settings
from gossamer.core.url import Spelling, Url, owner_of
from gossamer.engine.earlier_crawls import Responses
from gossamer.engine.seeds import read_seeds
from gossamer.pipeline.scope import Scope, describe_action, find_action
from gossamer.policy.budget import has_budgets

_GONE = (404, 410)

Fact = tuple[str, str]
"""What it is about, and what there is to say."""
Facts = Iterator[Fact]


def explain_url(url: Url, settings: Settings, known: KnownOfUrl | None) -> list[Fact]:
    """All that can be said of a URL without asking a server: by the settings, and by a crawl."""
    facts = [*_spelling(url), *_owner(url, settings), *_scope(url, settings)]
    if known is not None:
        facts += [*_decisions(url, known), *_history(url, known, settings)]
    return list(dict.fromkeys(facts))  # partitions may agree


def _spelling(url: Url) -> Facts:
    yield "url", url.text
    yield "host", url.host or "none"
    yield "domain", url.domain or "none"
    yield "key", f"{url.key:016x}"


def _owner(url: Url, settings: Settings) -> Facts:
    if settings.crawl.partitions > 1:
        owner = owner_of(url.host, settings.crawl.partitions)
        yield "partition", f"{owner:05} of {settings.crawl.partitions}"


def _scope(url: Url, settings: Settings) -> Facts:
    if url.scheme not in settings.fetch.schemes:
        yield (
            "scope",
            f"would be refused: the scheme {url.scheme} is not in fetch.schemes",
        )
        return
    if not settings.crawl.seeds:
        yield "scope", "unknown: there are no seeds; give a crawl directory with --crawl"
        return
    fetch, link = settings.fetch, Link("", url)
    scope = Scope(
        *(settings.scope, _seeds(settings), fetch.max_url),
        schemes=fetch.schemes,
        personal_hosts=fetch.personal_hosts,
    )
    refusal = scope.judge(link, 0)
    yield "scope", "would be followed" if refusal is None else f"would be refused: {refusal.value}"
    if refusal is Refusal.ACTION:
        yield "reason", describe_action(find_action(link))


def _seeds(settings: Settings) -> list[Url]:
    seeds = settings.crawl.seeds
    return read_seeds(seeds, Spelling(settings.url.rules), settings.fetch.schemes) if seeds else []


def _decisions(url: Url, known: KnownOfUrl) -> Facts:
    """Yield the decisions about similar URLs as of the last checkpoint."""
    watches = known.watches  # only the partition that fetches the host knows about it
    yield from explain(watches[owner_of(url.host, len(watches))], url)


def _history(url: Url, known: KnownOfUrl, settings: Settings) -> Facts:
    """Yield the facts about the URL in the crawl's tables, and its state."""
    naming, visits = known.naming, known.visits
    is_seed = url in _seeds(settings)
    if is_seed:
        yield "named", "as a seed"
    yield from naming.facts()
    if not visits:
        yield "visited", "not yet, by the tables on disk"
        if naming.is_offered or is_seed:
            yield "waiting", _waiting(url, known, settings)
    if len(visits) > 1:
        first, last = (visits[place]["fetched_at"] for place in (0, -1))
        yield (
            "visits",
            f"{len(visits):,}, from {first:%Y-%m-%d %H:%M:%S} to {last:%Y-%m-%d %H:%M:%S}; "
            f"`gossamer history {url.text} --crawl {known.crawl}` lists them; the last one:",
        )
    for page in visits[-1:]:
        yield from _visit(page, known.crawl)
    if settings.revisit.continuous:
        yield from _given_up(visits, settings.revisit.gone_after, known.crawl)


def _given_up(visits: list[dict[str, Any]], after: int, crawl: Path) -> Facts:
    """Since when a page is not visited any more, because its server says that it is gone."""
    gone = [*takewhile(lambda page: page["status"] in _GONE, reversed(visits))][::-1]
    if len(gone) < after:
        return
    last = gone[after - 1]
    times = f"{after:,} visits in a row" if after > 1 else "a visit"
    yield (
        "given up",
        f"on {last['fetched_at']:%Y-%m-%d %H:%M:%S}, after {times} found it gone ({last['status']}); a link, "
        "sitemap or feed that names it again brings it back after a pause; to visit it now: "
        f"`gossamer control {crawl} seeds {last['url']}`",
    )


def _visit(page: dict[str, Any], crawl: Path) -> Facts:
    if page.get("method"):
        session = f" in the session {page['session']}" if page["session"] else ""
        yield (
            "request",
            f"{page['method']}{session}, found in the archive by {page['request'] or 'its URL'}",
        )
    detail = f" ({page['detail']})" if page["detail"] else ""
    yield "visited", f"{page['outcome']} {page['status'] or ''}{detail}".strip()
    yield from explain_page(page)
    if page.get("is_unchanged") and page["refers_to"] is not None:
        yield "content", _explain_pointer(page, crawl)
    if page["source"]:
        yield "found", f"as a {page['via']} on {page['source']}, at depth {page['depth']}"
    if page["redirect_to"] or page["redirect_refused"]:
        refused = page["redirect_refused"]
        why = f", not followed: {refused}" if refused else ""
        yield "redirect", f"to {page['redirect_to'] or 'something that is not a URL'}{why}"
    if page["is_retired"]:
        yield (
            "stored",
            "no longer: it was deleted for more valuable pages (max_stored_pages)",
        )


def _waiting(url: Url, known: KnownOfUrl, settings: Settings) -> str:
    """Say where a URL is that was offered and not visited, as of the last checkpoint."""
    if not _is_as_found(url, settings) and (other := _other_spelling(url, known)):
        wanted = msgspec.json.encode([re.escape(url.text)]).decode()
        return (
            f"not in this spelling: a rule replaces it by {other}; to fetch "
            f"this spelling: `gossamer resume {known.crawl} --set {shlex.quote(f'detect.as_found={wanted}')}`"
        )
    held = known.is_held
    if held:
        return "held back, because similar URLs brought nothing new (detect.traps, detect.mirrors)"
    if held is None:
        return "unknown: the crawl is writing a checkpoint; try again"
    budget = ", or for a round in which its domain has budget left" if has_budgets(settings) else ""
    return f"for its turn in the queues of the frontier{budget}"


def _is_as_found(url: Url, settings: Settings) -> bool:
    detect = settings.detect
    return not detect.dust or any(re.search(text, url.text) for text in detect.as_found)


def _other_spelling(url: Url, known: KnownOfUrl) -> str:
    found = (respelled(watch, url) for watch in known.watches)
    return next(filter(None, found), "")


def _explain_pointer(page: dict[str, Any], crawl: Path) -> str:
    """Say where the content of an unchanged page is stored."""
    responses = Responses(crawl, [page["digest"]])
    there = responses.find(page["digest"])
    since = f"unchanged since {page['refers_at']:%Y-%m-%d %H:%M:%S} ({page['refers_to']})"
    if there is not None:
        return f"{since}: it is in {there.file}"
    lost = f"; {responses.lost} does not exist" if responses.lost else ""
    return f"{since}: it was not found in earlier crawls{lost}"
