"""Getting a session with one of a domain's mail hosts: every host in preference order, over every healthy route."""

import asyncio
import os
import random
from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, field, replace

from validation.engine.clock import Clock
from validation.engine.config import EngineConfig
from validation.engine.dns import Resolver
from validation.engine.mailhosts import HostAddresses, dial_order, find_addresses
from validation.engine.probing import Probe
from validation.engine.replies import Reading, Subject, classify
from validation.engine.routelog import EVERY_OPERATOR, RouteLog, RouteState
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
    """No session with any host; `probe` says why."""

    def __init__(self, probe: Probe) -> None:
        super().__init__(probe.detail)
        self.probe = probe


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
    """Opens sessions. One for all groups; it remembers which route an operator turned away."""

    def __init__(
        self,
        config: EngineConfig,
        resolver: Resolver,
        connectors: Sequence[Connector],
        clock: Clock,
        rng: random.Random,
    ) -> None:
        self._config = config
        self._resolver = resolver
        self._connectors = tuple(connectors)
        self._clock = clock
        self._random = rng
        self._resting: dict[tuple[str, str], float] = {}
        self.log = RouteLog(clock, config.profiles)
        self._manners = Manners(config.helo, config.mail_from, config.greeting_s, config.reply_s, config.stall_s)

    def again(self, route: str, sender: str) -> "Dialler":
        """This dialler, bound to one route where that is still configured, and to a sender."""
        bound = copy(self)
        bound._connectors = tuple(way for way in self._connectors if way.name == route) or self._connectors
        bound._manners = replace(self._manners, mail_from=sender)
        return bound

    def rest(self, route: str, operator: str, said: str) -> bool:
        """Leave the operator, who `said` why, alone on this route for a while. Answers whether another is left."""
        self.log.refused(route, operator, RouteState.BLOCKED, said, self._config.rest_s)
        now = self._clock.monotonic()
        for key in [key for key, until in self._resting.items() if until <= now]:
            del self._resting[key]
        self._resting[(route, operator)] = now + self._config.rest_s
        return bool(self._routes(operator))

    async def dial(self, exchanges: tuple[tuple[int, str], ...], operator: str, quirks: Quirks) -> Session:
        """A session with the first host that has us. Raises UnreachableError with the most telling failure."""
        failures: list[Probe] = []
        found: list[HostAddresses] = []
        for connector in self._routes(operator) or self._connectors[:1]:
            session = await self._dial_by(connector, exchanges, quirks, failures, found)
            if session is not None:
                return session
            if failures:
                self._learn(connector.name, operator, failures[-1])
        raise UnreachableError(_most_telling(failures) if failures else _nowhere_to_go(found))

    def _learn(self, route: str, operator: str, failure: Probe) -> None:
        """No host had us by this route."""
        if failure.reading.subject is Subject.US:
            self.rest(route, operator, failure.said)
        elif failure.reply is not None:
            self.log.refused(route, operator, RouteState.BACKING_OFF, failure.said, self._config.backoff_s)

    async def _dial_by(
        self,
        connector: Connector,
        exchanges: tuple[tuple[int, str], ...],
        quirks: Quirks,
        failures: list[Probe],
        found: list[HostAddresses],
    ) -> Session | None:
        """A session by one route, or None with what went wrong added to `failures` and `found`."""
        for host in dial_order(exchanges, self._random):
            addresses = await find_addresses(self._resolver, host)
            found.append(addresses)
            for ip in addresses.routable[:_ADDRESSES_PER_HOST]:
                try:
                    return await self._session(connector, host, ip, quirks)
                except SessionError as error:
                    failures.append(_attempt(error, connector, host, ip))
                    if error.trouble is Trouble.NO_ROUTE:
                        self.rest(connector.name, EVERY_OPERATOR, error.detail)
                        return None
        return None

    def _routes(self, operator: str) -> list[Connector]:
        """The ways that lead somewhere and were not turned away by the operator."""
        now = self._clock.monotonic()

        def is_open(route: str) -> bool:
            return all(self._resting.get((route, who), 0.0) <= now for who in (operator, EVERY_OPERATOR))

        return [connector for connector in self._connectors if is_open(connector.name)]

    async def _session(self, connector: Connector, host: str, ip: str, quirks: Quirks) -> Session:
        """Connect and introduce ourselves; once more in clear where the TLS handshake fails."""
        for use_tls in (True, False):
            if use_tls and ip in quirks.without_tls:
                continue
            wire = await self._connect(connector, ip)
            session = Session(wire, self._manners, host=host, ip=ip, route=connector.name)
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


def _most_telling(failures: list[Probe]) -> Probe:
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
