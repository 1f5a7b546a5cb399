"""Certificates made for the day: each wrong in its own way."""

import ssl
import tempfile
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

Key = ec.EllipticCurvePrivateKey


@dataclass(frozen=True)
class Wish:
    """What a certificate is to say."""

    name: str
    begins: timedelta = timedelta(days=-10)
    ends: timedelta = timedelta(days=10)
    is_self_signed: bool = False


class Authority:
    """A certificate authority that nobody knows, unless told of `certificate`."""

    def __init__(self, name: str = "The misbehaving server's authority") -> None:
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._name = _named(name)
        self.certificate = (
            _builder(self._name, self._name, self._key, Wish("authority"))
            .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
            .sign(self._key, hashes.SHA256())
        )

    @property
    def pem(self) -> bytes:
        """The authority's own certificate, for those who want to trust it."""
        return self.certificate.public_bytes(serialization.Encoding.PEM)

    def context(self, wish: Wish) -> ssl.SSLContext:
        """A server's TLS context with the certificate wished for."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        with tempfile.TemporaryDirectory() as folder:  # ssl reads keys from files only
            path = Path(folder) / "certificate.pem"
            path.write_bytes(self.signed(wish))
            context.load_cert_chain(path)
        return context

    def signed(self, wish: Wish) -> bytes:
        """The certificate wished for, and its key."""
        key = ec.generate_private_key(ec.SECP256R1())
        issuer, signer = (
            (_named(wish.name), key) if wish.is_self_signed else (self._name, self._key)
        )
        names = x509.SubjectAlternativeName([x509.DNSName(wish.name)])
        certificate = (
            _builder(_named(wish.name), issuer, key, wish)
            .add_extension(names, critical=False)
            .sign(signer, hashes.SHA256())
        )
        return certificate.public_bytes(serialization.Encoding.PEM) + key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )


def _named(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])


def _builder(
    subject: x509.Name, issuer: x509.Name, key: Key, wish: Wish
) -> x509.CertificateBuilder:
    now = datetime.now(UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now + wish.begins)
        .not_valid_after(now + wish.ends)
    )


_DAY = timedelta(days=1)

WISHES = {
    "tls_trusted": Wish("tls-trusted.test"),
    "tls_expired": Wish("tls-expired.test", ends=-_DAY),
    "tls_not_yet": Wish("tls-not-yet.test", begins=_DAY),
    "tls_wrong_host": Wish("somebody-else.test"),
    "tls_self_signed": Wish("tls-self-signed.test", is_self_signed=True),
}
"""The certificates behind the doors of the same names; each is its host's but for its flaw."""
STRANGER = Wish("tls-unknown-authority.test")
"""A certificate without a flaw, to be signed by an authority that nobody knows."""
