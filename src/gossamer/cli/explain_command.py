"""`gossamer explain`: what would happen to a URL, and why."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gossamer.core.errors import SeedError

if TYPE_CHECKING:
    from gossamer.core.settings import Settings
    from gossamer.core.url import Url


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
    from gossamer.archive.explain import KnownOnDisk, explain_url
    from gossamer.core import settings_file
    from gossamer.core.directory import Directory
    from gossamer.core.request import parse
    from gossamer.core.settings import Settings
    from gossamer.core.url import Spelling

    own = settings_file.read(config) if config and crawl is None else Settings()
    settings = Directory(crawl).look() if crawl is not None else own
    changes = {"dns.servers": dns or None, "fetch.allow_private": allow_private}
    settings = settings_file.change(
        settings, {name: value for name, value in changes.items() if value}
    )
    parsed = parse(url, Spelling(settings.url.rules))
    if parsed is None:
        raise SeedError(f"{url!r} is not a URL; write e.g. https://example.org/page")
    facts = explain_url(parsed, settings, KnownOnDisk(parsed, crawl) if crawl is not None else None)
    if not offline and parsed.text.startswith("http"):
        facts = [*facts, *_server(parsed, settings)]
    width = max(len(name) for name, _ in facts)
    for name, value in facts:
        print(f"{name:{width}}  {value}")
    return 0


Facts = Iterator[tuple[str, str]]


def _server(url: "Url", settings: "Settings") -> Facts:
    """Ask the name server and the host's robots.txt, as a crawl would."""
    from gossamer.cli.probe import Probe
    from gossamer.pipeline.frontier import choose_delay
    from gossamer.pipeline.robots import Verdict

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
        gap = choose_delay(settings.politeness, probe.crawl_delay(url), probe.last_seconds)
        yield "delay", f"{gap.seconds:.3g} s between requests to the host; rule: {gap.rule.value}"
        may = (
            f"in {gap.seconds:.3g} s at the earliest"
            if said.verdict is Verdict.ALLOWED
            else "not now"
        )
        yield "fetch", f"{may}: its robots.txt has just been fetched"
