"""The library as its user meets it."""

import gc
import json
import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import GeneratorType
from typing import Any

import msgspec
import pytest

import gossamer
from gossamer.lab import ServedWeb, Web, serve
from tests.engine.engine_crawling import DNS
from tests.present import as_a


@pytest.fixture(scope="module")
def served() -> Iterator[ServedWeb]:
    with serve(Web(seed=9, pages=200, hosts=5)) as served:
        yield served


def crawl(served: ServedWeb, out: Path, **options: Any) -> gossamer.Crawl:
    settings = gossamer.Settings(dns=DNS(servers=(served.dns_address,)))
    return gossamer.Crawl(
        served.seed_url, out=out, settings=settings, delay=0, allow_private=True, **options
    )


def test_the_first_crawl_in_ten_lines(served: ServedWeb, tmp_path: Path) -> None:
    pages = crawl(served, tmp_path / "out", scope="all", max_pages=100)
    seen = [(page.status, page.url, page.title, len(page.links)) for page in pages]
    assert len(seen) == 100
    assert {status for status, *_ in seen} == {200}
    assert all(title and links for _, _, title, links in seen)
    assert len({url for _, url, _, _ in seen}) == 100


def test_leaving_the_loop_ends_the_crawl_with_valid_files(
    served: ServedWeb, tmp_path: Path
) -> None:
    job = crawl(served, tmp_path / "out", scope="all")
    for number, _ in enumerate(job):
        if number == 10:
            break
    assert job.summary().stopped_by == "abandoned"
    assert (tmp_path / "out" / "warc" / "index.cdxj").exists()
    assert list((tmp_path / "out" / "pages").glob("*.parquet"))


def test_a_programs_own_garbage_is_collected_meanwhile(served: ServedWeb, tmp_path: Path) -> None:
    gc.unfreeze()
    job = crawl(served, tmp_path / "out", scope="all", max_pages=3)
    assert {gc.get_freeze_count() for _ in job} == {0}
    job = crawl(served, tmp_path / "alone", scope="all", max_pages=3)
    job.owns_process = True
    assert min(gc.get_freeze_count() for _ in job) > 0
    assert gc.get_freeze_count() == 0


def test_a_scope_of_ones_own(served: ServedWeb, tmp_path: Path) -> None:
    host = served.web.names[0]
    job = crawl(served, tmp_path / "out", scope=lambda link: link.target.host == host)
    summary = job.run()
    assert _hosts(job) == {host}
    assert summary.pages == served.web.size(0)
    assert summary.refused["custom"] > 0


def _hosts(job: gossamer.Crawl) -> set[str]:
    lines = (job.out / "warc" / "index.cdxj").read_text().splitlines()
    urls = [json.loads(line.split(" ", 2)[2])["url"] for line in lines]
    return {url.partition("://")[2].partition(":")[0] for url in urls}


def test_a_parser_of_ones_own(served: ServedWeb, tmp_path: Path) -> None:
    def shout(page: gossamer.Page) -> gossamer.Document:
        return gossamer.Document(page, title="MINE", media_type="text/html")

    [page] = crawl(served, tmp_path / "out", parsers={"text/html": shout})
    assert (page.title, page.links) == ("MINE", ())


def test_an_order_of_ones_own(served: ServedWeb, tmp_path: Path) -> None:
    """Long URLs first: of the pages linked from the root, the longest comes right after it."""

    def prefer_long(candidate: gossamer.Candidate) -> float:
        return min(1.0, len(candidate.url.text) / 200)

    host = served.web.names[0]
    options = {"scope": lambda link: link.target.host == host, "order": prefer_long, "levels": 200}
    first, second, *_ = crawl(served, tmp_path / "out", **options)
    local = {link.target.text for link in first.links if link.target.host == host}
    local.discard(first.url)
    assert len(second.url) == max(map(len, local))


