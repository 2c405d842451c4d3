"""Which domains accept a random recipient, cached by domain."""

import random
import string
from collections import OrderedDict, deque
from dataclasses import dataclass, replace

from validation.engine.clock import Clock
from validation.engine.probes.probe import RandomOutcome
from validation.engine.replies.classifier import classify
from validation.engine.smtp.reply_stream import Reply, clip_text
from validation.engine.vocabulary import Reason

_RANDOM_ALPHABET = string.ascii_lowercase + string.digits


_RANDOM_LENGTH = 18


@dataclass(frozen=True, slots=True)
class DomainOutcome:
    """A decided outcome to be stored: whether the domain accepts every name, by which reply, and its expiry in epoch
    seconds.
    """

    domain: str
    accepts_all: bool
    reply: str
    expires_at: float


class CatchAllCache:
    """The outcomes of random recipients by domain, until they expire.

    `learned` holds the outcomes decided here for callers that store them; the oldest drop out when nobody fetches them.
    """

    def __init__(self, clock: Clock, ttl_s: float, size: int = 100_000) -> None:
        self._clock = clock
        self._ttl_s = ttl_s
        self._size = size
        self._known: OrderedDict[str, RandomOutcome] = OrderedDict()
        self._pending: OrderedDict[str, str] = OrderedDict()
        self.learned: deque[DomainOutcome] = deque(maxlen=size)

    def recall(self, domain: str) -> RandomOutcome | None:
        """The cached outcome of a domain; None where there is none or it has expired."""
        known = self._known.get(domain)
        return known if known is not None and known.expires_at > self._clock.time() else None

    def put(self, outcome: DomainOutcome) -> None:
        """Add a stored outcome, unless a newer one is cached."""
        known = self._known.get(outcome.domain)
        if known is None or known.expires_at < outcome.expires_at:
            known_before = RandomOutcome(outcome.accepts_all, outcome.reply, outcome.expires_at, remembered=True)
            self._remember(outcome.domain, known_before)

    def pending_probe_address(self, domain: str) -> str:
        """The probe address of a domain without a decided answer; "" where a new one will do."""
        return self._pending.get(domain, "")

    def keep_pending(self, domain: str, probe_address: str) -> None:
        """Keep a probe address without an answer: a greylisting host knows it from then on."""
        self._pending[domain] = probe_address
        self._pending.move_to_end(domain)
        if len(self._pending) > self._size:
            self._pending.popitem(last=False)

    def learn(self, domain: str, probe_address: str, reply: Reply, provider: str) -> RandomOutcome:
        """Read the reply to `probe_address`. Only a decided outcome is cached."""
        reading = classify(reply, provider=provider, recipient=probe_address)
        is_refused = reading.is_definite and reading.reason is not Reason.MAILBOX_FULL  # what is full is there
        accepted = True if reply.is_positive else False if is_refused else None
        outcome = RandomOutcome(accepted, clip_text(str(reply)), self._clock.time() + self._ttl_s)
        if accepted is None:
            self.keep_pending(domain, probe_address)
        else:
            self._pending.pop(domain, None)
            self._remember(domain, replace(outcome, remembered=True))
            self.learned.append(DomainOutcome(domain, accepted, outcome.reply, outcome.expires_at))
        return outcome

    def _remember(self, domain: str, outcome: RandomOutcome) -> None:
        self._known[domain] = outcome
        self._known.move_to_end(domain)
        if len(self._known) > self._size:
            self._known.popitem(last=False)


def build_random_recipient(domain: str, rng: random.Random) -> str:
    """A mailbox that does not exist, in letters and digits that every server accepts."""
    return "".join(rng.choices(_RANDOM_ALPHABET, k=_RANDOM_LENGTH)) + "@" + domain
