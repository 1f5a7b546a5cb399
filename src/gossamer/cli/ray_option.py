"""`--ray`: the partitions of a crawl on the machines of a Ray cluster."""

from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple

from gossamer.cli.dashboard_option import Beside
from gossamer.cli.run_options import conduct
from gossamer.core.errors import SettingsError
from gossamer.core.settings import MOST_PARTITIONS

if TYPE_CHECKING:
    from gossamer.cluster.crawl import Crawl
    from gossamer.cluster.remote.ray_workers import RayLauncher
    from gossamer.core.settings import Settings


class Manner(NamedTuple):
    """Options for the display of a crawl, while it runs and at its end."""

    json: bool
    quiet: bool
    beside: Beside


def crawl_remote(ray: str, settings: "Settings", out: Path | None, manner: Manner) -> int:
    """Begin a crawl. This machine keeps nothing but a temporary folder for its supervisor."""
    from gossamer.cluster.crawl import Crawl
    from gossamer.core import settings_file

    if not settings.crawl.storage:
        raise SettingsError("--ray needs remote storage that all machines reach; add --storage URL")
    launcher = _reach(ray, out)
    if not settings.crawl.partitions:
        settings = settings_file.change(
            settings, {"crawl.partitions": min(launcher.cores, MOST_PARTITIONS)}
        )
    with TemporaryDirectory(prefix="gossamer-") as folder:
        return _run(Crawl(out=Path(folder) / "crawl", settings=settings), launcher, manner)


def resume_remote(
    ray: str, storage: str, out: Path | None, turned: Mapping[str, Any], manner: Manner
) -> int:
    """Continue a crawl from remote storage, on as many machines as there are now."""
    from gossamer.cluster.crawl import Crawl
    from gossamer.cluster.storage import CrawlStorage, is_storage_url
    from gossamer.core.clock import SystemClock

    if not is_storage_url(storage):
        raise SettingsError(
            f"--ray resumes a crawl from remote storage, and {storage} is not a URL; give the "
            "URL of the storage"
        )
    launcher = _reach(ray, out)
    with TemporaryDirectory(prefix="gossamer-") as folder:
        shell = Path(folder) / "crawl"
        CrawlStorage(storage, SystemClock()).make_shell(shell)
        job = Crawl.resume(shell, changes={**turned, "crawl.storage": storage})
        return _run(job, launcher, manner, turned)


def _run(
    job: "Crawl", launcher: "RayLauncher", manner: Manner, turned: Mapping[str, Any] | None = None
) -> int:
    job.go_remote(launcher, launcher.host)
    return manner.beside.run(
        job.out, lambda: conduct(job, manner.json, manner.quiet, turned or {}), job.place
    )


def _reach(ray: str, out: Path | None) -> "RayLauncher":
    from gossamer.cluster.remote.ray_workers import RayLauncher

    if out is not None:
        raise SettingsError("with --ray the crawl is written to remote storage only; remove -o")
    return RayLauncher(ray)
