"""Verify PayPal's webhooks: certificate, signature over the body's CRC32, and the event as PayPal's API has it."""

import base64
import binascii
import re
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from urllib.parse import urlsplit

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from cryptography.hazmat.primitives.hashes import SHA256

from billing.payments.paypal import parsers
from billing.payments.paypal.errors import Missing, UnexpectedAnswer, Unreachable, WebhookRefused
from billing.payments.paypal.strict_json import parse_json
from billing.payments.paypal.types import Event
from emailcheck.common.outbound.http import Origin, OutboundError

_MAX_BODY = 256 * 1024
_MAX_CERTIFICATE = 64 * 1024
_MOST_CERTIFICATES = 8
_LEAST_KEY_BITS = 2048
_CERTIFICATE_PATH = re.compile(r"/v1/notifications/certs/[A-Za-z0-9_-]{1,120}")
_SAFE = re.compile(r"[!-~]{1,600}")


@dataclass(frozen=True, slots=True)
class _Delivery:
    transmission_id: str
    time: str
    signature: bytes
    certificate_url: str


class WebhookVerifier:
    """Deliveries for one webhook id. May be shared between threads."""

    def __init__(self, api_base: str, webhook_id: str) -> None:
        parts = urlsplit(api_base)
        # Certificates live at the older name of the same service: api.paypal.com beside api-m.paypal.com.
        older = parts.netloc.replace("api-m.", "api.", 1)
        self._origins = {host: Origin(f"{parts.scheme}://{host}", max_bytes=_MAX_CERTIFICATE)
                         for host in (parts.netloc, older)}  # fmt: skip
        self._scheme = parts.scheme
        self._webhook_id = webhook_id
        self._keys: dict[str, tuple[rsa.RSAPublicKey, datetime]] = {}

    def confirm(self, headers: Mapping[str, str], body: bytes, fetch_event: Callable[[str], Event]) -> Event:
        """PayPal's own copy of the event that was delivered. Raises `WebhookRefused`, `PayPalError`."""
        if len(body) > _MAX_BODY:
            raise WebhookRefused("The event is too long.")
        delivery = _parse_headers(headers)
        signed = f"{delivery.transmission_id}|{delivery.time}|{self._webhook_id}|{zlib.crc32(body)}"
        try:
            self._key(delivery.certificate_url).verify(
                delivery.signature, signed.encode(), padding.PKCS1v15(), SHA256()
            )
        except InvalidSignature as error:
            raise WebhookRefused("The signature is not PayPal's for this event.") from error
        try:
            delivered = parsers.parse_event(parse_json(body))
            original = fetch_event(delivered.id)
        except UnexpectedAnswer as error:
            raise WebhookRefused("This is no event as PayPal sends them.") from error
        except Missing as error:
            raise WebhookRefused("PayPal knows no such event.") from error
        if original != delivered:
            raise WebhookRefused("PayPal tells this event differently.")
        return original

    def _key(self, url: str) -> rsa.RSAPublicKey:
        key, ends = self._keys.get(url) or self._fetch_key(url)
        if ends <= datetime.now(UTC):
            raise WebhookRefused("The certificate has expired.")
        if len(self._keys) >= _MOST_CERTIFICATES:
            self._keys.clear()
        self._keys[url] = key, ends
        return key

    def _fetch_key(self, url: str) -> tuple[rsa.RSAPublicKey, datetime]:
        """The key of a certificate, which PayPal's own host must serve: that is what makes it PayPal's."""
        parts = urlsplit(url)
        origin = self._origins.get(parts.netloc)
        if parts.scheme != self._scheme or origin is None or not _CERTIFICATE_PATH.fullmatch(parts.path):
            raise WebhookRefused("The certificate is not at PayPal.")
        if url != f"{parts.scheme}://{parts.netloc}{parts.path}":
            raise WebhookRefused("The certificate is not at PayPal.")
        try:
            answer = origin.send("GET", parts.path)
        except OutboundError as error:
            raise Unreachable(f"no certificate: {error}") from error
        if answer.status >= 500:
            raise Unreachable(f"no certificate: {answer.status}")
        return _parse_certificate(answer.body)


def _parse_headers(headers: Mapping[str, str]) -> _Delivery:
    by_name = {name.lower(): value for name, value in headers.items()}
    names = ("transmission-id", "transmission-time", "transmission-sig", "cert-url", "auth-algo")
    found = [by_name.get(f"paypal-{name}", "") for name in names]
    if not all(map(_SAFE.fullmatch, found)) or any("|" in part for part in found):
        raise WebhookRefused("The headers of a PayPal event are missing.")
    if found[4] != "SHA256withRSA":
        raise WebhookRefused("The event is signed in another way than PayPal signs.")
    try:
        signature = base64.b64decode(found[2], validate=True)
    except binascii.Error as error:
        raise WebhookRefused("The signature is not PayPal's for this event.") from error
    return _Delivery(found[0], found[1], signature, found[3])


def _parse_certificate(pem: bytes) -> tuple[rsa.RSAPublicKey, datetime]:
    try:
        certificate = x509.load_pem_x509_certificates(pem)[0]
        key = certificate.public_key()
    except ValueError as error:
        raise WebhookRefused("There is no certificate at that address.") from error
    if not isinstance(key, rsa.RSAPublicKey) or key.key_size < _LEAST_KEY_BITS:
        raise WebhookRefused("The certificate's key is not of PayPal's kind.")
    if certificate.not_valid_before_utc > datetime.now(UTC):
        raise WebhookRefused("The certificate is not valid yet.")
    return key, certificate.not_valid_after_utc
