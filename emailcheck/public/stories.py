"""Three answers that a plain yes or no would get wrong, as the landing page tells them: made up, with addresses of
example.com, in the words that mail servers use (RFC 5321 section 4.2, RFC 3463).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

State = Literal["yes", "refused", "all", "unasked", "silent"]

_STOPS = ("Syntax", "Domain", "Mail host", "TLS", "Sender", "Mailbox")
_WORDS: dict[State, str] = {
    "yes": "yes",
    "refused": "refused",
    "all": "accepts all",
    "unasked": "not asked",
    "silent": "no answer",
}


@dataclass(frozen=True, slots=True)
class Stop:
    """One of the six that a question passes, and how it was answered there."""

    name: str
    state: State
    is_last: bool

    @property
    def words(self) -> str:
        """The state for those who do not see its sign."""
        return _WORDS[self.state]


@dataclass(frozen=True, slots=True)
class Turn:
    """What one side says. `later`: how long after the turn before, where it is worth telling."""

    is_ours: bool
    text: str
    decides: bool = False
    later: str = ""


@dataclass(frozen=True, slots=True)
class Story:
    """A conversation and what it comes to."""

    title: str
    text: str
    address: str
    host: str
    category: str
    word: str
    ruling: str
    turns: tuple[Turn, ...]
    mailbox: State

    @property
    def stops(self) -> list[Stop]:
        """The six stops: every one answered, the mailbox as this story tells."""
        return list(build_stops(self.mailbox))


def build_stops(mailbox: State) -> Iterator[Stop]:
    """The six stops of a question that got to the mailbox."""
    for name in _STOPS:
        is_last = name == _STOPS[-1]
        yield Stop(name, mailbox if is_last else "yes", is_last)


def _ask_host(text: str, later: str = "") -> Turn:
    return Turn(is_ours=True, text=text, later=later)


def _quote_host(text: str, *, decides: bool = False) -> Turn:
    return Turn(is_ours=False, text=text, decides=decides)


STORIES = (
    Story(
        title="A catch-all unmasked",
        text="The server takes mail for the address. It also takes mail for a name that we made up a second before, so "
        "its yes proves nothing.",
        address="t.reed@example.com",
        host="mx1.example.com",
        category="catch_all",
        word="Catch-all",
        ruling="Accepts every name: this mailbox cannot be confirmed.",
        turns=(
            _ask_host("RCPT TO:<t.reed@example.com>"),
            _quote_host("250 2.1.5 Ok"),
            _ask_host("RCPT TO:<xk7q2m9w@example.com>"),
            _quote_host("250 2.1.5 Ok", decides=True),
        ),
        mailbox="all",
    ),
    Story(
        title="A server that said come back later",
        text="The server tells strangers to come back later. To stop here would be to say unknown. We wait as long as "
        "it asks, and come back.",
        address="i.holm@example.com",
        host="mx.example.com",
        category="valid",
        word="Valid",
        ruling="Asked again when the server wanted it: the mailbox takes mail.",
        turns=(
            _ask_host("RCPT TO:<i.holm@example.com>"),
            _quote_host("450 4.2.0 Greylisted, please come back in 300 seconds"),
            _ask_host("RCPT TO:<i.holm@example.com>", "5 minutes later"),
            _quote_host("250 2.1.5 Ok", decides=True),
        ),
        mailbox="yes",
    ),
    Story(
        title="A full mailbox",
        text="The mailbox exists, and mail to it would bounce today. A yes would be wrong, and so would no such "
        "mailbox: the reply says which.",
        address="m.rossi@example.com",
        host="mx2.example.com",
        category="invalid",
        word="Invalid",
        ruling="The mailbox is full, so mail to it comes back.",
        turns=(
            _ask_host("RCPT TO:<m.rossi@example.com>"),
            _quote_host("552 5.2.2 The mailbox of this user is over its quota", decides=True),
        ),
        mailbox="refused",
    ),
)
