"""How far an SMTP session got, and why it ended early."""

from enum import StrEnum

from validation.engine.smtp.reply_stream import Reply


class Stage(StrEnum):
    """How far a session got; what a reply means depends on it."""

    CONNECT = "connect"
    GREETING = "greeting"
    EHLO = "EHLO"
    STARTTLS = "STARTTLS"
    MAIL = "MAIL FROM"
    RCPT = "RCPT TO"


class Trouble(StrEnum):
    """Why a session cannot go on."""

    NO_ROUTE = "no route"
    UNREACHABLE = "unreachable"
    TIMEOUT = "timeout"
    CLOSED = "closed"
    GARBLED = "garbled"
    REFUSED = "refused"
    TLS = "tls"
    OUT_OF_STEP = "out of step"


class SessionError(Exception):
    """The session ended early: at which stage, why, and the server's last word where it had one."""

    def __init__(self, stage: Stage, trouble: Trouble, detail: str, reply: Reply | None = None) -> None:
        super().__init__(detail)
        self.stage = stage
        self.trouble = trouble
        self.detail = detail
        self.reply = reply
