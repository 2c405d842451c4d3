"""The mails about what staff do to an account."""

from collections.abc import Sequence
from datetime import datetime

from accounts.staff.models import ColleagueDeletion
from accounts.users.models import User
from emailcheck.common.outbound import mail
from emailcheck.common.text.dates import format_moment

_WHEN = "21 November 2026, 09:30 UTC"

mail.register_mail(
    "colleague_deletion",
    example={
        "step": "asked for", "name": "Rosa Ruiz", "email": "rosa@example.com", "by": "Sam Staff (sam@example.com)",
        "asked_by": "Sam Staff (sam@example.com)", "reason": "Has left the company", "when": _WHEN,
        "link": mail.build_link("/admin?tab=users"),
    },
)  # fmt: skip
mail.register_mail(
    "account_suspended", example={"reason": "Lists of addresses that were bought, against our terms.", "when": _WHEN}
)
mail.register_mail("account_readmitted", example={"when": _WHEN, "link": mail.build_link("/?login=true")})


def send_account_suspended(*, user: User, reason: str, now: datetime) -> None:
    """Why, what it means, and how to answer."""
    mail.send_mail(name="account_suspended", to=user.email, context={"reason": reason, "when": format_moment(now)})


def send_account_readmitted(*, user: User, now: datetime) -> None:
    context = {"when": format_moment(now), "link": mail.build_link("/?login=true")}
    mail.send_mail(name="account_readmitted", to=user.email, context=context)


def send_colleague_deletion(*, deletion: ColleagueDeletion, by: User, step: str, to: Sequence[str]) -> None:
    """Mail these addresses about a step: `asked for`, `confirmed` or `cancelled`."""
    context = {
        "step": step,
        "name": deletion.colleague_name,
        "email": deletion.colleague_email,
        "by": f"{by.name} ({by.email})",
        "asked_by": f"{deletion.staff_name} ({deletion.staff_email})",
        "reason": deletion.reason,
        "when": format_moment(deletion.expires_at),
        "link": mail.build_link("/admin?tab=users"),
    }
    for address in to:
        key = f"colleague_deletion:{deletion.pk}:{step}:{address}"
        mail.send_mail(name="colleague_deletion", to=address, context=context, key=key)
