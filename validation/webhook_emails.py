"""The mail about an endpoint that was switched off."""

from datetime import datetime

from emailcheck.common import mail
from validation.webhook_models import Webhook

PAGE = mail.link("/account-settings?tab=profile#webhooks")

mail.register(
    "webhook_disabled",
    example={
        "url": "https://shop.example.com/hooks", "reason": "The endpoint answered 410 Gone.",
        "since": "16 November 2026, 09:30 UTC", "link": PAGE,
    },
)  # fmt: skip


def send_disabled(*, hook: Webhook, at: datetime) -> None:
    """To the owner: which one, why, since when it failed, and how to repair it."""
    since = hook.failing_since or at
    context = {"url": hook.url, "reason": hook.disabled_reason, "since": f"{since:%-d %B %Y, %H:%M} UTC", "link": PAGE}
    mail.send(name="webhook_disabled", to=hook.user.email, context=context, key=f"webhook_disabled:{hook.pk}:{at}")
