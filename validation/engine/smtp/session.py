"""The life of one SMTP session: greeting, EHLO, STARTTLS, envelopes that are never delivered, QUIT.

    S: 220 mx.shop.com ESMTP                     open: a refusal here is about us, nobody was named yet
    C: EHLO probe.ours.net                       HELO where EHLO is unknown; what is offered is in `extensions`
    S: 250-PIPELINING … 250 SMTPUTF8
    C: STARTTLS, handshake, EHLO                 where it is offered, or demanded by 530 at MAIL FROM
    C: MAIL FROM, RCPT TO …, RCPT TO, RSET       ask: one flush for all envelopes with PIPELINING (RFC 2920), else step
    S: 250, 250 …, 550, 250                      by step; replies that cannot belong to the commands end the session
    C: QUIT                                      quit; drop where the session is broken

Time is the event loop's: every wait ends, by a reply, by the server's leaving, or by the patience in
`SessionSettings`. Who opens sessions, and how often one is used, is decided elsewhere (`hosts`).

Only envelope commands are ever sent. DATA, VRFY and EXPN are not in this module's vocabulary, and no control character
can be part of a command. Certificates are not verified: they never decide a mailbox (RFC 7435).
"""

import asyncio
import re
import ssl
from collections.abc import Sequence
from dataclasses import dataclass, field

from validation.engine.smtp.reply_stream import (
    ClosedError,
    GarbledError,
    Reply,
    ReplyStream,
    WireError,
    clip_text,
)
from validation.engine.smtp.stages import SessionError, Stage, Trouble

_NOT_CONTROL = bytes(octet for octet in range(256) if octet >= 0x20 and octet != 0x7F)
_HOST_NAME = re.compile(r"(?:[A-Za-z0-9_-]{1,63}\.)*[A-Za-z0-9_-]{1,63}")
_LONGEST_NAME = 253
_WANTS_TLS = 530
_TRANSCRIPT_LINES = 30
_ACCEPTED = 250
_OUT_OF_STEP_TEXT = re.compile(r"pipelin|synchroni[sz]ation", re.IGNORECASE)
_OUT_OF_STEP_CODES = frozenset({220, 221, 334, 354, 503})


@dataclass(frozen=True, slots=True)
class SessionSettings:
    """Our names and time limits (seconds) in a session.

    `mail_from` is the first sender; "" is the null sender. `mailbox` is our configured sender mailbox; "" for none.
    Left out, it is `mail_from`; `dataclasses.replace` of `mail_from` keeps it.
    """

    helo: str
    mail_from: str
    greeting_s: float
    reply_s: float
    stall_s: float
    mailbox: str | None = None

    def __post_init__(self) -> None:
        if self.mailbox is None:
            object.__setattr__(self, "mailbox", self.mail_from)


@dataclass(slots=True)
class Envelope:
    """One transaction: its recipients and their replies, in order. A missing reply means that the session broke."""

    recipients: Sequence[str]
    smtputf8: bool = False
    mail: Reply | None = None
    replies: list[Reply] = field(default_factory=list)
    time_ms: float = 0.0


