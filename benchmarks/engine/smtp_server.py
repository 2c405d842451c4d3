"""Mail hosts on real sockets, quick enough not to be what is measured.

One process serves all hosts. What arrives in one piece is split, answered command by command and sent in one write.
`delay` seconds pass between the arrival of a command and its reply; commands that arrive together are answered
together.
"""

import asyncio
import ssl
from dataclasses import dataclass, field
from typing import cast

from benchmarks.engine.model import Host, Tls

_FORBIDDEN = frozenset({b"DATA", b"VRFY", b"EXPN", b"BDAT"})
_BAD_SEQUENCE = b"503 5.5.1 Bad sequence of commands\r\n"
_NO_SUCH_COMMAND = b"502 5.5.1 Command not implemented\r\n"
_NO_UTF8 = b"553 5.6.7 The recipient address needs SMTPUTF8\r\n"
_BAD_RECIPIENT = b"501 5.1.3 Bad recipient address syntax\r\n"
_NONMAIL = b"554 Too many nonmail commands\r\n"
_GO_AHEAD = b"220 2.0.0 Ready to start TLS\r\n"
_MAX_REST = 8192


@dataclass(slots=True)
class Place:
    """One listening address and what was seen there."""

    host: Host
    connections: int = 0
    open: int = 0
    most_open: int = 0
    first_seen: dict[tuple[bytes, bytes], float] = field(default_factory=dict)


@dataclass(slots=True)
class Floor:
    """What all hosts share."""

    replies: dict[bytes, bytes]
    strangers: dict[bytes, bytes]
    tls: ssl.SSLContext
    delay: float = 0.0
    commands: int = 0
    forbidden: int = 0


class Conversation(asyncio.Protocol):
    """One connection to a well-kept host."""

    def __init__(self, floor: Floor, place: Place) -> None:
        self.floor = floor
        self.place = place
        self.manner = place.host.manner
        self.transport: asyncio.Transport | None = None
        self.closing = False
        self.in_mail = False
        self.secured = False
        self._upgrading = False
        self._utf8 = False
        self._errors = 0
        self._nonmail = 0
        self._rest = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)
        if self.secured:
            return
        place = self.place
        place.connections += 1
        place.open += 1
        place.most_open = max(place.most_open, place.open)
        self.greet()

    def connection_lost(self, exc: Exception | None) -> None:
        self.place.open -= 1
        self.closing = True

    def data_received(self, data: bytes) -> None:
        if self._rest:
            data = self._rest + data
        lines = data.split(b"\r\n")
        self._rest = lines.pop()[:_MAX_REST]
        self.floor.commands += len(lines)
        self.take(lines)

    def greet(self) -> None:
        """Say the greeting."""
        self.say(self.manner.greeting)

    def take(self, lines: list[bytes]) -> None:
        """Answer what arrived together."""
        out = []
        for line in lines:
            out.append(self.answer(line))
            if self.closing:
                break
        self.say(b"".join(out))

    def say(self, data: bytes) -> None:
        """Send after the delay; hang up behind it where that is due."""
        if self.floor.delay:
            asyncio.get_running_loop().call_later(self.floor.delay, self.write, data, self.closing)
        else:
            self.write(data, self.closing)

    def write(self, data: bytes, close: bool) -> None:
        """Send now."""
        if self.transport is None or self.transport.is_closing():
            return
        self.transport.write(data)
        if close:
            self.transport.close()
        elif self._upgrading:
            self._upgrading = False
            asyncio.get_running_loop().create_task(self._start_tls(self.transport))

    def answer(self, line: bytes) -> bytes:
        """The reply to one command."""
        verb = line[:4].upper()
        if verb == b"RCPT":
            return self.recipient(line)
        if verb == b"MAIL":
            return self.mail(line)
        if verb == b"RSET":
            self.in_mail = False
            return self._count_nonmail(self.manner.reset_ok)
        if verb in (b"EHLO", b"HELO"):
            return self.hello(verb)
        if verb == b"QUIT":
            self.closing = True
            return self.manner.bye
        return self.other(verb)

    def hello(self, verb: bytes) -> bytes:
        """EHLO and HELO."""
        if verb == b"HELO":
            return self.manner.helo
        if self.manner.tls is Tls.NONE or self.secured:
            return self.manner.ehlo
        head, _, last = self.manner.ehlo.rpartition(b"\r\n250 ")
        return head + b"\r\n250-STARTTLS\r\n250 " + last

    def mail(self, line: bytes) -> bytes:
        """MAIL FROM."""
        if self.in_mail:
            return _BAD_SEQUENCE
        self.in_mail = True
        self._utf8 = line[-9:].upper() == b" SMTPUTF8"
        return self.manner.mail_ok

    def recipient(self, line: bytes) -> bytes:
        """RCPT TO."""
        if not self.in_mail:
            return _BAD_SEQUENCE
        reply = self.word_on(line[line.find(b"<") + 1 : line.rfind(b">")])
        if reply[0] > 0x33:
            self._errors += 1
            if self._errors == self.manner.errors_per_session:
                self.closing = True
                return reply + self.manner.too_many_errors
        return reply

    def word_on(self, address: bytes) -> bytes:
        """What the host says of a recipient."""
        if not address.isascii() and not (self.manner.utf8 and self._utf8):
            return _NO_UTF8 if self.manner.utf8 else _BAD_RECIPIENT
        known = self.floor.replies.get(address)
        if known is not None:
            return known
        text = self.floor.strangers.get(address[address.rfind(b"@") + 1 :].lower(), self.manner.relay_denied)
        return text.replace(b"{0}", address)

    def other(self, verb: bytes) -> bytes:
        """Everything that is not part of an envelope."""
        if verb == b"STAR" and self.manner.tls is not Tls.NONE and not self.secured:
            return self.start_tls()
        self.floor.forbidden += verb in _FORBIDDEN
        return self._count_nonmail(b"250 2.0.0 Ok\r\n" if verb == b"NOOP" else _NO_SUCH_COMMAND)

    def start_tls(self) -> bytes:
        """STARTTLS: the handshake begins behind the reply."""
        self._upgrading = True
        self.in_mail = False
        return _GO_AHEAD

    def _count_nonmail(self, reply: bytes) -> bytes:
        self._nonmail += 1
        if self._nonmail <= (self.manner.nonmail_per_session or self._nonmail):
            return reply
        self.closing = True
        return _NONMAIL

    async def _start_tls(self, transport: asyncio.Transport) -> None:
        self.secured = True
        loop = asyncio.get_running_loop()
        try:
            secured = await loop.start_tls(transport, self, self.floor.tls, server_side=True, ssl_handshake_timeout=10)
        except (OSError, ssl.SSLError):
            transport.abort()
        else:
            self.transport = secured
