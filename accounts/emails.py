"""The mails about accounts."""

from collections.abc import Sequence
from datetime import datetime

from django.conf import settings

from accounts import tokens
from accounts.deletion_models import ColleagueDeletion
from accounts.models import ApiKey, OneTimeToken, Purpose, SignIn, User
from emailcheck.common import mail, proxies, registry

SECURITY = "/account-settings?tab=profile#security"
_KEYS = "/account-settings?tab=profile#api-keys"
_WEBHOOKS = "/account-settings?tab=profile#webhooks"
_WHEN = "21 November 2026, 09:30 UTC"
_LINK = {"link": mail.link("/verify-email?token=example")}
_WHERE = {"when": _WHEN, "ip": "203.0.113.7", "link": mail.link("/?login=true")}

mail.register("verification", example=_LINK | {"when": _WHEN})
mail.register("verification_resend", example=_LINK)
mail.register("verification_choice", example={"link": mail.link("/reset-password?token=example")})
mail.register("password_reset", example={"link": mail.link("/reset-password?token=example")})
mail.register(
    "password_changed",
    example=_WHERE
    | {
        "keys": ["ec_live_Yg0dwpY1", "ec_live_k3PzQm8w"], "keys_link": mail.link(_KEYS),
        "webhooks": ["hooks.example.com"], "webhooks_link": mail.link(_WEBHOOKS),
    },
)  # fmt: skip
mail.register(
    "email_taken",
    example={"login_link": mail.link("/?login=true"), "reset_link": mail.link("/reset-password?token=example")},
)
mail.register("welcome", example={"credits": 100, "link": mail.link("/dashboard")})
mail.register("new_sign_in", example=_WHERE | {"device": "Chrome on Linux", "link": mail.link(SECURITY)})
_CHANGED_HERE = {"when": _WHEN, "ip": "203.0.113.7", "link": mail.link(SECURITY)}
mail.register("second_factor_added", example=_CHANGED_HERE)
mail.register("recovery_codes_renewed", example=_CHANGED_HERE)
mail.register("google_linked", example=_CHANGED_HERE)
mail.register("second_factor_removed", example={"when": _WHEN, "who": "you", "link": mail.link(SECURITY)})
mail.register(
    "api_key_created",
    example={
        "key_name": "Shop", "prefix": "ec_live_Yg0dwpY1", "scopes": "read, write", "when": _WHEN,
        "link": mail.link(_KEYS),
    },
)  # fmt: skip
mail.register(
    "colleague_deletion",
    example={
        "step": "asked for", "name": "Rosa Ruiz", "email": "rosa@example.com", "by": "Sam Staff (sam@example.com)",
        "asked_by": "Sam Staff (sam@example.com)", "reason": "Has left the company", "when": _WHEN,
        "link": mail.link("/admin?tab=users"),
    },
)  # fmt: skip
mail.register(
    "account_suspended", example={"reason": "Lists of addresses that were bought, against our terms.", "when": _WHEN}
)
mail.register("account_readmitted", example={"when": _WHEN, "link": mail.link("/?login=true")})
mail.register("account_deleted", example={"credits": 100, "invoice_years": 10})


def send_verification(*, user: User, token: str, asked_at: datetime) -> None:
    """A link that confirms the address with what was given at `asked_at`."""
    mail.send(name="verification", to=user.email, context={"link": _verify_link(token), "when": in_words(asked_at)})


def send_verification_again(*, user: User, token: str) -> None:
    """A link that confirms the address in place of earlier ones."""
    mail.send(name="verification_resend", to=user.email, context={"link": _verify_link(token)})


def send_verification_choice(*, user: User) -> None:
    """A link that confirms the address and asks for a password, because several were given with it."""
    mail.send(name="verification_choice", to=user.email, context={"link": _reset_link(user)})


def send_reset(*, user: User) -> None:
    """A link that sets a new password; earlier links end."""
    mail.send(name="password_reset", to=user.email, context={"link": _reset_link(user)})


def send_taken(*, user: User) -> None:
    """To the owner of an address with which somebody tried to register."""
    links = {"login_link": mail.link("/?login=true"), "reset_link": _reset_link(user)}
    mail.send(name="email_taken", to=user.email, context=links)


