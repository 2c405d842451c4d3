"""The mail about a deleted account."""

from django.conf import settings

from accounts.users.models import User
from emailcheck.common.outbound import mail

mail.register_mail("account_deleted", example={"credits": 100, "invoice_years": 10})


def send_account_deleted(*, user: User, credits: int) -> None:
    """`credits`: how many lapse."""
    context = {"credits": credits, "invoice_years": settings.INVOICE_BUYER_YEARS}
    mail.send_mail(name="account_deleted", to=user.email, context=context, key=f"account_deleted:{user.pk}")
