"""Getting a session with one of a domain's mail hosts: every host in preference order, by one egress address."""

import asyncio
import os
import random
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from validation.engine.clock import Clock
from validation.engine.config import EngineConfig
from validation.engine.dns import Resolver
from validation.engine.egress import Egress
from validation.engine.mailhosts import HostAddresses, dial_order, find_addresses
from validation.engine.probing import Probe
from validation.engine.replies import Reading, Subject, classify
from validation.engine.routelog import RouteLog
from validation.engine.routes import Connector, RouteDownError, UnroutableError
from validation.engine.smtp import Manners, Session, SessionError, Stage, Trouble
from validation.engine.vocabulary import Reason
from validation.engine.wire import ReplyStream, clipped

_ADDRESSES_PER_HOST = 2
_REASONS = {
    Trouble.NO_ROUTE: Reason.CONNECT_FAILED,
    Trouble.UNREACHABLE: Reason.CONNECT_FAILED,
    Trouble.TIMEOUT: Reason.TIMEOUT,
    Trouble.CLOSED: Reason.CONNECT_FAILED,
    Trouble.GARBLED: Reason.PROTOCOL_ERROR,
    Trouble.REFUSED: Reason.BLOCKED,
    Trouble.TLS: Reason.PROTOCOL_ERROR,
    Trouble.OUT_OF_STEP: Reason.PROTOCOL_ERROR,
}
# When several hosts fail in different ways, the most telling failure is the one reported.
_TELLING = (Reason.BLOCKED, Reason.GREYLISTED, Reason.RATE_LIMITED, Reason.TEMPORARY, Reason.PROTOCOL_ERROR)


class UnreachableError(Exception):
    """No session with any host; `probe` says why. `no_route`: the egress address itself leads nowhere."""

    def __init__(self, probe: Probe, *, no_route: bool = False) -> None:
        super().__init__(probe.detail)
        self.probe = probe
        self.no_route = no_route


@dataclass(slots=True)
class Quirks:
    """What was learned about the hosts of one group: what they cannot do."""

    without_tls: set[str] = field(default_factory=set)
    step_by_step: bool = False


def probe_of(error: SessionError, provider: str = "") -> Probe:
    """What a broken session means for those whom it left without an answer."""
    if error.reply is not None and error.trouble is not Trouble.OUT_OF_STEP:
        reading = classify(error.reply, stage=error.stage, provider=provider)
        return Probe(reading, error.stage, error.reply, detail=error.detail)
    about_load = error.trouble in (Trouble.CLOSED, Trouble.OUT_OF_STEP)
    subject = Subject.LOAD if about_load else Subject.MOMENT
    return Probe(Reading(_REASONS[error.trouble], subject, "connection"), error.stage, detail=error.detail)


class Dialler:
    """Opens sessions, for all groups."""

    def __init__(self, config: EngineConfig, resolver: Resolver, clock: Clock, rng: random.Random) -> None:
        self._config = config
        self._resolver = resolver
        self._random = rng
        self.log = RouteLog(clock, config.profiles)
        self._manners = Manners(config.helo, config.mail_from, config.greeting_s, config.reply_s, config.stall_s)

    async def dial(
        self, egress: Egress, exchanges: tuple[tuple[int, str], ...], quirks: Quirks, sender: str | None
    ) -> Session:
        """A session by one egress address with the first host that has us; `sender` is another than the configured
        one where it is not None. Raises UnreachableError with the most telling failure."""
        manners = replace(
            self._manners,
            helo=egress.helo or self._manners.helo,
            mail_from=self._manners.mail_from if sender is None else sender,
        )
        failures: list[Probe] = []
        found: list[HostAddresses] = []
        for host in dial_order(exchanges, self._random):
            addresses = await find_addresses(self._resolver, host)
            found.append(addresses)
            for ip in addresses.routable[:_ADDRESSES_PER_HOST]:
                try:
                    return await self._session(egress.connector, manners, host, ip, quirks)
                except SessionError as error:
                    failures.append(_attempt(error, egress.connector, host, ip))
                    if error.trouble is Trouble.NO_ROUTE:
                        raise UnreachableError(failures[-1], no_route=True) from error
        raise UnreachableError(most_telling(failures) if failures else _nowhere_to_go(found))

    async def _session(self, connector: Connector, manners: Manners, host: str, ip: str, quirks: Quirks) -> Session:
        """Connect and introduce ourselves; once more in clear where the TLS handshake fails."""
        for use_tls in (True, False):
            if use_tls and ip in quirks.without_tls:
                continue
            wire = await self._connect(connector, ip)
            session = Session(wire, manners, host=host, ip=ip, route=connector.name)
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
            raise SessionError(Stage.CONNECT, Trouble.UNREACHABLE, _why(error)) from error


def _why(error: OSError) -> str:
    """What a customer may read. The error's own text may name our proxy or our addresses."""
    if isinstance(error, TimeoutError):
        return "no connection in time"
    if isinstance(error, UnroutableError):
        return str(error)
    return os.strerror(error.errno).lower() if error.errno else "no connection"


def _attempt(error: SessionError, connector: Connector, host: str, ip: str) -> Probe:
    probe = probe_of(error)
    said = clipped(f": {error.reply}", 120) if error.reply else ""
    note = f"{host} [{ip}], {connector.name}: {error.detail}{said}"
    return Probe(probe.reading, probe.stage, probe.reply, detail=probe.detail, attempts=(note,))


def most_telling(failures: Sequence[Probe]) -> Probe:
    """Of several failures with the hosts of a domain the one to report, with notes on all."""
    notes = tuple(note for probe in failures for note in probe.attempts)
    ranked = [probe for reason in _TELLING for probe in failures if probe.reading.reason is reason]
    chosen = (ranked or failures)[0]
    return Probe(chosen.reading, chosen.stage, chosen.reply, detail=chosen.detail, attempts=notes)


def _nowhere_to_go(found: list[HostAddresses]) -> Probe:
    """No host has an address that may be dialled."""
    if any(addresses.failed for addresses in found):
        reading = Reading(Reason.DNS_ERROR, Subject.MOMENT, "DNS")
        return Probe(reading, Stage.CONNECT, detail="the addresses of the mail hosts could not be looked up")
    refused = ", ".join(ip for addresses in found for ip in addresses.refused)
    detail = f"no mail host has a public address ({refused})" if refused else "no mail host has an address"
    return Probe(Reading(Reason.BOGUS_MX, Subject.DOMAIN, "DNS"), Stage.CONNECT, detail=detail)


async def end_session(ending: Coroutine[Any, Any, None]) -> None:
    """End a session whatever happens meanwhile: its place is free only when it is gone."""
    task = asyncio.ensure_future(ending)
    try:
        await asyncio.shield(task)
    except asyncio.CancelledError:
        await task
        raise
