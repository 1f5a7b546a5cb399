"""`gossamer explain`: what would happen to a URL, and why."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gossamer.base.errors import SeedError
from gossamer.cli.watched import read_watches

if TYPE_CHECKING:
    from gossamer.base.settings import Settings
    from gossamer.base.url import Url


def explain(
    url: Annotated[str, typer.Argument(help="The URL to explain.")],
    crawl: Annotated[
        Path | None, typer.Option(help="A crawl directory: use its settings and its pages.")
    ] = None,
    config: Annotated[
        Path | None, typer.Option(help="A settings file; not used with --crawl.")
    ] = None,
    offline: Annotated[
        bool,
        typer.Option(
            "--offline", help="Send no requests: neither to name servers nor for robots.txt."
        ),
    ] = False,
    dns: Annotated[
        list[str] | None,
        typer.Option(help="Name server, as HOST or HOST:PORT; can be given several times."),
    ] = None,
    allow_private: Annotated[
        bool | None, typer.Option("--allow-private", help="Also fetch from private addresses.")
    ] = None,
) -> int:
    """Explain a URL: its spelling, its scope, the links to it, what robots.txt says, how long to wait."""
    from gossamer.base import recipe
    from gossamer.base.directory import check_is_crawl
    from gossamer.base.settings import Settings
    from gossamer.base.url import Spelling

    if crawl is not None:
        check_is_crawl(crawl)
    source = crawl / "crawl.toml" if crawl else config
    settings = recipe.read(source) if source else Settings()
    changes = {"dns.servers": dns or None, "fetch.allow_private": allow_private}
    settings = recipe.change(settings, {name: value for name, value in changes.items() if value})
    parsed = Spelling(settings.url.rules).parse(url)
    if parsed is None:
        raise SeedError(f"{url!r} is not a URL; write e.g. https://example.org/page")
    facts = [*_spelling(parsed), *_owner(parsed, settings), *_scope(parsed, settings)]
    if crawl is not None:
        facts += [*_decisions(parsed, crawl), *_history(parsed, crawl, settings)]
    if not offline and parsed.text.startswith("http"):
        facts += _server(parsed, settings)
    facts = list(dict.fromkeys(facts))  # partitions may agree
    width = max(len(name) for name, _ in facts)
    for name, value in facts:
        print(f"{name:{width}}  {value}")
    return 0


Facts = Iterator[tuple[str, str]]


def _spelling(url: "Url") -> Facts:
    yield "url", url.text
    yield "host", url.host or "none"
    yield "domain", url.domain or "none"
    yield "key", f"{url.key:016x}"


def _owner(url: "Url", settings: "Settings") -> Facts:
    from gossamer.base.url import owner_of

    if settings.crawl.partitions > 1:
        owner = owner_of(url.host, settings.crawl.partitions)
        yield "partition", f"{owner:05} of {settings.crawl.partitions}"


def _scope(url: "Url", settings: "Settings") -> Facts:
    from gossamer.base.outcomes import Refusal
    from gossamer.base.records import Link
    from gossamer.cycle.scope import Scope, describe_action, find_action

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


def _seeds(settings: "Settings") -> "list[Url]":
    from gossamer.base.url import Spelling
    from gossamer.crawl.seeds import read_seeds

    seeds = settings.crawl.seeds
    return read_seeds(seeds, Spelling(settings.url.rules), settings.fetch.schemes) if seeds else []


def _decisions(url: "Url", crawl: Path) -> Facts:
    """What the crawl had found out about the like of the URL at its last checkpoint."""
    from gossamer.base.url import owner_of
    from gossamer.cycle.scope import explain

    watches = [*read_watches(crawl)]  # only the partition that fetches the host knows about it
    yield from explain(watches[owner_of(url.host, len(watches))], url)


def _history(url: "Url", crawl: Path, settings: "Settings") -> Facts:
    """What the crawl's tables know of the URL, and its state."""
    from gossamer.cli.named import Naming, read_visits

    naming, visits = Naming(url, crawl), read_visits(url, crawl)
    is_seed = url in _seeds(settings)
    if is_seed:
        yield "named", "as a seed"
    yield from naming.facts()
    if not visits:
        yield "visited", "not yet, as far as the tables on disk say"
        if naming.is_offered or is_seed:
            yield "waiting", _waiting(url, crawl, settings)
    if len(visits) > 1:
        first, last = (visits[place]["fetched_at"] for place in (0, -1))
        yield (
            "visits",
            f"{len(visits):,}, from {first:%Y-%m-%d %H:%M:%S} to {last:%Y-%m-%d %H:%M:%S}; "
            f"`gossamer history {url.text} --crawl {crawl}` lists them; the last one:",
        )
    for page in visits[-1:]:
        yield from _visit(page, crawl)


