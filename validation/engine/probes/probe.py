"""The answer of the mail hosts about one recipient, and the session that brought it."""

from dataclasses import dataclass, replace

from validation.engine.knowledge.domains import RandomOutcome
from validation.engine.replies.readings import Reading
from validation.engine.smtp.reply_stream import Reply
from validation.engine.smtp.stages import Stage
from validation.engine.vocabulary import Check, Wait


@dataclass(slots=True)
class SessionFacts:
    """The facts of a session, shared by the probes of all its recipients. `checks` caches the evidence made of them."""

    host: str
    ip: str
    route: str
    greeting: str
    tls: str
    sender: str
    time_ms: float
    transcript: tuple[str, ...]
    checks: tuple[Check, ...] = ()


@dataclass(frozen=True, slots=True)
class Probe:
    """Everything that the mail hosts said about one recipient.

    `wait` is set where nobody was asked because of a limit of ours. `at_second_hand`: the hosts turned us away before
    this recipient's turn.
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
        """Whether the reply is temporary (RFC 5321 section 4.2.1)."""
        return self.reply is not None and 400 <= self.reply.code < 500

    def as_second_hand(self) -> "Probe":
        """The same probe for a recipient that the host was not asked about."""
        return replace(self, at_second_hand=True)

    @property
    def words(self) -> str:
        """The host's reply, or what went wrong instead."""
        return str(self.reply) if self.reply is not None else self.detail
