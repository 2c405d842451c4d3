"""Where the key comes from: the environment, else a file that nobody else can read; never an argument."""

from __future__ import annotations

import configparser
import os
import re
import stat
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from emailcheck_client.errors import BadUsage

KEY, BASE_URL, ALLOW_HTTP = "EMAILCHECK_API_KEY", "EMAILCHECK_BASE_URL", "EMAILCHECK_ALLOW_HTTP"
SECRET, FILE = "EMAILCHECK_WEBHOOK_SECRET", "EMAILCHECK_CONFIG"
DEFAULT_URL = "https://emailcheck.app"
_SECTION = "emailcheck"
_NAMES = {KEY: "key", BASE_URL: "base_url", ALLOW_HTTP: "allow_http", SECRET: "webhook_secret"}


@dataclass(frozen=True)
class Settings:
    """A key, and the service that it is for."""

    key: str = field(repr=False)
    base_url: str
    allow_http: bool

    @classmethod
    def build(cls, key: str, base_url: str | None = None, *, allow_http: bool = False) -> Settings:
        """Settings that a call can be made with. Raises `BadUsage`, which never shows the key."""
        if not re.fullmatch(r"[\x21-\x7e]+", key):
            raise BadUsage("The key is empty, or holds a line break, a blank or another character that no key has.")
        url = (base_url or DEFAULT_URL).rstrip("/")
        parts = urlsplit(url)
        if not parts.hostname or parts.scheme not in ("https", "http" if allow_http else "https"):
            raise BadUsage(
                f"{url} does not begin with https://, and only allow_http, for your own machine, takes http://."
            )
        return cls(key, url, allow_http)


def load_settings() -> Settings:
    """The settings of this machine. Raises `BadUsage`."""
    key = load_value(KEY)
    if not key:
        raise BadUsage(f"There is no key. Set {KEY}, or write `key = …` under [{_SECTION}] into {find_file()}.")
    return Settings.build(key, load_value(BASE_URL), allow_http=load_value(ALLOW_HTTP).lower() in ("1", "true", "yes"))


def load_value(name: str) -> str:
    """A value of the environment, else of the configuration file; empty where neither has it. Raises `BadUsage`."""
    return os.environ.get(name) or _read_file().get(_NAMES[name], "")


def find_file() -> Path:
    """Where the configuration file is, or would be."""
    base = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return Path(os.environ.get(FILE) or Path(base) / "emailcheck" / "config.ini")


def _read_file() -> dict[str, str]:
    path = find_file()
    if not path.is_file():
        return {}
    if os.name == "posix" and stat.S_IMODE(path.stat().st_mode) != 0o600:
        raise BadUsage(f"{path} can be used by others, or run. Allow it to yourself alone: chmod 600 {path}")
    reader = configparser.ConfigParser(interpolation=None)
    try:
        reader.read_string(path.read_text(encoding="utf-8"))
        return dict(reader[_SECTION])
    except (configparser.Error, UnicodeDecodeError, KeyError) as error:
        raise BadUsage(f"{path} cannot be read. It is an INI file with a section [{_SECTION}].") from error
