"""The mail about a deleted account."""

from django.conf import settings

from emailcheck.common.outbound import mail

mail.register_mail("account_deleted", example={"credits": 100, "invoice_years": 10})


def send_account_deleted(*, user_id: int, address: str, credits: int) -> None:
    """`credits`: how many lapse."""
    context = {"credits": credits, "invoice_years": settings.INVOICE_BUYER_YEARS}
    mail.send_mail(name="account_deleted", to=address, context=context, key=f"account_deleted:{user_id}")