class Session:
    """One connection to one mail host, good for many envelopes."""

    def __init__(self, wire: ReplyStream, settings: SessionSettings, *, host: str, ip: str, route: str) -> None:
        self.host = host
        self.ip = ip
        self.route = route
        self.extensions: frozenset[str] = frozenset()
        self.tls = ""
        self.transcript: list[str] = []
        self.greeting = ""
        self.time_ms = 0.0
        self.round_s = 0.0
        self.timing = (0, 0.0, 0.0)
        self.recipients_sent = 0
        self.refused = 0
        self._wire = wire
        self._settings = settings
        self._heard_before = 0
        self.sender = settings.mail_from
        self.pipelining = False

    @property
    def heard(self) -> int:
        """The number of replies to the current commands, or to the last ones."""
        return self._wire.received - self._heard_before

    async def open(self, *, use_tls: bool, pipelining: bool) -> None:
        """Greeting, EHLO or HELO, STARTTLS where offered. Raises SessionError."""
        started = asyncio.get_running_loop().time()
        reply = await self._read_reply(Stage.GREETING, self._settings.greeting_s)
        if not reply.is_positive:
            raise SessionError(Stage.GREETING, Trouble.REFUSED, "the greeting turns us away", reply)
        self.greeting = reply.text
        await self._introduce()
        if use_tls and "STARTTLS" in self.extensions:
            await self._start_tls()
        self.pipelining = pipelining and "PIPELINING" in self.extensions
        taken_s = asyncio.get_running_loop().time() - started
        self.time_ms = taken_s * 1000
        self.round_s = taken_s / max(1, self._wire.received)

    async def send_envelopes(self, envelopes: Sequence[Envelope]) -> SessionError | None:
        """Send envelopes, in one flush where the server allows it.

        Returns the error that broke the session, or None. The replies received before it are in the envelopes.
        """
        started = asyncio.get_running_loop().time()
        self._heard_before = self._wire.received
        error = None
        try:
            await self._converse(envelopes)
            await self._retry_refused(envelopes)
        except SessionError as caught:
            error = caught.with_traceback(None)  # which holds this frame, and that the error
        taken_s = asyncio.get_running_loop().time() - started
        first_s = self._wire.first_at - started if self.pipelining else taken_s / max(1, self.heard)
        self.timing = (self.heard, first_s, taken_s)
        for envelope in envelopes:
            envelope.time_ms = taken_s * 1000
            self.recipients_sent += len(envelope.replies)
            self.refused += sum(not reply.is_positive for reply in envelope.replies)
        return error

    async def quit(self, wait_s: float = 1.0) -> None:
        """Say QUIT, wait a moment for the farewell and close; the connection is gone afterwards."""
        try:
            self._wire.ready.clear()
            self._wire.write(_encode_commands(["QUIT"]))
            await self._wire.wait(1, wait_s)
        except (WireError, TimeoutError):
            pass
        finally:
            self._wire.close()
            await self._wire.gone(wait_s)

    async def drop(self, wait_s: float = 1.0) -> None:
        """Close without a word, because the session is broken; the connection is gone afterwards."""
        self._wire.cut()
        await self._wire.gone(wait_s)

    async def _introduce(self) -> None:
        reply = await self._send_command(Stage.EHLO, f"EHLO {self._settings.helo}")
        if 500 <= reply.code < 600:
            first = reply
            reply = await self._send_command(Stage.EHLO, f"HELO {self._settings.helo}")
            if not reply.is_positive:
                raise SessionError(Stage.EHLO, Trouble.REFUSED, "neither EHLO nor HELO is accepted", first)
            self.extensions = frozenset()
            return
        if not reply.is_positive:
            raise SessionError(Stage.EHLO, Trouble.REFUSED, "EHLO is refused", reply)
        self.extensions = frozenset(line.split(" ", 1)[0].upper() for line in reply.lines[1:])

    async def _start_tls(self) -> None:
        reply = await self._send_command(Stage.STARTTLS, "STARTTLS")
        if not reply.is_positive:
            return
        wire = self._wire
        wire.forget_input()
        loop = asyncio.get_running_loop()
        try:
            if wire.transport is None:
                raise ClosedError("the connection is closed")
            async with asyncio.timeout(self._settings.reply_s):
                wire.transport = await loop.start_tls(
                    wire.transport, wire, _TLS, server_hostname=_choose_server_name(self.host)
                )
        except (OSError, WireError) as error:
            # Without the traceback, which holds this session.
            raise SessionError(Stage.STARTTLS, Trouble.TLS, "the TLS handshake failed") from error.with_traceback(None)
        secured = wire.transport.get_extra_info("ssl_object") if wire.transport else None
        self.tls = secured.version() or "TLS" if isinstance(secured, ssl.SSLObject) else "TLS"
        await self._introduce()

    async def _retry_refused(self, envelopes: Sequence[Envelope]) -> None:
        """Send refused envelopes again: once with TLS where the server demands it, and once with the other sender.

        The other sender is the null sender for a configured mailbox, and that mailbox for the null sender. Each is
        tried once, so a host that refuses both is soon left alone.
        """
        if not self.tls and any(
            envelope.mail.code == _WANTS_TLS for envelope in _list_refused(envelopes) if envelope.mail
        ):
            await self._start_tls()
            await self._send_again(_list_refused(envelopes))
        other = "" if self.sender else self._settings.mailbox or ""
        again = [
            envelope
            for envelope in _list_refused(envelopes)
            if _choose_sender(self.sender, envelope) != _choose_sender(other, envelope)
        ]
        if any(envelope.mail.code >= 500 for envelope in again if envelope.mail):
            self.sender = other
            await self._send_again(again)

    async def _send_again(self, envelopes: Sequence[Envelope]) -> None:
        for envelope in envelopes:
            envelope.mail = None
            envelope.replies = []
        await self._converse(envelopes)

    async def _converse(self, envelopes: Sequence[Envelope]) -> None:
        if self.pipelining:
            await self._send_pipelined(envelopes)
            return
        for envelope in envelopes:
            await self._send_step_by_step(envelope)

    def _commands(self, envelope: Envelope) -> list[str]:
        parameter = " SMTPUTF8" if envelope.smtputf8 else ""
        return [
            f"MAIL FROM:<{_choose_sender(self.sender, envelope)}>{parameter}",
            *[f"RCPT TO:<{recipient}>" for recipient in envelope.recipients],
            "RSET",
        ]

    async def _send_pipelined(self, envelopes: Sequence[Envelope]) -> None:
        """One flush (RFC 2920), the replies read in order."""
        wire = self._wire
        commands = [command for envelope in envelopes for command in self._commands(envelope)]
        try:
            try:
                wire.write(_encode_commands(commands))
                await wire.wait(len(commands), self._settings.stall_s)
            finally:
                _distribute_replies(wire.ready, envelopes)
        except (WireError, TimeoutError) as error:
            _check_envelopes(envelopes)
            started = envelopes[0].mail is not None
            stalled = started and isinstance(error, TimeoutError)
            raise _build_session_error(Stage.RCPT if started else Stage.MAIL, error, out_of_step=stalled) from error
        _check_envelopes(envelopes)

    async def _send_step_by_step(self, envelope: Envelope) -> None:
        mail, *recipients, reset = self._commands(envelope)
        envelope.mail = await self._send_command(Stage.MAIL, mail, quiet=True)
        if not envelope.mail.is_positive:
            return
        for command in recipients:
            reply = await self._send_command(Stage.RCPT, command, quiet=True)
            envelope.replies.append(reply)
            if reply.code == 421:
                raise SessionError(Stage.RCPT, Trouble.CLOSED, "the server ends the session", reply)
        await self._send_command(Stage.RCPT, reset, quiet=True)

    async def _send_command(self, stage: Stage, command: str, *, quiet: bool = False) -> Reply:
        try:
            self._wire.write(_encode_commands([command]))
        except WireError as error:
            raise _build_session_error(stage, error) from error
        if not quiet:
            self._note_line(f"C: {command}")
        return await self._read_reply(stage, self._settings.reply_s, quiet=quiet)

    async def _read_reply(self, stage: Stage, patience_s: float, *, quiet: bool = False) -> Reply:
        try:
            await self._wire.wait(1, patience_s)
        except (WireError, TimeoutError) as error:
            raise _build_session_error(stage, error) from error
        reply = self._wire.ready.pop(0)
        if not quiet:
            for line in reply.lines:
                self._note_line(f"S: {reply.code} {line}")
        return reply

    def _note_line(self, line: str) -> None:
        if len(self.transcript) < _TRANSCRIPT_LINES:
            self.transcript.append(clip_text(line))


