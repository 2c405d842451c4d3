"""Reads PayPal's JSON strictly: what is not of the documented shape is an `UnexpectedAnswer` that names the place."""

import json
import re
from collections.abc import Iterator
from datetime import datetime
from decimal import Decimal
from typing import Any

from billing.payments.paypal.errors import UnexpectedAnswer
from billing.payments.paypal.types import Amount

_VALUE = re.compile(r"-?[0-9]{1,12}(\.[0-9]{1,2})?")
_CURRENCY = re.compile(r"[A-Z]{3}")
_TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,6})?(Z|[+-][0-9]{2}:?[0-9]{2})")
_LONGEST = 2_000


class Node:
    """An object of an answer, with its path."""

    def __init__(self, value: Any, path: str = "answer") -> None:
        if not isinstance(value, dict):
            raise UnexpectedAnswer(f"{path} is no object")
        self._value: dict[str, Any] = value
        self._path = path

    def __contains__(self, name: str) -> bool:
        return self._value.get(name) is not None

    def text(self, name: str) -> str:
        """A text that holds no control characters and can be stored."""
        found = self._value.get(name)
        if not isinstance(found, str) or not found.isprintable() or not 0 < len(found) <= _LONGEST:
            raise self._wrong(name, "text")
        return found

    def maybe_text(self, name: str) -> str:
        """The text, or an empty one when there is none."""
        return "" if self._value.get(name) in (None, "") else self.text(name)

    def number(self, name: str) -> int:
        found = self._value.get(name)
        if not isinstance(found, int) or isinstance(found, bool) or not 0 <= found < 2**31:
            raise self._wrong(name, "a whole number")
        return found

    def time(self, name: str) -> datetime:
        """A moment, with its time zone."""
        found = self.text(name)
        try:
            if _TIME.fullmatch(found):
                return datetime.fromisoformat(found)
        except ValueError as error:
            raise self._wrong(name, "a time") from error
        raise self._wrong(name, "a time")

    def maybe_time(self, name: str) -> datetime | None:
        return self.time(name) if name in self else None

    def amount(self, name: str) -> Amount:
        """Money in either of the shapes that PayPal uses: `currency_code` and `value`, or `currency` and `total`."""
        money = self.node(name)
        value, currency = ("value", "currency_code") if "currency_code" in money else ("total", "currency")
        number, code = money.text(value), money.text(currency)
        if not _VALUE.fullmatch(number) or not _CURRENCY.fullmatch(code):
            raise self._wrong(name, "an amount of money")
        return Amount(Decimal(number), code)

    def maybe_amount(self, name: str) -> Amount | None:
        return self.amount(name) if name in self else None

    def node(self, name: str) -> "Node":
        return Node(self._value.get(name), f"{self._path}.{name}")

    def maybe_node(self, name: str) -> "Node":
        """The object, or an empty one when there is none."""
        return self.node(name) if name in self else Node({}, f"{self._path}.{name}")

    def nodes(self, name: str) -> Iterator["Node"]:
        """The objects of a list; none when there is no list."""
        found = self._value.get(name)
        if not isinstance(found, list | None):
            raise self._wrong(name, "a list")
        for index, value in enumerate(found or []):
            yield Node(value, f"{self._path}.{name}[{index}]")

    def link(self, *rels: str) -> str:
        """The address of the first link with one of these meanings, or an empty text."""
        for link in self.nodes("links"):
            if link.text("rel") in rels:
                return link.text("href")
        return ""

    def _wrong(self, name: str, expected: str) -> UnexpectedAnswer:
        return UnexpectedAnswer(f"{self._path}.{name} is not {expected}")


def parse_json(body: bytes) -> Node:
    """The object that a body holds. Raises `UnexpectedAnswer`."""
    try:
        return Node(json.loads(body))
    except (ValueError, RecursionError) as error:
        raise UnexpectedAnswer(f"no JSON: {type(error).__name__}") from error
