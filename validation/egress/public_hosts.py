"""Connections to customers' endpoints: the name is looked up once, and refused unless every address is public.

The connection goes to exactly that address. So neither a private address nor a name that changes between look-ups leads
into our network.
"""

import ssl
from functools import lru_cache
from pathlib import Path
from urllib.parse import urlsplit

import dns.exception
import dns.nameserver
import dns.resolver
import httpcore2
from django.conf import settings

from emailcheck.common.outbound.http import Dial, NotSent, Stream
from validation.engine.egress.routable import is_ip_address, is_routable
from validation.engine.egress.socks5 import dialogue

RESOLVE_S = 5.0
_MOST_ADDRESSES = 3  # tried one after another
_SOCKS_PORT = 1080


class NotFound(NotSent):
    """The name has no address, or the look-up failed."""


class NotPublic(NotSent):
    """An address behind the name is not on the public internet."""


def resolve_public(host: str) -> list[str]:
    """The addresses of a host, IPv4 first; `host` may be an address. Raises `NotFound`, `NotPublic`."""
    found = [host] if is_ip_address(host) else _resolve_host(host)
    if not all(is_routable(address) for address in found):
        raise NotPublic("not a public address")
    return found


def dial_public(host: str, port: int, dial: Dial) -> Stream:
    """Connect to the host at one of its checked addresses, directly or through `WEBHOOK_ROUTE`."""
    last: Exception = NotFound("no address")
    for address in resolve_public(host)[:_MOST_ADDRESSES]:
        try:
            return _dial_address(address, port, dial)
        except (httpcore2.ConnectError, httpcore2.ConnectTimeout, NotSent) as error:
            last = error
    raise last


def tls_context() -> ssl.SSLContext:
    """The trusted certificates: those of `WEBHOOK_CA_FILE`, or else of the machine's authorities. Raises `OSError`."""
    file = settings.WEBHOOK_CA_FILE
    return _trusted_context(str(file), Path(file).stat().st_mtime_ns) if file else _trusted_context("", 0)


@lru_cache(maxsize=4)
def _trusted_context(file: str, changed_at: int) -> ssl.SSLContext:
    return ssl.create_default_context(cafile=file or None)


def _resolve_host(host: str) -> list[str]:
    try:
        resolver = dns.resolver.Resolver(configure=not settings.VERIFIER_DNS)
        if settings.VERIFIER_DNS:
            resolver.nameservers = [dns.nameserver.Do53Nameserver(*server) for server in settings.VERIFIER_DNS]
        answers = resolver.resolve_name(f"{host}.", lifetime=RESOLVE_S)
    except dns.exception.DNSException as error:
        raise NotFound(type(error).__name__) from error
    found = sorted(answers.addresses(), key=lambda address: ":" in address)
    if not found:
        raise NotFound("no address")
    return found


def _dial_address(address: str, port: int, dial: Dial) -> Stream:
    if settings.WEBHOOK_ROUTE == "direct":
        return dial(address, port)
    proxy = urlsplit(settings.WEBHOOK_ROUTE)
    stream = dial(proxy.hostname or "", proxy.port or _SOCKS_PORT)
    try:
        _connect_by_proxy(stream, address, port)
    except BaseException:
        stream.close()
        raise
    return stream


def _connect_by_proxy(stream: Stream, address: str, port: int) -> None:
    """Connect to the address through a SOCKS5 proxy without a password."""
    socks = dialogue(address, port)
    try:
        request, awaited = next(socks)
        while True:
            stream.write(request)
            request, awaited = socks.send(_read_exactly(stream, awaited))
    except StopIteration:
        return
    except OSError as error:
        raise NotSent(str(error)) from error


def _read_exactly(stream: Stream, count: int) -> bytes:
    taken = b""
    while len(taken) < count:
        some = stream.read(count - len(taken))
        if not some:
            raise NotSent("the proxy closed the connection")
        taken += some
    return taken
