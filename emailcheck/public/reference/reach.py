"""What an API key reaches and what needs a sign-in, for pages that say so: made from the list of the reference."""

from typing import NamedTuple

from emailcheck.contract.groups import WITH_A_KEY, WITH_A_SIGN_IN

_PAGE = "/api-docs"
_NEVER_BY_KEY = ("profile", "members", "payments", "quotes")


class Topic(NamedTuple):
    """What calls are about, and where they are described."""

    title: str
    path: str


class Reach(NamedTuple):
    """Topics that keys reach, those that take a sign-in alone, and what no key ever reaches, in words."""

    with_a_key: tuple[Topic, ...]
    with_a_sign_in: tuple[Topic, ...]
    never_by_key: str


def describe_reach() -> Reach:
    """What keys reach, as the reference has it now."""
    with_a_key = tuple(Topic(group.title, f"{_PAGE}#{group.anchor}") for group in WITH_A_KEY)
    with_a_sign_in = tuple(Topic(group.title, f"{_PAGE}#{group.anchor}") for group in WITH_A_SIGN_IN)
    return Reach(with_a_key, with_a_sign_in, f"{', '.join(_NEVER_BY_KEY[:-1])} and {_NEVER_BY_KEY[-1]}")
