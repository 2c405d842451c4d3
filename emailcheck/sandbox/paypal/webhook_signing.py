"""PayPal's webhook signatures, and forgeries of them."""

import base64
import datetime
import uuid
import zlib
from functools import lru_cache

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from cryptography.x509.oid import NameOID

from emailcheck.sandbox.paypal.state import State

_NAME = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "messageverificationcerts.paypal.com (simulated)")])
# Whatever the clock said when the key was made: a test may have moved it.
_VALID_FROM = datetime.datetime(2020, 1, 1, tzinfo=datetime.UTC)
_VALID_UNTIL = datetime.datetime(2060, 1, 1, tzinfo=datetime.UTC)
CERTIFICATE_ID = "CERT-360caa42-fca2a594-a5cafa77"


class Signer:
    """The signing key, stored with the state, and its certificate."""

    def __init__(self, state: State) -> None:
        self._state = state

    def certificate(self) -> bytes:
        """The certificate, as PEM."""
        self._key()
        return self._state.memory.certificate

    def headers(self, body: bytes, webhook_id: str, certificate_url: str) -> dict[str, str]:
        """The headers of a delivery at this moment of real time."""
        transmission = str(uuid.uuid4())
        time = datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        return {
            "PAYPAL-TRANSMISSION-ID": transmission,
            "PAYPAL-TRANSMISSION-TIME": time,
            "PAYPAL-TRANSMISSION-SIG": _sign_text(self._key(), build_signed_text(transmission, time, webhook_id, body)),
            "PAYPAL-CERT-URL": certificate_url,
            "PAYPAL-AUTH-ALGO": "SHA256withRSA",
        }

    def verify(self, headers: dict[str, str], webhook_id: str, body: bytes) -> bool:
        """Whether these headers were made here for this body."""
        answer = (headers["transmission_id"], headers["transmission_time"], webhook_id)
        try:
            signature = base64.b64decode(headers["transmission_sig"], validate=True)
            self._key().public_key().verify(
                signature, build_signed_text(*answer, body), padding.PKCS1v15(), hashes.SHA256()
            )
        except (InvalidSignature, ValueError):
            return False
        return True

    def _key(self) -> rsa.RSAPrivateKey:
        memory = self._state.memory
        if not memory.signing_key:
            memory.signing_key, memory.certificate = _generate_key()
        return _load_key(memory.signing_key)


@lru_cache(maxsize=4)
def _load_key(pem: bytes) -> rsa.RSAPrivateKey:
    key = serialization.load_pem_private_key(pem, None)
    assert isinstance(key, rsa.RSAPrivateKey)
    return key


def build_signed_text(transmission: str, time: str, webhook_id: str, body: bytes) -> bytes:
    return f"{transmission}|{time}|{webhook_id}|{zlib.crc32(body)}".encode()


def sign_by_stranger(headers: dict[str, str], webhook_id: str, body: bytes) -> dict[str, str]:
    """The same headers with the signature of a key that is not ours."""
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    answer = (headers["PAYPAL-TRANSMISSION-ID"], headers["PAYPAL-TRANSMISSION-TIME"], webhook_id)
    return {**headers, "PAYPAL-TRANSMISSION-SIG": _sign_text(key, build_signed_text(*answer, body))}


def force_checksum(body: bytes, wanted: int) -> bytes:
    """The body with blanks and tabs after it, such that its CRC32 is the wanted one.

    A checksum is linear: turning one blank into a tab flips the same bits of it whatever the others are, so the blanks
    to turn are the solution of 32 equations.
    """
    padded = bytearray(body + b" " * 64)
    plain = zlib.crc32(padded)
    rows: list[tuple[int, int]] = []  # the bits that are flipped, and by which blanks
    for position in range(64):
        padded[len(body) + position] = 0x09
        flips, positions = zlib.crc32(padded) ^ plain, 1 << position
        padded[len(body) + position] = 0x20
        flips, positions = _reduce_row(flips, positions, rows)
        if flips:
            rows.append((flips, positions))
    left, positions = _reduce_row(plain ^ wanted, 0, rows)
    if left:
        raise ValueError("the blanks do not reach this checksum")
    for position in range(64):
        if positions >> position & 1:
            padded[len(body) + position] = 0x09
    return bytes(padded)


def _reduce_row(flips: int, positions: int, rows: list[tuple[int, int]]) -> tuple[int, int]:
    for row, row_positions in rows:
        if flips ^ row < flips:
            flips, positions = flips ^ row, positions ^ row_positions
    return flips, positions


def _sign_text(key: rsa.RSAPrivateKey, text: bytes) -> str:
    return base64.b64encode(key.sign(text, padding.PKCS1v15(), hashes.SHA256())).decode()


def _generate_key() -> tuple[bytes, bytes]:
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(_NAME)
        .issuer_name(_NAME)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(_VALID_FROM)
        .not_valid_after(_VALID_UNTIL)
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    private = key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    return private, certificate.public_bytes(pem)
