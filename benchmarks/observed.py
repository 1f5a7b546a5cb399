"""What hosts say of changes: how much fresher are copies, and what do liars cost?

    python -m benchmarks.observed [--pages 200] [--hosts 10] [--days 40] [--visits 0.3] [--seeds 7 8]

The living web, and the real ring with all its components on the simulator's virtual clock: it reads the
sitemaps, the feeds and the header fields that hosts write. Hosts tell the truth or lie, in all ways at
once. A liar says of all pages that they changed an hour ago, and that those may be kept longest that
change most. Freshness is exact, for the web knows its changes. Each web is crawled twice with the same
budget of visits: once with `revisit.believe`, and once without.
"""

import argparse
import re
import time
from email.utils import formatdate

import numpy as np
from msgspec import convert

from benchmarks.simulated import START, crawl_simulated
from gossamer.core.clock import VirtualClock
from gossamer.core.settings import Settings
from gossamer.lab.living_web import LivingWeb, WebClock, averages, visits_in
from gossamer.lab.living_web.habits import Candour, Habits
from gossamer.lab.simulator.simulated_network import Network
from gossamer.lab.url_answer import Answer

_DAY = 120.0
"""Seconds: a ring turns once a second at least, also when it has nothing to do."""
_WAYS = len(Habits._fields)


class WebOfWords(LivingWeb):
    """A living web of hosts that lie, and of hosts that tell the truth: so many of ten, large and small."""

    truthful = 5

    def lies(self, site: int) -> bool:
        return 3 * site % 10 >= self.truthful

    def habits(self, site: int) -> Habits:
        return Habits(*(Candour.LYING if self.lies(site) else Candour.TRUE,) * _WAYS)

    def _special(self, site: int, target: str) -> Answer:
        answer = super()._special(site, target)
        if answer.kind == "list" and self.lies(site) and answer.content:
            moment = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(self._an_hour_ago()))
            dates = rb"(<(lastmod|updated|published)>)[^<]*"
            answer.content = re.sub(dates, rb"\g<1>" + moment.encode(), answer.content)
        return answer

    def _dress(self, answer: Answer, page: int) -> None:
        super()._dress(answer, page)
        answer.fields = re.sub(rb"max-age=(\d+)", _shorter, bytes(answer.fields))
        answer.fields = re.sub(rb"Expires: [^\r]*\r\n", b"", answer.fields)
        if self.lies(answer.site):
            date = formatdate(self._an_hour_ago(), usegmt=True).encode()
            answer.fields = re.sub(rb"(Last-Modified: )[^\r]*", rb"\g<1>" + date, answer.fields)

    def seconds(self, day: float) -> float:
        return self.epoch + day * _DAY

    def _an_hour_ago(self) -> float:
        return self.seconds(self.clock.days() - 1 / 24)


def _shorter(said: re.Match[bytes]) -> bytes:
    return f"max-age={int(said[1]) * _DAY / 86_400:.0f}".encode()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    add = parser.add_argument
    add("--pages", type=int, default=200)
    add("--hosts", type=int, default=10)
    add("--days", type=float, default=40.0)
    add("--warm", type=float, default=15.0, help="days at the beginning that do not count")
    add("--visits", type=float, default=0.3, help="visits per page and day")
    add("--seeds", type=int, nargs="+", default=[7, 8])
    add(
        "--truthful",
        type=int,
        nargs="+",
        default=[10, 5, 0],
        help="hosts in ten that tell the truth",
    )
    add("--policy", default="freshness")
    arguments = parser.parse_args()
    print(
        "| truthful hosts | seed | heeds words | fresh | fresh, truthful | fresh, lying | requests |"
    )
    print("|---|---|---|---|---|---|---|", flush=True)
    for truthful in arguments.truthful:
        for seed in arguments.seeds:
            for believes in (False, True):
                _tell(arguments, truthful, seed, believes)


def _tell(arguments: argparse.Namespace, truthful: int, seed: int, believes: bool) -> None:
    web, clock, network = _make(arguments, truthful, seed)
    crawl_simulated(web, clock, network, _settings(arguments, believes))
    changes = web.evolution.changes(0.0, arguments.days)
    made = visits_in(network.log, web, web.clock)
    found = averages(changes, made, arguments.warm, arguments.days)
    is_liar = np.array([web.lies(int(site)) for site in web.evolution.fates.site])
    parts = [
        f"{found.freshness(which.astype(float)):.3f}" if which.any() else "–"
        for which in (np.ones(len(is_liar), np.bool_), ~is_liar, is_liar)
    ]
    row = (
        f"{truthful} of 10",
        str(seed),
        "yes" if believes else "no",
        *parts,
        f"{len(network.log):,}",
    )
    print(f"| {' | '.join(row)} |", flush=True)


def _make(
    arguments: argparse.Namespace, truthful: int, seed: int
) -> tuple[WebOfWords, VirtualClock, Network]:
    clock = VirtualClock(START)
    days = WebClock(clock, _DAY)
    web = WebOfWords(seed, arguments.pages, arguments.hosts, clock=days, epoch=START)
    web.truthful = truthful
    return web, clock, Network(web, clock, 4)


def _settings(arguments: argparse.Namespace, believes: bool) -> Settings:
    revisit = {
        "continuous": True,
        "policy": arguments.policy,
        "visits_per_day": arguments.visits * arguments.pages,
        "believe": believes,
        "day": _DAY,
    }
    return convert(
        {
            "crawl": {"max_seconds": arguments.days * _DAY},
            "scope": {"kind": "all"},
            "politeness": {"delay": 0.05, "factor": 0.0},
            "fetch": {"allow_private": True},
            "dns": {"families": ["ipv4"]},
            "store": {"checkpoint_every": 1e6, "warc": False},
            "budget": {"kind": "off"},
            "detect": {"soft_errors": False, "dust": False},
            "revisit": revisit,
        },
        Settings,
    )


if __name__ == "__main__":
    main()
