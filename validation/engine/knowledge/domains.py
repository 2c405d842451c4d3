"""What is known of domains, without asking anybody.

Lists say what is disposable, relay, free, a role name or a typing error. Each such answer names its list and the list's
date. Relays and hosters of custom domains never count as disposable. A name on the allow-list is on no other list. A
listed name covers the names below it, never above the registrable domain (public suffix list).

The replies to random recipients say which domains accept every name; they are cached.
"""

import random
import string
from collections import OrderedDict, deque
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from publicsuffixlist import PublicSuffixList

from validation.engine.clock import Clock
from validation.engine.knowledge.list_files import COMPILED, CURATED, Sections, read_sections
from validation.engine.vocabulary import Flag

_RANDOM_ALPHABET = string.ascii_lowercase + string.digits
_RANDOM_LENGTH = 18
# A slip touches at most the fourth character when it begins before the end of such a beginning.
_BEGINNING, _END = 3, 5
_SHORT = _BEGINNING + 1 + _END
_MASKED = {"relay": Flag.RELAY, "alias": Flag.ALIAS, "forwarder": Flag.FORWARDER}
_DISPOSABLE_LISTS = {
    "disposable:both": "disposable-email-domains and MailChecker",
    "disposable:disposable-email-domains": "disposable-email-domains",
    "disposable:MailChecker": "MailChecker",
}


@dataclass(frozen=True, slots=True)
class Listing:
    """A list entry that covers a domain: its kind, the name that matched, the list and its date."""

    kind: Flag
    matched: str
    source: str


@dataclass(frozen=True, slots=True)
class ListFacts:
    """What the lists say about one domain, and which lists were used.

    `is_disposable_domain`: whether it gives out throw-away mailboxes; None where that list was not used.
    """

    listing: Listing | None
    is_free: bool
    suggestion: str | None
    date: str
    source: str
    is_disposable_domain: bool | None


class PopularDomains:
    """The free and the popular domains: all that typing suggestions need. Given nothing it reads the lists itself.

    A slip in the first three characters leaves the end as it is, any other the beginning; so most domains, of more than
    nine characters, are known to be no slip by two look-ups.
    """

    def __init__(self, compiled: Sections | None = None, by_hand: Sections | None = None) -> None:
        curated = (by_hand or read_sections(CURATED)).names
        self._compiled, self._free_by_hand = compiled, curated["free"]
        self._popular = frozenset(curated["popular"])
        self._by_length = _group_by_length(curated["popular"])
        self._beginnings = frozenset(name[:_BEGINNING] for name in self._popular)
        self._ends = frozenset(name[-_END:] for name in self._popular)

    @cached_property
    def free(self) -> frozenset[str]:
        """Where anybody can open a mailbox; read when it is needed, as most lists have no typing error."""
        return frozenset((self._compiled or read_sections(COMPILED)).names["free"]).union(self._free_by_hand)

    def find_meant(self, domain: str) -> str | None:
        """The popular domain of which `domain` is probably a typing error."""
        if len(domain) > _SHORT and domain[:_BEGINNING] not in self._beginnings and domain[-_END:] not in self._ends:
            return None
        if domain in self._popular:
            return None
        for length in (len(domain), len(domain) - 1, len(domain) + 1):
            for candidate in self._by_length.get(length, ()):
                if is_one_slip(domain, candidate):
                    return None if domain in self.free else candidate
        return None


