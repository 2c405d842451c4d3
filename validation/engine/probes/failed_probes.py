"""Probes of addresses that nobody was asked about, or whose session failed."""

from collections.abc import Sequence

from validation.engine.dns.lookups import HostAddresses
from validation.engine.egress.connectors import Connector
from validation.engine.probes.probe import Probe
from validation.engine.replies.classifier import classify
from validation.engine.replies.readings import Reading, Subject
from validation.engine.smtp.reply_stream import clip_text
from validation.engine.smtp.stages import SessionError, Stage, Trouble
from validation.engine.vocabulary import Reason, Wait, WaitCause

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
    """No host gave a session; `probe` says why. `no_route`: the egress address itself leads nowhere."""

    def __init__(self, probe: Probe, *, no_route: bool = False) -> None:
        super().__init__(probe.detail)
        self.probe = probe
        self.no_route = no_route


def build_failure_probe(error: SessionError, provider: str = "") -> Probe:
    """The probe of recipients that a broken session left without an answer."""
    if error.reply is not None and error.trouble is not Trouble.OUT_OF_STEP:
        reading = classify(error.reply, stage=error.stage, provider=provider)
        return Probe(reading, error.stage, error.reply, detail=error.detail)
    about_load = error.trouble in (Trouble.CLOSED, Trouble.OUT_OF_STEP)
    subject = Subject.LOAD if about_load else Subject.MOMENT
    return Probe(Reading(_REASONS[error.trouble], subject, "connection"), error.stage, detail=error.detail)


def build_attempt_probe(error: SessionError, connector: Connector, host: str, ip: str) -> Probe:
    probe = build_failure_probe(error)
    reply_text = clip_text(f": {error.reply}", 120) if error.reply else ""
    note = f"{host} [{ip}], {connector.name}: {error.detail}{reply_text}"
    return Probe(probe.reading, probe.stage, probe.reply, detail=probe.detail, attempts=(note,))


def choose_reported_failure(failures: Sequence[Probe]) -> Probe:
    """The failure to report of several at a domain's hosts, with notes on all."""
    notes = tuple(note for probe in failures for note in probe.attempts)
    ranked = [probe for reason in _TELLING for probe in failures if probe.reading.reason is reason]
    chosen = (ranked or failures)[0]
    return Probe(chosen.reading, chosen.stage, chosen.reply, detail=chosen.detail, attempts=notes)


def build_no_address_probe(found: list[HostAddresses]) -> Probe:
    """No host has an address that may be dialled."""
    if any(addresses.failed for addresses in found):
        reading = Reading(Reason.DNS_ERROR, Subject.MOMENT, "DNS")
        return Probe(reading, Stage.CONNECT, detail="the addresses of the mail hosts could not be looked up")
    refused = ", ".join(ip for addresses in found for ip in addresses.refused)
    detail = f"no mail host has a public address ({refused})" if refused else "no mail host has an address"
    return Probe(Reading(Reason.BOGUS_MX, Subject.DOMAIN, "DNS"), Stage.CONNECT, detail=detail)


NO_SESSION_IN_TIME = build_failure_probe(SessionError(Stage.CONNECT, Trouble.TIMEOUT, "no session in time"))


SESSION_ENDED_EARLY = Probe(
    Reading(Reason.TEMPORARY, Subject.LOAD, "connection"), Stage.RCPT, detail="the session ended early"
)


INTERNAL_FAULT = Probe(Reading(Reason.TEMPORARY, Subject.MOMENT, "engine"), Stage.CONNECT, detail="a fault of our own")


_LIMIT = Reading(Reason.NOT_ASKED, Subject.MOMENT, "limit")


_DETAILS = {
    WaitCause.RATE: "not asked yet: our own limit of questions a minute",
    WaitCause.SESSION: "not asked yet: as many sessions are open as may be",
    WaitCause.EGRESS: "not asked yet: our egress addresses rest there",
    WaitCause.LOOKUP: "not looked up yet: our own limit of look-ups at once",
}


def build_unasked_probe(wait: Wait) -> Probe:
    """The probe of an address that nobody was asked about yet."""
    return Probe(_LIMIT, Stage.CONNECT, detail=_DETAILS[wait.cause], wait=wait)
