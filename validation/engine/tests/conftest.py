"""The test world, the lists loaded once, and a certificate that is good for nothing."""

import ssl
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from validation.engine.knowledge.domains import DomainLists
from validation.engine.tests.world import World


@pytest.fixture(scope="session")
def knowledge() -> DomainLists:
    """The lists as shipped."""
    return DomainLists()


@pytest.fixture
async def world(knowledge: DomainLists) -> AsyncIterator[World]:
    """A small mail internet."""
    made = World(knowledge)
    yield made
    await made.aclose()


@pytest.fixture(scope="session")
def expired_certificate(tmp_path_factory: pytest.TempPathFactory) -> ssl.SSLContext:
    """A server context with an expired, self-signed certificate for another name."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "wrong.example")])
    past = datetime.now(UTC) - timedelta(days=30)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(past - timedelta(days=30))
        .not_valid_after(past)
        .sign(key, hashes.SHA256())
    )
    path: Path = tmp_path_factory.mktemp("tls") / "both.pem"
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    path.write_bytes(private + certificate.public_bytes(serialization.Encoding.PEM))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(path)
    return context
