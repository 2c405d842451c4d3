"""What the mail hosts answered about one recipient, and the session that brought the answer."""

from dataclasses import dataclass, replace

from validation.engine.replies.readings import Reading
from validation.engine.smtp.reply_stream import Reply, clip_text
from validation.engine.smtp.session import Session
from validation.engine.smtp.stages import Stage
from validation.engine.vocabulary import Check, Wait


@dataclass(frozen=True, slots=True)
class RandomOutcome:
    """What became of a mailbox that cannot exist: accepted, refused, or None where that is undecided."""

    accepted: bool | None
    reply: str
    expires_at: float
    remembered: bool = False


@dataclass(slots=True)
class SessionFacts:
    """What a session looked like, shared by all whom it asked for. `checks` keeps the evidence made of it."""

    host: str
    ip: str
    route: str
    greeting: str
    tls: str
    sender: str
    time_ms: float
    transcript: tuple[str, ...]
    checks: tuple[Check, ...] = ()

    @classmethod
    def of(cls, session: Session) -> "SessionFacts":
        """The facts of an open session."""
        return cls(
            session.host,
            session.ip,
            session.route,
            session.greeting,
            session.tls,
            session.sender,
            session.time_ms,
            tuple(map(clip_text, session.transcript[:30])),
        )


@dataclass(frozen=True, slots=True)
class Probe:
    """All that the mail hosts told about one recipient.

    `wait` is set where nobody was asked because of a limit of ours; `at_second_hand` where the hosts turned us away
    before this recipient's turn had come.
    """

    reading: Reading
    stage: Stage
    reply: Reply | None = None
    session: SessionFacts | None = None
    mail: Reply | None = None
    random: RandomOutcome | None = None
    detail: str = ""
    attempts: tuple[str, ...] = ()
    time_ms: float = 0.0
    wait: Wait | None = None
    at_second_hand: bool = False

    @property
    def is_temporary(self) -> bool:
        """Whether the host said that it may think otherwise later (RFC 5321 section 4.2.1)."""
        return self.reply is not None and 400 <= self.reply.code < 500

    def as_second_hand(self) -> "Probe":
        """The same, for who was not asked for himself."""
        return replace(self, at_second_hand=True)

    @property
    def words(self) -> str:
        """The host's own words, or what else went wrong."""
        return str(self.reply) if self.reply is not None else self.detail
