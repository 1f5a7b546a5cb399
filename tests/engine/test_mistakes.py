"""What a program's own functions raise concerns a page or a link, and ends no crawl by itself."""

import logging
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import pytest

import gossamer
from gossamer.core.mistakes import Mistakes
from gossamer.core.settings import BudgetSettings
from gossamer.core.url import Spelling
from gossamer.pipeline.parse import Isolated
from gossamer.policy.budget import DomainStanding, find_function
from gossamer.policy.order import Crawled, Keys, Needs, Policy, Scores, Waiting
from gossamer.verify import inspect
from tests.engine.engine_crawling import query
from tests.engine.static import StaticSite, serve_static
from tests.pipeline.parse.sandbox.plugins import install
from tests.present import parse, present

PAGES = [f"/{number}" for number in range(12)]
CONTENT = {
    "/": ("text/html", "".join(f"<a href={path}>{path}</a>" for path in PAGES).encode()),
    **{path: ("text/x-own", f"page {path}".encode()) for path in PAGES},
}


@pytest.fixture(scope="module")
def site() -> Iterator[StaticSite]:
    with serve_static(CONTENT) as site:
        yield site


def crawl(site: StaticSite, out: Path, **knobs: object) -> gossamer.Crawl:
    options: dict[str, Any] = {"delay": 0, "allow_private": True, **knobs}
    return gossamer.Crawl(f"{site.origin}/", out=out, **options)


def read_odd(page: gossamer.Page) -> gossamer.Document:
    if int(page.url.rpartition("/")[2]) % 2:
        raise KeyError("next")
    return gossamer.Document(page, title="even")


def is_whole(out: Path) -> bool:
    return not [finding for finding in inspect(out) if finding.is_problem]


@pytest.mark.parametrize("partitions", [1, 2])
def test_what_a_parser_raises_is_told_on_its_page(
    site: StaticSite, tmp_path: Path, partitions: int, capfd: pytest.CaptureFixture[str]
) -> None:
    logging.getLogger("gossamer").addHandler(handler := logging.StreamHandler(sys.stderr))
    job = crawl(site, tmp_path / "out", parsers={"text/x-own": read_odd}, partitions=partitions)
    try:
        summary = job.run()
    finally:
        logging.getLogger("gossamer").removeHandler(handler)
    assert (summary.stopped_by, summary.pages) == ("finished", len(CONTENT))
    assert summary.errors == {"parse_broken": 6}
    rows = query(tmp_path / "out", "from pages select parse_failure, detail, warc_file, title")
    broken = [(detail, file) for failure, detail, file, _ in rows if failure == "broken"]
    assert len(broken) == 6
    assert all("KeyError: 'next' (read_odd, test_mistakes.py line" in text for text, _ in broken)
    assert all(file for _, file in broken)
    assert sum(title == "even" for *_, title in rows) == 6
    said = capfd.readouterr().err
    assert said.count("Traceback (most recent call last)") == 1, "the same error is told once"
    assert 'raise KeyError("next")' in said
    assert is_whole(tmp_path / "out")


def test_a_parser_that_runs_apart(
    site: StaticSite,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    folder = tmp_path / "packages"
    folder.mkdir()
    (folder / "apart_own.py").write_text("def read(page):\n    return [][3]\n")
    monkeypatch.syspath_prepend(folder)
    parsers = {"text/x-own": Isolated("apart_own:read")}
    summary = crawl(site, tmp_path / "out", parsers=parsers, max_errors=5).run()
    assert summary.stopped_by == "max_errors"
    details = query(tmp_path / "out", "from pages select detail where parse_failure = 'broken'")
    assert len(details) >= 5
    assert {detail for (detail,) in details} == {
        "IndexError: list index out of range (read, apart_own.py line 2)"
    }
    assert caplog.text.count("return [][3]") == 1


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (None, "returned NoneType"),
        ("links", "a link is str"),
        ("title", "title is int"),
        ("other", "another page"),
    ],
)
def test_what_is_no_document_is_named(
    site: StaticSite, tmp_path: Path, answer: str | None, words: str
) -> None:
    def read(page: gossamer.Page) -> gossamer.Document | None:
        other = gossamer.Page(page.visit.__class__(link.target), page.outcome, 0.0)
        documents = {
            "links": gossamer.Document(page, links=["http://a.test/"]),  # type: ignore[list-item]
            "title": gossamer.Document(page, title=7),  # type: ignore[arg-type]
            "other": gossamer.Document(other),
        }
        return documents.get(answer or "")

    link = gossamer.Link("", parse("http://a.test/"))
    summary = crawl(site, tmp_path / "out", parsers={"text/x-own": read}).run()
    assert summary.errors == {"parse_broken": len(PAGES)}
    [(detail,)] = query(tmp_path / "out", "from pages select distinct detail where detail <> ''")
    assert words in detail


@pytest.mark.parametrize("partitions", [1, 2])
def test_what_a_scope_raises_refuses_the_link(
    site: StaticSite, tmp_path: Path, partitions: int
) -> None:
    def only_even(link: gossamer.Link) -> bool:
        return 1 // (1 - int(link.target.path[1:]) % 2) == 1

    job = crawl(site, tmp_path / "out", scope=only_even, partitions=partitions)
    summary = job.run()
    assert summary.stopped_by == "finished"
    assert (summary.pages, summary.refused) == (7, {"custom_error": 6})
    assert is_whole(tmp_path / "out")


