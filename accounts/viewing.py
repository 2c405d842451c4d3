"""Looking at the product as a customer sees it (ADM-230): read-only, for a quarter of an hour, and never unseen.

The token says which viewing it is, and is looked up at every call and page: it ends with the session that began it,
when its time is over, and as soon as either side is no longer what it was.
"""

from datetime import timedelta

from django.db import transaction
from django.utils import timezone
from rest_framework_simplejwt.tokens import AccessToken

from accounts import activity
from accounts.models import ActivityKind, SignIn, User, Viewing
from emailcheck.common.errors import Refused

LASTS = timedelta(minutes=15)
CLAIM = "viewing"


@transaction.atomic
def start(*, user: User, by: User, sign_in: SignIn, reason: str) -> tuple[Viewing, str]:
    """Begin to look at an account, and answer the token for it; an earlier look of this session ends.

    Its owner finds it in the account's activity. Raises `Refused` for staff, protected and suspended accounts.
    """
    check_may_be_seen(user)
    if not user.is_active:
        raise Refused("Account suspended", code="ACCOUNT_SUSPENDED")
    SignIn.objects.select_for_update().get(pk=sign_in.pk)  # of those who begin at once, one after another
    end(sign_in=sign_in)
    made = Viewing.objects.create(user=user, sign_in=sign_in, reason=reason, expires_at=timezone.now() + LASTS)
    _record(made, by, "Staff began to look at the account, read-only", {"reason": reason})
    token = AccessToken()
    token.set_exp(lifetime=LASTS)
    token[CLAIM] = made.pk
    return made, str(token)


@transaction.atomic
def end(*, sign_in: SignIn) -> int:
    """Stop looking. Answers how many looks of this session ended; harmless without one."""
    running = Viewing.objects.select_for_update().filter(sign_in=sign_in, ended_at=None)
    ended = list(running.filter(expires_at__gt=timezone.now()).select_related("user"))
    running.update(ended_at=timezone.now())
    for one in ended:
        _record(one, sign_in.user, "Staff stopped looking at the account", {})
    return len(ended)


def find(viewing_id: object) -> Viewing | None:
    """The look of that number, while it lasts."""
    if type(viewing_id) is not int:
        return None
    now = timezone.now()
    open_ones = Viewing.objects.select_related("user", "sign_in__user").filter(
        ended_at=None, expires_at__gt=now, sign_in__ended_at=None, sign_in__expires_at__gt=now
    )
    found = open_ones.filter(pk=viewing_id).first()
    if found is None or not found.user.is_active or not _may_be_seen(found.user):
        return None
    return found if found.sign_in.user.is_staff else None


def check_may_be_seen(user: User) -> None:
    """Raises `Refused` for accounts of staff and protected ones, which no colleague looks into."""
    if not _may_be_seen(user):
        raise Refused("This account is protected", code="PROTECTED_ACCOUNT")


def _may_be_seen(user: User) -> bool:
    return not (user.is_protected or user.is_colleague)


def _record(made: Viewing, by: User, action: str, changes: dict[str, object]) -> None:
    target = f"account {made.user_id}"
    activity.record(user=made.user, kind=ActivityKind.STAFF, action=action, staff=by, target=target, changes=changes)
