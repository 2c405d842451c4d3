"""What the service answers. `raw` has it as it came, with members that are newer than this package; a member that did
not come, or is null, has its default. None: not found out, or no limit."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from datetime import datetime
from functools import cache
from typing import Any, TypeVar

from emailcheck_client.words import Category, Status

A = TypeVar("A", bound="Answer")
Json = Mapping[str, Any]
Convert = Callable[[Any], Any]


def _find_members(answer: Any) -> list[tuple[str, Any, Convert | None]]:
    return [(one.name, one.default, _CONVERTS.get(str(one.type))) for one in fields(answer) if not one.kw_only]


_list_members: Callable[[Any], list[tuple[str, Any, Convert | None]]] = cache(_find_members)


@dataclass(frozen=True)
class Answer:
    """An answer of the service."""

    raw: Json = field(default_factory=dict, repr=False, compare=False, kw_only=True)

    @classmethod
    def parse(cls: type[A], raw: Json, **more: Any) -> A:
        """The answer that a JSON object holds."""
        for name, default, convert in _list_members(cls):
            value = raw.get(name)
            more[name] = default if value is None else convert(value) if convert else value
        return cls(raw=raw, **more)


@dataclass(frozen=True)
class Verdict(Answer):
    """What an address is worth. `row`: its row of a list, from 1; 0 of a single check."""

    id: str = ""
    row: int = 0
    email: str = ""
    email_checked: str = ""
    category: Category = Category.OTHER
    reason: str = ""
    label: str = ""
    valid: bool = False
    safe_to_send: bool = False
    confidence_score: float = 0.0
    disposable: bool | None = None
    free_email: bool = False
    did_you_mean: str | None = None
    repaired_from: str | None = None
    credits_used: int | None = None
    validated_at: datetime | None = None


@dataclass(frozen=True)
class Progress(Answer):
    """A list, and how far it was when the service said so."""

    batch_id: str = ""
    status: Status = Status.OTHER
    filename: str | None = None
    total_emails: int = 0
    processed: int = 0
    valid_count: int = 0
    invalid_count: int = 0
    unknown_count: int = 0
    safe_to_send_count: int = 0
    risky_count: int = 0
    seconds_left: int | None = None
    error: str | None = None

    @property
    def id(self) -> str:
        """The same as `batch_id`."""
        return self.batch_id


@dataclass(frozen=True)
class Page(Answer):
    """A page of results, and the cursor of the next one; None at the end."""

    results: tuple[Verdict, ...] = ()
    next_cursor: str | None = None


@dataclass(frozen=True)
class Draft(Answer):
    """A file before its start: what it holds, and the most credits it can cost."""

    upload_id: str = ""
    rows: int = 0
    unique: int = 0
    cost: int = 0
    credits: int = 0


@dataclass(frozen=True)
class Credits(Answer):
    """What can be spent; `held` is set aside for lists that run."""

    credits: int = 0
    plan_credits: int = 0
    pack_credits: int = 0
    held: int = 0
    subscription_plan: str = ""
    resets_at: datetime | None = None


@dataclass(frozen=True)
class KeyFacts(Answer):
    """What a key may do."""

    name: str = ""
    prefix: str = ""
    test: bool = False
    scopes: tuple[str, ...] = ()
    expires_at: datetime | None = None
    daily_credit_cap: int | None = None
    allowed_ips: tuple[str, ...] = ()
    requests_per_minute: int | None = None


@dataclass(frozen=True)
class Account(Answer):
    """Whom the key belongs to."""

    subscription_plan: str = ""
    credits: int = 0
    key: KeyFacts = KeyFacts()


@dataclass(frozen=True)
class Event(Answer):
    """A verified message of a webhook."""

    event: str = ""
    timestamp: datetime | None = None
    data: Json = field(default_factory=dict)


def _parse_time(text: object) -> datetime | None:
    try:
        return datetime.fromisoformat(str(text).replace("Z", "+00:00"))
    except ValueError:
        return None


# By annotation; what stands for itself in JSON is not here.
_CONVERTS: dict[str, Convert] = {
    "Category": Category,
    "KeyFacts": KeyFacts.parse,
    "Status": Status,
    "datetime | None": _parse_time,
    "str": str,
    "tuple[Verdict, ...]": lambda rows: tuple(map(Verdict.parse, rows)),
    "tuple[str, ...]": tuple,
}
