"""`make crawl`: a crawl to look at, of the simulated web or of a seed."""

import sys
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from gossamer.cli import run

_PAGES = 2000
_WEB_PAGES, _WEB_HOSTS = 20_000, 300


def demo(
    seed: Annotated[str, typer.Option(help="Crawl this URL instead of the simulated web.")] = "",
    out: Annotated[str, typer.Option(help="The crawl directory to create.")] = "",
    more: Annotated[list[str] | None, typer.Argument(help="More arguments for the crawl.")] = None,
) -> None:
    """Crawl 2,000 pages and show what to try next."""
    target = Path(out or f"crawls/{datetime.now():%Y%m%d-%H%M%S}")
    with ExitStack() as stack:
        arguments = [seed] if seed else _simulated_web(stack)
        limit = ["--max-pages", str(_PAGES)]
        status = run(["crawl", *arguments, "-o", str(target), *limit, *(more or [])])
    if status == 0:
        _suggest(target)
    sys.exit(status)


def _simulated_web(stack: ExitStack) -> list[str]:
    from gossamer.lab import Web, serve

    web = Web(
        seed=7, pages=_WEB_PAGES, hosts=_WEB_HOSTS, behaviours=("correct", "robots", "errors")
    )
    served = stack.enter_context(serve(web))
    print(
        f"A simulated web of {_WEB_PAGES:,} pages on {_WEB_HOSTS} hosts is up on loopback: "
        f"{served.seed_url}"
    )
    return [
        *(served.seed_url, "--scope", "all", "--delay", "0"),
        *("--dns", served.dns_address, "--allow-private"),
    ]


def _suggest(out: Path) -> None:
    print(f"""
What to try next:
  .venv/bin/gossamer serve {out}      (in the browser)
  .venv/bin/gossamer status {out}
  .venv/bin/python -c "import duckdb; duckdb.sql(\\"select status, count(*) pages, avg(bytes) bytes \
from '{out}/pages/*.parquet' group by all order by pages desc\\").show()"
  .venv/bin/python -c "import duckdb; duckdb.sql(\\"select target, count(*) backlinks \
from '{out}/links/*.parquet' group by all order by backlinks desc limit 10\\").show()"
  zcat {out}/warc/*.warc.gz | head -40
  .venv/bin/gossamer crawl --help
  make crawl SEED="https://example.org/"     (asks a real site, one page a second)""")


if __name__ == "__main__":
    typer.run(demo)
