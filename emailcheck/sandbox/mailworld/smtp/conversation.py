"""One SMTP session of a simulated mail host (RFC 5321): octets in, octets out, no I/O of its own."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum, auto

from emailcheck.sandbox.mailworld.scenario.expectations import decide_mailbox_state
from emailcheck.sandbox.mailworld.scenario.limits import Limit
from emailcheck.sandbox.mailworld.scenario.mailboxes import State
from emailcheck.sandbox.mailworld.scenario.world import Greeting, Operator, Recipient, Sender, StartTls, World
from emailcheck.sandbox.mailworld.smtp.greylist import Greylist
from emailcheck.sandbox.mailworld.smtp.replies import Replies
from emailcheck.sandbox.mailworld.smtp.stats import HostVisit

_MAX_LINE = 2048
_REVERSE_PATH = re.compile(rb"(?i)MAIL FROM:\s?<([^>]*)>(.*)", re.DOTALL)
_FORWARD_PATH = re.compile(rb'(?i)RCPT TO:\s?<((?:"(?:[^"\\]|\\.)*"|[^">])+)>', re.DOTALL)
_GREETING_REPLIES = {Greeting.BLOCKED: "greeting_blocked", Greeting.BUSY: "greeting_busy"}
_GREETING_REPLIES |= {Greeting.GARBAGE: "greeting_garbage", Greeting.NORMAL: "greeting"}


class NextStep(Enum):
    """The next step of the connection after the reply."""

    KEEP = auto()
    CLOSE = auto()
    ABORT = auto()
    START_TLS = auto()


@dataclass(frozen=True, slots=True)
class ServerTurn:
    """A reply of the host after `delay` seconds, and the connection's next step."""

    data: bytes
    delay: float = 0.0
    then: NextStep = NextStep.KEEP


@dataclass(frozen=True, slots=True)
class HostSite:
    """Shared by the sessions of one operator."""

    world: World
    operator: Operator
    replies: Replies
    greylist: Greylist


