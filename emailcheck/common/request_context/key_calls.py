"""What is known about the call that is being answered: with which key it was made, and what it sent."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from rest_framework.request import Request


@dataclass(frozen=True, slots=True)
class KeyCall:
    """A call with an API key, whether it was let in or not."""

    request: Request
    user_id: int
    key_id: int
    is_test: bool


_current: ContextVar[KeyCall | None] = ContextVar("call", default=None)


def current_key_call() -> KeyCall | None:
    """The call with a key that is being answered, None for every other one."""
    return _current.get()


def is_test_call() -> bool:
    """Whether the call is one of test mode."""
    call = _current.get()
    return call is not None and call.is_test


def set_key_call(call: KeyCall) -> None:
    """Say with which key the call is made, as soon as that is known."""
    _current.set(call)


@contextmanager
def answering_request() -> Iterator[None]:
    """Around one request."""
    token = _current.set(None)
    try:
        yield
    finally:
        _current.reset(token)
