"""The client for the settings of this process."""

from functools import lru_cache

from django.conf import settings

from billing.payments.paypal.client import Account, PayPal


def paypal() -> PayPal:
    """Our account at PayPal, live or simulated; one client in a process, so that its token is shared."""
    return _build_client(
        Account(
            api_base=settings.PAYPAL_API_BASE,
            web_base=settings.PAYPAL_WEB_BASE,
            client_id=settings.PAYPAL_CLIENT_ID,
            secret=settings.PAYPAL_CLIENT_SECRET,
            webhook_id=settings.PAYPAL_WEBHOOK_ID,
            merchant_id=settings.PAYPAL_MERCHANT_ID,
        )
    )


@lru_cache(maxsize=4)
def _build_client(account: Account) -> PayPal:
    return PayPal(account)
