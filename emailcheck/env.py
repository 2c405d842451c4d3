"""A small, strict, typed reader of environment variables.

Every reader takes the variable's name and a default, and raises `SettingError`, naming the variable
and what was expected, when the value cannot be read. An empty value counts as not set. Instead of any variable
`NAME`, `NAME_FILE` may name a file with its value, as for a secret.
"""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import TypeVar
from urllib.parse import unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

from emailcheck.common.ip_addresses import unmap_network

T = TypeVar("T")
_FILE = "_FILE"


class SettingError(ImproperlyConfigured):
    """A setting has an unusable value."""


class Env:
    """Typed access to a mapping of environment variables."""

    def __init__(self, values: Mapping[str, str] = os.environ) -> None:
        self._values = values

    def text(self, name: str, default: str = "") -> str:
        return self._read_value(name) or default

    def _read_value(self, name: str) -> str:
        value, path = (self._values.get(key, "").strip() for key in (name, f"{name}{_FILE}"))
        if not path:
            return value
        if value:
            raise SettingError(f"{name} and {name}{_FILE} are both set: leave one of them out")
        try:
            return Path(path).read_text(encoding="utf-8").rstrip("\r\n")
        except (OSError, ValueError) as error:
            raise SettingError(f"{name}{_FILE} names {path!r}, which cannot be read: {error}") from error

    def number(self, name: str, default: int) -> int:
        value = self.text(name)
        if not value:
            return default
        try:
            return int(value)
        except ValueError as error:
            raise SettingError(f"{name} must be a whole number, not {value!r}") from error

    def amount(self, name: str, default: str) -> Decimal:
        """A sum of money, not negative."""
        value = self.text(name, default)
        try:
            amount = Decimal(value)
        except InvalidOperation as error:
            raise SettingError(f"{name} must be an amount, not {value!r}") from error
        if not (amount.is_finite() and amount >= 0):
            raise SettingError(f"{name} must be an amount, not {value!r}")
        return amount

    def flag(self, name: str, default: bool) -> bool:
        value = self.text(name).lower()
        if not value:
            return default
        if value in {"1", "true", "yes", "on"}:
            return True
        if value in {"0", "false", "no", "off"}:
            return False
        raise SettingError(f"{name} must be true or false, not {value!r}")

    def names(self, name: str, default: tuple[str, ...] = ()) -> tuple[str, ...]:
        value = self.text(name)
        return tuple(part.strip() for part in value.split(",") if part.strip()) if value else default

    def parsed(self, name: str, default: str, read: Callable[[str], T]) -> T:
        """The text parsed by `read`; its `ValueError` says what is wrong."""
        try:
            return read(self.text(name, default))
        except ValueError as error:
            raise SettingError(f"{name} cannot be read: {error}") from error

    def prefixed(self, prefix: str) -> dict[str, str]:
        """All that begin with `prefix` and are set, by the rest of their names."""
        names = {name.removesuffix(_FILE) for name in self._values if name.startswith(prefix)}
        return {name.removeprefix(prefix): value for name in sorted(names) if (value := self.text(name))}

    def choice(self, name: str, options: tuple[str, ...], default: str) -> str:
        value = self.text(name, default)
        if value not in options:
            raise SettingError(f"{name} must be one of {', '.join(options)}, not {value!r}")
        return value

    def addresses(self, name: str, default: tuple[str, ...] = (), *, port: int = 53) -> tuple[tuple[str, int], ...]:
        """`host:port` pairs separated by commas; the port may be left out."""
        pairs = []
        for item in self.names(name, default):
            parts = urlsplit(f"//{item}")
            try:
                pairs.append((parts.hostname or "", parts.port or port))
            except ValueError as error:
                raise SettingError(f"{name} must be host:port, not {item!r}") from error
        return tuple(pairs)

    def networks(self, name: str) -> tuple[IPv4Network | IPv6Network, ...]:
        """IP addresses and networks separated by commas."""
        found = []
        for item in self.names(name):
            try:
                found.append(unmap_network(ip_network(item)))
            except ValueError as error:
                raise SettingError(f"{name} must be IP addresses or networks, not {item!r}") from error
        return tuple(found)


