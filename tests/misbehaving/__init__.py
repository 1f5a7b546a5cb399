"""A web server, and a name server, that misbehave on purpose.

What comes in is a real connection on loopback; what goes out is one of the many ways in which
servers of the wild hurt a crawler. Each way is a *behaviour*: a small function with a name, one
line that describes it, and the documented outcome that the crawler must record.

    with MisbehavingServer() as server:
        server.url("slow_header")      # http://slow-header.test:PORT/slow_header
        server.address                 # where that name, and every other, is to be found

- `behaviour` says what a behaviour and an expectation are, and keeps the book of them.
- `behaviours/` holds the behaviours, one file per kind of misbehaviour.
- `limits` holds the small limits under which the documented outcomes are promised.
- `server` listens, and hands each connection to the behaviour that its URL names.
- `request_gate` are the ways into the server: plain, TLS with good and bad certificates, closed.
- `nameserver` answers for the names, and can change its mind (DNS rebinding).

Invariants: nothing ever points at a public address; leaving the server's `with` ends every
connection and thread, whatever they were doing.
"""

from tests.misbehaving.behaviour import BEHAVIOURS, Behaviour, Expectation
from tests.misbehaving.behaviours import load
from tests.misbehaving.limits import LIMITS, limits_to_try
from tests.misbehaving.misbehaving_server import MisbehavingServer
from tests.misbehaving.nameserver import NameServer

load()

__all__ = [
    "BEHAVIOURS",
    "LIMITS",
    "Behaviour",
    "Expectation",
    "MisbehavingServer",
    "NameServer",
    "limits_to_try",
]
