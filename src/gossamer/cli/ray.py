"""`--ray`: the partitions of a crawl on the machines of a Ray cluster."""

from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple

from gossamer.base.errors import SettingsError
from gossamer.cli.beside import Beside
from gossamer.cli.conduct import conduct

if TYPE_CHECKING:
    from gossamer.base.settings import Settings
    from gossamer.cluster.crawl import Crawl
    from gossamer.cluster.far.rays import RayLauncher


class Manner(NamedTuple):
    """How a crawl is shown while it runs, and at its end."""

    json: bool
    quiet: bool
    beside: Beside


def crawl_far(ray: str, settings: "Settings", out: Path | None, manner: Manner) -> int:
    """Begin a crawl. This machine keeps nothing but a temporary folder for its supervisor."""
    from gossamer.base import recipe
    from gossamer.cluster.crawl import Crawl

    if not settings.crawl.home:
        raise SettingsError("--ray needs a place that all machines reach; name it with --home URL")
    launcher = _reach(ray, out)
    if not settings.crawl.partitions:
        settings = recipe.change(settings, {"crawl.partitions": min(launcher.cores, 255)})
    with TemporaryDirectory(prefix="gossamer-") as folder:
        return _run(Crawl(out=Path(folder) / "crawl", settings=settings), launcher, manner)


def resume_far(
    ray: str, home: str, out: Path | None, turned: Mapping[str, Any], manner: Manner
) -> int:
    """Continue a crawl from its home, on as many machines as there are now."""
    from gossamer.base.clock import SystemClock
    from gossamer.cluster.crawl import Crawl
    from gossamer.cluster.home import CrawlHome, is_home

    if not is_home(home):
        raise SettingsError(
            f"--ray continues a crawl from its home, and {home} is no URL; give that URL"
        )
    launcher = _reach(ray, out)
    with TemporaryDirectory(prefix="gossamer-") as folder:
        shell = Path(folder) / "crawl"
        CrawlHome(home, SystemClock()).make_shell(shell)
        job = Crawl.resume(shell, changes={**turned, "crawl.home": home})
        return _run(job, launcher, manner, turned)


def _run(
    job: "Crawl", launcher: "RayLauncher", manner: Manner, turned: Mapping[str, Any] | None = None
) -> int:
    job.go_far(launcher, launcher.host)
    return manner.beside.run(
        job.out, lambda: conduct(job, manner.json, manner.quiet, turned or {}), job.place
    )


def _reach(ray: str, out: Path | None) -> "RayLauncher":
    from gossamer.cluster.far.rays import RayLauncher

    if out is not None:
        raise SettingsError("with --ray the crawl is at its home and nowhere else; leave -o out")
    return RayLauncher(ray)
