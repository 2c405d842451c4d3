"""What a low app needs from all the others: each fills in its part in its `AppConfig.ready()`."""

from collections.abc import Callable
from typing import Any

from django.contrib.auth.base_user import AbstractBaseUser

Summary = Callable[[AbstractBaseUser], dict[str, Any]]

_summaries: list[Summary] = []
_disposable: list[Callable[[str], bool]] = []


def add_account_summary(part: Summary) -> None:
    """Register a function that gives some keys of the account summary of a user."""
    if part not in _summaries:
        _summaries.append(part)


def account_summary(user: AbstractBaseUser) -> dict[str, Any]:
    """What the apps above know of a user, for `/api/auth/me` and the login answer."""
    summary: dict[str, Any] = {}
    for part in _summaries:
        summary |= part(user)
    return summary


def add_disposable_list(knows: Callable[[str], bool]) -> None:
    """Register a function that knows domains which give out throw-away mailboxes."""
    if knows not in _disposable:
        _disposable.append(knows)


def is_disposable(domain: str) -> bool:
    """Whether a domain gives out throw-away mailboxes."""
    return any(knows(domain) for knows in _disposable)
