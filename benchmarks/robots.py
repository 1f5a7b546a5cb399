"""How long robots.txt takes: reading a file, asking its rules, asking the gate.

    python -m benchmarks.robots

Prints one line per measurement: the best of several rounds, so that a busy machine disturbs
little. If protego is installed, it is measured beside on the same questions.
"""

import importlib
import timeit
from collections.abc import Callable
from functools import partial
from typing import Any

from gossamer.core.outcomes import Outcome
from gossamer.core.records import Page, Visit
from gossamer.core.settings import RobotsSettings
from gossamer.core.url import parse as parse_url
from gossamer.pipeline.robots import Gate, Rules, parse

_FOLDERS = (
    "admin",
    "bin",
    "search",
    "login",
    "tmp",
    "x/private",
    "cart",
    "user/account",
    "wp-admin",
)
LITERAL = "User-agent: *\n" + "".join(f"Disallow: /{name}/\n" for name in _FOLDERS)
LITERAL += "Allow: /wp-admin/admin-ajax.php\n"
WILDCARD = LITERAL + "".join(f"Disallow: /*?{name}=\nDisallow: /*/{name}$\n" for name in _FOLDERS)
LARGE = "User-agent: *\n" + "".join(f"Disallow: /folder/{n}/page\n" for n in range(20_000))
PATHS = {
    "no rule matches": "/articles/2024/05/some-page.html",
    "a rule matches": "/wp-admin/options.php",
    "with an escape": "/wiki/%C3%84rger",
}


def best(question: Callable[[], object], number: int) -> float:
    """Seconds that one call takes in the best of seven rounds."""
    return min(timeit.repeat(question, number=number, repeat=7)) / number


def report(what: str, seconds: float) -> None:
    print(f"{what:58} {seconds * 1e6:10.2f} µs")


def protego_parser() -> Any:
    try:
        return importlib.import_module("protego").Protego
    except ImportError:
        return None


def read(body: bytes) -> Rules:
    return parse(body).for_agent("Gossamer")


def measure_reading(protego: Any) -> None:
    for name, text, number in (("10 rules", LITERAL, 2000), ("20,000 rules", LARGE, 1)):
        body = text.encode()
        report(f"read a file of {name}", best(partial(read, body), number))
        if protego:
            report(f"  protego: {name}", best(partial(protego.parse, text), number))


def measure_asking(protego: Any) -> None:
    for name, text in (("10 literal rules", LITERAL), ("and 18 wildcards", WILDCARD)):
        rules = parse(text.encode()).for_agent("Gossamer")
        other = protego.parse(text) if protego else None
        for kind, path in PATHS.items():
            asked = best(partial(rules.is_allowed, path), 50_000)
            report(f"ask {name}, {kind}", asked)
            if other:
                url = f"http://example.org{path}"
                asked = best(partial(other.can_fetch, url, "Gossamer"), 5_000)
                report("  protego", asked)


def measure_gate() -> None:
    gate = Gate(RobotsSettings(), "Gossamer")
    for host in range(10_000):
        origin = f"http://host{host}.example"
        robots = Visit(gate.request(origin))
        page = Page(robots, Outcome.FETCHED, 0.0, status=200, body=LITERAL.encode())
        gate.learn(origin, page, 0.0)
    for kind, path in PATHS.items():
        url = parse_url(f"http://host77.example{path}")
        assert url is not None
        report(
            f"verdict among 10,000 origins, {kind}",
            best(partial(gate.verdict, url, 1.0), 50_000),
        )


if __name__ == "__main__":
    protego = protego_parser()
    measure_reading(protego)
    measure_asking(protego)
    measure_gate()