@dataclass(frozen=True, slots=True)
class MailServer:
    """Where mail of the product is handed in."""

    host: str
    port: int
    user: str
    password: str
    starttls: bool
    implicit_tls: bool


def parse_mail(url: str) -> MailServer:
    """The server of `smtp://user:password@host:port`; `smtp+tls` asks for STARTTLS, `smtps` for TLS from the start."""
    parts = urlsplit(url)
    ports = {"smtp": 25, "smtp+tls": 587, "smtps": 465}
    if parts.scheme not in ports or not parts.hostname:
        raise SettingError(f"MAIL_URL must be smtp://, smtp+tls:// or smtps:// and a host, not {parts.scheme}://")
    return MailServer(
        host=parts.hostname,
        port=parts.port or ports[parts.scheme],
        user=unquote(parts.username or ""),
        password=unquote(parts.password or ""),
        starttls=parts.scheme == "smtp+tls",
        implicit_tls=parts.scheme == "smtps",
    )


def origin(address: str) -> list[str]:
    """Scheme and host of an absolute address, for a list of allowed sources; nothing of a path or of none."""
    parts = urlsplit(address)
    return [f"{parts.scheme}://{parts.netloc}"] if parts.netloc else []


@dataclass(frozen=True, slots=True)
class IdentityProvider:
    """Where an OpenID provider is: `authorize` is opened by browsers, `token` and `keys` by us."""

    issuer: str
    authorize: str
    token: str
    keys: str


def build_google(base: str, web_base: str) -> IdentityProvider:
    """Google itself, or with `base` a provider that plays it; browsers reach that one below `web_base`."""
    if not base:
        return IdentityProvider(
            issuer="https://accounts.google.com",
            authorize="https://accounts.google.com/o/oauth2/v2/auth",
            token="https://oauth2.googleapis.com/token",
            keys="https://www.googleapis.com/oauth2/v3/certs",
        )
    return IdentityProvider(base, f"{web_base or base}/authorize", f"{base}/token", f"{base}/keys")


# Both sides find out within half a minute that the other is gone without a word, as when a machine loses its power: the
# server lets go of what that one had locked. Nothing of it counts on a socket in the file system.
_KEEPALIVE_S = {"keepalives_idle": 10, "keepalives_interval": 5, "keepalives_count": 3}
_NOTICES_THE_LOST = {
    **_KEEPALIVE_S,
    "connect_timeout": 10,
    "tcp_user_timeout": 25_000,  # milliseconds
    "options": " ".join(f"-c tcp_{name}={value}" for name, value in _KEEPALIVE_S.items()) + " -c tcp_user_timeout=25s",
}


def parse_database(url: str) -> dict[str, object]:
    """Django's database settings for a `sqlite:///path` or `postgresql://user:password@host:port/name` address."""
    parts = urlsplit(url)
    if parts.scheme == "sqlite":
        path = unquote(parts.path[1:])
        return {
            "ENGINE": "emailcheck.common.sqlite",
            "NAME": path,
            # Tests use a file too, so that threads and processes share it as in production.
            "TEST": {"NAME": f"{path}.test"},
            "CONN_MAX_AGE": 60,
            "OPTIONS": {
                "transaction_mode": "IMMEDIATE",
                "timeout": 20,
                "init_command": (
                    "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;"
                    "PRAGMA cache_size=-16000; PRAGMA temp_store=MEMORY; PRAGMA journal_size_limit=67108864;"
                    "PRAGMA wal_autocheckpoint=8000; PRAGMA secure_delete=ON;"
                ),
            },
        }
    if parts.scheme in {"postgres", "postgresql"}:
        return {
            "ENGINE": "django.db.backends.postgresql",
            "NAME": unquote(parts.path[1:]),
            "USER": unquote(parts.username or ""),
            "PASSWORD": unquote(parts.password or ""),
            "HOST": unquote(parts.hostname or ""),
            "PORT": str(parts.port or ""),
            "CONN_MAX_AGE": 300,
            "CONN_HEALTH_CHECKS": True,
            "OPTIONS": dict(_NOTICES_THE_LOST),
        }
    raise SettingError(f"DATABASE_URL must start with sqlite:/// or postgresql://, not {url!r}")