class DomainLists:
    """The lists, loaded once. Building takes some tens of milliseconds; keep the object."""

    def __init__(self, compiled_file: Path = COMPILED, curated_file: Path = CURATED) -> None:
        compiled, by_hand = read_sections(compiled_file), read_sections(curated_file)
        curated = by_hand.names
        self.date = compiled.header["date"]
        self._by_hand = f"curated list, {by_hand.header['date']}"
        self._suffixes = PublicSuffixList()
        self._disposable = {
            name: source for section, source in _DISPOSABLE_LISTS.items() for name in compiled.names[section]
        }
        self._masked = {name: flag for kind, flag in _MASKED.items() for name in curated[kind]}
        self._allowed = frozenset(curated["allowed"])
        self._popular = PopularDomains(compiled, by_hand)
        self._role = frozenset(curated["role"])

    def about(self, domain: str, *, with_disposable: bool = True) -> ListFacts:
        """Everything the lists know about a domain. `with_disposable` includes the lists of disposable domains."""
        source = f"disposable-email-domains, MailChecker, {self.date}"
        listing = self.listing(domain, with_disposable=with_disposable)
        is_disposable = listing is not None and listing.kind is Flag.DISPOSABLE if with_disposable else None
        return ListFacts(listing, self.is_free(domain), self.suggestion(domain), self.date, source, is_disposable)

    def registrable(self, domain: str) -> str:
        """The registrable domain (public suffix plus one label), or the domain itself where there is none."""
        return self._suffixes.privatesuffix(domain) or domain

    def listing(self, domain: str, *, with_disposable: bool = True) -> Listing | None:
        """The entry that covers the domain or a parent: disposable, relay, alias service or forwarder."""
        names = tuple(self._parents(domain))
        for name in names:
            if name in self._masked:
                return Listing(self._masked[name], name, self._by_hand)
        if not with_disposable or any(name in self._allowed for name in names):
            return None
        for name in names:
            if name in self._disposable:
                return Listing(Flag.DISPOSABLE, name, f"{self._disposable[name]}, {self.date}")
        return None

    def is_free(self, domain: str) -> bool:
        """Whether anybody can open a mailbox at the domain."""
        return domain in self._popular.free

    def is_open_to_all(self, domain: str) -> bool:
        """Whether anybody can open a mailbox at the domain or at a parent, or register names below it."""
        return self._suffixes.is_public(domain) or any(name in self._popular.free for name in self._parents(domain))

    def is_role(self, mailbox: str) -> bool:
        """Whether the mailbox belongs to a function rather than to a person (RFC 2142 and common departments)."""
        return mailbox.partition("+")[0].lower() in self._role

    def suggestion(self, domain: str) -> str | None:
        """The popular domain of which `domain` is probably a typing error."""
        return self._popular.find_meant(domain)

    def _parents(self, domain: str) -> Iterator[str]:
        last = self.registrable(domain)
        yield domain
        while domain != last:
            domain = domain.partition(".")[2]
            yield domain


def _group_by_length(names: tuple[str, ...]) -> dict[int, tuple[str, ...]]:
    lengths: dict[int, tuple[str, ...]] = {}
    for name in names:
        lengths[len(name)] = (*lengths.get(len(name), ()), name)
    return lengths


def is_one_slip(typed: str, meant: str) -> bool:
    """Whether one slip separates the two: a letter missing, doubled or wrong, or two letters swapped."""
    start = 0
    shorter = min(len(typed), len(meant))
    while start < shorter and typed[start] == meant[start]:
        start += 1
    rest, goal = typed[start:], meant[start:]
    if len(rest) > len(goal):
        return rest[1:] == goal
    if len(rest) < len(goal):
        return rest == goal[1:]
    swapped = len(rest) > 1 and rest[:2] == goal[1::-1] and rest[2:] == goal[2:]
    return rest[1:] == goal[1:] or swapped


@dataclass(frozen=True, slots=True)
class RandomOutcome:
    """The outcome of a random recipient: accepted, refused, or None where undecided."""

    accepted: bool | None
    reply: str
    expires_at: float
    remembered: bool = False


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

    def learn(self, domain: str, probe_address: str, *, accepted: bool | None, reply: str) -> RandomOutcome:
        """Note what the reply to `probe_address` says. Only a decided outcome is cached."""
        outcome = RandomOutcome(accepted, reply, self._clock.time() + self._ttl_s)
        if accepted is None:
            self.keep_pending(domain, probe_address)
        else:
            self._pending.pop(domain, None)
            self._remember(domain, replace(outcome, remembered=True))
            self.learned.append(DomainOutcome(domain, accepted, reply, outcome.expires_at))
        return outcome

    def _remember(self, domain: str, outcome: RandomOutcome) -> None:
        self._known[domain] = outcome
        self._known.move_to_end(domain)
        if len(self._known) > self._size:
            self._known.popitem(last=False)


def build_random_recipient(domain: str, rng: random.Random) -> str:
    """A mailbox that does not exist, in letters and digits that every server accepts."""
    return "".join(rng.choices(_RANDOM_ALPHABET, k=_RANDOM_LENGTH)) + "@" + domain
