"""The normal form of outside validation services: what they are asked, what they answer, and what goes wrong.

ProviderError       nothing was learnt about the address
├── Unavailable     down, out of reach, too slow, or behind a page that is no answer: another time
├── RateLimited     too many calls; `retry_after` seconds, where told
├── OutOfCredit     nothing left to spend there
├── BadKey          our key is unknown, or may not do this
├── Refused         understood and refused: the same question gets the same refusal; a job that failed or is gone
├── BadAnswer       an answer that is not what the service documents
└── StillRunning    asked too early; `again_after` seconds

No error and no opinion holds a key.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from validation.engine import Category, Flag, Reason

MOST_IN_JOB = 10_000
"""The addresses in one bulk job, few enough for its answer to fit into memory."""


class ProviderError(Exception):
    """A provider's answer is missing.

    `reason` is for our logs. `charged`: whether the call costs all the same; None when unknown, so that a second try
    may cost twice.
    """

    charged: bool | None = False

    def __init__(self, reason: str, *, charged: bool | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        if charged is not None:
            self.charged = charged


class Unavailable(ProviderError):
    """Down, out of reach, or too slow. The provider may have done the work, unless `charged` is False."""

    charged = None


class RateLimited(ProviderError):
    """Too many calls. `retry_after`: seconds to wait, None where the provider names none."""

    def __init__(self, reason: str, *, retry_after: float | None = None) -> None:
        super().__init__(reason)
        self.retry_after = retry_after


class OutOfCredit(ProviderError):
    """The account at the provider has nothing left."""


class BadKey(ProviderError):
    """The provider does not know our key, or the key may not do this."""


class Refused(ProviderError):
    """The provider refused a valid question; repeating it changes nothing."""


class BadAnswer(ProviderError):
    """An answer outside what the provider documents. The provider may have worked for it."""

    charged = None


class StillRunning(ProviderError):
    """Not ready yet: fetch again after so many seconds, at no further cost."""

    def __init__(self, reason: str, *, again_after: float) -> None:
        super().__init__(reason)
        self.again_after = again_after


@dataclass(frozen=True, slots=True, kw_only=True)
class Meaning:
    """A provider's words translated into ours; see `Opinion`."""

    category: Category
    reason: Reason
    flags: frozenset[Flag] = frozenset()
    is_catch_all: bool | None = None
    is_spam_trap: bool | None = None
    advises_against: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Opinion(Meaning):
    """The opinion of one provider about one address.

    `category` and `reason` are ours (docs/providers.md has the tables); what the provider does not state, or states in
    unknown words, is unknown. `advises_against`: it warns of sending there (complainers, possible traps, suppressed);
    that says nothing about whether the mailbox exists. `status` and `sub_status` are the provider's own words. `raw`:
    its answer as JSON text without personal data, at most `answer_fields.MOST` characters. `charged`: whether it cost a
    credit, None where the provider does not say. `took`: seconds, 0 for rows of a bulk job.
    """

    provider: str
    address: str
    status: str
    sub_status: str
    did_you_mean: str | None = None
    charged: bool | None = None
    raw: str = field(default="{}", repr=False)
    took: float = 0.0

    @property
    def decides(self) -> bool:
        """Whether it is definite about the address."""
        return self.category is not Category.UNKNOWN


class Phase(StrEnum):
    """The state of a bulk job."""

    WAITING = "waiting"
    REVIEW = "review"
    """Parked until someone at the provider releases it, which may be never."""
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a bulk job: its finished addresses where known, and the reason of a failure."""

    phase: Phase
    percent: float
    note: str = ""


class Provider(Protocol):
    """One outside service. May be shared between threads. Every call raises only `ProviderError`.

    Calls are made once and never repeated here. A second try may cost twice; the caller decides by
    `ProviderError.charged`.
    """

    @property
    def name(self) -> str:
        """The name in settings, addresses and data, such as `zerobounce`."""

    @property
    def title(self) -> str:
        """The display name."""

    def check(self, address: str, *, timeout: float) -> Opinion:
        """Check one address. The whole exchange ends within `timeout` seconds."""

    def balance(self) -> int | None:
        """Credits left at the provider; None for an account that is billed by use. Costs nothing."""

    def submit(self, addresses: Sequence[str], *, label: str) -> str:
        """Start a bulk job over at most `MOST_IN_JOB` addresses and return its id. It spends credits without further
        question.

        `label` is the name of the list at the provider, whose staff may read it.
        """

    def poll(self, job: str) -> Progress:
        """The progress of a bulk job."""

    def fetch(self, job: str) -> list[Opinion]:
        """The opinions of a finished job, in any order and perhaps fewer than were submitted. May be called again.

        Raises `StillRunning` before its end, `Refused` for a job that failed.
        """
