"""`--ray`: the partitions of a crawl on the machines of a Ray cluster."""

from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from gossamer.base.errors import SettingsError
from gossamer.cli.conduct import conduct

if TYPE_CHECKING:
    from gossamer.base.settings import Settings
    from gossamer.cluster.far.rays import RayLauncher


def crawl_far(ray: str, settings: "Settings", out: Path | None, json: bool, quiet: bool) -> int:
    """Begin a crawl. This machine keeps nothing but a temporary folder for its supervisor."""
    from gossamer.base import recipe
    from gossamer.cluster.crawl import Crawl

    if not settings.crawl.home:
        raise SettingsError("--ray needs a place that all machines reach; name it with --home URL")
    launcher = _reach(ray, out)
    if not settings.crawl.partitions:
        settings = recipe.change(settings, {"crawl.partitions": min(launcher.cores, 255)})
    with TemporaryDirectory(prefix="gossamer-") as folder:
        job = Crawl(out=Path(folder) / "crawl", settings=settings)
        job.go_far(launcher, launcher.host)
        return conduct(job, json, quiet)


def resume_far(
    ray: str, home: str, out: Path | None, turned: Mapping[str, Any], json: bool, quiet: bool
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
        job.go_far(launcher, launcher.host)
        return conduct(job, json, quiet, turned)


def _reach(ray: str, out: Path | None) -> "RayLauncher":
    from gossamer.cluster.far.rays import RayLauncher

    if out is not None:
        raise SettingsError("with --ray the crawl is at its home and nowhere else; leave -o out")
    return RayLauncher(ray)
