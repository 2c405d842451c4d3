"""The reading of a reply: whom it is about, what it says, and which layer decided."""

from dataclasses import dataclass
from enum import StrEnum

from validation.engine.vocabulary import Category, Reason


class Subject(StrEnum):
    """Whom a reply is about."""

    MAILBOX = "the mailbox"
    DOMAIN = "the domain"
    US = "us"
    LOAD = "the load"
    MOMENT = "the moment"


_DEFINITE = frozenset(
    {Reason.MAILBOX_NOT_FOUND, Reason.MAILBOX_DISABLED, Reason.MAILBOX_FULL, Reason.DOMAIN_NOT_HOSTED}
)


@dataclass(frozen=True, slots=True)
class Reading:
    """The reading of a reply.

    `layer` is what decided: `stage`, `code`, `enhanced code`, `provider` or `text` for a reply; `connection`, `DNS`,
    `EHLO` or `engine` where there was none. `retry_after` is the wait that the server asked for, in seconds.
    """

    reason: Reason
    subject: Subject
    layer: str
    retry_after: float | None = None

    @property
    def is_definite(self) -> bool:
        """Whether the reply decides that the address cannot receive mail."""
        return self.reason in _DEFINITE and self.subject in (Subject.MAILBOX, Subject.DOMAIN)

    @property
    def category(self) -> Category:
        """The category by this reply alone: valid, invalid or unknown."""
        if self.reason is Reason.MAILBOX_EXISTS:
            return Category.VALID
        return Category.INVALID if self.is_definite else Category.UNKNOWN
