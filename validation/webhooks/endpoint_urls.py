"""Checks an endpoint's URL: `https`, a public host, no internal address."""

import socket
from ipaddress import IPv6Address
from typing import NamedTuple
from urllib.parse import SplitResult, quote, urlsplit

import idna

from emailcheck.common.errors import BadInput
from validation.egress import public_hosts
from validation.egress.public_hosts import NotFound, NotPublic

HTTPS = "The address must begin with https:// and name a host."
MALFORMED = "The address cannot be read. Check it for typos."
TOO_LONG = "The address is too long."
PORT = "The address may not name another port than 443."
LOGIN = "The address may not hold a organisation name or password. The signature proves that we are the sender."
PRIVATE = "The address must lead to a public host. This one leads to a private or reserved network."
UNKNOWN = "The host of the address could not be found in the DNS. Check it for typos, or try again later."
LONGEST = 1_000
# Characters that stay as they are in a path and query (RFC 3986); `%` starts an encoded one.
_SAFE = "/?:@!$&'()*+,;=-._~%"


class EndpointUrl(NamedTuple):
    """A URL in its normal form, and its host."""

    url: str
    host: str


def check_url(text: str) -> EndpointUrl:
    """The URL as it is stored, after its host was looked up. Raises `BadInput` (`INVALID_WEBHOOK_URL`)."""
    endpoint = _parse_url(text.strip())
    try:
        public_hosts.resolve_public(endpoint.host)
    except NotPublic as error:
        raise _build_refusal(PRIVATE, text) from error
    except NotFound as error:
        raise _build_refusal(UNKNOWN, text) from error
    return endpoint


def _parse_url(text: str) -> EndpointUrl:
    parts, port = _split_url(text)
    if parts.scheme.lower() != "https" or not parts.hostname:
        raise _build_refusal(HTTPS, text)
    if "@" in parts.netloc:
        raise _build_refusal(LOGIN, text)
    if port not in {None, 443}:
        raise _build_refusal(PORT, text)
    host = _normalize_host(parts.hostname, text)
    path = quote(parts.path or "/", safe=_SAFE)
    query = f"?{quote(parts.query, safe=_SAFE)}" if parts.query else ""
    url = f"https://{f'[{host}]' if ':' in host else host}{path}{query}"
    if len(url) > LONGEST:
        raise _build_refusal(TOO_LONG, text)
    return EndpointUrl(url, host)


def _split_url(text: str) -> tuple[SplitResult, int | None]:
    if any(character <= " " or character in "\x7f\\" for character in text):
        raise _build_refusal(MALFORMED, text)
    try:
        parts = urlsplit(text)
        return parts, parts.port
    except ValueError as error:
        raise _build_refusal(MALFORMED, text) from error


def _normalize_host(text: str, url: str) -> str:
    """A host in its normal form: A-labels, or an address in plain notation, from any digits."""
    if ":" in text:
        try:
            return str(IPv6Address(text))
        except ValueError as error:
            raise _build_refusal(MALFORMED, url) from error
    try:
        name = idna.encode(text.rstrip("."), uts46=True).decode("ascii").lower()
    except idna.IDNAError as error:
        raise _build_refusal(MALFORMED, url) from error
    # Like browsers: a last label that is a number makes an IPv4 address, also in octal, in hex and with parts left out.
    if _is_number(name.rpartition(".")[2]):
        try:
            return socket.inet_ntoa(socket.inet_aton(name))
        except OSError as error:
            raise _build_refusal(MALFORMED, url) from error
    if "." not in name:
        raise _build_refusal(PRIVATE, url)
    return name


def _is_number(label: str) -> bool:
    try:
        int(label, 16 if label.startswith("0x") else 10)
    except ValueError:
        return False
    return True


def _build_refusal(detail: str, url: str) -> BadInput:
    return BadInput(detail, code="INVALID_WEBHOOK_URL", field="url", value=url)
