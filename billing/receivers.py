"""What billing does when an account is made, verified or deleted, in the same transaction."""

from typing import Any

from django.dispatch import receiver

from accounts.models import User
from accounts.signals import user_deleted, user_registered, user_verified
from billing import mailboxes, services
from billing.models import LotKind


@receiver(user_registered)
def open_account(user: User, **kwargs: Any) -> None:
    services.open_account(user_id=user.pk)


@receiver(user_verified)
def grant_sign_up_credits(user: User, **kwargs: Any) -> None:
    services.open_account(user_id=user.pk)
    if not mailboxes.may_have_credits(user.email):
        return
    services.grant(
        user_id=user.pk,
        kind=LotKind.BONUS,
        amount=services.SIGN_UP_CREDITS,
        reason="Free credits for a verified address",
        key=f"sign-up:{user.pk}",
    )


@receiver(user_deleted)
def remember_mailbox(user: User, **kwargs: Any) -> None:
    """So that whoever registers again gets no second sign-up credits."""
    if user.email_verified:
        mailboxes.remember(user.email)
