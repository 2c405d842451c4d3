"""What mail operators tolerate, as data (`profiles.toml`). Servers tell the rest."""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from functools import cache
from pathlib import Path
from typing import Any

SHIPPED = Path(__file__).with_name("profiles.toml")
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,31}")
_TITLES = {"gmx": "GMX", "mailru": "Mail.ru", "godaddy": "GoDaddy", "tencent": "Tencent QQ", "netease": "NetEase"}


class ProfileError(ValueError):
    """A profiles file that cannot be used. The message names the file and, where known, the line."""


@dataclass(frozen=True, slots=True)
class Profile:
    """Limits of one operator for each egress address; `profiles.toml` explains each field.

    Without a name it holds the limits of hosts of unknown operators.
    """

    name: str
    suffixes: tuple[str, ...] = ()
    sessions: int = 10
    first_sessions: int = 5
    recipients: int = 20
    per_session: int = 100
    refusals: int = 18
    per_minute: int = 0
    per_day: int = 0
    rest_s: float = 15.0
    warm_up: tuple[float, ...] = ()

    @property
    def title(self) -> str:
        """The operator's name as people write it."""
        return format_operator_title(self.name)


UNKNOWN_OPERATOR = Profile("")


def format_operator_title(operator: str) -> str:
    """The name of an operator as people write it.

    >>> format_operator_title("gmx"), format_operator_title("yahoo")
    ('GMX', 'Yahoo')
    """
    return _TITLES.get(operator, operator.capitalize())


class Profiles:
    """The profiles of all known operators."""

    def __init__(self, profiles: Iterable[Profile]) -> None:
        self._by_name = {profile.name: profile for profile in profiles}

    @classmethod
    def read(cls, path: Path) -> "Profiles":
        """Read a file of profiles. Raises `ProfileError`."""
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise ProfileError(f"{path}: {getattr(error, 'strerror', None) or 'is not UTF-8'}") from error
        try:
            tables = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            line = re.search(r"at line (\d+)", str(error))
            where = f":{line[1]}" if line else ""
            raise ProfileError(f"{path}{where}: {error}") from error
        return cls(_build_profile(path, text, name, table) for name, table in tables.items())

    @classmethod
    def shipped(cls) -> "Profiles":
        """The profiles shipped with the engine."""
        return _load_shipped_profiles()

    def __iter__(self) -> Iterator[Profile]:
        return iter(self._by_name.values())

    def named(self, operator: str) -> Profile:
        """The profile of that name; `UNKNOWN_OPERATOR` where there is none."""
        return self._by_name.get(operator, UNKNOWN_OPERATOR)

    def of_host(self, host: str) -> Profile:
        """The profile of the operator that runs a mail host, known by the host's name."""
        dotted = f".{host}"
        for profile in self:
            if dotted.endswith(profile.suffixes):
                return profile
        return UNKNOWN_OPERATOR

    def with_rates(self, rates: Mapping[str, int]) -> "Profiles":
        """These profiles with other limits of recipients a minute, by operator. Raises `ProfileError`."""
        for name in rates:
            if name not in self._by_name:
                raise ProfileError(f"no operator is called {name!r}; there are {', '.join(self._by_name)}")
        return Profiles(
            replace(profile, per_minute=rates[profile.name]) if profile.name in rates else profile for profile in self
        )


@cache
def _load_shipped_profiles() -> Profiles:
    return Profiles.read(SHIPPED)


_TYPES: dict[str, type] = {field.name: field.type for field in fields(Profile) if isinstance(field.type, type)}
_AT_LEAST_1 = frozenset({"sessions", "first_sessions", "recipients", "per_session", "refusals"})


def _build_profile(path: Path, text: str, name: str, table: Any) -> Profile:
    if not isinstance(table, dict):
        raise ProfileError(f"{path}:{_locate_line(text, '', name)}: {name} stands outside the table of an operator")
    if not _NAME.fullmatch(name):
        raise ProfileError(f"{path}:{_locate_line(text, name)}: {name!r} is no name of an operator")
    for key, value in table.items():
        problem = _describe_problem(key, value)
        if problem:
            raise ProfileError(f"{path}:{_locate_line(text, name, key)}: {name}.{key} {problem}")
    values: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in table.items()}
    if not values.get("suffixes"):
        raise ProfileError(f"{path}:{_locate_line(text, name)}: {name} names no suffixes")
    made = Profile(name=name, **values)
    if made.first_sessions > made.sessions:
        made = replace(made, first_sessions=made.sessions)
    return made


def _describe_problem(key: str, value: Any) -> str:
    """The problem of a field; "" where there is none."""
    if (key not in _TYPES and key not in ("suffixes", "warm_up")) or key == "name":
        return "is no field of a profile"
    if key == "suffixes":
        is_right = isinstance(value, list) and all(isinstance(one, str) and one.startswith(".") for one in value)
        return "" if is_right else "must be a list of names that begin with a dot"
    if key == "warm_up":
        is_right = isinstance(value, list) and all(_is_number(one) and 0 < one <= 1 for one in value)
        return "" if is_right else "must be a list of shares above 0, up to 1"
    is_right = _is_number(value) if key == "rest_s" else isinstance(value, int) and not isinstance(value, bool)
    least = 1 if key in _AT_LEAST_1 else 0
    return "" if is_right and value >= least else f"must be a number of at least {least}"


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _locate_line(text: str, name: str, key: str = "") -> int:
    """The line where a table, or a key in it, begins."""
    header = re.compile(rf"\s*\[\s*[\"']?{re.escape(name)}[\"']?\s*\]")
    assigned = re.compile(rf"\s*[\"']?{re.escape(key)}[\"']?\s*=")
    inside, begins = not name, 1
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith("["):
            inside = bool(header.match(line))
            begins = number if inside else begins
            if inside and not key:
                return number
        elif inside and key and assigned.match(line):
            return number
    return begins
