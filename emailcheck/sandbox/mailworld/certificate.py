"""The self-signed certificates of the simulated hosts, made anew at each start."""

import datetime
import ssl
import tempfile
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

_NAME = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Simulated mail host")])


def build_self_signed_context() -> ssl.SSLContext:
    """A server context whose certificate nobody can have reason to trust."""
    return _build_context(*_build_certificate())


def build_trusted_context(*names: str, saved_as: Path) -> ssl.SSLContext:
    """A server context for hosts of these names, whose certificate is saved for those who are to trust it."""
    key, certificate = _build_certificate(*names)
    saved_as.parent.mkdir(parents=True, exist_ok=True)
    saved_as.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    return _build_context(key, certificate)


def _build_certificate(*names: str) -> tuple[ec.EllipticCurvePrivateKey, x509.Certificate]:
    key = ec.generate_private_key(ec.SECP256R1())
    now = datetime.datetime.now(datetime.UTC)
    builder = (
        x509.CertificateBuilder()
        .subject_name(_NAME)
        .issuer_name(_NAME)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=365))
    )
    if names:
        builder = builder.add_extension(x509.SubjectAlternativeName([x509.DNSName(name) for name in names]), False)
    return key, builder.sign(key, hashes.SHA256())


def _build_context(key: ec.EllipticCurvePrivateKey, certificate: x509.Certificate) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    with tempfile.TemporaryDirectory() as folder:
        pem = Path(folder, "host.pem")
        private = key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        pem.write_bytes(private + certificate.public_bytes(serialization.Encoding.PEM))
        context.load_cert_chain(pem)
    return context
