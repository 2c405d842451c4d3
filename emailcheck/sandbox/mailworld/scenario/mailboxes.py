"""The existing mailboxes, decided by the name alone, so that every reply is predictable."""

import re
from collections.abc import Mapping, Sequence
from enum import StrEnum


class State(StrEnum):
    """The state of a mailbox at an honest host. The values are the keys of its replies in `world.toml`."""

    ACCEPTED = "accepted"
    MISSING = "missing"
    FULL = "full"
    OVERFLOW = "overflow"
    DISABLED = "disabled"
    BUSY = "busy"
    TEMPORARY = "temporary"
    GUARDED = "guarded"


_FIRST_WORD = re.compile(r"[^\W\d_]+")
_VOWEL = re.compile(r"[aeiouyà-öø-ÿ]")
_NAME = re.compile(r"[^\W\d_]{1,14}(?:[._-][^\W\d_]{1,14}){0,4}(?:[._-]?\d{1,3})?")


class MailboxRules:
    """The rules of `[mailboxes]`: the first word decides, else whether it looks like a name."""

    def __init__(self, words: Mapping[str, Sequence[str]]) -> None:
        self.words = {State(state): tuple(listed) for state, listed in words.items()}
        self._states = {word: state for state, listed in self.words.items() for word in listed}

    def named_state(self, local: str) -> State | None:
        """The state that the first word of the local part announces, if it announces one."""
        first = _FIRST_WORD.match(local)
        return self._states.get(first[0].casefold()) if first else None

    @staticmethod
    def looks_like_a_name(local: str) -> bool:
        """True for what people call their mailboxes, False for a random probe.

        >>> MailboxRules.looks_like_a_name("anna.keller42+news"), MailboxRules.looks_like_a_name("9f3ac1e07b")
        (True, False)
        """
        name = local.strip('"').replace(" ", ".").partition("+")[0].casefold()
        return _NAME.fullmatch(name) is not None and _VOWEL.search(name) is not None
