"""The lab: a simulated web for tests, demonstrations, benchmarks and experiments.

A `Web` is a deterministic web of any size, computed from a seed number and never stored. It is
both the truth and what is served: asked in Python, it says which URLs are reachable, who links to whom, what
robots.txt allows and what is a copy of what; served by `serve` or `Server`, it answers over real
HTTP and real DNS, on many loopback addresses, and logs each request.

>>> from gossamer.lab import Web
>>> web = Web(seed=7, pages=100, hosts=5, behaviours=("errors",))
>>> web.expected() == Web(seed=7, pages=100, hosts=5, behaviours=("errors",)).expected()
True

How a page comes about: `simulated_sites` says how large each host is, `host_names` what it is called;
`page_identity` gives each page its path and title, `linking` its links, `prose` its text; `behaviours`
change what a perfect web would answer; `page_rendering` writes the page, and `response_transfer` says how
it travels.

`living_web` makes a web whose pages change, move, vanish and are created (`LivingWeb`).

Invariants: every answer is a function of the seed, the URL and the behaviours, and in a living web of the
day, never of earlier requests; server and truth read the same `Answer`; the set of URLs that a well-behaved
crawl asks for (`Web.expected`) does not depend on its order.
"""

from gossamer.lab.behaviours import ALL_FINITE, CORRECT, HOSTILE, INFINITE, KNOWN
from gossamer.lab.reachable_urls import TruthReach
from gossamer.lab.server import Request, ServedWeb, Server, read_log, serve
from gossamer.lab.simulated_web import Web
from gossamer.lab.url_answer import Answer, LabLink

__all__ = [
    "ALL_FINITE",
    "CORRECT",
    "HOSTILE",
    "INFINITE",
    "KNOWN",
    "Answer",
    "LabLink",
    "Request",
    "ServedWeb",
    "Server",
    "TruthReach",
    "Web",
    "read_log",
    "serve",
]
