"""Crawls in an event loop that has other things to do."""

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

import gossamer
from gossamer.lab import ServedWeb, Web, serve
from tests.patience import PATIENCE
from tests.test_library import crawl


@pytest.fixture(scope="module")
def served() -> Iterator[ServedWeb]:
    with serve(Web(seed=9, pages=200, hosts=5)) as served:
        yield served


@pytest.mark.parametrize("partitions", [1, 2])
def test_all_pages_arrive(served: ServedWeb, tmp_path: Path, partitions: int) -> None:
    async def main() -> list[str]:
        job = crawl(served, tmp_path / "out", scope="all", max_pages=60, partitions=partitions)
        urls = [page.url async for page in job]
        assert (job.summary().pages, job.summary().stopped_by) == (60, "max_pages")
        return urls

    urls = asyncio.run(main())
    assert len(urls) == len(set(urls)) == 60
    assert _threads() == []


def test_the_loop_turns_while_the_crawl_waits(served: ServedWeb, tmp_path: Path) -> None:
    """The scope function does not go on before the loop has: a loop that were held up would never let it."""
    has_turned = threading.Event()

    def wait(link: gossamer.Link) -> bool:
        assert has_turned.wait(PATIENCE), "the event loop is held up"
        return True

    async def main() -> gossamer.Summary:
        job = crawl(served, tmp_path / "out", scope=wait, max_pages=5, max_errors=1)
        reading = asyncio.create_task(_read(job))
        while not reading.done() and not has_turned.is_set():
            await asyncio.sleep(0)
            assert job.summary().pages <= 5, "it can be asked meanwhile"
            has_turned.set()
        await reading
        return job.summary()

    summary = asyncio.run(main())
    assert (summary.stopped_by, summary.refused) == ("max_pages", {})


async def _read(job: gossamer.Crawl) -> int:
    return len([page async for page in job])


@pytest.mark.parametrize("partitions", [1, 2])
def test_a_task_that_is_cancelled_leaves_a_crawl_that_goes_on(
    served: ServedWeb, tmp_path: Path, partitions: int
) -> None:
    async def main() -> gossamer.Summary:
        job = crawl(served, tmp_path / "out", scope="all", partitions=partitions)
        has_begun = asyncio.Event()

        async def read() -> None:
            async for _ in job:
                has_begun.set()

        task = asyncio.create_task(read())
        await has_begun.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return job.summary()

    assert asyncio.run(main()).stopped_by == "abandoned"
    assert _threads() == []
    again = gossamer.Crawl.resume(tmp_path / "out")
    assert again.run().pages == len(served.web.expected())


def test_a_loop_that_is_left_early(served: ServedWeb, tmp_path: Path) -> None:
    async def main() -> None:
        async with crawl(served, tmp_path / "out", scope="all") as job:
            async for _ in job:
                break
        assert job.summary().stopped_by == "abandoned"
        async with gossamer.Crawl.resume(tmp_path / "out", max_pages=20) as again:
            assert await _read(again) < 20
        assert again.summary().pages == 20

    asyncio.run(main())
    assert _threads() == []


def test_an_error_in_the_body_comes_through(served: ServedWeb, tmp_path: Path) -> None:
    async def main(job: gossamer.Crawl) -> None:
        async with job:
            async for page in job:
                raise LookupError(page.url)

    job = crawl(served, tmp_path / "out", scope="all")
    with pytest.raises(LookupError):
        asyncio.run(main(job))
    assert job.summary().stopped_by == "abandoned"


def test_a_mistake_is_raised_where_it_was_made(served: ServedWeb, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine").touch()
    with pytest.raises(gossamer.DirectoryError, match="is not empty"):
        asyncio.run(_read(crawl(served, tmp_path / "out")))


def _threads() -> list[str]:
    """Threads of ours that are left; those that are about to end are given the time."""
    for thread in threading.enumerate():
        if thread.name.startswith("gossamer"):
            thread.join(60)
    return [one.name for one in threading.enumerate() if one.name.startswith("gossamer")]
