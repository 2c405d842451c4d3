"""The mail about an endpoint that was switched off."""

from datetime import datetime

from emailcheck.common.outbound import mail
from validation.webhooks.models import Webhook

PAGE = mail.build_link("/account-settings?tab=profile#webhooks")

mail.register_mail(
    "webhook_disabled",
    example={
        "url": "https://shop.example.com/hooks", "reason": "The endpoint answered 410 Gone.",
        "since": "16 November 2026, 09:30 UTC", "link": PAGE,
    },
)  # fmt: skip


def send_disabled(*, hook: Webhook, at: datetime) -> None:
    """To the owner: the endpoint, the reason, the time of the first failure, and how to repair it."""
    since = hook.failing_since or at
    context = {"url": hook.url, "reason": hook.disabled_reason, "since": f"{since:%-d %B %Y, %H:%M} UTC", "link": PAGE}
    mail.send_mail(
        name="webhook_disabled",
        to=hook.organisation.contact.email,
        context=context,
        key=f"webhook_disabled:{hook.pk}:{at}",
    )