def test_public_names_are_there() -> None:
    for name in gossamer.__all__:
        assert getattr(gossamer, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'Nonsense'"):
        _ = gossamer.Nonsense


def test_names_are_offered_for_completion() -> None:
    assert {*gossamer.__all__, "__version__"} <= set(dir(gossamer))


def test_seeds_may_come_in_a_list(tmp_path: Path) -> None:
    some = gossamer.Crawl(["https://a.test/", "https://b.test/"], "c.test", out=tmp_path / "out")
    assert [seed.host for seed in some.seeds] == ["a.test", "b.test", "c.test"]
    with pytest.raises(gossamer.SeedError, match="seed 7 is int, not text"):
        gossamer.Crawl([7], out=tmp_path / "out")  # type: ignore[list-item]
    with pytest.raises(gossamer.SeedError, match="Path"):
        gossamer.Crawl(tmp_path, out=tmp_path / "out")  # type: ignore[arg-type]


def test_a_summary_can_be_had_at_any_time(served: ServedWeb, tmp_path: Path) -> None:
    job = crawl(served, tmp_path / "out", scope="all", max_pages=5)
    assert (job.summary().pages, job.summary().directory) == (0, str(tmp_path / "out"))
    during = [job.summary().pages for _ in job]
    assert during[-1] == 5
    with gossamer.Crawl.resume(tmp_path / "out", max_pages=9) as again:
        assert (again.summary().pages, again.summary().stopped_by) == (5, "max_pages")
        assert again.run().pages == 9
    with gossamer.Crawl.resume(tmp_path / "out") as again:
        assert again.summary().pages == 9


def test_a_crawl_that_never_said_anything(served: ServedWeb, tmp_path: Path) -> None:
    crawl(served, tmp_path / "out", max_pages=1).run()
    (tmp_path / "out" / "state" / "status.json").unlink()
    with (
        gossamer.Crawl.resume(tmp_path / "out") as again,
        pytest.raises(gossamer.DirectoryError, match="has no status yet"),
    ):
        again.summary()


def test_a_second_run_of_a_cell(served: ServedWeb, tmp_path: Path) -> None:
    """What to write is in the message; both ways work."""
    out, options = tmp_path / "out", {"scope": "all", "max_pages": 5}
    first = crawl(served, out, **options)
    first.run()
    with pytest.raises(gossamer.DirectoryError) as caught:
        crawl(served, out, **options).run()
    assert f'gossamer.Crawl.resume("{out}")' in str(caught.value)
    assert 'exists="replace"' in str(caught.value)
    assert crawl(served, out, **options, exists="resume").run().pages == 5
    assert crawl(served, out, **{**options, "max_pages": 8}, exists="resume").run().pages == 8
    assert crawl(served, out, **options, exists="replace").run().pages == 5
    with pytest.raises(gossamer.SettingsError, match="error, resume or replace"):
        crawl(served, out, exists="overwrite")


def test_replacing_a_crawl_leaves_what_is_none_of_its(served: ServedWeb, tmp_path: Path) -> None:
    out = tmp_path / "out"
    crawl(served, out, max_pages=1).run()
    (out / "notes.txt").write_text("mine")
    with pytest.raises(gossamer.DirectoryError, match=r"holds a crawl and notes\.txt"):
        crawl(served, out, max_pages=1, exists="replace").run()
    assert (out / "notes.txt").read_text() == "mine"
    assert len(list(gossamer.open(out))) == 1, "nor is the crawl gone that could not be replaced"


def test_a_new_crawl_where_there_is_none_to_go_on_with(served: ServedWeb, tmp_path: Path) -> None:
    for exists in ("resume", "replace"):
        job = crawl(served, tmp_path / exists, max_pages=1, exists=exists)
        assert job.run().pages == 1


def test_an_error_in_the_loop_ends_the_crawl(served: ServedWeb, tmp_path: Path) -> None:
    """Though its traceback is kept, as a notebook does."""
    job, kept = crawl(served, tmp_path / "out", scope="all"), []

    def cell() -> None:
        for _ in job:
            raise KeyboardInterrupt

    try:
        cell()
    except KeyboardInterrupt as error:
        kept.append(error)
    assert job.summary().stopped_by == "abandoned"
    assert gossamer.Crawl.resume(tmp_path / "out", max_pages=20).run().pages == 20


def test_a_crawl_whose_iterator_is_kept_can_be_closed(served: ServedWeb, tmp_path: Path) -> None:
    job = crawl(served, tmp_path / "out", scope="all")
    pages = iter(job)
    next(pages)
    assert job.summary().pages >= 1
    with pytest.raises(gossamer.DirectoryError, match=r"of this program .* call its close\(\)"):
        gossamer.Crawl.resume(tmp_path / "out")
    job.close()
    assert job.summary().stopped_by == "abandoned"
    job.close()
    assert list(pages) == []
    assert gossamer.Crawl.resume(tmp_path / "out", max_pages=20).run().pages == 20


def test_the_same_crawl_goes_on(served: ServedWeb, tmp_path: Path) -> None:
    job = crawl(served, tmp_path / "out", scope="all", max_pages=50)
    pages = iter(job)
    seen = [next(pages).url]
    with pytest.raises(gossamer.DirectoryError, match="already crawled by this object"):
        next(iter(job))
    as_a(GeneratorType, pages).close()
    seen += [page.url for page in job]
    assert (job.summary().pages, job.summary().stopped_by) == (50, "max_pages")
    assert len(set(seen)) == len(seen)


@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize("partitions", [1, 2])
def test_an_interrupt_in_a_turn_ends_the_crawl_cleanly(
    served: ServedWeb, tmp_path: Path, partitions: int
) -> None:
    """Ctrl-C comes while links are looked at: the scope function sends it, once."""
    mine = os.getpid()

    def interrupt(link: gossamer.Link) -> bool:
        with suppress(FileExistsError):
            (tmp_path / "sent").touch(exist_ok=False)
            os.kill(mine, signal.SIGINT)
        return True

    out = tmp_path / "out"
    job = crawl(served, out, scope=interrupt, partitions=partitions)
    with pytest.raises(KeyboardInterrupt):
        job.run()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    assert job.summary().stopped_by == "interrupted"
    assert job.summary().pages >= 1
    wanted = job.summary().pages + 1  # partitions go on for a moment
    again = gossamer.Crawl.resume(out, scope=lambda link: True, max_pages=wanted)
    assert again.run().pages == wanted
    assert again.seconds_delayed == 0.0, "it was no crash"


def test_what_is_shown_is_short(served: ServedWeb, tmp_path: Path) -> None:
    [batch] = [kept for kept in crawl(served, tmp_path / "out", max_pages=1).turns() if kept]
    document = batch[0].document
    shown = (batch[0], document, document.page, document.links, gossamer.read_page(document))
    for thing in shown:
        assert document.url in repr(thing)
        assert len(repr(thing)) < 300
    assert document.title in repr(document)
    assert f"{len(document.links)} links" in repr(document)
    failed = msgspec.structs.replace(document.page, outcome=gossamer.Outcome.RESET)
    assert repr(failed).startswith("<Page reset http")


def test_an_order_or_scope_by_name_is_heard_when_a_crawl_goes_on(
    served: ServedWeb, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    crawl(served, out, max_pages=3).run()
    with pytest.raises(gossamer.SettingsError, match="cannot be changed"):
        gossamer.Crawl.resume(out, order="pagerank")
    with gossamer.Crawl.resume(out, scope="host") as again:
        assert again.settings.scope.kind == "host"
