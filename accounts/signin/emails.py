"""The mails about registration, passwords and signing in."""

from datetime import datetime

from accounts.access.models import ApiKey, SignIn
from accounts.keys.emails import API_KEYS_PAGE
from accounts.signin import one_time_tokens
from accounts.signin.models import OneTimeToken, Purpose
from accounts.users.models import User
from emailcheck.common import registry, request_context
from emailcheck.common.outbound import mail
from emailcheck.common.text.dates import format_moment

SECURITY_PAGE = "/account-settings?tab=profile#security"
_WEBHOOKS_PAGE = "/account-settings?tab=profile#webhooks"
_WHEN = "21 November 2026, 09:30 UTC"
_LINK = {"link": mail.build_link("/verify-email?token=example")}
_WHERE = {"when": _WHEN, "ip": "203.0.113.7", "link": mail.build_link("/?login=true")}

mail.register_mail("verification", example=_LINK | {"when": _WHEN})
mail.register_mail("verification_resend", example=_LINK)
mail.register_mail("verification_choice", example={"link": mail.build_link("/reset-password?token=example")})
mail.register_mail("password_reset", example={"link": mail.build_link("/reset-password?token=example")})
mail.register_mail(
    "password_changed",
    example=_WHERE
    | {
        "keys": ["ec_live_Yg0dwpY1", "ec_live_k3PzQm8w"], "keys_link": mail.build_link(API_KEYS_PAGE),
        "webhooks": ["hooks.example.com"], "webhooks_link": mail.build_link(_WEBHOOKS_PAGE),
    },
)  # fmt: skip
mail.register_mail(
    "email_taken",
    example={
        "login_link": mail.build_link("/?login=true"),
        "reset_link": mail.build_link("/reset-password?token=example"),
    },
)
mail.register_mail("google_required", example={"organisation": "Alder & Ash", "link": mail.build_link("/?login=true")})
mail.register_mail("welcome", example={"credits": 100, "link": mail.build_link("/dashboard")})
mail.register_mail(
    "new_sign_in", example=_WHERE | {"device": "Chrome on Linux", "link": mail.build_link(SECURITY_PAGE)}
)
_CHANGE_EXAMPLE = {"when": _WHEN, "ip": "203.0.113.7", "link": mail.build_link(SECURITY_PAGE)}
mail.register_mail("second_factor_added", example=_CHANGE_EXAMPLE)
mail.register_mail("recovery_codes_renewed", example=_CHANGE_EXAMPLE)
mail.register_mail("google_linked", example=_CHANGE_EXAMPLE)
mail.register_mail(
    "second_factor_removed", example={"when": _WHEN, "who": "you", "link": mail.build_link(SECURITY_PAGE)}
)


def send_verification(*, user: User, token: str, asked_at: datetime) -> None:
    """A link that confirms the address with the registration made at `asked_at`."""
    mail.send_mail(
        name="verification", to=user.email, context={"link": _build_verify_link(token), "when": format_moment(asked_at)}
    )


def send_verification_again(*, user: User, token: str) -> None:
    """A link that confirms the address in place of earlier ones."""
    mail.send_mail(name="verification_resend", to=user.email, context={"link": _build_verify_link(token)})


def send_verification_choice(*, user: User) -> None:
    """A link that confirms the address and asks for a password, because several registrations named one."""
    mail.send_mail(name="verification_choice", to=user.email, context={"link": _build_reset_link(user)})


def send_password_reset(*, user: User) -> None:
    """A link that sets a new password; earlier links end."""
    mail.send_mail(name="password_reset", to=user.email, context={"link": _build_reset_link(user)})


def send_google_required(*, user: User, organisation: str) -> None:
    """In place of a link that sets a password, which would not sign in."""
    context = {"organisation": organisation, "link": mail.build_link("/?login=true")}
    mail.send_mail(name="google_required", to=user.email, context=context)


def send_address_taken(*, user: User) -> None:
    """To the owner of an address that somebody tried to register again."""
    links = {"login_link": mail.build_link("/?login=true"), "reset_link": _build_reset_link(user)}
    mail.send_mail(name="email_taken", to=user.email, context=links)


def send_password_changed(*, user: User, token: OneTimeToken, now: datetime) -> None:
    """Also names what programs still get in by."""
    live_keys = ApiKey.objects.for_org(user.own_organisation).live().order_by("-pk")
    context = {
        "when": format_moment(now),
        "ip": request_context.caller_address() or "unknown",
        "link": mail.build_link("/?login=true"),
        "keys": list(live_keys.values_list("prefix", flat=True)),
        "keys_link": mail.build_link(API_KEYS_PAGE),
        "webhooks": registry.above.list_webhook_hosts(user.own_organisation),
        "webhooks_link": mail.build_link(_WEBHOOKS_PAGE),
    }
    mail.send_mail(name="password_changed", to=user.email, context=context, key=f"password_changed:{token.pk}")


def send_welcome(*, user: User) -> None:
    """Once, after the address was confirmed."""
    credits = registry.above.load_account_summary(user.own_organisation).get("credits", 0)
    context = {"credits": credits, "link": mail.build_link("/dashboard")}
    mail.send_mail(name="welcome", to=user.email, context=context, key=f"welcome:{user.pk}")


def send_new_sign_in(*, sign_in: SignIn) -> None:
    context = {
        "when": format_moment(sign_in.created_at),
        "device": sign_in.device,
        "ip": sign_in.ip or "unknown",
        "link": mail.build_link(SECURITY_PAGE),
    }
    mail.send_mail(name="new_sign_in", to=sign_in.user.email, context=context, key=f"new_sign_in:{sign_in.pk}")


def send_second_factor_added(*, user: User, now: datetime) -> None:
    mail.send_mail(name="second_factor_added", to=user.email, context=_build_change_context(now))


def send_recovery_codes_renewed(*, user: User, now: datetime) -> None:
    mail.send_mail(name="recovery_codes_renewed", to=user.email, context=_build_change_context(now))


def send_google_linked(*, user: User, now: datetime) -> None:
    mail.send_mail(name="google_linked", to=user.email, context=_build_change_context(now))


def send_second_factor_removed(*, user: User, who: str, now: datetime) -> None:
    """`who`: you, or a member of the staff."""
    context = {"when": format_moment(now), "who": who, "link": mail.build_link(SECURITY_PAGE)}
    mail.send_mail(name="second_factor_removed", to=user.email, context=context)


def _build_change_context(now: datetime) -> dict[str, str]:
    return {
        "when": format_moment(now),
        "ip": request_context.caller_address() or "unknown",
        "link": mail.build_link(SECURITY_PAGE),
    }


def _build_verify_link(token: str) -> str:
    return mail.build_link(f"/verify-email?token={token}")


def _build_reset_link(user: User) -> str:
    return mail.build_link(f"/reset-password?token={one_time_tokens.create_token(user=user, purpose=Purpose.RESET)}")
