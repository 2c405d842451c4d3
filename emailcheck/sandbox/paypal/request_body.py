"""Reads request bodies; missing or wrong fields are refused as PayPal does."""

import json
from datetime import UTC, datetime
from decimal import Decimal, InvalidOperation
from typing import Any

from emailcheck.sandbox.paypal.errors import invalid_fault

_LARGEST = Decimal("1000000")


class Body:
    """An object of a request and its position in it."""

    def __init__(self, value: Any, path: str = "") -> None:
        if not isinstance(value, dict):
            raise invalid_fault(path or "/", value, missing=value is None)
        self._value: dict[str, Any] = value
        self._path = path

    def __contains__(self, name: str) -> bool:
        return self._value.get(name) is not None

    def text(self, name: str, *, longest: int = 127) -> str:
        found = self._value.get(name)
        if not isinstance(found, str) or not 0 < len(found) <= longest:
            raise invalid_fault(f"{self._path}/{name}", found, missing=found in (None, ""))
        return found

    def maybe_text(self, name: str, *, longest: int = 127) -> str:
        return self.text(name, longest=longest) if name in self else ""

    def choice(self, name: str, *options: str) -> str:
        """One of the options; the first one by default."""
        found = self.maybe_text(name) or options[0]
        if found not in options:
            raise invalid_fault(f"{self._path}/{name}", found)
        return found

    def address(self, name: str) -> str:
        found = self.text(name, longest=4000)
        if not found.startswith(("http://", "https://")):
            raise invalid_fault(f"{self._path}/{name}", found)
        return found

    def number(self, name: str, default: int) -> int:
        found = self._value.get(name, default)
        if not isinstance(found, int) or isinstance(found, bool) or not 0 <= found <= 999:
            raise invalid_fault(f"{self._path}/{name}", found)
        return found

    def flag(self, name: str, default: bool) -> bool:
        found = self._value.get(name, default)
        if not isinstance(found, bool):
            raise invalid_fault(f"{self._path}/{name}", found)
        return found

    def money(self, name: str) -> tuple[Decimal, str]:
        """An amount in whole cents and its currency."""
        inner = self.node(name)
        value_text, currency = inner.text("value"), inner.text("currency_code", longest=3)
        try:
            value = Decimal(value_text)
        except InvalidOperation as error:
            raise invalid_fault(f"{self._path}/{name}/value", value_text) from error
        if not value.is_finite() or not 0 <= value < _LARGEST or value != value.quantize(Decimal("0.01")):
            raise invalid_fault(f"{self._path}/{name}/value", value_text)
        return value, currency

    def time(self, name: str) -> datetime:
        value_text = self.text(name)
        try:
            return datetime.fromisoformat(value_text).astimezone(UTC).replace(microsecond=0)
        except (ValueError, OverflowError) as error:
            raise invalid_fault(f"{self._path}/{name}", value_text) from error

    def node(self, name: str) -> "Body":
        return Body(self._value.get(name), f"{self._path}/{name}")

    def maybe_node(self, name: str) -> "Body":
        return self.node(name) if name in self else Body({}, f"{self._path}/{name}")

    def nodes(self, name: str) -> list["Body"]:
        found = self._value.get(name)
        if not isinstance(found, list) or not found:
            raise invalid_fault(f"{self._path}/{name}", found, missing=found is None)
        return [Body(value, f"{self._path}/{name}/{index}") for index, value in enumerate(found)]


def read_body(raw: bytes) -> Body:
    """The object of a request; an empty body counts as an empty object."""
    try:
        return Body(json.loads(raw or b"{}"))
    except (ValueError, RecursionError) as error:
        raise invalid_fault("/", "") from error