class Conversation:
    """The server's side of one session. `visit` counts it, by the address that the host knows the peer by."""

    def __init__(self, site: HostSite, visit: HostVisit) -> None:
        self._world, self._operator = site.world, site.operator
        self._replies, self._greylist = site.replies, site.greylist
        self._counters, self._tally = visit.counters, visit.tally
        self._source, self._is_admitted = visit.source, visit.is_admitted
        self._now = 0.0
        self._buffer = b""
        self._then = NextStep.KEEP
        self._secured = False
        self._sender: str | None = None
        self._utf8 = False
        self._in_transaction = 0
        self._in_session = 0
        self._errors = 0

    def greet(self) -> ServerTurn:
        """The host's first turn on a connection."""
        operator = self._operator
        if operator.greeting is Greeting.DROP:
            return ServerTurn(b"", then=NextStep.ABORT)
        if operator.greeting is Greeting.SILENT:
            return ServerTurn(b"")
        if operator.greeting is Greeting.FLOOD:
            return ServerTurn(self._replies.flood())
        if not self._is_admitted:
            return ServerTurn(self._replies.to_source("greeting_busy", self._source), then=NextStep.CLOSE)
        then = NextStep.CLOSE if operator.greeting in {Greeting.BLOCKED, Greeting.BUSY} else NextStep.KEEP
        return ServerTurn(self._replies[_GREETING_REPLIES[operator.greeting]], operator.greeting_delay, then)

    def receive(self, data: bytes, *, waiting: bool = False) -> ServerTurn:
        """Answer received octets. `waiting`: an earlier reply was not sent yet."""
        *lines, self._buffer = (self._buffer + data).split(b"\n")
        if self._operator.greeting is Greeting.SILENT:
            return ServerTurn(b"")
        if len(self._buffer) > _MAX_LINE:
            return ServerTurn(b"500 5.5.2 Line too long\r\n", then=NextStep.CLOSE)
        if not self._operator.pipelining and (len(lines) > 1 or (lines and waiting)):
            return ServerTurn(b"554 SMTP synchronization error\r\n", then=NextStep.CLOSE)
        self._now = self._tally.moment()
        self._counters.largest_flush = max(self._counters.largest_flush, len(lines))
        replies: list[bytes] = []
        for line in lines:
            replies.append(self._command(line.rstrip(b"\r")))
            if self._then is not NextStep.KEEP:
                break
        return ServerTurn(b"".join(replies), self._operator.reply_delay * len(replies), self._then)

    def secured(self) -> None:
        """The TLS handshake is done: the session starts anew (RFC 3207 section 4.2)."""
        self._secured = True
        self._then = NextStep.KEEP
        self._buffer = b""
        self._reset()

    def _command(self, line: bytes) -> bytes:
        name, handler = _VERBS.get(line[:4].upper(), _UNKNOWN)
        self._counters.commands[name] += 1
        return handler(self, line)

    def _reset(self) -> None:
        self._sender = None
        self._utf8 = False
        self._in_transaction = 0

    def _ehlo(self, line: bytes) -> bytes:
        self._reset()
        return self._replies.extensions(self._source, secured=self._secured)

    def _helo(self, line: bytes) -> bytes:
        self._reset()
        return b"250 at your service\r\n"

    def _rset(self, line: bytes) -> bytes:
        self._reset()
        return b"250 2.0.0 Ok\r\n"

    def _noop(self, line: bytes) -> bytes:
        return b"250 2.0.0 Ok\r\n"

    def _quit(self, line: bytes) -> bytes:
        self._then = NextStep.CLOSE
        return self._replies["bye"]

    def _starttls(self, line: bytes) -> bytes:
        if self._operator.starttls is StartTls.NO or self._secured:
            return b"502 5.5.1 Error: STARTTLS not available\r\n"
        self._then = NextStep.START_TLS
        return b"220 2.0.0 Ready to start TLS\r\n"

    def _data(self, line: bytes) -> bytes:
        return b"554 5.5.1 This simulated host takes no messages\r\n"

    def _vrfy(self, line: bytes) -> bytes:
        return b"252 2.0.0 Cannot verify, but try to deliver\r\n"

    def _expn(self, line: bytes) -> bytes:
        return b"502 5.5.1 Not here\r\n"

    def _not_recognised(self, line: bytes) -> bytes:
        return b"500 5.5.2 Error: command not recognised\r\n"

    def _mail(self, line: bytes) -> bytes:
        path = _REVERSE_PATH.match(line)
        if path is None:
            return b"501 5.5.4 Syntax: MAIL FROM:<address>\r\n"
        if self._operator.starttls is StartTls.REQUIRED and not self._secured:
            return self._replies["tls_first"]
        if self._sender is not None:
            return b"503 5.5.1 Error: nested MAIL command\r\n"
        self._utf8 = b"SMTPUTF8" in path[2].upper()
        if self._utf8 and not self._operator.smtputf8:
            return b"555 5.5.4 Unsupported option: SMTPUTF8\r\n"
        if self._operator.sender is not Sender.NORMAL:
            return self._replies[f"sender_{self._operator.sender}"]
        self._sender = path[1].decode("utf-8", "replace")
        return self._replies["sender_ok"]

    def _rcpt(self, line: bytes) -> bytes:
        if self._sender is None:
            return b"503 5.5.1 Error: need MAIL command\r\n"
        path = _FORWARD_PATH.match(line)
        if path is None:
            return b"501 5.1.3 Bad recipient address syntax\r\n"
        self._tally.count_recipient(self._now)
        refused = self._refused_for_load()
        if refused:
            return refused
        return self._recipient(self._sender, path[1].decode("utf-8", "replace"))

    def _refused_for_load(self) -> bytes | None:
        operator, limits = self._operator, self._tally.limits
        if _is_reached(self._in_session, operator.recipients_per_session, limits.recipients_per_session):
            return self._refuse_above(Limit.SESSION, "session_over")
        if _is_reached(self._in_transaction, operator.recipients_per_transaction, limits.recipients_per_transaction):
            return self._refuse_above(Limit.TRANSACTION, "too_many_recipients")
        if _is_reached(self._errors, operator.errors_per_session):
            self._then = NextStep.CLOSE
            return self._replies["too_many_errors"]
        if not self._tally.admit_recipient(self._now):
            return self._refuse_above(Limit.MINUTE, "too_fast")
        self._in_session += 1
        self._in_transaction += 1
        return None

    def _refuse_above(self, limit: Limit, key: str) -> bytes:
        """Report an exceeded limit; 421 also ends the session."""
        self._tally.refuse(limit)
        reply = self._replies.to_source(key, self._source)
        if reply.startswith(b"421"):
            self._then = NextStep.CLOSE
        return reply

    def _recipient(self, sender: str, address: str) -> bytes:
        operator, replies = self._operator, self._replies
        if operator.recipient is not Recipient.NORMAL:
            return self._refuse_recipient(address)
        if not self._utf8 and not address.isascii():
            return replies.about("smtputf8_needed", address)
        local, _, name = address.rpartition("@")
        if not self._serves(name):
            return replies.about("relay", address)
        if operator.greylisting:
            seconds = self._greylist.seconds_left(f"{operator.key}/{self._source}", sender, address)
            if seconds:
                return replies.about("greylisted", address, seconds=int(seconds) + 1)
        state = decide_mailbox_state(self._world, operator, local)
        if state is State.MISSING:
            self._errors += 1
        return replies.about(state, address)

    def _refuse_recipient(self, address: str) -> bytes:
        if self._operator.recipient is Recipient.DROP:
            self._then = NextStep.ABORT
            return b""
        return self._replies.about(self._operator.recipient, address)

    def _serves(self, name: str) -> bool:
        domain = self._world.domain_of(name)
        if domain is None or not domain.hosted:
            return False
        return self._world.mail_domain(domain).operator is self._operator


def _is_reached(count: int, *limits: int) -> bool:
    return any(limit and count >= limit for limit in limits)


_Handler = Callable[[Conversation, bytes], bytes]
_VERBS: Mapping[bytes, tuple[str, _Handler]] = {
    b"EHLO": ("EHLO", Conversation._ehlo),
    b"HELO": ("HELO", Conversation._helo),
    b"MAIL": ("MAIL", Conversation._mail),
    b"RCPT": ("RCPT", Conversation._rcpt),
    b"RSET": ("RSET", Conversation._rset),
    b"NOOP": ("NOOP", Conversation._noop),
    b"QUIT": ("QUIT", Conversation._quit),
    b"STAR": ("STARTTLS", Conversation._starttls),
    b"DATA": ("DATA", Conversation._data),
    b"VRFY": ("VRFY", Conversation._vrfy),
    b"EXPN": ("EXPN", Conversation._expn),
}
_UNKNOWN: tuple[str, _Handler] = ("unknown", Conversation._not_recognised)
