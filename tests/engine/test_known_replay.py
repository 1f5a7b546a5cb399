"""What did not change is shown by pywb as it was, when both crawls are in one collection.

pywb is no part of our environment, since it asks for its own versions of much. It is looked for on the
PATH, and in the folder that GOSSAMER_PYWB names: `python -m venv pywb && pywb/bin/pip install pywb`, then
`GOSSAMER_PYWB=pywb/bin`.
"""

import itertools
import os
import shutil
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.engine.engine_crawling import query
from tests.engine.test_known import Site, crawl, site
from tests.needs import needs

__all__ = ["site"]

_FOLDERS = os.pathsep.join(filter(None, [os.environ.get("GOSSAMER_PYWB"), os.environ["PATH"]]))
_MANAGER = shutil.which("wb-manager", path=_FOLDERS)
PYWB_PYTHON = None if _MANAGER is None else Path(_MANAGER).absolute().with_name("python")
"""The Python that has pywb."""

_SERVE = """
from gevent.monkey import patch_all; patch_all()
from gevent.pywsgi import WSGIServer
from pywb.apps.frontendapp import FrontEndApp
server = WSGIServer(("127.0.0.1", 0), FrontEndApp(), log=None)
server.start()
print("port", server.server_port, flush=True)
server.serve_forever()
"""

needs_pywb = pytest.mark.skipif(
    _MANAGER is None,
    reason=needs("pywb", "it is not installed; GOSSAMER_PYWB may name the folder it is in"),
)


@contextmanager
def replay(folder: Path, warcs: list[Path], index: Path | None = None) -> Iterator[str]:
    """Serve a collection of these files; yields where. Without an index, pywb makes its own."""
    assert _MANAGER is not None
    for command in (["init", "all"], ["add", "all", *map(str, warcs)]):
        subprocess.run([_MANAGER, *command], cwd=folder, check=True, capture_output=True)
    if index is not None:
        shutil.copy(index, folder / "collections" / "all" / "indexes" / "index.cdxj")
    python = Path(_MANAGER).with_name("python")
    clean = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    with subprocess.Popen(
        [python, "-c", _SERVE], cwd=folder, env=clean, stdout=subprocess.PIPE, text=True
    ) as server:
        try:
            assert server.stdout is not None
            [port] = itertools.islice((x.split()[1] for x in server.stdout if "port" in x), 1)
            yield f"http://127.0.0.1:{port}/all"
        finally:
            server.kill()


def wait_for_another_second() -> None:
    """An index counts in seconds, and the names of WARC files do."""
    now = int(time.time())
    while int(time.time()) == now:
        time.sleep(0.01)


@needs_pywb
@pytest.mark.parametrize("has_validators", [True, False])
def test_unchanged_pages_are_shown_as_they_were(
    site: Site, tmp_path: Path, has_validators: bool
) -> None:
    site.has_validators = has_validators
    site.pages["/"] += "<a href=/copy>copy</a>"
    site.pages["/copy"] = site.pages["/two"]  # in the first crawl, one of both is a pointer
    outs = [tmp_path / str(number) for number in range(3)]
    for number, out in enumerate(outs):
        crawl(site, out, known=str(outs[number - 1]) if number else "")
        wait_for_another_second()
    assert query(outs[2], "select distinct is_unchanged from pages") == [(True,)]
    ask = "select url, strftime(fetched_at at time zone 'UTC', '%Y%m%d%H%M%S') from pages"
    dates = dict(query(outs[2], ask))
    warcs = [path for out in outs for path in (out / "warc").glob("*.warc.gz")]
    (tmp_path / "pywb").mkdir()
    with replay(tmp_path / "pywb", warcs) as collection:
        for path, text in site.pages.items():
            url = site.url.rstrip("/") + path
            with urllib.request.urlopen(f"{collection}/{dates[url]}id_/{url}") as answer:
                assert (answer.status, answer.read().decode()) == (200, text)
                assert answer.headers["Content-Type"].startswith("text/html")
