"""Outside providers that say what a test wants them to say."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from validation.engine import Category, Check, Outcome, Reason, Verdict
from validation.providers import sources
from validation.providers.clients.base import Opinion
from validation.providers.routing import ProviderAnswer

NAMES = {"zerobounce": "ZeroBounce", "neverbounce": "NeverBounce", "kickbox": "Kickbox"}
REASONS = {
    "valid": Reason.MAILBOX_EXISTS,
    "invalid": Reason.MAILBOX_NOT_FOUND,
    "catch_all": Reason.ACCEPTS_ALL,
    "disposable": Reason.DISPOSABLE_DOMAIN,
    "spam_trap": Reason.KNOWN_TRAP,
    "unknown": Reason.TIMEOUT,
}
Answer = str | Exception | Callable[[str], Any]


@dataclass
class Scripted:
    """A provider: `says` is a category, an error, or what gives either for an address."""

    name: str
    says: Answer = "valid"
    credits: int | Exception | None = 1_000
    asked: list[str] = field(default_factory=list)
    charged: bool | None = None
    advises_against: bool = False
    slow_s: float = 0.0
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def title(self) -> str:
        return NAMES[self.name]

    def check(self, address: str, *, timeout: float) -> Opinion:
        with self.lock:
            self.asked.append(address)
        if self.slow_s:
            time.sleep(self.slow_s)
        said = self.says(address) if callable(self.says) else self.says
        if isinstance(said, Exception):
            raise said
        return Opinion(
            provider=self.name, address=address, category=Category(said), reason=REASONS[said], status=said,
            sub_status="scripted", charged=self.charged, advises_against=self.advises_against, took=0.25,
        )  # fmt: skip

    def balance(self) -> int | None:
        if isinstance(self.credits, Exception):
            raise self.credits
        return self.credits

    def submit(self, *_: Any, **__: Any) -> Any:
        raise NotImplementedError

    poll = fetch = submit


Outside = dict[str, Scripted]


def connect(monkeypatch: Any, *names: str) -> Outside:
    """Connect the providers of these names, in this order."""
    there = {name: Scripted(name) for name in names or NAMES}
    monkeypatch.setattr(sources, "list_connected", lambda: tuple(there.values()))
    return there


def asked(there: Outside) -> dict[str, list[str]]:
    return {name: sorted(provider.asked) for name, provider in there.items()}


def all_asked(there: Outside) -> list[str]:
    return sorted(address for provider in there.values() for address in provider.asked)


def left(category: str = "unknown", address: str = "ida.holm@velvetcircuit.com") -> Verdict:
    """What the engine makes of an address that it leaves open."""
    return Verdict(
        email=address, normalized=address, domain=address.rpartition("@")[2], category=Category(category),
        reason=REASONS[category], confidence=0.45, safe_to_send=False, sentence="We cannot tell.", syntax_valid=True,
        domain_valid=True, smtp_valid=None, is_disposable=False, is_catch_all=category == "catch_all" or None,
        is_spam_trap=None, is_free=False, is_role=False, flags=(), did_you_mean=None, mx_hosts=("mx.x.com",),
        checks=(Check("syntax", Outcome.PASS, "fine", "rule", 1.5, 2.5),), transcript=("C: RCPT", "S: 250\x00"),
        retry_after=None, follow_up=None, duration_ms=3.0,
    )  # fmt: skip


def said(name: str, category: str = "", **more: Any) -> ProviderAnswer:
    """What a provider answered; without a category it was asked in vain."""
    more |= {"category": category, "reason": REASONS[category], "status": category} if category else {"error": "down"}
    return ProviderAnswer(provider=name, title=NAMES[name], at="2030-01-31 04:05:06 UTC", **more)