def _list_refused(envelopes: Sequence[Envelope]) -> list[Envelope]:
    return [envelope for envelope in envelopes if envelope.mail is not None and not envelope.mail.is_positive]


def _choose_sender(sender: str, envelope: Envelope) -> str:
    """The sender for an envelope: the null sender where it would be the recipient itself."""
    return "" if sender in envelope.recipients else sender


def _distribute_replies(ready: list[Reply], envelopes: Sequence[Envelope]) -> None:
    """Assign to each envelope the replies that arrived."""
    start = 0
    for envelope in envelopes:
        end = start + len(envelope.recipients) + 2
        envelope.mail = ready[start] if start < len(ready) else None
        envelope.replies = ready[start + 1 : end - 1]
        start = end
    del ready[:start]


def _check_envelopes(envelopes: Sequence[Envelope]) -> None:
    for envelope in envelopes:
        _check_envelope(envelope)


def _check_envelope(envelope: Envelope) -> None:
    """Raise SessionError when the replies cannot belong to the commands. The next try goes step by step then."""
    mail = envelope.mail
    if mail is None:
        return
    if not mail.is_positive:
        if _OUT_OF_STEP_TEXT.search(mail.text):
            envelope.mail = None
            raise SessionError(Stage.MAIL, Trouble.OUT_OF_STEP, "the server refuses pipelining", mail)
        envelope.replies = []
        return
    for position, reply in enumerate(envelope.replies):
        if reply.code == _ACCEPTED:
            continue
        if reply.code in _OUT_OF_STEP_CODES or (reply.code >= 500 and _OUT_OF_STEP_TEXT.search(reply.text)):
            del envelope.replies[position:]
            raise SessionError(Stage.RCPT, Trouble.OUT_OF_STEP, "the server answers out of step", reply)
        if _names_another_recipient(reply.text, envelope.recipients[position], envelope.recipients):
            envelope.replies = []
            raise SessionError(Stage.RCPT, Trouble.OUT_OF_STEP, "the server answers for another recipient", reply)


