"""Who makes a call, and with which credential."""

from rest_framework.request import Request

from accounts.access.models import ApiKey, Viewing
from accounts.users.models import User


def caller(request: Request) -> User:
    """The account that calls."""
    assert isinstance(request.user, User)
    return request.user


def api_key_of(request: Request) -> ApiKey | None:
    """The API key that the call was made with, None for a sign-in."""
    return request.auth if isinstance(request.auth, ApiKey) else None


def is_staff_view(request: Request) -> bool:
    """Whether staff view the account: answers must not contain addresses that its owner uploaded."""
    return isinstance(request.auth, Viewing)