def send_password_changed(*, user: User, token: OneTimeToken, now: datetime) -> None:
    """Also names what programs still get in by."""
    live_keys = ApiKey.objects.for_user(user).live().order_by("-pk")
    context = {
        "when": in_words(now),
        "ip": proxies.caller_address() or "unknown",
        "link": mail.link("/?login=true"),
        "keys": list(live_keys.values_list("prefix", flat=True)),
        "keys_link": mail.link(_KEYS),
        "webhooks": registry.webhook_hosts(user),
        "webhooks_link": mail.link(_WEBHOOKS),
    }
    mail.send(name="password_changed", to=user.email, context=context, key=f"password_changed:{token.pk}")


def send_welcome(*, user: User) -> None:
    """Once, after the address was confirmed."""
    credits = registry.account_summary(user).get("credits", 0)
    context = {"credits": credits, "link": mail.link("/dashboard")}
    mail.send(name="welcome", to=user.email, context=context, key=f"welcome:{user.pk}")


def send_new_sign_in(*, sign_in: SignIn) -> None:
    context = {
        "when": in_words(sign_in.created_at),
        "device": sign_in.device,
        "ip": sign_in.ip or "unknown",
        "link": mail.link(SECURITY),
    }
    mail.send(name="new_sign_in", to=sign_in.user.email, context=context, key=f"new_sign_in:{sign_in.pk}")


def send_second_factor_added(*, user: User, now: datetime) -> None:
    mail.send(name="second_factor_added", to=user.email, context=_changed_here(now))


def send_recovery_codes_renewed(*, user: User, now: datetime) -> None:
    mail.send(name="recovery_codes_renewed", to=user.email, context=_changed_here(now))


def send_google_linked(*, user: User, now: datetime) -> None:
    mail.send(name="google_linked", to=user.email, context=_changed_here(now))


def send_second_factor_removed(*, user: User, who: str, now: datetime) -> None:
    """`who`: you, or a member of the staff."""
    context = {"when": in_words(now), "who": who, "link": mail.link(SECURITY)}
    mail.send(name="second_factor_removed", to=user.email, context=context)


def send_key_created(*, key: ApiKey) -> None:
    context = {
        "key_name": key.name,
        "prefix": key.prefix,
        "scopes": ", ".join(key.scopes),
        "when": in_words(key.created_at),
        "link": mail.link(_KEYS),
    }
    mail.send(name="api_key_created", to=key.user.email, context=context, key=f"api_key_created:{key.pk}")


def send_account_suspended(*, user: User, reason: str, now: datetime) -> None:
    """Why, what it means, and how to answer."""
    mail.send(name="account_suspended", to=user.email, context={"reason": reason, "when": in_words(now)})


def send_account_readmitted(*, user: User, now: datetime) -> None:
    context = {"when": in_words(now), "link": mail.link("/?login=true")}
    mail.send(name="account_readmitted", to=user.email, context=context)


def send_account_deleted(*, user: User, credits: int) -> None:
    """`credits`: how many lapse."""
    context = {"credits": credits, "invoice_years": settings.INVOICE_BUYER_YEARS}
    mail.send(name="account_deleted", to=user.email, context=context, key=f"account_deleted:{user.pk}")


def send_colleague_deletion(*, asked: ColleagueDeletion, by: User, step: str, to: Sequence[str]) -> None:
    """Tell each of these addresses about a step: `asked for`, `confirmed` or `cancelled`."""
    context = {
        "step": step,
        "name": asked.colleague_name,
        "email": asked.colleague_email,
        "by": f"{by.name} ({by.email})",
        "asked_by": f"{asked.staff_name} ({asked.staff_email})",
        "reason": asked.reason,
        "when": in_words(asked.expires_at),
        "link": mail.link("/admin?tab=users"),
    }
    for address in to:
        key = f"colleague_deletion:{asked.pk}:{step}:{address}"
        mail.send(name="colleague_deletion", to=address, context=context, key=key)


def in_words(moment: datetime) -> str:
    """Such as `21 November 2026, 09:30 UTC`."""
    return f"{moment.day} {moment:%B %Y, %H:%M} UTC"


def _changed_here(now: datetime) -> dict[str, str]:
    return {"when": in_words(now), "ip": proxies.caller_address() or "unknown", "link": mail.link(SECURITY)}


def _verify_link(token: str) -> str:
    return mail.link(f"/verify-email?token={token}")


def _reset_link(user: User) -> str:
    return mail.link(f"/reset-password?token={tokens.make(user=user, purpose=Purpose.RESET)}")
