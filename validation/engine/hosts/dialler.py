"""Opens a session with one of a domain's mail hosts: each host in order of preference, from one egress address."""

import asyncio
import os
import random
from collections.abc import Coroutine
from dataclasses import dataclass, field, replace
from typing import Any

from validation.engine.clock import Clock
from validation.engine.config import EngineConfig
from validation.engine.dns.lookups import HostAddresses, order_hosts, resolve_addresses
from validation.engine.dns.resolver import Resolver
from validation.engine.egress.addresses import Egress
from validation.engine.egress.connectors import Connector, RouteDownError, UnroutableError
from validation.engine.hosts.behaviour import RouteLog
from validation.engine.probes.failed_probes import (
    UnreachableError,
    build_attempt_probe,
    build_no_address_probe,
    choose_reported_failure,
)
from validation.engine.probes.probe import Probe
from validation.engine.smtp.reply_stream import ReplyStream
from validation.engine.smtp.session import Session, SessionSettings
from validation.engine.smtp.stages import SessionError, Stage, Trouble

_ADDRESSES_PER_HOST = 2


@dataclass(slots=True)
class Quirks:
    """What the hosts of one group are known not to support."""

    without_tls: set[str] = field(default_factory=set)
    step_by_step: bool = False


class Dialler:
    """Opens sessions, for all groups."""

    def __init__(self, config: EngineConfig, resolver: Resolver, clock: Clock, rng: random.Random) -> None:
        self._config = config
        self._resolver = resolver
        self._random = rng
        self.log = RouteLog(clock, config.profiles)
        self._settings = SessionSettings(
            config.helo, config.mail_from, config.greeting_s, config.reply_s, config.stall_s
        )

    async def dial(
        self, egress: Egress, exchanges: tuple[tuple[int, str], ...], quirks: Quirks, sender: str | None
    ) -> Session:
        """Open a session from one egress address with the first host that accepts it.

        `sender` replaces the configured sender where it is not None. Raises UnreachableError with the most telling
        failure.
        """
        settings = replace(
            self._settings,
            helo=egress.helo or self._settings.helo,
            mail_from=self._settings.mail_from if sender is None else sender,
        )
        failures: list[Probe] = []
        found: list[HostAddresses] = []
        for host in order_hosts(exchanges, self._random):
            addresses = await resolve_addresses(self._resolver, host)
            found.append(addresses)
            for ip in addresses.routable[:_ADDRESSES_PER_HOST]:
                try:
                    return await self._session(egress.connector, settings, host, ip, quirks)
                except SessionError as error:
                    failures.append(build_attempt_probe(error, egress.connector, host, ip))
                    if error.trouble is Trouble.NO_ROUTE:
                        raise UnreachableError(failures[-1], no_route=True) from error
        raise UnreachableError(choose_reported_failure(failures) if failures else build_no_address_probe(found))

    async def _session(
        self, connector: Connector, settings: SessionSettings, host: str, ip: str, quirks: Quirks
    ) -> Session:
        """Connect and say EHLO; once more without TLS where the handshake fails."""
        for use_tls in (True, False):
            if use_tls and ip in quirks.without_tls:
                continue
            wire = await self._connect(connector, ip)
            session = Session(wire, settings, host=host, ip=ip, route=connector.name)
            try:
                await session.open(use_tls=use_tls, pipelining=not quirks.step_by_step)
            except SessionError as error:
                await session.drop()
                if error.trouble is not Trouble.TLS or not use_tls:
                    raise
                quirks.without_tls.add(ip)
            except BaseException:
                await session.drop()
                raise
            else:
                return session
        raise SessionError(Stage.STARTTLS, Trouble.TLS, "the TLS handshake failed")

    async def _connect(self, connector: Connector, ip: str) -> ReplyStream:
        try:
            async with asyncio.timeout(self._config.connect_s):
                return await connector.connect(ReplyStream, ip, self._config.smtp_port)
        except RouteDownError as error:
            raise SessionError(Stage.CONNECT, Trouble.NO_ROUTE, str(error)) from error
        except OSError as error:
            raise SessionError(Stage.CONNECT, Trouble.UNREACHABLE, _describe_os_error(error)) from error


def _describe_os_error(error: OSError) -> str:
    """The text for evidence. The error's own text may name our proxy or our addresses."""
    if isinstance(error, TimeoutError):
        return "no connection in time"
    if isinstance(error, UnroutableError):
        return str(error)
    return os.strerror(error.errno).lower() if error.errno else "no connection"


async def end_session(ending: Coroutine[Any, Any, None]) -> None:
    """End a session even if the caller is cancelled: its connection slot is free only when it is gone."""
    task = asyncio.ensure_future(ending)
    try:
        await asyncio.shield(task)
    except asyncio.CancelledError:
        await task
        raise
