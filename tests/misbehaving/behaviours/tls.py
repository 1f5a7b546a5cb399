"""Servers behind TLS that cannot, or must not, be trusted: the misbehaviour is in the door.

The documented outcomes hold for a client that trusts the server's own `authority`, so that each
certificate is refused for its own flaw and not for its unknown origin.
"""

from gossamer.core.outcomes import Outcome
from tests.misbehaving.behaviour import Behaviour, Expectation, add, answered, failed
from tests.misbehaving.connection import Connection, Request


def greet(connection: Connection, request: Request) -> None:
    """Who came through the door gets a page like any other."""
    connection.answer(b"hello", "Content-Type: text/html")


def tls(name: str, description: str, expect: Expectation | None = None, says: str = "") -> None:
    refused = failed(Outcome.TLS_FAILED, says=says)
    add(Behaviour(name, description, expect or refused, greet, door=name, path="/"))


tls("tls_trusted", "nothing wrong with it, for comparison", answered(body=b"hello"))
tls("tls_expired", "a certificate that ended yesterday", says="expired")
tls("tls_not_yet", "a certificate that begins tomorrow", says="not yet valid")
tls("tls_wrong_host", "a certificate for another name", says="subject name")
tls("tls_self_signed", "a certificate signed by itself", says="self-signed")
tls("tls_unknown_authority", "a certificate of an authority nobody knows", says="issuer")
tls("tls_plain", "plain HTTP where TLS is expected")
tls("tls_garbage", "noise where TLS is expected")
tls("tls_alert", "a fatal alert instead of a greeting")
tls("tls_hangs", "never answers the greeting", failed(Outcome.CONNECT_TIMEOUT))
tls("tls_hang_up", "hangs up on the greeting")
tls("tls_reset", "resets on the greeting")
tls("tls_cut", "hangs up in the middle of the handshake")
