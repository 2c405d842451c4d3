"""Reads fields of providers' answers: strictly where a verdict depends on them, leniently elsewhere."""

import json
import re
from collections.abc import Mapping
from typing import Any, Final

from validation.providers.clients.base import BadAnswer

MOST: Final = 2_000
_LONGEST_WORD = 80
_LONGEST_TEXT = 400
_MOST_ITEMS = 40
_HIDDEN: Final = "…"
# Personal data and the names of key parameters: neither is stored.
_NOT_STORED = frozenset(
    {
        *("firstname", "lastname", "first_name", "last_name", "gender", "country", "region", "city", "zipcode"),
        *("api_key", "apikey", "key", "token"),
    }
)
_FLAGS = {"true": True, "false": False, "1": True, "0": False, "yes": True, "no": False}

Members = Mapping[str, Any]


def parse_object(body: bytes) -> dict[str, Any]:
    """The answer as an object. Raises `BadAnswer`."""
    try:
        found = json.loads(body, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise BadAnswer(f"no JSON: {type(error).__name__}") from None
    return require_object(found, "answer")


def require_object(found: Any, name: str) -> dict[str, Any]:
    """An object within an answer. Raises `BadAnswer`."""
    if not isinstance(found, dict):
        raise BadAnswer(f"{name} is no object")
    return found


def require_objects(found: Any, name: str) -> list[dict[str, Any]]:
    """A list of objects. Raises `BadAnswer`."""
    if not isinstance(found, list):
        raise BadAnswer(f"{name} is no list")
    return [require_object(item, name) for item in found]


def require_word(found: Members, name: str) -> str:
    """A word of the provider in lower case. Raises `BadAnswer` without one."""
    text = parse_word(found, name)
    if not text:
        raise BadAnswer(f"{name} is missing")
    return text


def parse_word(found: Members, name: str) -> str:
    """A word of the provider in lower case, "" for none. Raises `BadAnswer` for another type."""
    value = found.get(name)
    if value is None:
        return ""
    if not isinstance(value, str) or not value.isprintable() or len(value) > _LONGEST_WORD:
        raise BadAnswer(f"{name} is no word")
    return value.strip().lower()


def find_text(found: Members, name: str) -> str | None:
    """A printable text, None for anything else."""
    value = found.get(name)
    usable = isinstance(value, str) and value.isprintable() and 0 < len(value) <= _LONGEST_TEXT
    return value if usable else None


def find_flag(found: Members, name: str) -> bool | None:
    """A yes or no in any spelling, None for anything else."""
    value = found.get(name)
    if isinstance(value, bool):
        return value
    return _FLAGS.get(str(value).strip().lower()) if isinstance(value, str | int) else None


def find_whole_number(found: Members, name: str) -> int | None:
    """A whole number, perhaps in quotes or signed; None for anything else."""
    value = found.get(name)
    if isinstance(value, str) and re.fullmatch(r"-?[0-9]{1,12}", value.strip()):
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 10**12 else None


def require_whole_number(found: Members, name: str) -> int:
    """A whole number. Raises `BadAnswer` for anything else."""
    number = find_whole_number(found, name)
    if number is None:
        raise BadAnswer(f"{name} is no number")
    return number


def parse_percentage(found: Members, name: str) -> float:
    """The number that a text such as `37% Complete.` begins with, from 0 to 100; 0 for none."""
    matched = re.match(r"\s*([0-9]{1,3}(?:\.[0-9]{1,6})?)", str(found.get(name))[:_LONGEST_WORD])
    return min(float(matched[1]), 100.0) if matched else 0.0


def find_complaint(found: Members, *names: str) -> str:
    """The error text of an answer in lower case: the first member that is a text or a list of texts."""
    for name in names:
        value = found.get(name)
        complaint = " ".join(str(item) for item in value[:_MOST_ITEMS]) if isinstance(value, list) else value
        if isinstance(complaint, str) and complaint.strip():
            return complaint.strip().lower()[:_LONGEST_TEXT]
    return ""


def redact_answer(found: Members, *, key: str) -> str:
    """An answer as JSON text of at most `MOST` characters, without personal data and without our key.

    Only single values and lists of them are included.
    """
    shown: dict[str, Any] = {}
    for name, value in found.items():
        if name.lower() in _NOT_STORED:
            continue
        longer = {**shown, _redact_text(name, key): _redact_value(value, key)}
        if len(json.dumps(longer)) > MOST:
            break
        shown = longer
    return json.dumps(shown)


def _redact_value(value: Any, key: str) -> Any:
    if isinstance(value, str):
        return _redact_text(value, key)
    if isinstance(value, list):
        return [_redact_value(item, key) for item in value[:_MOST_ITEMS] if isinstance(item, str | int | float)]
    return value if isinstance(value, bool | int | float | None) else _HIDDEN


def _redact_text(text: str, key: str) -> str:
    shown = text[:_LONGEST_TEXT] if not key else text.replace(key, _HIDDEN)[:_LONGEST_TEXT]
    return "".join(character if character.isprintable() else _HIDDEN for character in shown)


def _refuse_constant(text: str) -> float:
    raise ValueError(text)
