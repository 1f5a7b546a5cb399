"""Certificates for lines, as a cluster has them."""

from pathlib import Path

import pytest

from gossamer.cluster.remote.connection_tls import ConnectionTls
from tests.misbehaving.certificates import Authority, Wish


def make_files(
    authority: Authority, folder: Path, trusted: Authority | None = None
) -> ConnectionTls:
    """A certificate of this authority, for a machine that trusts that one, or another."""
    pair, whom = folder / "pair.pem", folder / "authority.pem"
    pair.write_bytes(authority.signed(Wish("node.test")))
    whom.write_bytes((trusted or authority).pem)
    return ConnectionTls(str(pair), str(pair), str(whom))


def switch_on(files: ConnectionTls, patch: pytest.MonkeyPatch) -> None:
    """In this process, and in those that it starts."""
    names = ("RAY_TLS_SERVER_CERT", "RAY_TLS_SERVER_KEY", "RAY_TLS_CA_CERT")
    for name, value in zip(names, files, strict=True):
        patch.setenv(name, value)
    patch.setenv("RAY_USE_TLS", "1")
