"""TLS for the lines, with the certificates that Ray's own connections have.

Ray has TLS when `RAY_USE_TLS=1` and three files are named in the environment of each of its processes: a
certificate, its key, and the authority that signed the certificates of all machines. Lines then use the same
files. Both ends show a certificate, and only one of that authority is accepted; the names in it do not
matter, because every machine of the cluster runs the same code. So with one switch nobody outside can read or
say anything, neither to Ray nor to Gossamer.
"""

import os
import ssl
from collections.abc import Mapping
from socket import socket
from typing import NamedTuple, Self

from gossamer.cluster.remote.handshake import CutError, RemoteConnectionError

_SWITCH = "RAY_USE_TLS"
_ON = frozenset({"1", "true", "True"})
_NAMES = ("RAY_TLS_SERVER_CERT", "RAY_TLS_SERVER_KEY", "RAY_TLS_CA_CERT")


class _LineSocket(ssl.SSLSocket):
    """Says "not now" as plain sockets do."""

    def recv(self, buflen: int = 1024, flags: int = 0) -> bytes:
        try:
            return super().recv(buflen, flags)
        except ssl.SSLWantReadError:
            raise BlockingIOError from None

    def send(self, data: bytes, flags: int = 0) -> int:  # type: ignore[override]
        try:
            return super().send(data, flags)
        except (ssl.SSLWantWriteError, ssl.SSLWantReadError):
            raise BlockingIOError from None


class ConnectionTls(NamedTuple):
    """The certificate files of this machine."""

    certificate: str
    key: str
    authority: str

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> Self | None:
        """None when Ray has no TLS here."""
        if environment.get(_SWITCH, "0") not in _ON:
            return None
        missing = [name for name in _NAMES if not environment.get(name)]
        if missing:
            raise RemoteConnectionError(
                f"{_SWITCH} is on, but {missing[0]} is not set; set it to the path of the file"
            )
        return cls(*(environment[name] for name in _NAMES))

    def answer(self, line: socket, seconds: float) -> socket:
        """The supervisor's end of a call."""
        return self._wrap(line, seconds, is_server=True)

    def call(self, line: socket, seconds: float) -> socket:
        """The partition's end of a call."""
        return self._wrap(line, seconds, is_server=False)

    def check(self) -> None:
        """Complain about files that cannot be used before anybody calls."""
        self._context(is_server=True)

    def _wrap(self, line: socket, seconds: float, *, is_server: bool) -> socket:
        context = self._context(is_server=is_server)
        line.settimeout(seconds)
        try:
            return context.wrap_socket(line, server_side=is_server)
        except ssl.SSLError as error:
            reason = (error.reason or str(error)).replace("_", " ").lower()
            raise RemoteConnectionError(f"TLS handshake failed: {reason}") from error
        except OSError as error:
            raise CutError(f"connection lost: {error}") from error

    def _context(self, *, is_server: bool) -> ssl.SSLContext:
        kind = ssl.PROTOCOL_TLS_SERVER if is_server else ssl.PROTOCOL_TLS_CLIENT
        context = ssl.SSLContext(kind)
        context.minimum_version = ssl.TLSVersion.TLSv1_3
        context.check_hostname = False
        context.verify_mode = ssl.CERT_REQUIRED
        context.sslsocket_class = _LineSocket
        try:
            context.load_cert_chain(self.certificate, self.key)
            context.load_verify_locations(self.authority)
        except OSError as error:
            raise RemoteConnectionError(
                f"the files named by {', '.join(_NAMES)} cannot be used: {error}"
            ) from error
        return context


NO_TLS = "the supervisor uses TLS, and this machine does not; start Ray with RAY_USE_TLS=1 on all machines"
