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
        Path | None, typer.Option(help="A crawl directory whose settings and pages count.")
    ] = None,
    config: Annotated[Path | None, typer.Option(help="Settings, if not those of a crawl.")] = None,
    offline: Annotated[
        bool, typer.Option("--offline", help="Ask nobody: neither name server nor robots.txt.")
    ] = False,
    dns: Annotated[list[str] | None, typer.Option(help="Name server as HOST or HOST:PORT.")] = None,
    allow_private: Annotated[
        bool | None, typer.Option("--allow-private", help="Ask private addresses too.")
    ] = None,
) -> int:
    """Say how a URL is spelled, whether it is in scope, what robots.txt says and how long to wait."""
    from gossamer.base import recipe
    from gossamer.base.settings import Settings
    from gossamer.base.url import Spelling
    from gossamer.directory import check_is_crawl

    if crawl is not None:
        check_is_crawl(crawl)
    source = crawl / "crawl.toml" if crawl else config
    settings = recipe.read(source) if source else Settings()
    changes = {"dns.servers": dns or None, "fetch.allow_private": allow_private}
    settings = recipe.change(settings, {name: value for name, value in changes.items() if value})
    parsed = Spelling(settings.url.rules).parse(url)
    if parsed is None:
        raise SeedError(f"{url!r} is no URL; write e.g. https://example.org/page")
    facts = [*_spelling(parsed), *_owner(parsed, settings), *_scope(parsed, settings)]
    facts += [*_decisions(parsed, crawl), *_history(parsed, crawl)]
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
    from gossamer.base.records import Link
    from gossamer.base.url import Spelling
    from gossamer.cycle.scope import Scope
    from gossamer.seeds import read_seeds

    if url.scheme not in settings.fetch.schemes:
        yield (
            "scope",
            f"would be refused: the scheme {url.scheme} is not switched on (fetch.schemes)",
        )
        return
    if not settings.crawl.seeds:
        yield "scope", "unknown: there are no seeds; name a crawl directory with --crawl"
        return
    seeds = read_seeds(settings.crawl.seeds, Spelling(settings.url.rules), settings.fetch.schemes)
    scope = Scope(settings.scope, seeds, settings.fetch.max_url, schemes=settings.fetch.schemes)
    refusal = scope.judge(Link("", url), 0)
    yield "scope", "would be followed" if refusal is None else f"would be refused: {refusal.value}"


def _decisions(url: "Url", crawl: Path | None) -> Facts:
    """What the crawl had found out about the like of the URL at its last checkpoint."""
    if crawl is None:
        return
    from gossamer.cycle.scope import explain

    for watch in read_watches(crawl):
        yield from explain(watch, url)


def _history(url: "Url", crawl: Path | None) -> Facts:
    """What the crawl's tables know of the URL."""
    if crawl is None:
        return
    from pyarrow import dataset

    try:
        pages = dataset.dataset(crawl / "pages", format="parquet")
        found = pages.to_table(filter=dataset.field("url") == url.text).to_pylist()
    except (OSError, ValueError):  # no file yet
        found = []
    if not found:
        yield "visited", "not yet, as far as the tables on disk say"
    for page in found:
        detail = f" ({page['detail']})" if page["detail"] else ""
        soft = ", but it looks like a soft error" if page.get("is_soft_error") else ""
        yield "visited", f"{page['outcome']} {page['status'] or ''}{soft}{detail}".strip()
        if page.get("is_unchanged") and page["refers_to"] is not None:
            yield "content", _explain_pointer(page, crawl)
        if page.get("is_retired"):
            yield "stored", "no more: it was retired, for pages of more value (max_stored_pages)"


def _explain_pointer(page: dict[str, Any], crawl: Path) -> str:
    """Where the content of an unchanged page is."""
    from gossamer.earlier import Responses

    responses = Responses(crawl, [page["digest"]])
    there = responses.find(page["digest"])
    since = f"unchanged since {page['refers_at']:%Y-%m-%d %H:%M:%S} ({page['refers_to']})"
    if there is not None:
        return f"{since}: it is in {there.file}"
    lost = f"; {responses.lost} is not there" if responses.lost else ""
    return f"{since}: it is not to be found in the earlier crawls{lost}"


def _server(url: "Url", settings: "Settings") -> Facts:
    """Ask the name server and the host's robots.txt, as a crawl would."""
    from gossamer.cycle.frontier import choose_gap
    from gossamer.cycle.robots import Verdict
    from gossamer.probe import Probe

    with Probe(settings) as probe:
        answer = probe.resolve(url.host)
        if answer.outcome is not None:
            yield "address", f"none: {answer.outcome.value} {answer.detail}".strip()
            return
        if refusal := probe.refuses(url.host, answer.addresses[0]):
            yield "address", f"{refusal}: refused; --allow-private opens it"
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
        yield "fetch", f"{may}: its robots.txt was asked for just now"
