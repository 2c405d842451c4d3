"""The known providers, their addresses and our keys. Read from the environment at each call."""

from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urlsplit

from django.conf import settings

from emailcheck.env import Env, SettingError

NONE: Final = "none"
"""As a key: do not use this provider."""


@dataclass(frozen=True, slots=True)
class Service:
    """A provider's public data. The sandbox simulates it at the same paths and accepts `sandbox_key`."""

    name: str
    title: str
    url: str
    bulk_url: str
    sandbox_key: str


@dataclass(frozen=True, slots=True)
class Access:
    """Access to a provider: addresses of its service and bulk service, and our key ("" for none)."""

    service: Service
    url: str
    bulk_url: str
    key: str = field(repr=False)

    @property
    def is_configured(self) -> bool:
        return bool(self.key)


SERVICES: Final = (
    Service(
        "zerobounce",
        "ZeroBounce",
        "https://api.zerobounce.net",
        "https://bulkapi.zerobounce.net",
        "sandbox5d41402abc4b2a76b9719d91",
    ),
    Service(
        "neverbounce",
        "NeverBounce",
        "https://api.neverbounce.com",
        "https://api.neverbounce.com",
        "secret_sandbox7d793037a0760186",
    ),
    Service("kickbox", "Kickbox", "https://api.kickbox.com", "https://api.kickbox.com", "live_sandbox8fa14cdd754f91cc"),
)


def read_access(service: Service, env: Env | None = None) -> Access:
    """Access to one provider. Raises `SettingError` in live mode for values that only a sandbox may use."""
    env, prefix = env or Env(), f"PROVIDER_{service.name.upper()}"
    played = f"http://127.0.0.1:{settings.SANDBOX_HTTP_PORT}/sandbox/providers/{service.name}"
    key = env.text(f"{prefix}_KEY", service.sandbox_key if settings.SANDBOX else NONE)
    url = env.text(f"{prefix}_URL", played if settings.SANDBOX else service.url).rstrip("/")
    bulk_url = env.text(f"{prefix}_BULK_URL", played if settings.SANDBOX else service.bulk_url).rstrip("/")
    if not key.isascii() or not key.isprintable() or " " in key:
        raise SettingError(f"{prefix}_KEY holds what no key does: blanks, or other characters than those of ASCII")
    for address in (url, bulk_url):
        if urlsplit(address).scheme not in {"http", "https"} or not urlsplit(address).hostname:
            raise SettingError(f"{prefix}_URL must be the https address of the provider, not {address!r}")
    if not settings.SANDBOX and key != NONE:
        _require_live(prefix, key, url, bulk_url)
    return Access(service, url, bulk_url, "" if key == NONE else key)


def check_settings() -> None:
    """Check the settings of all providers. Raises `SettingError`."""
    for service in SERVICES:
        read_access(service)


def _require_live(prefix: str, key: str, *addresses: str) -> None:
    if "sandbox" in key.lower():
        raise SettingError(f"{prefix}_KEY must be set to the one of your account there, or to {NONE}, in live mode")
    for address in addresses:
        parts = urlsplit(address)
        if parts.scheme != "https" or parts.hostname in {None, "localhost", "127.0.0.1", "::1"}:
            raise SettingError(f"{prefix}_URL must be an https address of the provider, not {address!r}")