def _names_another_recipient(text: str, recipient: str, recipients: Sequence[str]) -> bool:
    """Whether a reply names another recipient than `recipient`. No reply can be trusted then."""
    if "@" not in text or recipient in text:
        return False
    return any(f"<{other}>" in text for other in recipients)


def _build_session_error(stage: Stage, error: Exception, *, out_of_step: bool = False) -> SessionError:
    if out_of_step:
        return SessionError(stage, Trouble.OUT_OF_STEP, "the server answers fewer commands than it was sent")
    if isinstance(error, TimeoutError):
        return SessionError(stage, Trouble.TIMEOUT, f"no reply in time at {stage}")
    trouble = Trouble.GARBLED if isinstance(error, GarbledError) else Trouble.CLOSED
    return SessionError(stage, trouble, f"{error} at {stage}")


def _encode_commands(commands: Sequence[str]) -> bytes:
    """The octets of some command lines.

    Raises ValueError for a control character inside a command. Parsed addresses contain none, so the only control
    characters are the CR and LF at the end of each line.
    """
    data = ("\r\n".join(commands) + "\r\n").encode()
    if data.translate(None, _NOT_CONTROL) != b"\r\n" * len(commands):
        raise ValueError("a control character in a command")
    return data


def _choose_server_name(host: str) -> str | None:
    """The server name for the TLS handshake (RFC 6066 section 3); None for names that are only valid in the DNS.

    The ssl module raises ValueError for such a name, an empty label for instance. No certificate depends on it here.
    """
    return host if len(host) <= _LONGEST_NAME and _HOST_NAME.fullmatch(host) else None


def _build_tls_context() -> ssl.SSLContext:
    """Opportunistic TLS: any certificate, old versions too, because the alternative would be clear text."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.set_ciphers("DEFAULT:@SECLEVEL=0")
    return context


_TLS = _build_tls_context()