@pytest.mark.parametrize("partitions", [1, 2])
def test_what_an_order_raises_costs_the_candidate_its_place_only(
    site: StaticSite, tmp_path: Path, partitions: int
) -> None:
    """Those without a place wait in the middle: after the best, before the worst."""

    def order(candidate: gossamer.Candidate) -> float:
        number = int(candidate.url.path[1:] or 0)
        return {0: 1.0, 1: 0.0}.get(number % 3)  # type: ignore[return-value]

    job = crawl(site, tmp_path / "out", order=order, partitions=partitions, per_host=1)
    pages = sorted((document.page for document in job), key=lambda page: page.started)
    paths = [int(page.visit.url.path[1:] or 0) for page in pages]
    assert paths == [0, *(n for rest in (0, 2, 1) for n in range(12) if n % 3 == rest)]
    assert job.summary().errors == {"order_error": 4}


class Forgetful(Policy):
    """Fails at whatever it is asked."""

    needs = Needs.LINKS

    def score(self, waiting: Waiting) -> Scores:
        return np.zeros(len(waiting.keys) + 1)

    def learn(self, crawled: Crawled) -> None:
        raise RuntimeError("learn")

    def revised(self) -> NoReturn:
        raise RuntimeError("revised")

    def worth(self, keys: Keys) -> NoReturn:
        raise RuntimeError("worth")

    def dump(self) -> bytes:
        raise RuntimeError("dump")

    def load(self, state: bytes) -> None:
        raise RuntimeError("load")

    def statistics(self) -> NoReturn:
        raise RuntimeError("statistics")

    def close(self) -> None:
        raise RuntimeError("close")


def test_a_policy_that_always_fails_orders_nothing_and_ends_nothing(
    site: StaticSite, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    job = crawl(site, tmp_path / "out", order=Forgetful(), max_stored_pages=5, max_pages=4)
    assert job.run().stopped_by == "max_pages"
    again = gossamer.Crawl.resume(tmp_path / "out", order=Forgetful(), max_pages=0)
    summary = again.run()
    assert (summary.stopped_by, summary.pages) == ("finished", len(CONTENT))
    for name in ("learn", "revised", "worth", "dump", "statistics", "close"):
        assert f"RuntimeError: {name}" in caplog.text
    assert "13 scores" not in caplog.text
    assert is_whole(tmp_path / "out")


@pytest.mark.parametrize("partitions", [1, 2])
def test_many_errors_end_the_crawl_and_nothing_is_lost(
    site: StaticSite, tmp_path: Path, partitions: int, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(page: gossamer.Page) -> gossamer.Document:
        raise ValueError(page.url)

    out, options = tmp_path / "out", {"parsers": {"text/x-own": fail}}
    job = crawl(site, out, **options, partitions=partitions, max_errors=3)
    summary = job.run()
    assert summary.stopped_by == "max_errors"
    assert summary.errors["parse_broken"] >= 3
    assert "crawl.max_errors" in caplog.text
    mended = {"text/x-own": lambda page: gossamer.Document(page, title="mended")}
    summary = gossamer.Crawl.resume(out, parsers=mended).run()
    assert (summary.stopped_by, summary.pages) == ("finished", len(CONTENT))
    assert is_whole(out)


def test_without_a_limit_errors_never_end_a_crawl(site: StaticSite, tmp_path: Path) -> None:
    def fail(link: gossamer.Link) -> bool:
        raise ValueError

    summary = crawl(site, tmp_path / "out", scope=fail, max_errors=0).run()
    assert (summary.stopped_by, summary.refused) == ("finished", {"custom_error": len(PAGES)})


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit])
def test_what_is_meant_to_end_the_program_ends_the_crawl(
    site: StaticSite, tmp_path: Path, error: type[BaseException]
) -> None:
    def leave(page: gossamer.Page) -> gossamer.Document:
        raise error

    out = tmp_path / "out"
    job = crawl(site, out, parsers={"text/x-own": leave})
    with pytest.raises(error):
        job.run()
    wanted = "interrupted" if error is KeyboardInterrupt else "failed"
    assert job.summary().stopped_by == wanted
    mended = {"text/x-own": gossamer.Document}
    summary = gossamer.Crawl.resume(out, parsers=mended).run()
    assert (summary.stopped_by, summary.pages) == ("finished", len(CONTENT))
    assert is_whole(out)


def test_a_partition_that_is_told_to_leave_ends_the_crawl(site: StaticSite, tmp_path: Path) -> None:
    def leave(page: gossamer.Page) -> gossamer.Document:
        sys.exit("enough")

    out = tmp_path / "out"
    job = crawl(site, out, parsers={"text/x-own": leave}, partitions=2)
    with pytest.raises(gossamer.GossamerError, match="SystemExit: enough"):
        job.run()
    assert job.summary().stopped_by == "failed"
    assert job.summary().exchange["restarts"] == 0
    summary = gossamer.Crawl.resume(out, parsers={"text/x-own": gossamer.Document}).run()
    assert (summary.stopped_by, summary.pages) == ("finished", len(CONTENT))


def test_functions_of_packages_that_fail(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    entries = "[gossamer.url_rules]\nodd = wicked:fail\nrude = wicked:answer\n"
    entries += "[gossamer.budget_functions]\nodd = wicked:make\ngone = wicked:nobody\n"
    module = (
        "def fail(*_): raise ValueError\ndef answer(*_): return None, 7\ndef make(_): return fail\n"
    )
    install(tmp_path, monkeypatch, entries, module)
    mistakes = Mistakes()
    spelling = Spelling(["odd", "rude"], mistakes)
    assert present(spelling.parse("http://a.test/b?c=1")).text == "http://a.test/b?c=1"
    assert mistakes.total == 2
    settings = BudgetSettings(function="odd", lowest=7)
    assert find_function(settings, mistakes)(DomainStanding()) == 7
    assert (mistakes.total, mistakes.counts) == (3, {"budget_error": 1})
    with pytest.raises(gossamer.SettingsError, match="gone cannot be loaded"):
        find_function(BudgetSettings(function="gone"))