def _visit(page: dict[str, Any], crawl: Path) -> Facts:
    detail = f" ({page['detail']})" if page["detail"] else ""
    if page["change"]:
        yield "changed", f"{page['change']}, since the visit before"
    soft = ", but it looks like a soft error" if page["is_soft_error"] else ""
    yield "visited", f"{page['outcome']} {page['status'] or ''}{soft}{detail}".strip()
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
            "no longer: it was retired, to make room for more valuable pages (max_stored_pages)",
        )


def _waiting(url: "Url", crawl: Path, settings: "Settings") -> str:
    """Where a URL is that was offered and not visited, as of the last checkpoint."""
    from gossamer.cli.held import is_held
    from gossamer.policy.budget import has_budgets

    if other := _other_spelling(url, crawl):
        return f"not under this spelling: it is fetched as {other}"
    held = is_held(url, crawl)
    if held:
        return "held back, because similar URLs brought nothing new (detect.traps, detect.mirrors)"
    if held is None:
        return "not known: the crawl is just making a checkpoint; ask again"
    budget = ", or for a round in which its domain has budget left" if has_budgets(settings) else ""
    return f"for its turn in the queues of the frontier{budget}"


def _other_spelling(url: "Url", crawl: Path) -> str:
    from gossamer.cycle.scope import respelled

    found = (respelled(watch, url) for watch in read_watches(crawl))
    return next(filter(None, found), "")


def _explain_pointer(page: dict[str, Any], crawl: Path) -> str:
    """Where the content of an unchanged page is."""
    from gossamer.crawl.earlier_crawls import Responses

    responses = Responses(crawl, [page["digest"]])
    there = responses.find(page["digest"])
    since = f"unchanged since {page['refers_at']:%Y-%m-%d %H:%M:%S} ({page['refers_to']})"
    if there is not None:
        return f"{since}: it is in {there.file}"
    lost = f"; {responses.lost} does not exist" if responses.lost else ""
    return f"{since}: it was not found in the earlier crawls{lost}"


def _server(url: "Url", settings: "Settings") -> Facts:
    """Ask the name server and the host's robots.txt, as a crawl would."""
    from gossamer.cli.probe import Probe
    from gossamer.cycle.frontier import choose_gap
    from gossamer.cycle.robots import Verdict

    with Probe(settings) as probe:
        answer = probe.resolve(url.host)
        if answer.outcome is not None:
            yield "address", f"none: {answer.outcome.value} {answer.detail}".strip()
            return
        if refusal := probe.refuses(url.host, answer.addresses[0]):
            yield "address", f"{refusal}: refused; --allow-private allows it"
            return
        yield "address", ", ".join(answer.addresses)
        said = probe.explain_robots(url)
        rule = f" (line {said.line}: {said.rule})" if said.rule else ""
        yield "robots.txt", f"{said.verdict.value}: {said.reason}{rule}"
        gap = choose_gap(settings.politeness, probe.crawl_delay(url), probe.last_seconds)
        yield "delay", f"{gap.seconds:.3g} s between requests to the host; rule: {gap.rule.value}"
        may = (
            f"in {gap.seconds:.3g} s at the earliest"
            if said.verdict is Verdict.ALLOWED
            else "not now"
        )
        yield "fetch", f"{may}: its robots.txt has just been fetched"
