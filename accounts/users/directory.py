"""Who has an account, for staff: found by a part of the name or the address."""

from django.db.models import Q, QuerySet

from accounts.users.models import User
from emailcheck.common.errors import NotFound


def open_accounts() -> QuerySet[User]:
    """All accounts but those that are closed for good."""
    return User.objects.filter(deleted_at=None)


def match_text(text: str) -> Q:
    """Accounts with the text in the name or the address, in capitals or not; all for an empty one."""
    words = text.strip()
    if not words:
        return Q()
    found = Q(email__contains=words.lower())
    for spelling in spelling_variants(words):
        found |= Q(name__icontains=spelling)
    return found


def load_account(user_id: int) -> User:
    """Raises `NotFound`."""
    found = open_accounts().filter(pk=user_id).first()
    if found is None:
        raise NotFound("User not found")
    return found


def spelling_variants(text: str) -> set[str]:
    """SQLite folds case in ASCII alone; other letters are searched in the usual spellings of names."""
    return {text} if text.isascii() else {text, text.lower(), text.upper(), text.title()}
