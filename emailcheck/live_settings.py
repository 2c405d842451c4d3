"""What the settings must say before anything runs in live mode."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from emailcheck.env import SettingError

DEFAULT_SECRET = "sandbox-only-secret-never-accepted-in-live-mode"
_THIS_MACHINE = ("127.0.0.1", "localhost", "[::1]")
_NAMED = {
    "VERIFIER_HELO and VERIFIER_MAIL_FROM must be set in live mode": ("VERIFIER_HELO", "VERIFIER_MAIL_FROM"),
    "SELLER_NAME and SELLER_ADDRESS must be set in live mode: invoices name who sells": (
        "SELLER_NAME",
        "SELLER_ADDRESS",
    ),
}
_PAYPAL_KEYS = ("PAYPAL_CLIENT_ID", "PAYPAL_CLIENT_SECRET", "PAYPAL_WEBHOOK_ID", "PAYPAL_MERCHANT_ID")


def require_live_settings(values: Mapping[str, Any]) -> None:
    """Raises `SettingError` for settings, by name, that may not stand in live mode."""
    secret = values["SECRET_KEY"]
    if secret == DEFAULT_SECRET or len(secret) < 32:
        raise SettingError("SECRET_KEY must be set in live mode, to at least 32 characters")
    if not values["REQUIRE_EMAIL_VERIFICATION"]:
        raise SettingError("REQUIRE_EMAIL_VERIFICATION must be on in live mode")
    if values["DEBUG"]:
        raise SettingError("DEBUG must be off in live mode")
    for sentence, names in _NAMED.items():
        if not all(values[name] for name in names):
            raise SettingError(sentence)
    _refuse_this_machine("GOOGLE_BASE", [values["GOOGLE"].token])
    _refuse_this_machine("VERIFIER_ROUTES", values["VERIFIER_ROUTES"])
    _require_live_paypal(values)


def _refuse_this_machine(name: str, addresses: list[str] | tuple[str, ...]) -> None:
    if any(here in address for address in addresses for here in _THIS_MACHINE):
        raise SettingError(f"{name} points at this machine, which only the sandbox may do")


def _require_live_paypal(values: Mapping[str, Any]) -> None:
    """Refuse keys that are missing or the sandbox's, and addresses that are not PayPal's own for real money."""
    for name in _PAYPAL_KEYS:
        key = values[name]
        if not key or key.lower().startswith("sandbox"):
            raise SettingError(f"{name} must be set in live mode, to the one of your live PayPal app")
    for name in ("PAYPAL_API_BASE", "PAYPAL_WEB_BASE"):
        parts = urlsplit(values[name])
        host = parts.hostname or ""
        if parts.scheme != "https" or "sandbox" in host or not f".{host}".endswith(".paypal.com"):
            message = f"{name} must be an https address of paypal.com that is no sandbox, not {values[name]!r}"
            raise SettingError(message)
