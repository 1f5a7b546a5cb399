"""Does a crawl that is logged in change anything? Real applications are compared before and after.

    python -m benchmarks.applications.logged_in [NAME ...] [--pages 40] [--fetches 1500]

Each application is crawled as an ordinary user and as an administrator, with the cookies of somebody who has
logged in, and with robots.txt and nofollow switched off, so that nothing but the judgement of links is in
the way. A careful crawl, with the settings as they are, must change nothing and be logged in at its end. A
reckless one (`scope.follow_actions`) shows that the comparison can fail.
"""

import argparse
import json
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.applications.accounts import GUARDED, Data, Guarded, Person

_SHOWN = 6


class Trial(NamedTuple):
    """One crawl, and what it did to the application."""

    changed: list[str]
    is_logged_in: bool
    summary: dict[str, Any]


def main() -> None:
    arguments = _parser().parse_args()
    has_failed = False
    for guarded in GUARDED:
        name = guarded.application.name
        if arguments.names and name not in arguments.names:
            continue
        if missing := guarded.application.missing():
            print(f"{name} is left out, for {', '.join(missing)} is missing")
            continue
        print(f"{name}; not compared: {guarded.volatile}", flush=True)
        with tempfile.TemporaryDirectory(prefix="logged") as work:
            has_failed |= not _compare(guarded, Path(work), arguments.pages, arguments.fetches)
    sys.exit(has_failed)


def _compare(guarded: Guarded, work: Path, pages: int, fetches: int) -> bool:
    """Careful and reckless crawls of one application; is it as it should be?"""
    root = work / "root"
    root.mkdir()
    guarded.application.fill(root, pages, 1)
    guarded.prepare(root)
    filled = work / "filled"
    shutil.copytree(root, filled, symlinks=True)
    careful, reckless = [], []
    for person in guarded.people:
        for trials, more in ((careful, []), (reckless, ["--set", "scope.follow_actions=true"])):
            shutil.rmtree(root)
            shutil.copytree(filled, root, symlinks=True)
            trials.append(_try(guarded, root, person, fetches, more))
            _tell(person, "reckless" if more else "careful", trials[-1])
    is_harmless = all(one.is_logged_in and not one.changed for one in careful)
    return is_harmless and any(one.changed or not one.is_logged_in for one in reckless)


def _try(guarded: Guarded, root: Path, person: Person, fetches: int, more: list[str]) -> Trial:
    with tempfile.TemporaryDirectory(prefix="door") as folder:
        door = Path(folder, "door")
        with guarded.served(root, door), _proxy(door) as proxy:
            cookies = guarded.log_in(door, person)
            if not guarded.is_logged_in(door, cookies):
                raise RuntimeError(f"{person.name} could not log in")
            before = guarded.data(root)
            summary = _crawl(guarded, proxy, cookies, fetches, more)
            changed = list(_differences(before, guarded.data(root)))
            return Trial(changed, guarded.is_logged_in(door, cookies), summary)


def _differences(before: Data, after: Data) -> Iterator[str]:
    for name in sorted(before.keys() | after.keys()):
        if before.get(name) != after.get(name):
            kind = "new" if name not in before else "gone" if name not in after else "changed"
            yield f"{kind}: {name} {before.get(name, '')[:150]} => {after.get(name, '')[:150]}"


def _tell(person: Person, how: str, trial: Trial) -> None:
    summary = trial.summary
    left, asked = summary["refused"].get("action", 0), summary["pages"]
    state = "still logged in" if trial.is_logged_in else "logged out"
    print(f"  {how} {person.role}: {asked:,} pages, {left:,} links left alone, {state}, ", end="")
    print(f"{len(trial.changed):,} things changed; {summary['stopped_by']}")
    for line in (*trial.changed[:_SHOWN], *summary["logins"]):
        print(f"    {line[:300]}")
    sys.stdout.flush()


def _crawl(
    guarded: Guarded, proxy: str, cookies: str, fetches: int, more: list[str]
) -> dict[str, Any]:
    """Crawl in a process of its own; returns the summary."""
    with tempfile.TemporaryDirectory(prefix="crawl") as work:
        settings = Path(work, "settings.toml")
        settings.write_text(
            f'[fetch]\nproxy = "{proxy}"\n[fetch.cookies]\n"{guarded.host}" = {json.dumps(cookies)}\n'
        )
        command = [sys.executable, "-m", "gossamer.cli", "crawl", guarded.application.url]
        command += ["-o", f"{work}/out", "--config", str(settings), "--delay", "0", "--json"]
        command += ["--max-pages", str(fetches), "--set", "politeness.address_delay=0"]
        command += ["--set", "scope.nofollow=false", "--set", "robots.obey=false", *more]
        done = subprocess.run(command, capture_output=True, check=False)
    if not done.stdout:
        raise RuntimeError(done.stderr.decode())
    summary: dict[str, Any] = json.loads(done.stdout)
    return summary


@contextmanager
def _proxy(door: Path) -> Iterator[str]:
    """A port on loopback that leads to a Unix socket; a web server takes requests for a proxy as its own."""
    with socket.create_server(("127.0.0.1", 0)) as entrance:
        thread = threading.Thread(target=_let_in, args=(entrance, door), daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{entrance.getsockname()[1]}"
        entrance.shutdown(socket.SHUT_RDWR)
    thread.join()


def _let_in(entrance: socket.socket, door: Path) -> None:
    with suppress(OSError):  # the entrance was closed
        while True:
            guest, _ = entrance.accept()
            host = socket.socket(socket.AF_UNIX)
            host.connect(str(door))
            for pair in ((guest, host), (host, guest)):
                threading.Thread(target=_pass_on, args=pair, daemon=True).start()


def _pass_on(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while octets := source.recv(1 << 16):
            target.sendall(octets)
    with suppress(OSError):
        target.shutdown(socket.SHUT_WR)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.applications.logged_in",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("names", nargs="*", help="applications to crawl; all without names")
    parser.add_argument("--pages", type=int, default=40, help="texts that an application has")
    parser.add_argument("--fetches", type=int, default=1500, help="a crawl ends after so many")
    return parser


if __name__ == "__main__":
    main()
