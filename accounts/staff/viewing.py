"""Viewing the product as a customer (ADM-230): read-only, for 15 minutes, and recorded in the customer's activity.

The token names the viewing, which is loaded at every call and page: it ends with the session that began it,
when its time is over, and as soon as either side is no longer what it was.
"""

from datetime import timedelta

from django.db import transaction
from django.utils import timezone
from rest_framework_simplejwt.tokens import AccessToken

from accounts.access.models import SignIn, Viewing
from accounts.access.viewing_tokens import VIEWING_CLAIM, require_viewable
from accounts.activity import audit_log
from accounts.activity.models import ActivityKind
from accounts.users.models import User
from emailcheck.common.errors import Refused

VIEWING_LIFETIME = timedelta(minutes=15)


@transaction.atomic
def start_viewing(*, user: User, by: User, sign_in: SignIn, reason: str) -> tuple[Viewing, str]:
    """Begin to view an account. Returns the token for it; an earlier viewing of this session ends.

    The account's activity shows it. Raises `Refused` for staff, protected and suspended accounts.
    """
    require_viewable(user)
    if not user.is_active:
        raise Refused("Account suspended", code="ACCOUNT_SUSPENDED")
    SignIn.objects.select_for_update().get(pk=sign_in.pk)  # of those who begin at once, one after another
    end_viewings(sign_in=sign_in)
    made = Viewing.objects.create(
        user=user, sign_in=sign_in, reason=reason, expires_at=timezone.now() + VIEWING_LIFETIME
    )
    _record_viewing(made, by, "Staff began to look at the account, read-only", {"reason": reason})
    token = AccessToken()
    token.set_exp(lifetime=VIEWING_LIFETIME)
    token[VIEWING_CLAIM] = made.pk
    del token["iat"]  # as in `sessions`
    return made, str(token)


@transaction.atomic
def end_viewings(*, sign_in: SignIn) -> int:
    """End the viewings of this session. Returns how many; harmless without one."""
    running = Viewing.objects.select_for_update().filter(sign_in=sign_in, ended_at=None)
    ended = list(running.filter(expires_at__gt=timezone.now()).select_related("user"))
    running.update(ended_at=timezone.now())
    for one in ended:
        _record_viewing(one, sign_in.user, "Staff stopped looking at the account", {})
    return len(ended)


def _record_viewing(made: Viewing, by: User, action: str, changes: dict[str, object]) -> None:
    target = f"account {made.user_id}"
    audit_log.record_activity(
        user=made.user, kind=ActivityKind.STAFF, action=action, staff=by, target=target, changes=changes
    )
