"""Mail hosts that make it hard: slow, strict, broken or turning callers away."""

import asyncio
from collections.abc import Callable

from benchmarks.engine.model import Drop, Noise, Pipelining, Tls
from benchmarks.engine.smtp_server import Conversation, Floor, Place

_NOISE = b"\x00\x15\x03\x01\xff\xfe\x80garbage\r\nHTTP/1.1 400 Bad Request\r\n\r\n"
_OUT_OF_STEP = b"554 SMTP synchronization error\r\n"
_NEEDS_TLS = b"530 5.7.0 Encryption is required, start TLS\r\n"
_NO_TLS_NOW = b"454 4.7.0 TLS is not available for the moment\r\n"
_ENDLESS = b"250-there is always one more extension\r\n" * 64
_FLOOD_S = 0.01
_DRIP_S = 0.5
_LONGEST_TALK_S = 25.0  # who listens as long as that has no limit of its own


class DifficultConversation(Conversation):
    """One connection to a difficult host."""

    def __init__(self, floor: Floor, place: Place) -> None:
        super().__init__(floor, place)
        self._busy_until = 0.0
        self._talk_ends = 0.0
        self._in_this_mail = 0
        self._in_session = 0
        self._sender = b""

    def greet(self) -> None:
        manner = self.manner
        if manner.drop is Drop.CONNECT:
            self.say(self.hang_up())
        elif manner.noise is Noise.GARBAGE_GREETING:
            self.say(_NOISE)
        elif 0 < manner.connections_per_client < self.place.open:
            self.closing = True
            self.say(manner.too_many_connections)
        elif manner.noise is not Noise.SILENT:
            self.closing = manner.greeting[:1] != b"2"
            self._after(manner.greeting_delay, lambda: self.say(manner.greeting))

    def take(self, lines: list[bytes]) -> None:
        if self.manner.noise is Noise.SILENT:
            return
        if len(lines) > 1 and self.manner.pipelining is Pipelining.PUNISHED:
            self.closing = True
            self.say(_OUT_OF_STEP)
        elif self.manner.pipelining is Pipelining.SWALLOWED:
            super().take(lines[:1])
        elif self.manner.reply_delay:
            for line in lines:
                self._say_slowly(self.answer(line))
                if self.closing:
                    break
        else:
            super().take(lines)

    def hello(self, verb: bytes) -> bytes:
        if self.manner.ehlo_refused and (verb == b"EHLO" or self.manner.ehlo_refused[:3] != b"502"):
            return self.manner.ehlo_refused
        if self.manner.noise is Noise.ENDLESS_EHLO:
            self._talk_on(_ENDLESS, _FLOOD_S)
            return b""
        if self.manner.noise is Noise.DRIPPING_EHLO:
            self._talk_on(_ENDLESS[: len(_ENDLESS) // 64], _DRIP_S)
            return b""
        return super().hello(verb)

    def mail(self, line: bytes) -> bytes:
        manner = self.manner
        if manner.drop is Drop.MAIL:
            return self.hang_up()
        if manner.tls is Tls.REQUIRED and not self.secured:
            return _NEEDS_TLS
        self._sender = line[line.find(b"<") + 1 : line.rfind(b">")]
        refused = manner.mail_refused or (manner.named_sender_refused if self._sender else b"")
        self._in_this_mail = 0
        return refused or super().mail(line)

    def recipient(self, line: bytes) -> bytes:
        manner = self.manner
        if manner.drop is Drop.RCPT:
            return self.hang_up()
        if manner.noise is Noise.GARBAGE_RCPT:
            return _NOISE
        if 0 < manner.recipients_per_session <= self._in_session:
            self.closing = True
            return manner.over_session or self.hang_up()
        if self.in_mail and 0 < manner.recipients_per_mail <= self._in_this_mail:
            return manner.over_mail
        self._in_session += self.in_mail
        self._in_this_mail += 1
        return super().recipient(line)

    def word_on(self, address: bytes) -> bytes:
        if self.manner.rcpt_refused:
            return self.manner.rcpt_refused.replace(b"{0}", address)
        if self.manner.greylist_s and self._is_new(address):
            return self.manner.greylisted.replace(b"{0}", address)
        return super().word_on(address)

    def start_tls(self) -> bytes:
        if self.manner.tls is Tls.UNAVAILABLE:
            return _NO_TLS_NOW
        if self.manner.tls is Tls.BROKEN:
            self.closing = True
            return b"220 Go ahead\r\n" + _NOISE
        return super().start_tls()

    def hang_up(self) -> bytes:
        """Close without a word, behind what was said before."""
        self.closing = True
        return b""

    def _is_new(self, address: bytes) -> bool:
        now = asyncio.get_running_loop().time()
        seen = self.place.first_seen.setdefault((self._sender, address), now)
        return now < seen + self.manner.greylist_s

    def _say_slowly(self, reply: bytes) -> None:
        """Each reply takes its time, one after the other."""
        loop = asyncio.get_running_loop()
        self._busy_until = max(self._busy_until, loop.time()) + self.manner.reply_delay
        loop.call_at(self._busy_until + self.floor.delay, self.write, reply, self.closing)

    def _talk_on(self, text: bytes, pause_s: float) -> None:
        """A reply without an end; after a while the host gives up, so that every caller comes to an end."""
        loop = asyncio.get_running_loop()
        self._talk_ends = self._talk_ends or loop.time() + _LONGEST_TALK_S
        if self.transport is None or self.transport.is_closing():
            return
        if loop.time() > self._talk_ends:
            self.transport.close()
            return
        if self.transport.get_write_buffer_size() < len(_ENDLESS):
            self.transport.write(text)
        loop.call_later(pause_s, self._talk_on, text, pause_s)

    def _after(self, seconds: float, action: Callable[[], None]) -> None:
        if seconds:
            asyncio.get_running_loop().call_later(seconds, action)
        else:
            action()
