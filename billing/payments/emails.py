"""The mails about a payment that PayPal had held back."""

from accounts.organisations.models import Organisation
from billing.catalogue.price_tables import format_dollars
from billing.payments.models import Payment, PaymentKind
from billing.payments.wording import NOT_MADE
from emailcheck.common.outbound import mail

_MANAGE = {"link": mail.build_link("/account-settings?tab=subscription")}
_PAYMENT = _MANAGE | {"amount": "$59.00", "what": "5,000 credits"}

mail.register_mail("payment_completed", example=_PAYMENT | {"brought": "5,000 credits were added to your account."})
mail.register_mail("payment_not_made", example=_PAYMENT | {"not_made": NOT_MADE, "again": True})


def send_payment_completed(*, organisation: Organisation, payment: Payment, brought: str) -> None:
    """A held payment has completed; `brought` says what for. Its invoice goes in a separate mail."""
    context = _build_payment_context(payment) | {"brought": brought}
    mail.send_mail(
        name="payment_completed", to=organisation.contact.email, context=context, key=f"payment_completed:{payment.pk}"
    )


def send_payment_not_made(*, organisation: Organisation, payment: Payment) -> None:
    """A payment that PayPal had held back came to nothing."""
    context = _build_payment_context(payment) | {"not_made": NOT_MADE, "again": payment.kind != PaymentKind.RENEWAL}
    mail.send_mail(
        name="payment_not_made", to=organisation.contact.email, context=context, key=f"payment_not_made:{payment.pk}"
    )


def _build_payment_context(payment: Payment) -> dict[str, str]:
    return _MANAGE | {"amount": format_dollars(payment.amount), "what": payment.description}
